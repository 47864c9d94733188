/*
 * Consecutive shares of a row of things. This room is for both halves: the run assigns by it, the
 * model predicts by it. It is arithmetic, and includes nothing but the text's own header.
 */
#ifndef ORRERY_RUNTIME_SCHEDULE_SHARE_H
#define ORRERY_RUNTIME_SCHEDULE_SHARE_H

/* The part of [0, count) that is number w of n begins here, and ends where w + 1 begins. */
static inline long orrery_share(long count, long w, long n) {
    return (long)((__int128)count * w / n);
}

/* The part that `item` is in. */
static inline long orrery_share_of(long item, long count, long n) {
    return (long)(((__int128)(item + 1) * n - 1) / count);
}

/*
 * The first of the rows [begin, end) that worker `worker` of `workers` has, when consecutive rows
 * with these costs are assigned so that the one with most to do has as little as can be.
 */
long orrery_share_by_cost(const double *costs, long begin, long end, long worker, long workers);

#endif
