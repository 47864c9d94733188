/*
 * Several ranks: arrays of which a guard has shown that no two iterations share a row. Each row
 * belongs to the grid row of the iteration that intervals it.
 */
#include "runtime/layout/layout.h"

#include "runtime/base/memory.h"

#include <string.h>

int orrery_layout_claimed(const struct orrery_loop *loop, int a) {
    const struct orrery_array *array = &loop->arrays[a];
    bool cut = array->placement == ORRERY_RESIDENT && array->dim < 0 && array->written;
    for (int g = 0; cut && g < loop->nguards; ++g)
        if (loop->guards[g].kind == ORRERY_APART && loop->guards[g].a == a)
            return g;
    return -1;
}

/* `owner`: of each row from `low` on, the grid row that intervals it, -1 for none. */
struct claimed {
    struct orrery_intervals intervals;
    long low, high, grid_row;
    int *owner;
};

static void widen(struct orrery_intervals *intervals, long low, long high) {
    struct claimed *claimed = (struct claimed *)intervals;
    if (low > high)
        return;
    claimed->low = low < claimed->low ? low : claimed->low;
    claimed->high = high > claimed->high ? high : claimed->high;
}

static void own(struct orrery_intervals *intervals, long low, long high) {
    struct claimed *claimed = (struct claimed *)intervals;
    for (long v = low; v <= high; ++v)
        claimed->owner[v - claimed->low] = (int)claimed->grid_row;
}

static void walk(const struct orrery_state *state, int g, const void *env,
                 const struct orrery_region *region, struct claimed *claimed) {
    const struct orrery_loop *loop = state->loop;
    long count = region->count, rows = region->blocks.rows, row = 0;
    for (long i = 0; i < count; ++i) {
        while (orrery_row_begin(region->cuts, count, row + 1, rows) <= i)
            ++row;
        claimed->grid_row =
            loop->by_key ? orrery_inspection_row(state->inspection, loop, env, i) : row;
        claimed->intervals.set = 0;
        loop->intervals(env, i, g, &claimed->intervals);
    }
}

/* Rows that nobody intervals go with the one before. */
static bool fill_gaps(int *owner, long range) {
    bool rises = true;
    for (long v = 0; v < range; ++v) {
        if (owner[v] < 0)
            owner[v] = v ? owner[v - 1] : 0;
        rises = rises && (v == 0 || owner[v] >= owner[v - 1]);
    }
    return rises;
}

/* A stable counting sort of the rows by who owns them. */
static void cut(const int *owner, bool rises, struct orrery_layout_dim *dim) {
    dim->cuts = memset(dsm_own_alloc((size_t)(dim->parts + 1) * sizeof *dim->cuts), 0,
                       (size_t)(dim->parts + 1) * sizeof *dim->cuts);
    for (long v = 0; v < dim->range; ++v)
        ++dim->cuts[owner[v] + 1];
    for (long p = 0; p < dim->parts; ++p)
        dim->cuts[p + 1] += dim->cuts[p];
    if (rises)
        return;
    long *next = dsm_own_alloc((size_t)dim->parts * sizeof *next);
    memcpy(next, dim->cuts, (size_t)dim->parts * sizeof *next);
    dim->has_order = 1;
    dim->order = dsm_own_alloc((size_t)(dim->range + 1) * sizeof *dim->order);
    for (long v = 0; v < dim->range; ++v)
        dim->order[next[owner[v]]++] = (uint32_t)v;
    dsm_own_free(next);
}

void orrery_layout_intervals(const struct orrery_state *state, int a, const void *env,
                             const struct orrery_region *region, struct orrery_layout_dim *dim) {
    const struct orrery_loop *loop = state->loop;
    int g = orrery_layout_claimed(loop, a);
    struct claimed claimed = {.low = INT64_MAX, .high = INT64_MIN};
    claimed.intervals.spans =
        dsm_own_alloc((size_t)(loop->nspans + 1) * sizeof *claimed.intervals.spans);
    for (int s = 0; s < loop->nspans; ++s)
        claimed.intervals.spans[s] = (struct orrery_span){(const char *)UINTPTR_MAX, NULL};
    claimed.intervals.add = widen;
    walk(state, g, env, region, &claimed);
    *dim = (struct orrery_layout_dim){.parts = region->blocks.rows};
    if (claimed.low <= claimed.high) {
        dim->low = claimed.low;
        dim->range = dim->distinct = claimed.high - claimed.low + 1;
    }
    if (dim->range >= ORRERY_MOST_PLACES)
        dsm_refuse(1,
                   "%s: %s (%s) has %ld rows, more than the %ld that ranks can share; run it "
                   "on one rank",
                   state->where, loop->arrays[a].name, loop->arrays[a].where, dim->range,
                   ORRERY_MOST_PLACES);
    claimed.owner = (int *)orrery_memory_map((size_t)dim->range * sizeof *claimed.owner);
    if (dim->range > 0)
        memset(claimed.owner, -1, (size_t)dim->range * sizeof *claimed.owner);
    claimed.intervals.add = own;
    walk(state, g, env, region, &claimed);
    cut(claimed.owner, fill_gaps(claimed.owner, dim->range), dim);
    orrery_memory_unmap((char *)claimed.owner, (size_t)dim->range * sizeof *claimed.owner);
    dsm_own_free(claimed.intervals.spans);
    orrery_layout_mode(state, a, dim);
}
