/* What all rows changed, brought together on rank 0. */
#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/layout/layout.h"
#include "runtime/merge/merge.h"
#include "runtime/merge/serve.h"

#include <stdio.h>
#include <string.h>

/* ---- what `apply` touches beside the element ---- */

static struct dsm_range whole_of(const char *base, size_t bytes) {
    char *low;
    size_t all;
    if (dsm_find(base, &low, &all))
        return (struct dsm_range){low, low + all};
    return (struct dsm_range){base, base + (bytes ? bytes : 1)};
}

static bool overlap(struct dsm_range a, struct dsm_range b) {
    return a.low < b.high && b.low < a.high;
}

static struct dsm_range beside_range(const struct orrery_beside *beside, size_t n) {
    const char *base = beside->pointer ? *beside->pointer : beside->base;
    return (struct dsm_range){base, base + n * beside->size};
}

/* The arrays of the loop and the other besides are other memory than [range). */
static void beside_check(const struct orrery_state *state, int j, size_t n, int b) {
    const struct orrery_reduction *what = &state->loop->reductions[j];
    const struct orrery_merging *how = orrery_merging_of(state->loop, j);
    const struct orrery_beside *beside = &how->besides[b];
    struct dsm_range range = beside_range(beside, n);
    struct dsm_range memory = whole_of(range.low, (size_t)(range.high - range.low));
    const char *other = NULL;
    if (!range.low || range.high > memory.high)
        dsm_refuse(1,
                   "%s: %s has less elements than %s, whose buffer() function touches one beside",
                   state->where, beside->name, what->name);
    for (int i = 0; i < state->nshapes; ++i) {
        const struct orrery_shape *shape = &state->shapes[i];
        bool table = shape->table && shape->tables < 2;
        const char *base = table ? (const char *)shape->table : shape->base;
        if (base && overlap(range, whole_of(base, shape->extent)))
            other = i < state->loop->narrays ? state->loop->arrays[i].name : what->name;
    }
    for (int i = 0; i < how->nbesides; ++i)
        if (i != b && overlap(range, beside_range(&how->besides[i], n)))
            other = how->besides[i].name;
    if (other)
        dsm_refuse(1, "%s: %s, which the buffer() function of %s touches, overlaps %s",
                   state->where, beside->name, what->name, other);
}

/* A copy begins where the pointer points to: nothing may lie in front of that. */
static void front_check(const struct orrery_state *state, int j, const char *target) {
    const struct orrery_reduction *what = &state->loop->reductions[j];
    char *low;
    size_t bytes;
    if (what->array < 0 || state->shapes[what->array].extent || !dsm_find(target, &low, &bytes) ||
        low == target)
        return;
    dsm_refuse(1,
               "%s: %s points %zu bytes behind the start of its memory, and rows of the grid would "
               "have no copy of what lies in front of it; let it point to the start, or say "
               "extent(%s : n) in the pragma when the loop uses n elements from there on",
               state->where, what->name, (size_t)(target - low), what->name);
}

void orrery_merge_check(const struct orrery_state *state, const void *env) {
    for (int j = 0; j < state->loop->nreductions; ++j) {
        const struct orrery_reduction *what = &state->loop->reductions[j];
        const struct orrery_merging *how = orrery_merging_of(state->loop, j);
        size_t n = state->bytes[j] / what->size;
        if (!orrery_is_merged(what))
            continue;
        front_check(state, j, orrery_target_of(state->loop, j, env));
        if (!orrery_serve_has(state, j))
            dsm_acquire(orrery_target_of(state->loop, j, env), state->bytes[j], true);
        if (n > UINT32_MAX || (how->apply && (long)n - 1 > how->apply_most))
            dsm_refuse(1, "%s: %s has %zu elements, more than %s", state->where, what->name, n,
                       how->apply ? "the last parameter of its buffer() function can count"
                                  : "a relaxed array may have");
        for (int b = 0; b < how->nbesides; ++b) {
            struct dsm_range range = beside_range(&how->besides[b], n);
            beside_check(state, j, n, b);
            if (!orrery_serve_has(state, j))
                dsm_acquire(range.low, (size_t)(range.high - range.low), true);
        }
    }
}

/* ---- changes between ranks ---- */

/* Per array and row of this rank: how many, where, and what.
 * Places are kept in step with their types. */
static size_t packed_bytes(const struct orrery_merge *merge, long low, long high) {
    size_t bytes = 0;
    for (int i = 0; i < merge->narrays; ++i)
        for (long row = low; row < high; ++row)
            bytes += sizeof(uint64_t) + merge->arrays[i].rows[row].count *
                                            (sizeof(uint32_t) + merge->arrays[i].what->size);
    return bytes;
}

