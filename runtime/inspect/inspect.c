#include "runtime/inspect/inspect.h"

#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/inspect/count.h"
#include "runtime/inspect/levels.h"
#include "runtime/inspect/remote.h"
#include "runtime/inspect/walk.h"
#include "runtime/threads/workers.h"

#include <stdatomic.h>
#include <string.h>

/* What memory one worker saw behind the keys. */
struct lane {
    _Alignas(64) struct orrery_span *spans;
};

/* What iterations from i on weigh; NULL: all the same. */
static const long *batch_weights(const struct walk *walk, long i, long n, struct orrery_span *spans,
                                 long *weights) {
    if (!walk->loop->weigh)
        return NULL;
    for (long j = 0; j < n; ++j)
        weights[j] = walk->loop->weigh(walk->env, i + j, spans);
    return weights;
}

static void walk_ranges(void *data, int worker) {
    struct walk *walk = data;
    struct lane *lane = &walk->lanes[worker];
    long keys[WALK_BATCH * ORRERY_KEYS], weights[WALK_BATCH];
    walk_keys_none(keys, WALK_BATCH);
    long end = walk_share(walk, worker + 1);
    for (long i = walk_share(walk, worker); i < end; i += WALK_BATCH) {
        long n = walk_batch(i, end);
        walk->loop->gathers(walk->env, i, n, NULL, keys, lane->spans);
        const long *weight = batch_weights(walk, i, n, lane->spans, weights);
        orrery_counter_add(walk->counter, worker, keys, n, weight);
    }
    if (walk->loop->touches)
        orrery_levels_spans(walk->loop, walk->env, walk->count, worker, lane->spans);
}

/* The dims that the counter has no table of. */
static void walk_counts(void *data, int worker) {
    struct walk *walk = data;
    const struct orrery_loop *loop = walk->loop;
    long keys[WALK_BATCH * ORRERY_KEYS], weights[WALK_BATCH];
    walk_keys_none(keys, WALK_BATCH);
    long end = walk_share(walk, worker + 1);
    for (long i = walk_share(walk, worker); i < end; i += WALK_BATCH) {
        long n = walk_batch(i, end);
        loop->gathers(walk->env, i, n, NULL, keys, NULL);
        const long *weight = batch_weights(walk, i, n, NULL, weights);
        for (int k = 0; k < loop->nkeys; ++k) {
            int d = loop->keys[k].dim;
            long *histogram = walk->histograms[d], from = walk->inspection->dims[d].low;
            for (long j = 0; j < n && histogram; ++j) {
                long key = keys[j * loop->nkeys + k];
                if (key != ORRERY_NO_KEY)
                    __atomic_fetch_add(&histogram[key - from], weight ? weight[j] : 1,
                                       __ATOMIC_RELAXED);
            }
        }
    }
}

/* ---- blocks of iterations -------------------------------------------------------------------- */

long orrery_inspection_row_of(const struct orrery_inspection *inspection,
                              const struct orrery_loop *loop, const long *keys, long i) {
    const struct walk walk = {.loop = loop, .inspection = inspection};
    uint32_t block;
    walk_blocks_of(&walk, keys, i, 1, &block);
    return block / inspection->blocks.columns;
}

long orrery_inspection_row(const struct orrery_inspection *inspection,
                           const struct orrery_loop *loop, const void *env, long i) {
    long keys[ORRERY_KEYS];
    walk_keys_none(keys, 1);
    loop->gather(env, i, NULL, keys, NULL);
    return orrery_inspection_row_of(inspection, loop, keys, i);
}

static void walk_blocks(void *data, int worker) {
    struct walk *walk = data;
    long *counts = walk->cursors + worker * walk->blocks;
    long keys[WALK_BATCH * ORRERY_KEYS];
    uint32_t blocks[WALK_BATCH];
    walk_keys_none(keys, WALK_BATCH);
    long end = walk_share(walk, worker + 1);
    for (long i = walk_share(walk, worker); i < end; i += WALK_BATCH) {
        long n = walk_batch(i, end);
        walk->loop->gathers(walk->env, i, n, NULL, keys, NULL);
        walk_blocks_of(walk, keys, i, n, blocks);
        walk_blocks_keep(walk, i, n, blocks);
        for (long j = 0; j < n; ++j)
            ++counts[blocks[j]];
    }
}

