#ifndef ORRERY_SCHEDULER_STANDALONE_PIPE_H
#define ORRERY_SCHEDULER_STANDALONE_PIPE_H
/* ---- pipelines: rows are stages of the body, columns ranges of iterations -------------------- */

static void orrery_pipe_cut(struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    region->rows = loop->stages;
    region->columns = orrery_parts_pipe(region->count, loop->stages, loop->stage_costs,
                                        (long)loop->slot_size, loop->grid[1]);
    region->batons = 8 * region->rows < region->columns ? 8 * region->rows : region->columns;
    long most = (region->count + region->columns - 1) / region->columns;
    region->slots_bytes = (unsigned long)most * loop->slot_size;
    unsigned long room = region->slots_bytes * (unsigned long)region->batons;
    if (region->state->slots_room < room) {
        (free)(region->state->slots);
        region->state->slots = orrery_allocate(room, 1);
        region->state->slots_room = room;
    }
    region->last_row = region->rows - 1;
}

/* Stages whose costs together are a thread's share. */
static long orrery_stage_of(const struct orrery_loop *loop, int worker, int workers) {
    double total = 0, before = 0;
    int s = 0;
    for (int i = 0; i < loop->stages; ++i)
        total += loop->stage_costs[i];
    while (s < loop->stages && before + loop->stage_costs[s] / 2 < total * worker / workers)
        before += loop->stage_costs[s++];
    return s;
}

/* A column follows the same one of the stage before, and has the slots of one that the last stage
 * is done with. */
static void orrery_pipe_block(const struct orrery_region *region, long row, long column,
                              int worker) {
    struct orrery_block block = {
        .begin = orrery_share(region->count, column, region->columns),
        .end = orrery_share(region->count, column + 1, region->columns),
        .row = row,
        .column = column,
        .clock = column,
        .slots =
            region->state->slots + (unsigned long)(column % region->batons) * region->slots_bytes};
    if (row > 0)
        orrery_flag_wait(&region->flags[row - 1], column + 1);
    else if (column >= region->batons)
        orrery_flag_wait(&region->flags[region->rows - 1], column - region->batons + 1);
    if (block.begin < block.end)
        orrery_block_run(region, block, worker);
    orrery_flag_set(&region->flags[row], column + 1);
}

static void orrery_pipe_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    long first = orrery_stage_of(region->loop, worker, workers);
    long end =
        worker + 1 < workers ? orrery_stage_of(region->loop, worker + 1, workers) : region->rows;
#if WITH_SUMS
    for (long row = first; row < end; ++row)
        orrery_row_start(region, row, worker);
#endif
    for (long column = 0; column < region->columns; ++column)
        for (long row = first; row < end; ++row)
            orrery_pipe_block(region, row, column, worker);
}

static void orrery_pipe_run(struct orrery_region *region) {
    orrery_pipe_cut(region);
#if WITH_SUMS
    orrery_copies_make(region);
#endif
    region->flags = orrery_flags_new(region->rows);
    orrery_team(orrery_pipe_job, region);
    (free)(region->flags);
}

#endif
