/*
 * The clauses relax() and buffer(), inside of the access passes.
 */
#ifndef ORRERY_ANALYZER_ACCESS_RELAX_H
#define ORRERY_ANALYZER_ACCESS_RELAX_H

#include "analyzer/access/internal.h"

/* Is the value that `lvalue`, a whole number of the loop's text, yields used as a real number only:
 * converted by the arithmetic around it, and given to no function that could make numbers of it? */
bool relax_is_quantity(const struct trace *t, const struct expr *lvalue);

/* The `x[e] += u` or `x[e] -= u` whose left side is `lvalue`, as a statement of its own; NULL. */
const struct expr *relax_update_of(const struct trace *t, const struct expr *lvalue);

/* Do its elements only change by amounts that no relaxed value decides or is part of, or does the
 * loop read none of them? Then they are totals, which are added (relax_sum.c). */
bool relax_is_sum(const struct trace *t, const struct object *object);

/*
 * The function of `buffer(object : fn)`, after its form and effects were checked; NULL: refused
 * (relax_function.c).
 */
struct function *relax_function(const struct trace *t, const struct clause *clause,
                                const struct object *object, const struct type *type);

#endif