/* ---- what workers saw ------------------------------------------------------------------------ */

static void lanes_start(struct walk *walk) {
    size_t bytes = (size_t)walk->workers * sizeof *walk->lanes;
    walk->lanes = orrery_memory_aligned(bytes);
    int nspans = walk->loop->nspans;
    for (int w = 0; w < walk->workers; ++w) {
        struct lane *lane = &walk->lanes[w];
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

static void lanes_free(struct walk *walk) {
    for (int w = 0; w < walk->workers; ++w)
        dsm_own_free(walk->lanes[w].spans);
    orrery_memory_free(walk->lanes);
}

static void dims_start(struct orrery_inspection *inspection) {
    for (int d = 0; d < ORRERY_DIMS; ++d)
        inspection->dims[d] = (struct orrery_dim){.low = INT64_MAX, .high = INT64_MIN, .parts = 1};
}

static void lanes_end(struct orrery_inspection *inspection, struct walk *walk) {
    for (int d = 0; d < ORRERY_DIMS; ++d)
        orrery_counter_range(inspection->counter, d, &inspection->dims[d].low,
                             &inspection->dims[d].high);
    merge_spans(inspection, walk);
    lanes_free(walk);
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

/* Adds up what workers have counted; what they could not is counted now. */
static void counts_sum(struct orrery_inspection *inspection, struct walk *walk) {
    bool all = true;
    for (int d = 0; d < walk->loop->ndims; ++d) {
        struct orrery_dim *dim = &inspection->dims[d];
        long range = orrery_dim_range(dim);
        dim->counts = orrery_memory_aligned((size_t)(range + 1) * sizeof(long));
        if (!orrery_counter_sum(inspection->counter, d, dim->low, dim->counts)) {
            walk->histograms[d] = dim->counts;
            all = false;
        }
    }
    orrery_counter_free(inspection->counter);
    inspection->counter = NULL;
    if (!all)
        orrery_workers_run(walk_counts, walk);
}

static void histograms_make(struct orrery_inspection *inspection, struct walk *walk) {
    counts_sum(inspection, walk);
    for (int d = 0; d < walk->loop->ndims; ++d) {
        struct orrery_dim *dim = &inspection->dims[d];
        long range = orrery_dim_range(dim);
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
    inspection->numbers = orrery_memory_map(walk_kept_bytes(inspection));
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
    histograms_make(inspection, walk);
    orrery_grid_choose(loop, walk->count, bytes, inspection->dims);
    inspection->blocks = blocks_of(loop, inspection->dims);
    inspection->blocks.visits = orrery_grid_visits(loop, walk->count, &inspection->blocks);
    for (int d = 0; d < loop->ndims; ++d)
        orrery_dim_cut(&inspection->dims[d], loop->unordered, seed_of(loop, d), places);
    starts_make(inspection, walk);
}

/* Does the iteration's row of the grid come no earlier than those of its column key met before, and
 * its column no earlier than those of its row key? */
static bool follows(const struct orrery_inspection *inspection, const long *keys, uint32_t block,
                    uint16_t *last[2]) {
    long part[2] = {block / inspection->blocks.columns, block % inspection->blocks.columns};
    bool good = true;
    for (int d = 0; d < 2; ++d) {
        if (keys[d] == ORRERY_NO_KEY)
            continue;
        uint16_t *seen = &last[d][keys[d] - inspection->dims[d].low];
        good &= *seen <= part[!d];
        *seen = (uint16_t)part[!d];
    }
    return good;
}

/*
 * Do blocks that share a row or a column run in the loop's order? Iterations with one key of dim 0
 * are in one row, whose columns run in rising order; so the column must not fall from one to the
 * next, and likewise with the rows of a column. `last`: by key.
 */
static bool comes_in_order(const struct walk *walk) {
    const struct orrery_inspection *inspection = walk->inspection;
    long keys[WALK_BATCH * ORRERY_KEYS];
    uint32_t blocks[WALK_BATCH];
    bool good = true;
    uint16_t *last[2];
    walk_keys_none(keys, WALK_BATCH);
    for (int d = 0; d < 2; ++d)
        last[d] = orrery_memory_aligned((size_t)(orrery_dim_range(&inspection->dims[d]) + 1) *
                                        sizeof **last);
    for (long i = 0; i < walk->count && good; i += WALK_BATCH) {
        long n = walk_batch(i, walk->count);
        walk->loop->gathers(walk->env, i, n, NULL, keys, NULL);
        walk_blocks_kept(walk, i, n, blocks);
        for (long j = 0; j < n && good; ++j)
            good = follows(inspection, keys + j * walk->loop->nkeys, blocks[j], last);
    }
    orrery_memory_free(last[0]);
    orrery_memory_free(last[1]);
    return good;
}

static void blocks_by_level(struct orrery_inspection *inspection, const struct walk *walk) {
    dsm_own_free(inspection->starts);
    orrery_inspection_packed(inspection);
    orrery_counter_free(inspection->counter);
    inspection->counter = NULL;
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

static void ranges_walk(struct orrery_inspection *inspection, struct walk *walk) {
    orrery_counter_free(inspection->counter);
    inspection->counter = walk->counter =
        orrery_counter_new(walk->loop, walk->workers, inspection->last - inspection->first);
    dims_start(inspection);
    orrery_workers_run(walk_ranges, walk);
}

/* What the others have looked at where it is. False: they cannot. */
static bool ranges_hear(struct orrery_inspection *inspection, struct walk *walk) {
    long low[ORRERY_DIMS], high[ORRERY_DIMS];
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        low[d] = INT64_MAX;
        high[d] = INT64_MIN;
    }
    if (!orrery_remote_ranges(inspection->remote, walk->loop, low, high, walk->lanes[0].spans))
        return false;
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        inspection->dims[d].low = low[d];
        inspection->dims[d].high = high[d];
    }
    return true;
}

/* Looks at the keys of this rank's iterations; others have looked at theirs, where they are. */
static void ranges_make(struct orrery_inspection *inspection, struct walk *walk) {
    lanes_start(walk);
    ranges_walk(inspection, walk);
    if (inspection->remote && !ranges_hear(inspection, walk)) {
        orrery_remote_free(inspection->remote);
        inspection->remote = NULL;
        inspection->first = 0;
        inspection->last = inspection->count;
        ranges_walk(inspection, walk);
    }
    lanes_end(inspection, walk);
}

static void watch_begin(struct orrery_inspection *inspection) {
    inspection->watch = inspection->remote
                            ? dsm_watch_start_pending(inspection->nspans, inspection->spans)
                            : dsm_watch_start_windowed(inspection->nspans, inspection->spans);
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
    watch_begin(inspection);
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
    long first = walk_share(walk, worker);
    walk->loop->gathers(walk->env, first, walk_share(walk, worker + 1) - first, NULL, NULL,
                        lane->spans);
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
    if (!may) {
        lanes_free(&walk);
        orrery_inspection_free(inspection);
        return NULL;
    }
    ranges_walk(inspection, &walk);
    lanes_end(inspection, &walk);
    return inspection;
}

void orrery_part_counts(struct orrery_inspection *inspection, const struct orrery_loop *loop,
                        const void *env) {
    struct walk walk;
    walk_start(&walk, loop, env, inspection->count, inspection);
    histograms_make(inspection, &walk);
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
    orrery_inspection_packed(inspection);
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

void orrery_inspection_ran(struct orrery_inspection *inspection) {
    if (!watch_changed(inspection->watch))
        return;
    dsm_watch_end(inspection->watch);
    watch_begin(inspection);
}

void orrery_inspection_free(struct orrery_inspection *inspection) {
    if (!inspection)
        return;
    dsm_watch_end(inspection->watch);
    orrery_remote_free(inspection->remote);
    orrery_counter_free(inspection->counter);
    orrery_inspection_packed(inspection);
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
    walk_keys_none(keys, 1);
    for (long i = 0; i < count; ++i) {
        loop->gather(env, i, NULL, keys, NULL);
        for (*k = 0; *k < loop->nkeys; ++*k)
            if (loop->keys[*k].dim == d && keys[*k] == value)
                return i;
    }
    return -1;
}
