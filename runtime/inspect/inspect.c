#include "runtime/inspect/inspect.h"

#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/inspect/levels.h"
#include "runtime/inspect/remote.h"
#include "runtime/inspect/walk.h"
#include "runtime/threads/workers.h"

#include <stdatomic.h>
#include <string.h>

/* What one worker saw of the keys and the memory behind them. */
struct lane {
    _Alignas(64) long low[ORRERY_DIMS], high[ORRERY_DIMS];
    struct orrery_span *spans;
};

static void widen(struct lane *lane, const struct orrery_loop *loop, const long *keys) {
    for (int k = 0; k < loop->nkeys; ++k) {
        int d = loop->keys[k].dim;
        if (keys[k] == ORRERY_NO_KEY)
            continue;
        if (keys[k] < lane->low[d])
            lane->low[d] = keys[k];
        if (keys[k] > lane->high[d])
            lane->high[d] = keys[k];
    }
}

static void walk_ranges(void *data, int worker) {
    struct walk *walk = data;
    struct lane *lane = &walk->lanes[worker];
    long keys[ORRERY_KEYS];
    walk_keys_none(keys);
    long end = walk_share(walk, worker + 1);
    for (long i = walk_share(walk, worker); i < end; ++i) {
        walk->loop->gather(walk->env, i, NULL, keys, lane->spans);
        if (walk->loop->weigh)
            walk->loop->weigh(walk->env, i, lane->spans);
        widen(lane, walk->loop, keys);
    }
    if (walk->loop->touches)
        orrery_levels_spans(walk->loop, walk->env, walk->count, worker, lane->spans);
}

static void count_key(const struct walk *walk, int d, int worker, long key, long weight) {
    const struct orrery_dim *dim = &walk->inspection->dims[d];
    if (key == ORRERY_NO_KEY)
        return;
    long *histogram = walk->histograms[d];
    if (walk->copies[d] == walk->workers)
        histogram[(long)worker * orrery_dim_range(dim) + key - dim->low] += weight;
    else
        __atomic_fetch_add(&histogram[key - dim->low], weight, __ATOMIC_RELAXED);
}

static void walk_counts(void *data, int worker) {
    struct walk *walk = data;
    long keys[ORRERY_KEYS];
    walk_keys_none(keys);
    long end = walk_share(walk, worker + 1);
    for (long i = walk_share(walk, worker); i < end; ++i) {
        walk->loop->gather(walk->env, i, NULL, keys, NULL);
        long weight = walk->loop->weigh ? walk->loop->weigh(walk->env, i, NULL) : 1;
        for (int k = 0; k < walk->loop->nkeys; ++k)
            count_key(walk, walk->loop->keys[k].dim, worker, keys[k], weight);
    }
}

long orrery_inspection_row_of(const struct orrery_inspection *inspection,
                              const struct orrery_loop *loop, const long *keys, long i) {
    const struct walk walk = {.loop = loop, .inspection = inspection};
    return walk_block(&walk, keys, i) / inspection->blocks.columns;
}

long orrery_inspection_row(const struct orrery_inspection *inspection,
                           const struct orrery_loop *loop, const void *env, long i) {
    long keys[ORRERY_KEYS];
    walk_keys_none(keys);
    loop->gather(env, i, NULL, keys, NULL);
    return orrery_inspection_row_of(inspection, loop, keys, i);
}

static void walk_blocks(void *data, int worker) {
    struct walk *walk = data;
    long *counts = walk->cursors + worker * walk->blocks;
    long keys[ORRERY_KEYS];
    walk_keys_none(keys);
    long end = walk_share(walk, worker + 1);
    for (long i = walk_share(walk, worker); i < end; ++i) {
        walk->loop->gather(walk->env, i, NULL, keys, NULL);
        ++counts[walk_block(walk, keys, i)];
    }
}

static void lanes_start(struct walk *walk) {
    size_t bytes = (size_t)walk->workers * sizeof *walk->lanes;
    walk->lanes = orrery_memory_aligned(bytes);
    int nspans = walk->loop->nspans;
    for (int w = 0; w < walk->workers; ++w) {
        struct lane *lane = &walk->lanes[w];
        for (int d = 0; d < ORRERY_DIMS; ++d) {
            lane->low[d] = INT64_MAX;
            lane->high[d] = INT64_MIN;
        }
        lane->spans = dsm_own_alloc((size_t)(nspans + 1) * sizeof *lane->spans);
        for (int s = 0; s < nspans; ++s)
            lane->spans[s] = (struct orrery_span){(const char *)UINTPTR_MAX, NULL};
    }
}

