#ifndef ORRERY_SCHEDULER_STANDALONE_ROWS_H
#define ORRERY_SCHEDULER_STANDALONE_ROWS_H
/* ---- rows in the order of their parts ------------------------------------------------------- */

/* The rows of an array, in whole lines of the cache. */
struct orrery_moved {
    char *rows;
    unsigned long room;
};

static int orrery_is_moved(const struct orrery_region *region, int a) {
    int d = region->loop->arrays[a].dim;
    return d >= 0 && region->state->inspection->dims[d].moves &&
           orrery_is_there(&region->state->shapes[a]);
}

/* A thread's share of an array's rows, to the copy or back. */
static void orrery_rows_copy(const struct orrery_region *region, int a, int back, int worker,
                             int workers) {
    const struct orrery_shape *shape = &region->state->shapes[a];
    const struct orrery_dim *dim = &region->state->inspection->dims[region->loop->arrays[a].dim];
    unsigned long size = (unsigned long)shape->row_stride;
    long range = orrery_range_of(dim), end = orrery_share(range, worker + 1, workers);
    for (long place = orrery_share(range, worker, workers); place < end; ++place) {
        long v = dim->order[place];
        char *copy = region->state->moved[a].rows + (unsigned long)place * size;
        char *home = shape->base + shape->row_offset + (dim->low + v) * shape->row_stride;
        if (dim->counts[v] > 0)
            memcpy(back ? home : copy, back ? copy : home, size);
    }
}

static void orrery_enter_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    for (int a = 0; a < region->loop->narrays; ++a)
        if (orrery_is_moved(region, a))
            orrery_rows_copy(region, a, 0, worker, workers);
}

static void orrery_leave_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    for (int a = 0; a < region->loop->narrays; ++a)
        if (orrery_is_moved(region, a) && region->loop->arrays[a].written)
            orrery_rows_copy(region, a, 1, worker, workers);
}

static void orrery_moved_make(struct orrery_moved *moved, unsigned long bytes) {
    if (bytes == moved->room)
        return;
    (free)(moved->rows);
    moved->rows = orrery_allocate_lines(bytes);
    moved->room = bytes;
}

/* Bodies find the copies where they look for the arrays. */
static void orrery_rows_enter(struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    struct orrery_state *state = region->state;
    int any = 0;
    if (!state->moved) {
        state->moved = orrery_allocate((unsigned long)loop->narrays, sizeof *state->moved);
        state->moved_env = orrery_allocate(1, loop->env_size);
    }
    memcpy(state->moved_env, region->env, loop->env_size);
    for (int a = 0; a < loop->narrays; ++a) {
        const struct orrery_shape *shape = &state->shapes[a];
        if (!orrery_is_moved(region, a))
            continue;
        const struct orrery_dim *dim = &state->inspection->dims[loop->arrays[a].dim];
        orrery_moved_make(&state->moved[a],
                          (unsigned long)orrery_range_of(dim) * (unsigned long)shape->row_stride);
        unsigned long base = (unsigned long)state->moved[a].rows -
                             (unsigned long)shape->row_offset -
                             (unsigned long)dim->low * (unsigned long)shape->row_stride;
        memcpy(state->moved_env + loop->arrays[a].base_offset, &base, sizeof base);
        any = 1;
    }
    if (!any)
        return;
    orrery_team(orrery_enter_job, region);
    region->env = state->moved_env;
}

static void orrery_rows_leave(struct orrery_region *region) {
    if (region->env == region->state->moved_env)
        orrery_team(orrery_leave_job, region);
}

#endif
