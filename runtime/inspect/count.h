/*
 * Iterations per key, counted in the walk that also finds the range of the keys: every worker has a
 * table of each dim that grows with the keys it meets.
 */
#ifndef ORRERY_RUNTIME_COUNT_H
#define ORRERY_RUNTIME_COUNT_H

#include "runtime/orrery_run.h"

#include <stdbool.h>

/* Of one loop: a table per worker and dim. */
struct orrery_counter;

/* count: iterations that will be met; together tables get no larger than is in proportion. */
struct orrery_counter *orrery_counter_new(const struct orrery_loop *loop, int workers, long count);

/* Adds what `worker` met: the keys of n iterations, key by key, and what each weighs (NULL: 1). */
void orrery_counter_add(struct orrery_counter *counter, int worker, const long *keys, long n,
                        const long *weights);

/* Widens *low .. *high by the keys of dim d that all workers met. */
void orrery_counter_range(const struct orrery_counter *counter, int d, long *low, long *high);

/* counts[key - low] += what all workers met, for dim d, whose keys are all in the range. False, and
 * nothing is added: the keys lie too far apart, so they have to be counted once more. */
bool orrery_counter_sum(const struct orrery_counter *counter, int d, long low, long *counts);

void orrery_counter_free(struct orrery_counter *counter);

#endif
