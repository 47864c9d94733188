/*
 * Where a pointer comes from, over the whole unit: two origins that cannot meet.
 */
#ifndef ORRERY_ANALYZER_ALIAS_ORIGIN_H
#define ORRERY_ANALYZER_ALIAS_ORIGIN_H

#include "analyzer/ir.h"

/* What was found out of the unit's variables so far; zero but for `unit` at the start. */
struct origins {
    struct unit *unit;
    int count;
    const struct variable **vars;
    bool *unescaped;
};

/* A local variable whose address is only handed to functions that do not keep it. */
bool origins_keep_private(struct origins *o, const struct variable *var);

/* The same of a static variable, anywhere in the unit: who has no argument of it names it. */
bool origins_keep_static(struct origins *o, const struct variable *var);

/* A local pointer set once, to memory of its own, of which no copy stays behind anywhere. */
bool origins_own(struct origins *o, const struct variable *var);

/* ... whose value is used to subscript, to compare and as an argument only, also in functions that it
 * is handed to: no other pointer ever leads to that memory. */
bool origins_alone(struct origins *o, const struct variable *var);

/* The call of the C library's allocator that such a pointer is set to; NULL: another way. */
const struct expr *origins_allocation(struct origins *o, const struct variable *var);

/* Can the memory that the two pointer (or array) expressions lead to never overlap? */
bool origins_distinct(struct origins *o, const struct expr *a, const struct expr *b);

/*
 * Is `e` certainly not based on the pointer variable `var` (C11 6.7.3.1), so that `restrict` on var
 * keeps them apart? Where the origin of `e` is not known, only when no copy of var was ever made.
 */
bool origins_not_based_on(struct origins *o, const struct expr *e, const struct variable *var);

/*
 * Is `var` ever set to an address computed from `base` (`base + 1`, `c ? base : other`,
 * `row(base, i)`)? A plain copy does not count, nor does `base + n * k`: pointers that change
 * places between two passes, and arrays cut in two, a run can tell apart.
 */
bool origins_computed_from(struct origins *o, const struct variable *var,
                           const struct variable *base);

/* Is `var` ever set to the address of `base`, to a part of it or to a copy of it? */
bool origins_lead_to(struct origins *o, const struct variable *var, const struct variable *base);

/* ... to what names a member as `member` (`m->sum`) does? */
bool origins_names_member(struct origins *o, const struct variable *var, const struct expr *member);

#endif
