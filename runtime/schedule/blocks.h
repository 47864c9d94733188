/*
 * The blocks of the logical grid: which there are, what each of them needs, and when its row comes
 * to it (docs/runtime.md, "Clocks"). Arithmetic only; every rank gets the same answers. What of it
 * loops by keys and levels need stands in parts.h, columns.h and rotation.h, which are also text of
 * files that stand alone (scheduler/CMakeLists.txt): C without headers.
 */
#ifndef ORRERY_RUNTIME_SCHEDULE_BLOCKS_H
#define ORRERY_RUNTIME_SCHEDULE_BLOCKS_H

#include "runtime/orrery_run.h"

#include "runtime/schedule/parts.h"

#include "runtime/schedule/columns.h"
#include "runtime/schedule/rotation.h"

#include <stdbool.h>

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

/* Calls `visit` for every block, clock by clock and row by row; `batons`: the `held` of it. */
typedef void orrery_block_visit(void *data, long row, long column, long clock, const long *batons);
void orrery_blocks_walk(const struct orrery_blocks *blocks, orrery_block_visit *visit, void *data);

#endif
