/*
 * What a rank has of the arrays of a planned loop.
 */
#ifndef ORRERY_SCHEDULER_CHOOSE_MEMORY_H
#define ORRERY_SCHEDULER_CHOOSE_MEMORY_H

#include "scheduler/plan/plan.h"

/*
 * `bytes`: formula in the program's names, in `ranks`, `threads` (of a rank), `grid_rows`, and in
 * `bytes(W)`, which is the allocation that W points to; NULL: rows behind tables of pointers, whose
 * number the loop does not tell. `whole`: more ranks do not make it less. `word`: how a rank has
 * it, more exactly than the placement tells ("records"), or NULL.
 */
struct plan_memory {
    const char *bytes, *word;
    bool whole;
};

/* Of `array`, one of the plan's. The texts are in the unit's arena. */
struct plan_memory plan_memory(const struct plan *plan, const struct plan_array *array);

/* "W: 4 * n / ranks; bias: 4 * n (whole)", NULL: the plan has no arrays. */
const char *plan_memory_text(const struct plan *plan);

/* Why several ranks would be refused, which the run says where there are some; NULL: they are not. */
const char *plan_threads_only(const struct plan *plan);

/* The arrays that are whole on every rank although others of the loop are cut, as the same text;
 * NULL: there are none. */
const char *plan_memory_whole(const struct plan *plan);

#endif
