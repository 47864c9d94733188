/* memrchr */
#define _GNU_SOURCE
#include "runtime/merge/merge.h"

#include "runtime/base/env.h"
#include "runtime/base/heartbeat.h"
#include "runtime/base/memory.h"
#include "runtime/layout/owners.h"
#include "runtime/merge/elements.h"
#include "runtime/merge/serve.h"
#include "runtime/merge/share.h"

#include <string.h>

enum {
    FEW_BYTES = 64 << 10,
    LINE = 64,
    MOST_PHASES = 1 << 20,
    ALL_ROWS = 2048,   /* iterations of all rows between merges, when nobody says */
    ALL_OF_TWO = 4096, /* ... of two, which hear of all there is from one other */
    FEW_ALL = 512,     /* ... of three and four, where cold lines are merged less often */
    LEAST_EACH = 8,    /* ... of a row */
    NEAR = 1 << 20     /* bytes of a worker's copies that stay near its core */
};

/* ---- how much -------------------------------------------------------------------------------- */

/* Rows of a worker come one after the other, and large copies are cheaper per worker than per row;
 * those of a device run together. */
static bool is_few(const struct orrery_loop *loop, int j, size_t bytes, bool one_block) {
    return orrery_merging_of(loop, j)->marked && one_block && bytes >= FEW_BYTES && !loop->kernel;
}

static bool is_few_in(const struct orrery_loop *loop, int j, size_t bytes,
                      const struct orrery_blocks *blocks) {
    return is_few(loop, j, bytes, blocks->clocks == 1 && blocks->columns == 1) &&
           !orrery_merge_cools(loop, j, bytes, blocks);
}

static bool has_one_block(enum orrery_strategy strategy) {
    return strategy == ORRERY_INDEPENDENT || strategy == ORRERY_PARTITION_1D;
}

size_t orrery_merge_row_bytes(const struct orrery_state *state) {
    size_t bytes = 0;
    for (int j = 0; j < state->loop->nreductions; ++j) {
        const struct orrery_reduction *what = &state->loop->reductions[j];
        if (orrery_is_merged(what) &&
            !is_few(state->loop, j, state->bytes[j], has_one_block(state->loop->strategy)))
            bytes += state->bytes[j];
    }
    return bytes;
}

bool orrery_merge_wants_few(const struct orrery_state *state) {
    const struct orrery_blocks two = {.rows = 2, .columns = 1, .clocks = 1};
    for (int j = 0; j < state->loop->nreductions; ++j)
        if (orrery_is_merged(&state->loop->reductions[j]) &&
            is_few(state->loop, j, state->bytes[j], has_one_block(state->loop->strategy)) &&
            orrery_merge_cools(state->loop, j, state->bytes[j], &two))
            return true;
    return false;
}

long orrery_merge_copies(const struct orrery_state *state, int j) {
    const struct orrery_blocks *blocks = &state->blocks;
    long workers = orrery_workers_count();
    return is_few_in(state->loop, j, state->bytes[j], blocks)
               ? workers
               : (blocks->rows + dsm_ranks() - 1) / dsm_ranks();
}

/* One row on one rank works on the target: it is the serial program, and nothing is merged. */
static bool is_alone(const struct orrery_loop *loop, int j, long rows) {
    return rows == 1 && dsm_ranks() == 1 && loop->reductions[j].op == ORRERY_RELAXED &&
           !loop->kernel;
}

/*
 * One rank merges real numbers line by line, from a copy per row; it takes a lot of small copies, or
 * a few large ones, for that. How arrays are merged does not change what comes out.
 */
static bool has_lines(const struct orrery_region *region, int j, size_t bytes) {
    const struct orrery_reduction *what = &region->loop->reductions[j];
    long rows = region->blocks.rows, workers = orrery_workers_count();
    bool fits = !is_few_in(region->loop, j, bytes, &region->blocks) || rows <= workers ||
                (rows <= ORRERY_FEW_ROWS && (size_t)rows * bytes <= ORRERY_FEW_ROWS_BYTES);
    return dsm_ranks() == 1 && what->op == ORRERY_RELAXED && !region->loop->kernel && fits &&
           (what->type == ORRERY_F32 || what->type == ORRERY_F64) &&
           !is_alone(region->loop, j, rows) && orrery_env()->most_change == 0;
}

static bool shares(const struct orrery_loop *loop) {
    for (int i = 0; i < loop->nmergings; ++i)
        if (loop->mergings[i].rule != ORRERY_RULE_ADD)
            return true;
    return false;
}

