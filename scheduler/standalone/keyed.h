#ifndef ORRERY_SCHEDULER_STANDALONE_KEYED_H
#define ORRERY_SCHEDULER_STANDALONE_KEYED_H
/* ---- loops by keys: their runs ------------------------------------------------------------- */

static struct orrery_walk orrery_walk_of(const struct orrery_region *region) {
    return (struct orrery_walk){.loop = region->loop,
                                .env = region->env,
                                .inspection = region->state->inspection,
                                .stretches = orrery_threads()};
}

static unsigned long orrery_bytes_of(const struct orrery_span *span) {
    return span->high ? (unsigned long)(span->high - span->low) : 0;
}

static void orrery_inputs_copy(const struct orrery_loop *loop, const char *env, char *to) {
    for (int i = 0; i < loop->ninputs; ++i) {
        memcpy(to, env + loop->inputs[i].offset, loop->inputs[i].size);
        to += loop->inputs[i].size;
    }
}

/* Copies of what was read are kept where they are smaller than what iterations have in `lines`. */
static void orrery_keep(struct orrery_region *region) {
    struct orrery_inspection *in = region->state->inspection;
    int nspans = region->loop->nspans;
    unsigned long bytes = 0;
    for (int n = 0; n < nspans; ++n)
        bytes += orrery_bytes_of(&in->spans[n]);
    if (region->state->by_lines || nspans == 0 ||
        bytes > (unsigned long)in->count * (unsigned long)in->line + 65536) {
        (free)(in->spans);
        in->spans = 0;
        return;
    }
    in->inputs = orrery_allocate(1, region->loop->env_size + 1);
    orrery_inputs_copy(region->loop, region->env, in->inputs);
    in->copies = orrery_allocate((unsigned long)nspans, sizeof *in->copies);
    for (int n = 0; n < nspans; ++n) {
        in->copies[n] = orrery_allocate(orrery_bytes_of(&in->spans[n]) + 1, 1);
        if (in->spans[n].high)
            memcpy(in->copies[n], in->spans[n].low, orrery_bytes_of(&in->spans[n]));
    }
    (free)(in->lines);
    in->lines = 0;
}

/* Is what was read as it was? */
static void orrery_spans_job(void *data, int worker, int workers) {
    struct orrery_walk *walk = data;
    const struct orrery_inspection *in = walk->inspection;
    for (int n = 0; n < walk->loop->nspans; ++n) {
        long bytes = (long)orrery_bytes_of(&in->spans[n]),
             low = orrery_share(bytes, worker, workers);
        unsigned long length = (unsigned long)(orrery_share(bytes, worker + 1, workers) - low);
        if (length && memcmp(in->spans[n].low + low, in->copies[n] + low, length) != 0)
            __atomic_store_n(&walk->changed, 1, __ATOMIC_RELAXED);
    }
}

static int orrery_holds(struct orrery_region *region, struct orrery_walk *walk) {
    struct orrery_inspection *in = walk->inspection;
    if (!in || in->count != region->count)
        return 0;
#if WITH_ROWS
    for (int d = 0; d < region->loop->ndims; ++d)
        if (in->dims[d].moves !=
            orrery_rows_should_move(region->loop, in, region->state->shapes, d))
            return 0;
#endif
    if (in->spans) {
        char *now = orrery_allocate(1, region->loop->env_size + 1);
        orrery_inputs_copy(region->loop, region->env, now);
        walk->changed = memcmp(now, in->inputs, region->loop->env_size) != 0;
        (free)(now);
        if (walk->changed)
            return 0;
    }
    orrery_team(in->spans ? orrery_spans_job : orrery_same_job, walk);
    region->state->by_lines |= walk->changed && in->spans;
    return !walk->changed;
}

/* Blocks of what is known of the keys. 0: there can be none. */
static int orrery_blocks_find(struct orrery_region *region, struct orrery_walk *walk) {
#if WITH_LEVELS
    if (region->loop->strategy == ORRERY_LEVELS) {
        orrery_blocks_by_level(walk);
        return 1;
    }
#endif
    if (!orrery_count_keys(walk))
        return 0;
    orrery_blocks_by_key(walk, region->state->shapes);
#if WITH_LEVELS
    if (region->loop->strategy == ORRERY_ORDERED_ROTATION && !orrery_comes_in_order(walk))
        orrery_blocks_by_level(walk);
#endif
    return 1;
}

