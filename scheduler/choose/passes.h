/*
 * May passes over a loop flow into each other? A pass is one run of it inside of a loop around it.
 * The next may begin before it is over when the serial code between the two neither looks at what
 * the loop writes nor changes what it reads (docs/plan.md, "Passes").
 */
#ifndef ORRERY_SCHEDULER_PASSES_H
#define ORRERY_SCHEDULER_PASSES_H

#include "scheduler/plan/plan.h"

/*
 * A statement that may need what the passes before it left behind: they have to be over then.
 * `keeps`: the variables that the loop folds into are still there.
 */
struct plan_wait {
    const struct stmt *stmt;
    bool keeps;
};

struct plan_passes {
    /* the outermost loop whose passes flow, NULL: every pass is waited for, because of `why`, at
     * `where` (or because no loop stands around this one: `why` is NULL); `fix` may be NULL */
    const struct loop *around;
    /* `in_block`: `around` is a statement of a block. `keeps`: as in a wait, behind `around`. */
    bool in_block, keeps;
    int nwaits;              /* of `waits` */
    struct plan_wait *waits; /* between passes */
    int nvaries;             /* of `varies` */
    /* variables that get other values between passes, and that the loop may use as values */
    const struct variable **varies;
    struct range where;    /* see `around` */
    const char *why, *fix; /* see `around` */
};

/* requires: a parallel plan. Never NULL. */
const struct plan_passes *plan_passes(const struct plan *plan);

/* In words, for a report: NULL when there is nothing to say. `*code`: ORR1404 or ORR1405. */
const char *plan_passes_words(const struct plan *plan, const struct plan_passes *passes,
                              const char **code);

#endif
