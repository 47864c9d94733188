/*
 * The blocks of the logical grid: which there are, what each of them needs, and when its row comes
 * to it (docs/runtime.md, "Clocks"). Arithmetic only; every rank gets the same answers.
 */
#ifndef ORRERY_RUNTIME_SCHEDULE_BLOCKS_H
#define ORRERY_RUNTIME_SCHEDULE_BLOCKS_H

#include "runtime/orrery_run.h"

#include <stdbool.h>

/*
 * Block (row, column): rows are what workers and ranks own, a row has `columns` blocks, and passes
 * `clocks` clocks, some of which may be empty. `parts[d]`: of dim d. A baton is a part that
 * travels: `batons` of them in all (0: rows do not depend on one another), `held` by each block;
 * part p of dim d is baton `first[d]` + p; first[d] < 0: its parts stay with the rows. `drained`:
 * the last columns of a pipeline, which have no iterations of their own.
 */
struct orrery_blocks {
    enum orrery_strategy strategy;
    int ndims, held;
    long parts[ORRERY_DIMS], first[ORRERY_DIMS], slots[ORRERY_DIMS];
    long rows, columns, clocks, batons, drained;
};

/* `parts` of the dims; an even number of them in the pairs of a tournament. */
struct orrery_blocks orrery_blocks_make(enum orrery_strategy strategy, int ndims,
                                        const long *parts);

/* Those of levels, and of wavefronts: a row comes to its columns in their order, without batons. */
struct orrery_blocks orrery_blocks_of_levels(long rows, long columns);
struct orrery_blocks orrery_blocks_of_wave(long rows, long columns);

/*
 * Those of a pipeline: rows are stages, columns ranges of iterations. The batons are the slots of
 * as many columns as are under way at once, ORRERY_PIPE_AHEAD per stage: column t has that of t
 * modulo `batons`, so a stage waits when the ones behind it are that far behind.
 */
enum { ORRERY_PIPE_AHEAD = 8, ORRERY_PIPE_LATE = 2 };

struct orrery_blocks orrery_blocks_of_pipe(long stages, long columns);

/* With statements that run late, up to `age` rounds of the slots: of these there are only
 * ORRERY_PIPE_LATE per stage, and so many columns more as it takes to have done them all. */
struct orrery_blocks orrery_blocks_of_late_pipe(long stages, long columns, long age);

bool orrery_blocks_same(const struct orrery_blocks *a, const struct orrery_blocks *b);

/* The block of an iteration whose keys are in these parts (one entry per key), as a number: row *
 * columns + column. */
long orrery_block_of(const struct orrery_blocks *blocks, const long *parts);

/* Column of `row` at `clock`; -1: none. */
long orrery_column_at(const struct orrery_blocks *blocks, long row, long clock);

/* The batons of a block, `held` of them. */
void orrery_batons_of(const struct orrery_blocks *blocks, long row, long column,
                      long batons[ORRERY_KEYS]);

/* Calls `visit` for every block, clock by clock and row by row; `batons`: the `held` of it. */
typedef void orrery_block_visit(void *data, long row, long column, long clock, const long *batons);
void orrery_blocks_walk(const struct orrery_blocks *blocks, orrery_block_visit *visit, void *data);

/* The parts of dim 0 that the block joins; both the row's in a rotation. */
void orrery_pair_of(const struct orrery_blocks *blocks, long row, long round, long pair[2]);

#endif
