#include "runtime/execute/wave.h"

#include "runtime/base/env.h"
#include "runtime/grid/grid.h"
#include "runtime/region/fold.h"
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"

#include <limits.h>

/* Far beyond every position, and sums with it still fit. */
#define NOWHERE (LONG_MAX / 4)

static struct orrery_reach reach_of(const struct orrery_loop *loop, const void *env, long begin,
                                    long end) {
    struct orrery_reach reach = {NOWHERE, -NOWHERE, 1};
    loop->reach(env, begin, end, &reach);
    return reach;
}

/*
 * A loop that nobody marked runs on few rows, of which workers would have unlike numbers, and its
 * arrays are those of its neighbours, whose iterations are assigned in one piece. No bit depends on the
 * rows of a wavefront that folds nothing.
 */
enum { FEW_ROWS = 8, STRETCHES = 16, LEAST_BLOCK = 16 };

static bool may_assign(const struct orrery_loop *loop, long rows, long count) {
    const long workers = orrery_workers_count();
    bool may = loop->allow_fallback == 2 && dsm_ranks() == 1 && loop->reach && workers > 1 &&
               !loop->grid[0] && !loop->grid[1] && !orrery_env()->rows && !orrery_env()->columns &&
               rows < FEW_ROWS * workers && count >= 2 * workers;
    for (int j = 0; j < loop->nreductions; ++j)
        may = may && !orrery_is_folded(&loop->reductions[j]);
    return may;
}

/* The rows of all workers have about all positions: those of a skewed or triangular one have not. */
static bool is_straight(const struct orrery_loop *loop, const void *env, long count,
                        const struct orrery_reach *all) {
    const long workers = orrery_workers_count();
    for (long w = 0; w < workers; ++w) {
        struct orrery_reach one = reach_of(loop, env, orrery_share(count, w, workers),
                                           orrery_share(count, w + 1, workers));
        if (10 * (one.high - one.low + 1) < 9 * (all->high - all->low + 1) ||
            10 * one.widest < 9 * (one.high - one.low + 1))
            return false;
    }
    return true;
}

struct orrery_blocks orrery_wave_blocks(const struct orrery_loop *loop, const void *env, long count,
                                        struct orrery_wave *wave) {
    struct orrery_reach reach = reach_of(loop, env, 0, count);
    long rows;
    orrery_grid_wave(loop, count, &reach, &rows, &wave->width);
    if (may_assign(loop, rows, count) && is_straight(loop, env, count, &reach)) {
        rows = orrery_workers_count();
        wave->width = orrery_clamp((reach.high - reach.low + 1) / STRETCHES,
                                   LEAST_BLOCK * rows / count + 1, wave->width);
    }
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