static void changes_send(const struct orrery_merge *merge) {
    uint64_t bytes = packed_bytes(merge, merge->row_low, merge->row_high);
    char *data = dsm_own_alloc((size_t)bytes + 1), *at = data;
    for (int i = 0; i < merge->narrays; ++i)
        for (long row = merge->row_low; row < merge->row_high; ++row) {
            const struct orrery_changes *c = &merge->arrays[i].rows[row];
            uint64_t count = c->count;
            size_t size = merge->arrays[i].what->size;
            memcpy(at, &count, sizeof count);
            at += sizeof count;
            if (count == 0)
                continue;
            memcpy(at, c->at, c->count * sizeof *c->at);
            at += c->count * sizeof *c->at;
            memcpy(at, c->values, c->count * size);
            at += c->count * size;
        }
    dsm_send(0, ORRERY_TAG_MERGE, &bytes, sizeof bytes);
    if (bytes)
        dsm_send(0, ORRERY_TAG_MERGE, data, (size_t)bytes);
    dsm_own_free(data);
}

static void changes_receive(struct orrery_merge *merge, int rank) {
    uint64_t bytes, count;
    dsm_receive(rank, ORRERY_TAG_MERGE, &bytes, sizeof bytes);
    char *data = dsm_own_alloc((size_t)bytes + 1), *at = data;
    if (bytes)
        dsm_receive(rank, ORRERY_TAG_MERGE, data, (size_t)bytes);
    for (int i = 0; i < merge->narrays; ++i)
        for (long row = orrery_first_row_of(rank, merge->nrows);
             row < orrery_first_row_of(rank + 1, merge->nrows); ++row) {
            struct orrery_changes *c = &merge->arrays[i].rows[row];
            size_t size = merge->arrays[i].what->size;
            memcpy(&count, at, sizeof count);
            at += sizeof count;
            c->count = (size_t)count;
            if (count == 0)
                continue;
            orrery_changes_reserve(c, (size_t)count, size);
            memcpy(c->at, at, (size_t)count * sizeof *c->at);
            at += (size_t)count * sizeof *c->at;
            memcpy(c->values, at, (size_t)count * size);
            at += (size_t)count * size;
        }
    dsm_own_free(data);
}

/* ---- rank 0: over the rows in order ---- */

/* A worker's share of the elements. `part`: what it changes, where `result` has room for all that
 * rows say of its share; `most`: the largest change; `bad`: the first element that is no number
 * (SIZE_MAX: none), made so by `row`. */
struct fold_share {
    struct orrery_part part;
    size_t bad;
    long row;
    double most;
};

/* One array's merge; `workers` of `shares`. */
struct fold_job {
    const struct orrery_merge *merge;
    struct orrery_merged *m;
    int workers;
    struct fold_share *shares;
};

static size_t share_low(const struct fold_job *job, long worker) {
    return (size_t)orrery_share((long)job->m->n, worker, job->workers);
}

/* The user's function for each, which is listed as orrery_changes_add does. */
static void apply_row(struct orrery_merged *m, const struct orrery_changes *c, size_t from,
                      size_t to, struct orrery_part *part) {
    size_t size = m->what->size;
    for (size_t k = from; k < to; ++k) {
        size_t i = c->at[k];
        if (orrery_part_find(m, part, c->at[k]) == part->end)
            orrery_part_push(m, part, c->at[k]);
        m->how->apply(m->target + i * size, c->values + k * size, (long)(m->first + i));
    }
}

static void rows_fold(const struct fold_job *job, size_t low, size_t high,
                      struct fold_share *share) {
    struct orrery_merged *m = job->m;
    for (long row = 0; row < job->merge->nrows; ++row) {
        const struct orrery_changes *c = &m->rows[row];
        size_t from = orrery_changes_from(c, low), to = orrery_changes_from(c, high);
        size_t bad = orrery_changes_bad(m, c, from, to);
        if (bad < share->bad) {
            share->bad = bad;
            share->row = row;
        }
        if (m->how->apply)
            apply_row(m, c, from, to, &share->part);
        else
            orrery_changes_add(m, c, from, to, &share->part);
    }
}

static void fold_work(void *data, int worker) {
    const struct fold_job *job = data;
    struct orrery_merged *m = job->m;
    if (worker >= job->workers)
        return;
    size_t low = share_low(job, worker), high = share_low(job, worker + 1), begin = 0;
    for (long row = 0; row < job->merge->nrows; ++row)
        begin += orrery_changes_from(&m->rows[row], low);
    struct fold_share *share = &job->shares[worker];
    *share = (struct fold_share){.part = {begin, begin}, .bad = SIZE_MAX};
    rows_fold(job, low, high, share);
    share->most = orrery_changes_finish(m, &share->part);
}

