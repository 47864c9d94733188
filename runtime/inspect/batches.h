/*
 * Batches: iterations that touch no common element of which one of them writes, in an order that
 * depends on the lists of what they touch, and on nothing else.
 */
#ifndef ORRERY_RUNTIME_BATCHES_H
#define ORRERY_RUNTIME_BATCHES_H

#include "runtime/inspect/hot.h"

/* The element that most iterations write, which run one after another. */
struct orrery_hot {
    int object; /* of the loop's `touched` */
    long unit;  /* which element of it */
    long times; /* iterations that write it; 0: none is written */
};

/* Makes `level` of every iteration its batch; by all workers. */
/* Rows that have copies (relax(hot)), which nobody waits for; NULL: there are none. */
struct orrery_hots *orrery_batches_make(struct orrery_listing *listing, struct orrery_hot *hot);

#endif