/* What all workers read behind one name. */
static struct orrery_span span_of(const struct walk *walk, int s) {
    struct orrery_span all = walk->lanes[0].spans[s];
    for (int w = 1; w < walk->workers; ++w) {
        const struct orrery_span *span = &walk->lanes[w].spans[s];
        if (span->high)
            orrery_touch(&all, span->low, (unsigned long)(span->high - span->low));
    }
    return all;
}

static void merge_spans(struct orrery_inspection *inspection, const struct walk *walk) {
    inspection->spans = dsm_own_alloc((size_t)(walk->loop->nspans + 1) * sizeof *inspection->spans);
    for (int s = 0; s < walk->loop->nspans; ++s) {
        struct orrery_span all = span_of(walk, s);
        if (all.high)
            inspection->spans[inspection->nspans++] = (struct dsm_range){all.low, all.high};
    }
}

static void lanes_end(struct orrery_inspection *inspection, struct walk *walk) {
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        struct orrery_dim *dim = &inspection->dims[d];
        *dim = (struct orrery_dim){.low = INT64_MAX, .high = INT64_MIN, .parts = 1};
        for (int w = 0; w < walk->workers; ++w) {
            dim->low = walk->lanes[w].low[d] < dim->low ? walk->lanes[w].low[d] : dim->low;
            dim->high = walk->lanes[w].high[d] > dim->high ? walk->lanes[w].high[d] : dim->high;
        }
    }
    merge_spans(inspection, walk);
    for (int w = 0; w < walk->workers; ++w)
        dsm_own_free(walk->lanes[w].spans);
    orrery_memory_free(walk->lanes);
}

/* Tables cost sixteen bytes per key of the range, and the time to make them: of more than 2^24 keys
 * only where there is an iteration for every 1,024. A key that its iteration does not use may be
 * anything. Places of keys are numbers of 32 bits. */
static void range_check(const struct orrery_loop *loop,
                        const struct orrery_inspection *inspection) {
    for (int d = 0; d < loop->ndims; ++d) {
        const struct orrery_dim *dim = &inspection->dims[d];
        if (dim->low > dim->high)
            continue;
        uint64_t range = (uint64_t)dim->high - (uint64_t)dim->low;
        if (range >= (uint64_t)1 << 24 && range / 1024 > (uint64_t)inspection->count)
            dsm_refuse(1,
                       "%s:%d: the keys %s lie between %ld and %ld, too far apart for a table of "
                       "them; number them densely",
                       loop->file, loop->line, orrery_dim_name(loop, d), dim->low, dim->high);
        if (range >= ORRERY_MOST_PLACES)
            dsm_refuse(1,
                       "%s:%d: the keys %s lie between %ld and %ld, more than the %ld that a loop "
                       "can have; cut the data into several loops",
                       loop->file, loop->line, orrery_dim_name(loop, d), dim->low, dim->high,
                       ORRERY_MOST_PLACES);
    }
}

static void histograms_start(struct walk *walk) {
    for (int d = 0; d < walk->loop->ndims; ++d) {
        long range = orrery_dim_range(&walk->inspection->dims[d]);
        bool own = (long)walk->workers * range <= (1 << 18) + walk->count / 4;
        walk->copies[d] = own ? walk->workers : 1;
        walk->histograms[d] =
            orrery_memory_aligned((size_t)(walk->copies[d] * range + 1) * sizeof(long));
    }
}

static void histograms_end(struct orrery_inspection *inspection, struct walk *walk) {
    for (int d = 0; d < walk->loop->ndims; ++d) {
        struct orrery_dim *dim = &inspection->dims[d];
        long range = orrery_dim_range(dim);
        dim->counts = walk->histograms[d];
        for (long c = 1; c < walk->copies[d]; ++c)
            for (long v = 0; v < range; ++v)
                dim->counts[v] += dim->counts[c * range + v];
        if (inspection->remote)
            orrery_remote_counts(inspection->remote, d, dim->counts, range);
        dim->present = orrery_memory_aligned((size_t)(range / 64 + 1) * sizeof *dim->present);
        for (long v = 0; v < range; ++v) {
            dim->distinct += dim->counts[v] > 0;
            dim->present[v / 64] |= (uint64_t)(dim->counts[v] > 0) << (v % 64);
        }
    }
}

static uint64_t seed_of(const struct orrery_loop *loop, int d) {
    uint64_t seed = orrery_env()->seed_set ? orrery_env()->seed : loop->seed;
    return 2 * seed + (uint64_t)d % 2 + ((uint64_t)d / 2 << 32);
}