/* What is known still holds, or is found out anew. 0: it cannot be. */
static int orrery_inspect(struct orrery_region *region) {
    struct orrery_walk walk = orrery_walk_of(region);
    struct orrery_inspection *in = walk.inspection;
    if (orrery_holds(region, &walk))
        return 1;
    orrery_inspection_free(in, region->loop->nspans);
    region->state->inspection = walk.inspection = in = orrery_allocate(1, sizeof *in);
    in->count = region->count;
    in->line = (long)((region->loop->nkeys + 1) * (int)sizeof(long) +
                      (int)(region->loop->record_size + 7) / 8 * 8);
    in->lines = orrery_allocate((unsigned long)in->count + 1, (unsigned long)in->line);
    orrery_look(&walk);
    if (!orrery_blocks_find(region, &walk)) {
        orrery_inspection_free(in, region->loop->nspans);
        region->state->inspection = 0;
        return 0;
    }
    orrery_keep(region);
    return 1;
}

/* Each time round the grid a block runs its share of the records. */
static void orrery_lap_cut(const struct orrery_inspection *in, long lap,
                           struct orrery_block *block) {
    long begin = block->begin, count = block->end - block->begin;
    block->begin = begin + orrery_share(count, lap, in->grid.visits);
    block->end = begin + orrery_share(count, lap + 1, in->grid.visits);
}

static void orrery_keys_block(const struct orrery_region *region, long lap, long row, long clock,
                              int worker) {
    const struct orrery_inspection *in = region->state->inspection;
    long batons[ORRERY_KEYS], column = orrery_column_at(&in->grid, row, clock);
    if (column < 0)
        return;
    const unsigned *turns = &in->turns[(row * in->grid.columns + column) * in->grid.held];
    const long *start = &in->starts[row * in->grid.columns + column];
    struct orrery_block block = {.records = in->records,
                                 .begin = start[0],
                                 .end = start[1],
                                 .row = row,
                                 .column = column,
                                 .clock = lap * in->grid.clocks + clock};
    orrery_batons_of(&in->grid, row, column, batons);
    orrery_lap_cut(in, lap, &block);
#if WITH_MERGE
    orrery_phase_cut(region, &block);
#endif
    for (long i = 0; i < in->grid.held; ++i)
        orrery_flag_wait(&region->flags[batons[i]], lap * in->visits[batons[i]] + turns[i]);
    if (block.begin < block.end)
        orrery_block_run(region, block, worker);
    for (long i = 0; i < in->grid.held; ++i)
        orrery_flag_set(&region->flags[batons[i]], lap * in->visits[batons[i]] + turns[i] + 1);
}

static void orrery_keys_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    long begin = orrery_share(region->rows, worker, workers);
    long end = orrery_share(region->rows, worker + 1, workers);
    long first = 0, last = region->clocks;
#if WITH_MERGE
    if (region->clocks > 1) {
        first = orrery_share(region->clocks, region->phase, region->phases);
        last = orrery_share(region->clocks, region->phase + 1, region->phases);
    }
    if (region->phase == 0)
#endif
#if WITH_SUMS
        for (long row = begin; row < end; ++row)
            orrery_row_start(region, row, worker);
#endif
    for (long lap = 0; lap < region->state->inspection->grid.visits; ++lap)
        for (long clock = first; clock < last; ++clock)
            for (long row = begin; row < end; ++row)
                orrery_keys_block(region, lap, row, clock, worker);
}

/* The row of the last block that has an iteration. */
static long orrery_last_row(const struct orrery_region *region) {
    const struct orrery_inspection *in = region->state->inspection;
    for (long clock = in->grid.clocks - 1; clock >= 0; --clock)
        for (long row = in->grid.rows - 1; row >= 0; --row) {
            long column = orrery_column_at(&in->grid, row, clock);
            const long *start = &in->starts[row * in->grid.columns + (column < 0 ? 0 : column)];
            if (column >= 0 && start[1] > start[0])
                return row;
        }
    return in->grid.rows - 1;
}

static void orrery_keys_run(struct orrery_region *region) {
    const struct orrery_inspection *in = region->state->inspection;
    region->rows = in->grid.rows;
    region->columns = in->grid.columns;
    region->clocks = in->grid.clocks;
    region->last_row = orrery_last_row(region);
#if WITH_SUMS
    orrery_copies_make(region);
#endif
#if WITH_LEVELS
    if (in->needs) {
        orrery_levels_run(region);
        return;
    }
#endif
    region->flags = orrery_flags_new(in->grid.batons);
#if WITH_ROWS
    orrery_rows_enter(region);
#endif
#if WITH_MERGE
    orrery_phases_run(region, orrery_keys_job);
#else
    orrery_team(orrery_keys_job, region);
#endif
#if WITH_ROWS
    orrery_rows_leave(region);
#endif
    (free)(region->flags);
}

#endif
