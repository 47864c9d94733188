/*
 * Facts about what iterations touch, checked over all of them: guards from ORRERY_APART on. Rank 0.
 */
#ifndef ORRERY_RUNTIME_INTERVALS_H
#define ORRERY_RUNTIME_INTERVALS_H

#include "runtime/region/region.h"
#include "runtime/schedule/intervals.h"

/* Is this guard one about intervals? */
static inline bool orrery_guard_intervals(const struct orrery_guard *guard) {
    return guard->kind >= ORRERY_APART;
}

/* Are the intervals still those that were found to hold? */
bool orrery_intervals_hold(const struct orrery_state *state, const void *env, long count);
void orrery_intervals_forget(struct orrery_state *state);

/* Checks guard g with all workers; when it fails, `text` says for which iterations. */
bool orrery_intervals_check(struct orrery_state *state, int g, const void *env, long count,
                            char *text, size_t size);

/* All guards about intervals hold: remembers what they read. */
void orrery_intervals_keep(struct orrery_state *state, const void *env, long count);

/* The fields of an environment that inspections and intervals read, the others zero. */
void orrery_inputs_copy(const struct orrery_loop *loop, const char *env, char *to);

/* Sorts workers' lists into one, by all workers; *n intervals, owned by the caller
 * (intervals_sort.c). */
struct orrery_access_interval *orrery_intervals_sort(struct orrery_access_interval *const *lists,
                                                     const long *counts,
                                                     int (*compare)(const void *a, const void *b),
                                                     long *n);

#endif