/* How many iterations each block has in each worker's share. */
static void tally_make(struct orrery_inspection *inspection, struct walk *walk) {
    walk->blocks = inspection->blocks.rows * inspection->blocks.columns;
    walk->cursors =
        orrery_memory_aligned((size_t)(walk->workers * walk->blocks) * sizeof *walk->cursors);
    orrery_workers_run(walk_blocks, walk);
    inspection->tally = walk->cursors;
}

void orrery_inspection_own(const struct orrery_inspection *inspection, long *counts) {
    long blocks = inspection->blocks.rows * inspection->blocks.columns;
    for (long b = 0; b < blocks; ++b) {
        counts[b] = 0;
        for (int w = 0; w < orrery_workers_count(); ++w)
            counts[b] += inspection->tally[w * blocks + b];
    }
}

/* Also those of other ranks. */
static void starts_make(struct orrery_inspection *inspection, struct walk *walk) {
    if (inspection->remote)
        orrery_remote_blocks(inspection->remote, inspection);
    tally_make(inspection, walk);
    long blocks = walk->blocks;
    long *starts = dsm_own_alloc((size_t)(blocks + 1) * sizeof *starts), place = 0;
    orrery_inspection_own(inspection, starts);
    if (inspection->remote)
        orrery_remote_blocks_add(inspection->remote, starts, blocks);
    for (long b = 0; b < blocks; ++b) {
        long n = starts[b];
        starts[b] = place;
        place += n;
    }
    starts[blocks] = place;
    inspection->starts = starts;
}

/* Inputs: the listed fields, or all of the environment but the reductions' targets. */
static void inputs_copy(const struct orrery_loop *loop, const char *env, char *to) {
    memset(to, 0, loop->env_size);
    if (!loop->inputs) {
        memcpy(to, env, loop->env_size);
        for (int r = 0; r < loop->nreductions; ++r)
            memset(to + loop->reductions[r].target_offset, 0, sizeof(void *));
        return;
    }
    for (int i = 0; i < loop->ninputs; ++i)
        memcpy(to + loop->inputs[i].offset, env + loop->inputs[i].offset, loop->inputs[i].size);
}

static struct orrery_blocks blocks_of(const struct orrery_loop *loop,
                                      const struct orrery_dim *dims) {
    long parts[ORRERY_DIMS];
    for (int d = 0; d < loop->ndims; ++d)
        parts[d] = dims[d].parts;
    return orrery_blocks_make(loop->strategy, loop->ndims, parts);
}

/* What is known when the ranges of the keys are. */
struct look {
    const struct orrery_loop *loop;
    struct orrery_inspection *inspection;
    orrery_keys_check *check;
    void *data;
    bool places;
};

static void keys_look(void *data) {
    struct look *look = data;
    look->places = look->check(look->data, look->inspection);
    range_check(look->loop, look->inspection);
}

/* Other ranks wait to be told the ranges, or that they are of no use. */
static void keys_look_remote(struct look *look, void *paused) {
    struct dsm_status status;
    if (!paused) {
        keys_look(look);
    } else if (!dsm_attempt(keys_look, look, &status)) {
        orrery_remote_stop(look->inspection->remote);
        orrery_remote_free(look->inspection->remote);
        look->inspection->remote = NULL;
        dsm_attempt_resume(paused);
        dsm_refuse(1, "%s", status.why);
    }
    orrery_remote_dims(look->inspection->remote, look->inspection);
}

/* Blocks by key: histograms, cuts, where each block's records go. */
static void blocks_by_key(struct orrery_inspection *inspection, struct walk *walk,
                          const long *bytes, orrery_keys_check *check, void *data, void *paused) {
    const struct orrery_loop *loop = walk->loop;
    struct look look = {loop, inspection, check, data, false};
    if (inspection->remote)
        keys_look_remote(&look, paused);
    else
        keys_look(&look);
    bool places = look.places;
    histograms_start(walk);
    orrery_workers_run(walk_counts, walk);
    histograms_end(inspection, walk);
    orrery_grid_choose(loop, walk->count, bytes, inspection->dims);
    inspection->blocks = blocks_of(loop, inspection->dims);
    inspection->blocks.visits = orrery_grid_visits(loop, walk->count, &inspection->blocks);
    for (int d = 0; d < loop->ndims; ++d)
        orrery_dim_cut(&inspection->dims[d], loop->unordered, seed_of(loop, d), places);
    starts_make(inspection, walk);
}