static long each_of(long rows, long all) {
    return all / rows > LEAST_EACH ? all / rows : LEAST_EACH;
}

/* Iterations of a row between merges that nobody has said; 0: all. What rows do not add up they
 * learn in common, so that they shall hear of each other; a bit more often where a pass is short. */
static long interval_of(const struct orrery_region *region, long per_row) {
    long rows = region->blocks.rows;
    if (rows < 2 || !shares(region->loop))
        return 0;
    long all = rows == 2 ? ALL_OF_TWO : rows > ORRERY_FEW_ROWS ? ALL_ROWS : FEW_ALL;
    long each = each_of(rows, all);
    return (per_row - 1) / each + 1 < ORRERY_MANY_MERGES ? each_of(rows, all / 2) : each;
}

static bool all_alone(const struct orrery_loop *loop) {
    bool all = true;
    for (int i = 0; i < loop->nmergings; ++i)
        all = all && is_alone(loop, loop->mergings[i].reduction, 1);
    return all;
}

/* A merge after `sync_steps` clocks, or about `sync_iterations` iterations of a row. With one clock
 * the rows' shares are cut instead. */
static long phases_of(const struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    const struct orrery_blocks *blocks = &region->blocks;
    long per_row = (region->count + blocks->rows - 1) / blocks->rows, phases = 1;
    if (blocks->clocks == 1 && loop->sync_steps)
        phases = loop->sync_steps;
    else if (blocks->clocks == 1 && loop->sync_iterations)
        phases = (per_row - 1) / loop->sync_iterations + 1;
    else if (blocks->clocks == 1 && interval_of(region, per_row))
        phases = (per_row - 1) / interval_of(region, per_row) + 1;
    else if (loop->sync_steps)
        phases = (blocks->clocks - 1) / loop->sync_steps + 1;
    else if (loop->sync_iterations)
        phases = per_row / loop->sync_iterations;
    if (blocks->rows == 1 && all_alone(loop))
        phases = 1;
    long most = blocks->clocks > 1 ? blocks->clocks : per_row;
    most = most < MOST_PHASES ? most : MOST_PHASES;
    return phases < 1 ? 1 : phases > most ? most : phases;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void merged_free(struct orrery_merged *m, long nrows) {
    orrery_memory_unmap(m->copies, (size_t)m->ncopies * m->stride);
    orrery_memory_free(m->marks);
    for (long row = 0; row < nrows; ++row)
        orrery_changes_free(&m->rows[row]);
    orrery_changes_free(&m->result);
    orrery_memory_free(m->rows);
    dsm_own_free(m->counts);
    orrery_memory_free(m->slots);
    orrery_memory_free(m->gains);
    orrery_memory_free(m->hot);
    orrery_memory_free(m->is_hot);
}

static void merge_free(struct orrery_merge *merge) {
    if (!merge)
        return;
    for (int i = 0; i < merge->narrays; ++i)
        merged_free(&merge->arrays[i], merge->nrows);
    orrery_memory_free(merge->arrays);
    orrery_memory_free(merge->snapshots);
    orrery_memory_free((void *)merge->marks);
    orrery_memory_free(merge);
}

size_t orrery_merge_bytes(const struct orrery_merge *merge) {
    size_t bytes = 0;
    for (int i = 0; i < merge->narrays; ++i)
        bytes += (size_t)merge->arrays[i].ncopies *
                 (merge->arrays[i].stride + (merge->arrays[i].marks ? merge->arrays[i].nmarks : 0));
    return bytes;
}

void orrery_merged_marks(struct orrery_merged *m, size_t bytes) {
    size_t lines = bytes / ORRERY_MARKED + LINE;
    m->nfront = (lines / ORRERY_MARKED + LINE) / LINE * LINE;
    m->nmarks = m->nfront + (lines + LINE - 1) / LINE * LINE;
}

_Bool *orrery_merged_marks_at(const struct orrery_merged *m, long slot) {
    return m->marks ? m->marks + (size_t)slot * m->nmarks + m->nfront : NULL;
}

static void merged_make(struct orrery_merged *m, const struct orrery_region *region, int j) {
    const struct orrery_reduction *what = &region->loop->reductions[j];
    size_t bytes = region->copies->bytes[j];
    const struct orrery_merging *how = orrery_merging_of(region->loop, j);
    long own = region->row_high - region->row_low;
    *m = (struct orrery_merged){.what = what,
                                .how = how,
                                .reduction = j,
                                .few = is_few_in(region->loop, j, bytes, &region->blocks),
                                .n = bytes / what->size,
                                .bytes = bytes,
                                .stride = (bytes + LINE - 1) / LINE * LINE};
    if (m->n > UINT32_MAX)
        dsm_refuse(1, "%s: %s has %zu elements, more than a relaxed or buffered array may have",
                   region->where, what->name, m->n);
    m->alone = is_alone(region->loop, j, region->blocks.rows);
    m->lines = has_lines(region, j, bytes);
    m->few = m->few && !m->lines;
    m->cools = orrery_merge_cools(region->loop, j, bytes, &region->blocks);
    m->ncopies = m->alone ? 0 : m->few ? orrery_workers_count() : own;
    orrery_merged_marks(m, m->stride);
    m->copies = orrery_memory_map((size_t)m->ncopies * m->stride);
    /* Of one group of lines all are looked at in less time than the body takes to mark them. */
    if (how->marked && !m->alone && m->stride > ORRERY_MARKED * ORRERY_MARKED)
        m->marks = orrery_memory_aligned((size_t)m->ncopies * m->nmarks);
    m->rows = orrery_memory_aligned((size_t)region->blocks.rows * sizeof *m->rows);
    if (dsm_rank() == 0) {
        m->slots = orrery_memory_aligned(m->n * sizeof *m->slots);
        m->gains = how->rule == ORRERY_RULE_SCALE ? orrery_memory_aligned(m->n) : NULL;
    }
    if (m->cools)
        orrery_hot_make(m);
}

/* The worker that runs the row (clocks.c). */
static long worker_of(const struct orrery_region *region, long row) {
    return orrery_share_of(row - region->row_low, region->row_high - region->row_low,
                           orrery_workers_count());
}

static long slot_of(const struct orrery_region *region, const struct orrery_merged *m, long row) {
    return m->alone ? 0 : m->few ? worker_of(region, row) : row - region->row_low;
}

static char *copy_of(const struct orrery_region *region, const struct orrery_merged *m, long row) {
    return m->copies + (size_t)slot_of(region, m, row) * m->stride;
}

static _Bool *marks_of(const struct orrery_region *region, const struct orrery_merged *m,
                       long row) {
    return orrery_merged_marks_at(m, slot_of(region, m, row));
}

static bool fits(const struct orrery_merge *merge, const struct orrery_region *region) {
    bool same = merge && merge->epoch == orrery_owners_epoch() &&
                merge->row_low == region->row_low && merge->row_high == region->row_high &&
                merge->nrows == region->blocks.rows && merge->serves == region->copies->serves &&
                merge->workers == orrery_workers_count();
    for (int i = 0; same && i < merge->narrays; ++i) {
        const struct orrery_merged *m = &merge->arrays[i];
        size_t bytes = region->copies->bytes[m->reduction];
        bool lines = has_lines(region, m->reduction, bytes);
        same = m->bytes == bytes && m->lines == lines &&
               m->cools == orrery_merge_cools(region->loop, m->reduction, bytes, &region->blocks) &&
               m->few == (!lines && is_few_in(region->loop, m->reduction, bytes, &region->blocks));
    }
    return same;
}

static struct orrery_merge *merge_new(const struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    struct orrery_merge *merge = orrery_memory_aligned(sizeof *merge);
    size_t n = (size_t)loop->nreductions, own = (size_t)(region->row_high - region->row_low);
    *merge = (struct orrery_merge){.loop = loop,
                                   .row_low = region->row_low,
                                   .row_high = region->row_high,
                                   .nrows = region->blocks.rows,
                                   .epoch = orrery_owners_epoch(),
                                   .serves = region->copies->serves,
                                   .workers = orrery_workers_count()};
    merge->arrays = orrery_memory_aligned((n + 1) * sizeof *merge->arrays);
    merge->snapshots = orrery_memory_aligned((n + 1) * sizeof *merge->snapshots);
    merge->marks = orrery_memory_aligned((own * n + 1) * sizeof *merge->marks);
    for (int j = 0; j < loop->nreductions; ++j)
        if (orrery_is_merged(&loop->reductions[j]) &&
            !(merge->serves && orrery_can_be_served(loop, j)))
            merged_make(&merge->arrays[merge->narrays++], region, j);
    return merge;
}

static void pointers_set(struct orrery_merge *merge, struct orrery_region *region) {
    long n = merge->loop->nreductions;
    for (int i = 0; i < merge->narrays; ++i) {
        struct orrery_merged *m = &merge->arrays[i];
        m->snapshot = region->copies->starts[m->reduction];
        merge->snapshots[m->reduction] = m->snapshot;
        for (long row = region->row_low; row < region->row_high; ++row) {
            long at = (row - region->row_low) * n + m->reduction;
            region->copies->pointers[at] = m->alone ? NULL : copy_of(region, m, row);
            merge->marks[at] = marks_of(region, m, row);
        }
    }
}

/* Bodies take a served array to be where the program has it; nothing is there but on rank 0. */
bool orrery_merge_snaps(const struct orrery_region *region, int j) {
    for (int i = 0; region->merge && i < region->merge->narrays; ++i)
        if (region->merge->arrays[i].reduction == j)
            return !region->merge->arrays[i].lines && !region->merge->arrays[i].alone;
    return true;
}

static void serve_prepare(struct orrery_merge *merge, struct orrery_region *region,
                          struct orrery_state *state) {
    long n = merge->loop->nreductions;
    state->serve = orrery_serve_prepare(state->serve, region, state, merge->phases);
    region->serve = state->serve;
    for (int j = 0; j < n; ++j) {
        if (!orrery_can_be_served(merge->loop, j))
            continue;
        merge->snapshots[j] = state->shapes[merge->loop->reductions[j].array].base;
        for (long row = 0; row < region->row_high - region->row_low; ++row)
            region->copies->pointers[row * n + j] = merge->snapshots[j];
    }
}

struct orrery_merge *orrery_merge_prepare(struct orrery_region *region,
                                          struct orrery_state *state) {
    if (!orrery_loop_merges(state->loop))
        return NULL;
    if (!fits(state->merge, region)) {
        merge_free(state->merge);
        state->merge = merge_new(region);
    }
    state->merge->phases = phases_of(region);
    state->merge->sent = state->merge->back = 0;
    pointers_set(state->merge, region);
    if (state->serves)
        serve_prepare(state->merge, region, state);
    return state->merge;
}

/* ---- start ----------------------------------------------------------------------------------- */

/* A piece of the snapshot stays in the cache while it goes into this worker's copies. */
static void start_job(void *data, int worker) {
    enum { PIECE = 1 << 17 };
    const struct orrery_region *region = data;
    const struct orrery_merge *merge = region->merge;
    for (int i = 0; i < merge->narrays; ++i) {
        const struct orrery_merged *m = &merge->arrays[i];
        long begin = orrery_share(m->ncopies, worker, merge->workers);
        long end = orrery_share(m->ncopies, worker + 1, merge->workers);
        for (size_t at = 0; at < m->bytes && m->what->op == ORRERY_RELAXED; at += PIECE)
            for (long c = begin; c < end; ++c)
                memcpy(m->copies + (size_t)c * m->stride + at, m->snapshot + at,
                       m->bytes - at < PIECE ? m->bytes - at : PIECE);
    }
}

/* Rank 0. */
static void target_start(struct orrery_region *region, struct orrery_merged *m) {
    m->target = orrery_target_of(region->loop, m->reduction, orrery_env_of(region, 0));
    m->most = 0;
    if (m->gains && !m->alone)
        memset(m->gains, orrery_gain_first(region->merge->phases), m->n);
    if (m->alone)
        region->copies->pointers[m->reduction] = m->target;
    if (m->lines)
        m->snapshot = m->target;
}

static void marks_set(struct orrery_merge *merge, bool on) {
    long n = merge->loop->nreductions;
    for (int i = 0; i < merge->narrays; ++i)
        for (long row = 0; row < merge->row_high - merge->row_low; ++row)
            if (merge->arrays[i].cools)
                merge->marks[row * n + merge->arrays[i].reduction] =
                    on ? orrery_merged_marks_at(&merge->arrays[i], row) : NULL;
}

void orrery_merge_start(struct orrery_region *region, bool here) {
    struct orrery_merge *merge = region->merge;
    for (int i = 0; i < merge->narrays; ++i) {
        if (merge->arrays[i].cools)
            orrery_hot_start(&merge->arrays[i]);
        if (dsm_rank() == 0)
            target_start(region, &merge->arrays[i]);
    }
    marks_set(merge, true);
    if (here)
        orrery_workers_run(start_job, region);
    if (region->serve)
        orrery_serve_start(region->serve, region);
}

static bool is_far(const struct orrery_merge *merge) {
    size_t bytes = 0, workers = (size_t)merge->workers;
    for (int i = 0; i < merge->narrays; ++i) {
        size_t copies = ((size_t)merge->arrays[i].ncopies + workers - 1) / workers;
        bytes += merge->arrays[i].bytes * (copies ? copies : 1);
    }
    return bytes > NEAR;
}

void orrery_merge_block(const struct orrery_region *region, struct orrery_block *block) {
    const struct orrery_merge *merge = region->merge;
    block->snapshots = merge->snapshots;
    block->is_far = is_far(merge);
    block->marks = merge->marks + (block->row - merge->row_low) * merge->loop->nreductions;
    if (region->serve)
        block->served = orrery_serve_views(region->serve, block->row);
}

/* ---- the changes of a row -------------------------------------------------------------------- */

static struct orrery_elements which(const struct orrery_merged *m, const struct orrery_changes *c) {
    return (struct orrery_elements){c->at, c->count, m->what->size};
}

static void restore(const struct orrery_merged *m, char *copy, const struct orrery_changes *c) {
    if (m->what->op == ORRERY_BUFFERED)
        orrery_elements_clear(which(m, c), copy);
    else
        orrery_elements_copy(which(m, c), copy, m->snapshot);
}

/* A marked line. Elements are not cut by lines: their sizes are powers of two. */
static void find_line(const struct orrery_merged *m, const char *copy, size_t line,
                      struct orrery_changes *changes) {
    const char *snapshot = m->what->op == ORRERY_BUFFERED ? NULL : m->snapshot;
    size_t per_line = ORRERY_MARKED / m->what->size;
    size_t low = line * per_line, high = low + per_line < m->n ? low + per_line : m->n;
    orrery_changes_find(m->what, copy, snapshot, low, high, changes);
}

/* The marked ones of the lines [line, end), eight at a time: there are marks behind the last. */
static void find_lines(const struct orrery_merged *m, const char *copy, _Bool *marks, size_t line,
                       size_t end, struct orrery_changes *changes) {
    for (uint64_t eight; line < end; line += sizeof eight) {
        memcpy(&eight, marks + line, sizeof eight);
        for (size_t k = 0; eight && k < sizeof eight; ++k)
            if (marks[line + k])
                find_line(m, copy, line + k, changes);
        if (eight)
            memset(marks + line, 0, sizeof eight);
    }
}

/* Marked lines only: first which ORRERY_MARKED lines have any. */
static void find_marked(const struct orrery_merged *m, char *copy, _Bool *marks,
                        struct orrery_changes *changes) {
    size_t lines = m->stride / ORRERY_MARKED, groups = (lines - 1) / ORRERY_MARKED + 1;
    _Bool *front = marks - groups;
    for (size_t g = groups; g > 0; --g) {
        const _Bool *last = memrchr(front, 1, g);
        if (!last)
            break;
        g = (size_t)(last - front) + 1;
        front[g - 1] = 0;
        size_t line = (groups - g) * ORRERY_MARKED, end = line + ORRERY_MARKED;
        find_lines(m, copy, marks, line, end < lines ? end : lines, changes);
    }
}

/* A kernel leaves no marks. */
static bool on_device(const struct orrery_region *region) {
    return region->loop->kernel && !region->replay;
}

bool orrery_merged_has_marks(const struct orrery_region *region, const struct orrery_merged *m) {
    return m->marks && !on_device(region) && !(m->cools && region->phase > 0);
}

void orrery_merged_find(const struct orrery_region *region, const struct orrery_merged *m,
                        long row) {
    struct orrery_changes *changes = &m->rows[row];
    char *copy = copy_of(region, m, row);
    changes->count = 0;
    for (size_t k = 0; m->hot_only && k < m->nhot; ++k)
        find_line(m, copy, m->hot[k], changes);
    if (m->hot_only)
        return;
    if (orrery_merged_has_marks(region, m))
        find_marked(m, copy, marks_of(region, m, row), changes);
    else
        orrery_changes_find(m->what, copy, m->what->op == ORRERY_BUFFERED ? NULL : m->snapshot, 0,
                            m->n, changes);
    if (m->few || m->what->op == ORRERY_BUFFERED)
        restore(m, copy, changes);
}

void orrery_merge_row_done(const struct orrery_region *region, long row) {
    for (int i = 0; i < region->merge->narrays; ++i)
        if (region->merge->arrays[i].few && !region->merge->arrays[i].alone)
            orrery_merged_find(region, &region->merge->arrays[i], row);
    if (region->serve)
        orrery_serve_row_done(region->serve, region, row);
}

static void find_job(void *data, int worker) {
    const struct orrery_region *region = data;
    const struct orrery_merge *merge = region->merge;
    long own = region->row_high - region->row_low;
    long end = region->row_low + orrery_share(own, worker + 1, merge->workers);
    for (long row = region->row_low + orrery_share(own, worker, merge->workers); row < end; ++row)
        for (int i = 0; i < merge->narrays; ++i)
            if (!merge->arrays[i].few && !merge->arrays[i].alone && !merge->arrays[i].lines)
                orrery_merged_find(region, &merge->arrays[i], row);
}

/* ---- what came of it, into all copies -------------------------------------------------------- */

static void refresh_job(void *data, int worker) {
    const struct orrery_merge *merge = ((const struct orrery_region *)data)->merge;
    for (int i = 0; i < merge->narrays; ++i) {
        const struct orrery_merged *m = &merge->arrays[i];
        long end = orrery_share(m->ncopies, worker + 1, merge->workers);
        for (long c = orrery_share(m->ncopies, worker, merge->workers);
             c < end && m->what->op == ORRERY_RELAXED; ++c)
            restore(m, m->copies + (size_t)c * m->stride, &m->result);
    }
}

/* Ranks above 0 get the changes of the snapshot. */
static void result_share(struct orrery_merged *m) {
    uint64_t count = m->result.count;
    dsm_broadcast(&count, sizeof count);
    if (dsm_rank() != 0)
        orrery_changes_reserve(&m->result, (size_t)count, m->what->size);
    m->result.count = (size_t)count;
    if (count == 0)
        return;
    dsm_broadcast(m->result.at, (size_t)count * sizeof *m->result.at);
    dsm_broadcast(m->result.values, (size_t)count * m->what->size);
    if (dsm_rank() != 0)
        orrery_elements_scatter(which(m, &m->result), m->snapshot, m->result.values);
}

/* Jobs on little memory are done before another worker would be awake. */
enum { LITTLE = 1 << 17 };

static void run(struct orrery_region *region, void (*job)(void *data, int worker), size_t bytes) {
    for (int w = 0; bytes < LITTLE && w < region->merge->workers; ++w)
        job(region, w);
    if (bytes >= LITTLE)
        orrery_workers_run(job, region);
}

static size_t find_bytes(const struct orrery_region *region) {
    size_t bytes = 0;
    for (int i = 0; i < region->merge->narrays; ++i) {
        const struct orrery_merged *m = &region->merge->arrays[i];
        size_t each = m->hot_only ? m->nhot * ORRERY_MARKED : m->bytes;
        bytes += m->few || m->lines ? 0 : (size_t)m->ncopies * each;
    }
    return bytes;
}

static size_t refresh_bytes(const struct orrery_merge *merge) {
    size_t bytes = 0;
    for (int i = 0; i < merge->narrays; ++i)
        bytes += (size_t)merge->arrays[i].ncopies * merge->arrays[i].result.count *
                 merge->arrays[i].what->size;
    return bytes;
}

void orrery_merge_all(struct orrery_region *region, bool last) {
    struct orrery_merge *merge = region->merge;
    uint32_t phase = orrery_heartbeat_phase(ORRERY_PHASE_MERGE);
    for (int i = 0; i < merge->narrays; ++i) {
        struct orrery_merged *m = &merge->arrays[i];
        m->last = last;
        m->hot_only = m->cools && !orrery_merge_is_full(region, m, last);
    }
    run(region, find_job, find_bytes(region));
    if (region->serve)
        orrery_serve_merge(region->serve, region, region->phase, last);
    if (merge->narrays)
        orrery_merge_fold(region, last);
    for (int i = 0; i < merge->narrays; ++i) {
        struct orrery_merged *m = &merge->arrays[i];
        uint64_t each = m->what->size + sizeof *m->result.at;
        merge->back += m->result.count * each;
        for (long row = 0; row < merge->nrows; ++row) {
            merge->sent += m->rows[row].count * each;
            m->rows[row].count = 0;
        }
        if (!last && dsm_ranks() > 1)
            result_share(m);
        if (!last && dsm_ranks() > 1 && m->cools && region->phase == 0)
            orrery_hot_share(m);
        if (last && dsm_rank() == 0)
            orrery_growth_look(region, m);
    }
    marks_set(merge, false);
    if (!last && region->merged)
        region->merged(region);
    if (!last)
        run(region, refresh_job, refresh_bytes(merge));
    orrery_heartbeat_phase(phase);
}
