#include "runtime/execute/wave.h"

#include "runtime/grid/grid.h"

#include <limits.h>

/* Far beyond every position, and sums with it still fit. */
#define NOWHERE (LONG_MAX / 4)

static struct orrery_reach reach_of(const struct orrery_loop *loop, const void *env, long begin,
                                    long end) {
    struct orrery_reach reach = {NOWHERE, -NOWHERE, 1};
    loop->reach(env, begin, end, &reach);
    return reach;
}

struct orrery_blocks orrery_wave_blocks(const struct orrery_loop *loop, const void *env, long count,
                                        struct orrery_wave *wave) {
    struct orrery_reach reach = reach_of(loop, env, 0, count);
    long rows;
    orrery_grid_wave(loop, count, &reach, &rows, &wave->width);
    wave->low = reach.low;
    long columns = reach.high < reach.low ? 1 : (reach.high - reach.low) / wave->width + 1;
    return orrery_blocks_of_wave(rows, columns);
}

struct orrery_wave_row orrery_wave_row_of(const struct orrery_region *region, long row) {
    const struct orrery_wave *wave = &region->wave;
    if (!region->loop->reach)
        return (struct orrery_wave_row){0, 1};
    struct orrery_reach reach = reach_of(region->loop, orrery_env_of(region, 0),
                                         orrery_share(region->count, row, region->blocks.rows),
                                         orrery_share(region->count, row + 1, region->blocks.rows));
    if (reach.low > reach.high)
        return (struct orrery_wave_row){0, 0};
    return (struct orrery_wave_row){(reach.low - wave->low) / wave->width,
                                    (reach.high - wave->low) / wave->width + 1};
}

void orrery_wave_bounds(const struct orrery_region *region, const struct orrery_wave_row *columns,
                        struct orrery_block *block) {
    long from = region->wave.low + block->column * region->wave.width;
    block->from = block->column > columns->first ? from : -NOWHERE;
    block->to = block->column + 1 < columns->end ? from + region->wave.width : NOWHERE;
}