/*
 * Do blocks that share a row or a column run in the loop's order? Iterations with one key of dim 0
 * are in one row, whose columns run in rising order; so the column must not fall from one to the
 * next, and likewise with the rows of a column. `last`: by key.
 */
static bool comes_in_order(const struct walk *walk) {
    const struct orrery_inspection *inspection = walk->inspection;
    bool good = true;
    uint16_t *last[2];
    for (int d = 0; d < 2; ++d)
        last[d] = orrery_memory_aligned((size_t)(orrery_dim_range(&inspection->dims[d]) + 1) *
                                        sizeof **last);
    for (long i = 0; i < walk->count && good; ++i) {
        long keys[ORRERY_KEYS], part[2];
        walk_keys_none(keys);
        walk->loop->gather(walk->env, i, NULL, keys, NULL);
        long block = walk_block(walk, keys, i);
        part[0] = block / inspection->blocks.columns;
        part[1] = block % inspection->blocks.columns;
        for (int d = 0; d < 2; ++d) {
            if (keys[d] == ORRERY_NO_KEY)
                continue;
            uint16_t *seen = &last[d][keys[d] - inspection->dims[d].low];
            good &= *seen <= part[!d];
            *seen = (uint16_t)part[!d];
        }
    }
    orrery_memory_free(last[0]);
    orrery_memory_free(last[1]);
    return good;
}

static void blocks_by_level(struct orrery_inspection *inspection, const struct walk *walk) {
    dsm_own_free(inspection->starts);
    for (int d = 0; d < ORRERY_DIMS; ++d)
        inspection->relabel[d] = false;
    inspection->levels = orrery_levels_new(walk->loop, walk->env, walk->count);
    inspection->starts = inspection->levels->starts;
    inspection->blocks =
        orrery_blocks_of_levels(inspection->levels->rows, inspection->levels->columns);
}

static struct orrery_inspection *inspection_new(long count, long first, long last) {
    struct orrery_inspection *inspection = dsm_own_alloc(sizeof *inspection);
    *inspection = (struct orrery_inspection){.count = count, .first = first, .last = last};
    return inspection;
}

/* Looks at the keys of this rank's iterations; others have looked at theirs, where they are. */
static void ranges_make(struct orrery_inspection *inspection, struct walk *walk) {
    lanes_start(walk);
    orrery_workers_run(walk_ranges, walk);
    if (inspection->remote &&
        !orrery_remote_ranges(inspection->remote, walk->loop, walk->lanes[0].low,
                              walk->lanes[0].high, walk->lanes[0].spans)) {
        orrery_remote_free(inspection->remote);
        inspection->remote = NULL;
        inspection->first = 0;
        inspection->last = inspection->count;
        orrery_workers_run(walk_ranges, walk);
    }
    lanes_end(inspection, walk);
}

void orrery_inspect(const struct orrery_loop *loop, int slot, const void *env, long count,
                    const long *bytes, orrery_keys_check *check, void *data,
                    struct orrery_inspection **out) {
    struct orrery_remote *remote = orrery_remote_begin(loop, slot, env, count);
    void *paused = remote ? dsm_attempt_pause() : NULL;
    struct orrery_inspection *inspection =
        inspection_new(count, 0, remote ? orrery_remote_first(remote, 1) : count);
    struct walk walk;
    *out = inspection;
    inspection->remote = remote;
    walk_start(&walk, loop, env, count, inspection);
    ranges_make(inspection, &walk);
    inspection->watch = inspection->remote
                            ? dsm_watch_start_pending(inspection->nspans, inspection->spans)
                            : dsm_watch_start_windowed(inspection->nspans, inspection->spans);
    if (remote && !inspection->remote)
        dsm_attempt_resume(paused);
    if (loop->strategy != ORRERY_LEVELS)
        blocks_by_key(inspection, &walk, bytes, check, data, paused);
    if (inspection->remote)
        dsm_attempt_resume(paused);
    if (loop->strategy == ORRERY_LEVELS ||
        (loop->strategy == ORRERY_ORDERED_ROTATION && !comes_in_order(&walk)))
        blocks_by_level(inspection, &walk);
    inspection->inputs = dsm_own_alloc(loop->env_size);
    inputs_copy(loop, env, inspection->inputs);
}

/* ---- iterations that are this rank's, of an inspection that rank 0 makes --------------------- */

