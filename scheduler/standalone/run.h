#ifndef ORRERY_SCHEDULER_STANDALONE_RUN_H
#define ORRERY_SCHEDULER_STANDALONE_RUN_H
/* ---- a loop's run ---------------------------------------------------------------------------- */

#if WITH_NAN
/* A NaN came into a minimum whose form does not pass it by: the loop begins again, serially. */
static int orrery_stopped;

static void orrery_nan_late(const char *where, const char *name, int said) {
    if (!__atomic_exchange_n(&orrery_stopped, 1, __ATOMIC_RELAXED) && said)
        fprintf(stderr, "%s: the loop runs serially: a NaN came into %s\n", where, name);
}

#endif
#if WITH_READINESS
/* The memory is there. */
static int orrery_readable(const volatile void *at, unsigned long bytes) {
    unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE),
                  low = (unsigned long)at & ~(page - 1);
    return msync((void *)low, (unsigned long)at + bytes - low, MS_ASYNC) == 0;
}

static int orrery_not_ready(const struct orrery_loop *loop) {
    fprintf(stderr, "%s:%d: the loop runs serially: a pointer that it follows leads nowhere\n",
            loop->file, loop->line);
    return 0;
}

static int orrery_as_written(struct orrery_loop *loop, const char *why) {
    if (!loop->written)
        fprintf(stderr, "%s:%d: the loop runs serially: %s\n", loop->file, loop->line, why);
    loop->written = 1;
    return 0;
}

#endif
static struct orrery_state *orrery_state_of(struct orrery_loop *loop) {
    if (loop->state)
        return loop->state;
    loop->state = orrery_allocate(1, sizeof *loop->state);
    loop->state->shapes =
        orrery_allocate((unsigned long)loop->nshapes + 1, sizeof(struct orrery_shape));
#if WITH_GUARDS
#if WITH_TABLES
    loop->state->rows =
        orrery_allocate((unsigned long)loop->narrays + 1, sizeof(struct orrery_rows_seen));
#endif
#endif
#if WITH_SUMS
    loop->state->copies =
        orrery_allocate((unsigned long)loop->nreductions + 1, sizeof(struct orrery_copies));
#endif
    return loop->state;
}

/* What keeps the loop from running in parallel on these data; 0: nothing. */
static const char *orrery_hindrance(struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
#if WITH_GUARDS
    struct orrery_values dims[ORRERY_DIMS] = {{0, -1, 0}, {0, -1, 0}, {0, -1, 0}, {0, -1, 0}};
#endif
    memset(region->state->shapes, 0, (unsigned long)loop->nshapes * sizeof(struct orrery_shape));
    loop->shapes(region->env, region->state->shapes);
#if WITH_SUMS
    const char *sums = orrery_copies_refused(region);
    if (sums)
        return sums;
#endif
#if WITH_KEYS
    if (loop->by_key && !orrery_inspect(region))
        return "keys that a table can have";
#endif
#if WITH_GUARDS
    long first;
    memcpy(&first, (const char *)region->env + loop->lower_offset, sizeof first);
    long last = first + (region->count - 1) * loop->step;
    dims[0] = (struct orrery_values){first < last ? first : last, first < last ? last : first, 0};
#if WITH_KEYS
    for (int d = 0; d < ORRERY_DIMS && loop->by_key; ++d)
        dims[d] = (struct orrery_values){region->state->inspection->dims[d].low,
                                         region->state->inspection->dims[d].high,
                                         region->state->inspection->dims[d].counts};
#endif
    for (int g = 0; g < loop->nguards; ++g)
        if (!orrery_guard_holds(loop, g, region->env, region->count, region->state->shapes, dims))
            return loop->guards[g].text;
#endif
    return 0;
}

static void orrery_blocks_run(struct orrery_region *region) {
#if WITH_KEYS
    if (region->loop->by_key) {
        orrery_keys_run(region);
        return;
    }
#endif
#if WITH_WAVE
    if (region->loop->strategy == ORRERY_WAVEFRONT) {
        orrery_wave_run(region);
        return;
    }
#endif
#if WITH_PIPE
    if (region->loop->strategy == ORRERY_PIPELINE) {
        orrery_pipe_run(region);
        return;
    }
#endif
#if WITH_RANGES
    orrery_ranges_run(region);
#endif
}

/*
 * Runs the loop. Not 0: nothing was done, the loop has to run as it was written: a check failed, or
 * another parallel loop of this file is running.
 */
static int orrery_run(struct orrery_loop *loop, const void *env, long count) {
    static int running;
    struct orrery_region region = {.loop = loop, .env = env, .count = count};
    if (count <= 0)
        return 0;
    if (__atomic_exchange_n(&running, 1, __ATOMIC_ACQUIRE))
        return 1;
    region.state = orrery_state_of(loop);
#if WITH_GUARDS
#if WITH_TABLES
    ++orrery_runs;
#endif
#endif
    const char *why = orrery_hindrance(&region);
    int serial = why ? orrery_serially(loop, why) : 0;
#if WITH_NAN
    orrery_stopped = 0;
#endif
    if (!serial)
        orrery_blocks_run(&region);
#if WITH_NAN
    serial |= orrery_stopped;
#endif
#if WITH_SUMS
    if (!serial)
        orrery_fold_all(&region);
#endif
    __atomic_store_n(&running, 0, __ATOMIC_RELEASE);
    return serial;
}

#endif
