/*
 * Where a pointer comes from, over the whole unit: two origins that cannot meet.
 */
#ifndef ORRERY_ANALYZER_ALIAS_ORIGIN_H
#define ORRERY_ANALYZER_ALIAS_ORIGIN_H

#include "analyzer/ir.h"

/* Can the memory that the two pointer (or array) expressions lead to never overlap? `inside`: the
 * function both are evaluated in. */
bool origins_distinct(const struct unit *unit, const struct expr *a, const struct expr *b);

#endif