/* Where the gather would read. */
static void walk_spans(void *data, int worker) {
    struct walk *walk = data;
    struct lane *lane = &walk->lanes[worker];
    long end = walk_share(walk, worker + 1);
    for (long i = walk_share(walk, worker); i < end; ++i)
        walk->loop->gather(walk->env, i, NULL, NULL, lane->spans);
}

struct orrery_inspection *orrery_part_new(const struct orrery_loop *loop, const void *env,
                                          long count, long first, long last,
                                          orrery_may_read *may_read, void *data,
                                          struct orrery_span *spans) {
    struct orrery_inspection *inspection = inspection_new(count, first, last);
    struct walk walk;
    bool may = true;
    walk_start(&walk, loop, env, count, inspection);
    lanes_start(&walk);
    orrery_workers_run(walk_spans, &walk);
    for (int s = 0; s < loop->nspans; ++s) {
        spans[s] = span_of(&walk, s);
        may = may && (!spans[s].high || may_read(data, spans[s].low, spans[s].high));
    }
    if (may)
        orrery_workers_run(walk_ranges, &walk);
    lanes_end(inspection, &walk);
    if (may)
        return inspection;
    orrery_inspection_free(inspection);
    return NULL;
}

void orrery_part_counts(struct orrery_inspection *inspection, const struct orrery_loop *loop,
                        const void *env) {
    struct walk walk;
    walk_start(&walk, loop, env, inspection->count, inspection);
    histograms_start(&walk);
    orrery_workers_run(walk_counts, &walk);
    histograms_end(inspection, &walk);
}

void orrery_part_blocks(struct orrery_inspection *inspection, const struct orrery_loop *loop,
                        const void *env) {
    struct walk walk;
    walk_start(&walk, loop, env, inspection->count, inspection);
    tally_make(inspection, &walk);
}

void orrery_inspection_home(struct orrery_inspection *inspection, const struct orrery_loop *loop,
                            const void *env) {
    if (!inspection->remote)
        return;
    orrery_remote_free(inspection->remote);
    orrery_memory_free(inspection->tally);
    inspection->remote = NULL;
    inspection->first = 0;
    inspection->last = inspection->count;
    orrery_part_blocks(inspection, loop, env);
}

bool orrery_inspection_is_of(const struct orrery_inspection *inspection,
                             const struct orrery_loop *loop, const void *env, long count) {
    if (inspection->count != count)
        return false;
    char now[loop->env_size + 1];
    inputs_copy(loop, env, now);
    return memcmp(now, inspection->inputs, loop->env_size) == 0;
}

/* A watch that compares much is looked at by all workers. */
struct comparison {
    struct dsm_watch *watch;
    int workers;
    atomic_bool changed;
};

static void compare_share(void *data, int worker) {
    struct comparison *all = data;
    if (dsm_watch_look(all->watch, worker, all->workers))
        atomic_store(&all->changed, true);
}

static bool watch_changed(struct dsm_watch *watch) {
    enum { ALONE = 1 << 18 };
    struct comparison all = {.watch = watch};
    if (dsm_watch_compared(watch) < ALONE)
        return dsm_watch_changed(watch);
    all.workers = orrery_workers_count();
    orrery_workers_run(compare_share, &all);
    return atomic_load(&all.changed);
}

bool orrery_inspection_holds(const struct orrery_inspection *inspection,
                             const struct orrery_loop *loop, const void *env, long count) {
    return orrery_inspection_is_of(inspection, loop, env, count) &&
           !watch_changed(inspection->watch);
}

void orrery_inspection_free(struct orrery_inspection *inspection) {
    if (!inspection)
        return;
    dsm_watch_end(inspection->watch);
    orrery_remote_free(inspection->remote);
    for (int d = 0; d < ORRERY_DIMS; ++d)
        orrery_dim_free(&inspection->dims[d]);
    dsm_own_free(inspection->inputs);
    dsm_own_free(inspection->spans);
    if (inspection->levels)
        orrery_levels_free(inspection->levels);
    else
        dsm_own_free(inspection->starts);
    orrery_memory_free(inspection->tally);
    dsm_own_free(inspection);
}

long orrery_key_find(const struct orrery_loop *loop, const void *env, long count, int d, long value,
                     int *k) {
    long keys[ORRERY_KEYS];
    walk_keys_none(keys);
    for (long i = 0; i < count; ++i) {
        loop->gather(env, i, NULL, keys, NULL);
        for (*k = 0; *k < loop->nkeys; ++*k)
            if (loop->keys[*k].dim == d && keys[*k] == value)
                return i;
    }
    return -1;
}
