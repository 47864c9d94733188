/* What serial code between two passes may do without either of them noticing (passes.c). */
#ifndef ORRERY_SCHEDULER_PASSES_UNSAFE_H
#define ORRERY_SCHEDULER_PASSES_UNSAFE_H

#include "scheduler/choose/passes.h"

/* What stands in the way: words and a place. `why` NULL: nothing. */
struct passes_unsafe {
    const char *why;
    struct range where;
};

/*
 * Harmless is what touches only variables of the function that no pointer leads to, constants, and
 * calls that depend on their arguments alone. Folds of the loop are read as soon as they are named.
 */
struct passes_unsafe passes_unsafe_expr(const struct plan *plan, const struct expr *expr);

/* The same of a whole statement, loops, jumps and declarations included; `except`: a statement
 * inside that is not looked at. */
struct passes_unsafe passes_unsafe_stmt(const struct plan *plan, const struct stmt *stmt,
                                        const struct stmt *except);

/* The reduction of the loop into the variable itself. */
bool passes_is_folded(const struct plan *plan, const struct variable *var);

/* The variable of the lvalue, itself or by its members; NULL: something else. */
const struct variable *passes_root(const struct expr *expr);

#endif
