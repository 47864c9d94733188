#include "runtime/schedule/blocks.h"

struct orrery_blocks orrery_blocks_make(enum orrery_strategy strategy, int ndims,
                                        const long *parts) {
    return strategy == ORRERY_PIPELINE ? orrery_blocks_of_pipe(parts[0], parts[1])
                                       : orrery_blocks_by_keys(strategy, ndims, parts);
}

static struct orrery_blocks blocks_in_order(enum orrery_strategy strategy, long rows,
                                            long columns) {
    return (struct orrery_blocks){.strategy = strategy,
                                  .ndims = 2,
                                  .visits = 1,
                                  .parts = {rows, columns},
                                  .rows = rows,
                                  .columns = columns,
                                  .clocks = columns};
}

struct orrery_blocks orrery_blocks_of_levels(long rows, long columns) {
    return blocks_in_order(ORRERY_LEVELS, rows, columns);
}

struct orrery_blocks orrery_blocks_of_wave(long rows, long columns) {
    return blocks_in_order(ORRERY_WAVEFRONT, rows, columns);
}

/* One that is worked on and others that wait, in front of each stage: a worker that the system puts
 * aside for a while does not stop the others at once. */
struct orrery_blocks orrery_blocks_of_pipe(long stages, long columns) {
    struct orrery_blocks blocks = blocks_in_order(ORRERY_PIPELINE, stages, columns);
    blocks.held = 1;
    blocks.first[0] = -1;
    blocks.slots[0] = stages;
    blocks.slots[1] = columns;
    long ahead = ORRERY_PIPE_AHEAD * stages;
    blocks.batons = ahead < columns ? ahead : columns;
    return blocks;
}

struct orrery_blocks orrery_blocks_of_late_pipe(long stages, long columns, long age) {
    long ahead = ORRERY_PIPE_LATE * stages;
    struct orrery_blocks blocks = orrery_blocks_of_pipe(stages, columns + age * ahead);
    blocks.batons = ahead;
    blocks.drained = age * ahead;
    return blocks;
}

bool orrery_blocks_same(const struct orrery_blocks *a, const struct orrery_blocks *b) {
    bool same = a->strategy == b->strategy && a->ndims == b->ndims && a->visits == b->visits;
    for (int d = 0; same && d < a->ndims; ++d)
        same = a->parts[d] == b->parts[d];
    return same;
}

void orrery_blocks_walk(const struct orrery_blocks *blocks, orrery_block_visit *visit, void *data) {
    long batons[ORRERY_KEYS];
    for (long clock = 0; clock < blocks->clocks; ++clock)
        for (long row = 0; row < blocks->rows; ++row) {
            long column = orrery_column_at(blocks, row, clock);
            if (column < 0)
                continue;
            orrery_batons_of(blocks, row, column, batons);
            visit(data, row, column, clock, batons);
        }
}
