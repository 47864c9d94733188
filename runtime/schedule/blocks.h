/*
 * The blocks of the logical grid: which there are, what each of them needs, and when its row comes
 * to it (docs/runtime.md, "Clocks"). Arithmetic only; every rank gets the same answers.
 */
#ifndef ORRERY_RUNTIME_SCHEDULE_BLOCKS_H
#define ORRERY_RUNTIME_SCHEDULE_BLOCKS_H

#include "runtime/orrery_run.h"

#include <stdbool.h>

/* The grid of a loop. Block (row, column): rows are what workers and ranks own. */
struct orrery_blocks {
    enum orrery_strategy strategy; /* which says the order of blocks */
    int ndims;                     /* of `parts` */
    int held;                      /* batons of each block */
    long parts[ORRERY_DIMS];       /* of dim d */
    long first[ORRERY_DIMS]; /* part p of dim d is baton first[d] + p; < 0: parts stay with rows */
    long slots[ORRERY_DIMS]; /* of dim d: places that its parts go round, at least the rows */
    long rows, columns;      /* columns: blocks of a row */
    long clocks;             /* of a visit; some may be empty */
    long visits;             /* times that a pass goes round the grid; each visit of a block is its
                              * share of the iterations, in their order */
    long batons;             /* parts that travel; 0: rows do not depend on one another */
    long drained;            /* the last columns of a pipeline, without iterations of their own */
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