/* The workers' lists become one. */
static void lists_join(const struct fold_job *job) {
    struct orrery_changes *result = &job->m->result;
    size_t size = job->m->what->size;
    result->count = 0;
    for (int w = 0; w < job->workers; ++w) {
        size_t begin = job->shares[w].part.begin, n = job->shares[w].part.end - begin;
        memmove(result->at + result->count, result->at + begin, n * sizeof *result->at);
        memmove(result->values + result->count * size, result->values + begin * size, n * size);
        memmove(job->m->counts + result->count, job->m->counts + begin, n * sizeof(uint32_t));
        result->count += n;
    }
}

static const char *remedy_of(const struct orrery_merged *m) {
    return m->how->rule == ORRERY_RULE_ADD ? "leave out `add` in relax(add : ...), merge more "
                                             "often (sync), or take a smaller step"
                                           : "merge more often (sync), or take a smaller step";
}

void orrery_merge_refuse(const struct orrery_region *region, const struct orrery_merged *m,
                         size_t bad, long row, const char *what) {
    dsm_fail(
        1,
        "%s: grid row %ld made %s[%zu] %s, on rank %d; it is not merged. Where the serial loop "
        "does not, %s",
        region->where, row, m->what->name, m->first + bad, what,
        orrery_rank_of_row(row, region->merge->nrows), remedy_of(m));
}

static void bad_refuse(const struct fold_job *job, const struct orrery_region *region) {
    int first = -1;
    for (int w = 0; w < job->workers; ++w)
        if (job->shares[w].bad != SIZE_MAX && first < 0)
            first = w;
    if (first < 0)
        return;
    size_t bad = job->shares[first].bad;
    long row = job->shares[first].row;
    char what[80] = "infinite or not a number";
    if (orrery_changes_finite(job->m, &job->m->rows[row], bad))
        snprintf(what, sizeof what, "other by more than %g (ORRERY_MOST_CHANGE)",
                 orrery_env()->most_change);
    orrery_merge_refuse(region, job->m, bad, row, what);
}

static size_t changes_total(const struct orrery_merge *merge, const struct orrery_merged *m) {
    size_t total = 0;
    for (long row = 0; row < merge->nrows; ++row)
        total += m->rows[row].count;
    return total;
}

static void result_reserve(struct orrery_merged *m, size_t count) {
    orrery_changes_reserve(&m->result, count, m->what->size);
    if (count <= m->counts_room)
        return;
    m->counts_room = count;
    m->counts = dsm_own_realloc(m->counts, count * sizeof *m->counts);
}

/* Few changes are no work for more than one. */
enum { FEW_CHANGES = 1 << 14 };

void orrery_merge_array(struct orrery_region *region, struct orrery_merged *m) {
    struct orrery_merge *merge = region->merge;
    size_t total = changes_total(merge, m);
    struct fold_job job = {.merge = merge, .m = m};
    job.workers = total < FEW_CHANGES ? 1 : merge->workers;
    job.shares = dsm_own_alloc((size_t)job.workers * sizeof *job.shares);
    result_reserve(m, total + 1);
    if (job.workers == 1)
        fold_work(&job, 0);
    else
        orrery_workers_run(fold_work, &job);
    bad_refuse(&job, region);
    lists_join(&job);
    if (m->cools && region->phase == 0)
        orrery_hot_judge(m, merge->nrows);
    for (int w = 0; w < job.workers; ++w)
        m->most = job.shares[w].most > m->most ? job.shares[w].most : m->most;
    dsm_own_free(job.shares);
}

/* ---- changes that grow ---- */

enum { RISING = 3, TENFOLD = 10 };

void orrery_growth_look(const struct orrery_region *region, struct orrery_merged *m) {
    struct orrery_growth *growth = &m->growth;
    growth->rising = growth->before > 0 && m->most > growth->before ? growth->rising + 1 : 0;
    if (m->most > 0 && (growth->least == 0 || m->most < growth->least))
        growth->least = m->most;
    growth->before = m->most;
    if (growth->said || m->what->op != ORRERY_RELAXED || growth->rising < RISING ||
        m->most < TENFOLD * growth->least)
        return;
    growth->said = true;
    fprintf(stderr,
            "orrery: %s: relaxed %s may diverge: the largest change of a merge grew from %g to %g "
            "over the last passes. If it does not when the loop runs serially, %s\n",
            region->where, m->what->name, growth->least, m->most, remedy_of(m));
}

void orrery_merge_fold(struct orrery_region *region, bool last) {
    struct orrery_merge *merge = region->merge;
    if (dsm_rank() != 0) {
        changes_send(merge);
        return;
    }
    for (int rank = 1; rank < dsm_ranks(); ++rank)
        changes_receive(merge, rank);
    for (int i = 0; i < merge->narrays; ++i)
        if (merge->arrays[i].lines)
            orrery_merge_lines(region, &merge->arrays[i], last);
        else
            orrery_merge_array(region, &merge->arrays[i]);
}
