#ifndef ORRERY_SCHEDULER_STANDALONE_WAVE_H
#define ORRERY_SCHEDULER_STANDALONE_WAVE_H
/* ---- wavefronts: a row's flag says how far it and all rows before it are --------------------- */

static void orrery_reach_add(struct orrery_reach *reach, long low, long high) {
    if (low < reach->low)
        reach->low = low;
    if (high > reach->high)
        reach->high = high;
    if (high - low + 1 > reach->widest)
        reach->widest = high - low + 1;
}

/* Where a loop from `first` by `step` comes to at or behind `from`. */
static long orrery_enter(long first, long step, long from) {
    long behind = step > 0 ? from - first : first - from, pace = step > 0 ? step : -step;
    return behind <= 0 ? first : first + (behind + pace - 1) / pace * step;
}

static long orrery_sooner(long a, long b, long step) {
    return (step > 0) == (a < b) ? a : b;
}

#define ORRERY_NOWHERE (__LONG_MAX__ / 4)

static struct orrery_reach orrery_reach_of(const struct orrery_region *region, long begin,
                                           long end) {
    struct orrery_reach reach = {ORRERY_NOWHERE, -ORRERY_NOWHERE, 1};
    region->loop->reach(region->env, begin, end, &reach);
    return reach;
}

/* Rows of iterations, and columns of positions as wide as a good block. */
static void orrery_wave_cut(struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    struct orrery_reach reach = orrery_reach_of(region, 0, region->count);
    long length = reach.high < reach.low ? 1 : reach.high - reach.low + 1;
    orrery_parts_wave(region->count, length, reach.widest, loop->height, loop->width, loop->grid,
                      &region->rows, &region->width);
    region->low = reach.low;
    region->columns = reach.high < reach.low ? 1 : (reach.high - reach.low) / region->width + 1;
    region->last_row = region->rows - 1;
}

static void orrery_wave_row(const struct orrery_region *region, long row, int worker) {
    struct orrery_block block = {.begin = orrery_row_begin(region, row),
                                 .end = orrery_row_begin(region, row + 1),
                                 .row = row};
    struct orrery_reach reach = orrery_reach_of(region, block.begin, block.end);
    long first = 0, end = 0;
    if (reach.low <= reach.high) {
        first = (reach.low - region->low) / region->width;
        end = (reach.high - region->low) / region->width + 1;
    }
    for (block.column = first; block.column < end; ++block.column) {
        long from = region->low + block.column * region->width;
        if (row > 0)
            orrery_flag_wait(&region->flags[row - 1], block.column + 1);
        block.from = block.column > first ? from : -ORRERY_NOWHERE;
        block.to = block.column + 1 < end ? from + region->width : ORRERY_NOWHERE;
        block.clock = block.column;
        orrery_block_run(region, block, worker);
        orrery_flag_set(&region->flags[row], block.column + 1);
    }
    if (row > 0)
        orrery_flag_wait(&region->flags[row - 1], region->columns);
    orrery_flag_set(&region->flags[row], region->columns);
}

static void orrery_wave_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    for (long row = worker; row < region->rows; row += workers) {
#if WITH_SUMS
        orrery_row_start(region, row, worker);
#endif
        orrery_wave_row(region, row, worker);
    }
}

static void orrery_wave_run(struct orrery_region *region) {
    orrery_wave_cut(region);
#if WITH_SUMS
    orrery_copies_make(region);
#endif
    region->flags = orrery_flags_new(region->rows);
    orrery_team(orrery_wave_job, region);
    (free)(region->flags);
}

#endif
