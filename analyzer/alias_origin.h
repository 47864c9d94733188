/*
 * Where a pointer comes from, over the whole unit: two origins that cannot meet.
 */
#ifndef ORRERY_ANALYZER_ALIAS_ORIGIN_H
#define ORRERY_ANALYZER_ALIAS_ORIGIN_H

#include "analyzer/ir.h"

/* What was found out of the unit's variables so far; zero but for `unit` at the start. */
struct origins {
    const struct unit *unit;
    int count;
    const struct variable **vars;
    bool *fresh;
};

/* A local variable whose address is only handed to functions that do not keep it. */
bool origins_keep_private(struct origins *o, const struct variable *var);

/* Can the memory that the two pointer (or array) expressions lead to never overlap? */
bool origins_distinct(struct origins *o, const struct expr *a, const struct expr *b);

#endif
