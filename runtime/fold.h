/*
 * Reductions: each grid row has its own copy, set to the identity, folded into the target in row
 * order. Same bits for any number of workers and ranks.
 */
#ifndef ORRERY_RUNTIME_FOLD_H
#define ORRERY_RUNTIME_FOLD_H

#include "runtime/orrery_run.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The copies of rows [row_low, row_high). bytes[j]: of one copy of reduction j; stride[j]: between
 * rows. `pointers`: per row, one pointer per reduction, as blocks want them. `starts[j]`: what a
 * copy starts as when that is the target (orrery_starts_as_target), else NULL.
 */
struct orrery_copies {
    const struct orrery_loop *loop;
    long row_low, row_high;
    size_t *bytes, *stride;
    char **memory;
    void **pointers;
    char **starts;
};

/* Makes copies for the rows, or keeps those there are when they fit. bytes: per reduction. */
void orrery_copies_make(struct orrery_copies *copies, const struct orrery_loop *loop, long row_low,
                        long row_high, const size_t *bytes);

/* Sets the copies of row `row` to the identities. Local, any worker. */
void orrery_copies_reset(struct orrery_copies *copies, long row);

void *const *orrery_copies_of(const struct orrery_copies *copies, long row);

/*
 * Folds rows [row_low, row_high) of `memory` (stride apart) into `target`, all workers taking part
 * where it is large. `used(data, row)`: the row had an iteration (ORRERY_LAST).
 */
void orrery_fold(const struct orrery_loop *loop, int reduction, const char *memory, size_t stride,
                 size_t bytes, long row_low, long row_high, void *target,
                 bool (*used)(const void *data, long row), const void *data);

void orrery_copies_free(struct orrery_copies *copies);

#endif
