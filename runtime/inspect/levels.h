/*
 * Levels: a loop in its own order over elements that only a run knows. An iteration's level is one
 * more than the highest of the earlier iterations that it conflicts with; iterations of one level
 * touch no common element of which one of them writes.
 */
#ifndef ORRERY_RUNTIME_LEVELS_H
#define ORRERY_RUNTIME_LEVELS_H

#include "runtime/inspect/batches.h"

/*
 * The grid: a column is one wide level, cut into rows of equal cost, or some narrow ones in a row,
 * whole in row 0 and in the loop's order. `order`: place -> iteration, blocks row by row, inside a
 * block the loop's order. Block (s, c) holds the places [starts[s * columns + c], starts[... + 1]).
 * `needs`, by block: the rows, one bit each (orrery_levels_bit), that have to be done with all
 * columns before c. By batches a column is a batch in place of a level, and every block waits for
 * all rows. `hot`: of batches.
 */
struct orrery_levels {
    long rows, columns;
    long *order;
    long *starts;
    uint64_t *needs;
    struct orrery_hot hot;
    struct orrery_hots *hots; /* NULL: no row has copies */
};

/* Widens the spans by what listing worker w's share of the iterations reads. */
void orrery_levels_spans(const struct orrery_loop *loop, const void *env, long count, int worker,
                         struct orrery_span *spans);

/* By levels, or by batches where the loop's order need not be kept. Rows and columns come from the table, ORRERY_GRID (rows)
 * and the data, never from the number of workers. */
struct orrery_levels *orrery_levels_new(const struct orrery_loop *loop, const void *env,
                                        long count);
void orrery_levels_free(struct orrery_levels *levels);

/* The grid of these iterations, needs all empty; `rows`:
 * how many, 0 = chosen by the costs, at most `most`. */
struct orrery_levels *orrery_levels_grid(struct orrery_leveled *leveled, long rows, long most);

#endif
