#include "runtime/layout/local.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/layout/away.h"
#include "runtime/layout/layout.h"
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"

#include <string.h>

enum { LINE = 64, LEAST_USES = 4 };

/* Per array of the loop its copy, NULL = none, the copy's size, and what of it has newer rows than
 * the array (away.c). `envs`: what bodies get, room for so many passes. */
struct orrery_local {
    char **copies;
    size_t *bytes;
    struct orrery_away *away;
    char *envs;
    long room;
};

static bool tears_lines(const struct orrery_shape *shape) {
    return shape->row_stride % LINE != 0 ||
           ((uintptr_t)shape->base + (uintptr_t)shape->row_offset) % LINE != 0;
}

/* Rows are copied whole, of which the loop might touch parts: the first and the last must be there. */
static bool are_there(const struct orrery_shape *shape, const struct orrery_dim *dim) {
    __int128 begin = (__int128)dim->low * shape->row_stride + shape->row_offset;
    __int128 end = (__int128)(dim->high + 1) * shape->row_stride + shape->row_offset;
    return begin >= 0 && end <= (__int128)orrery_shape_extent(shape);
}

static bool can_copy(const struct orrery_state *state, int d, const struct orrery_dim *dim) {
    for (int a = 0; a < state->loop->narrays; ++a)
        if (state->loop->arrays[a].dim == d && orrery_shape_exists(&state->shapes[a]) &&
            (!orrery_layout_can_view(state->loop, a, &state->shapes[a]) ||
             !are_there(&state->shapes[a], dim)))
            return false;
    return true;
}

/* Worth it: rows that share lines are written, and used often enough to pay for the copying. */
static bool should_copy(const struct orrery_state *state, int d, const struct orrery_dim *dim,
                        long count) {
    bool torn = false;
    for (int a = 0; a < state->loop->narrays; ++a)
        torn |= state->loop->arrays[a].dim == d && state->loop->arrays[a].written &&
                orrery_shape_exists(&state->shapes[a]) && tears_lines(&state->shapes[a]);
    return torn && count / LEAST_USES >= orrery_dim_range(dim);
}

static size_t dim_bytes(const struct orrery_state *state, int d, long range) {
    size_t bytes = 0;
    for (int a = 0; a < state->loop->narrays; ++a)
        if (state->loop->arrays[a].dim == d && orrery_shape_exists(&state->shapes[a]))
            bytes += (size_t)range * (size_t)state->shapes[a].row_stride;
    return bytes;
}

/* The dim's rows do not fit beside what else is spilled. */
static bool is_spilled(const struct orrery_state *state, int d, long range) {
    size_t bytes = dim_bytes(state, d, range), budget = dsm_spill_budget();
    return budget && bytes > budget / 16 && dsm_spill_bytes() > budget / 2;
}

static bool is_chosen(const struct orrery_state *state, const struct orrery_inspection *inspection,
                      int d) {
    const struct orrery_dim *dim = &inspection->dims[d];
    return can_copy(state, d, dim) &&
           (should_copy(state, d, dim, inspection->count) ||
            is_spilled(state, d, orrery_dim_range(dim))) &&
           orrery_layout_labels_fit(state->loop, d, dim->low, dim->high);
}

double orrery_local_bytes(const struct orrery_state *state) {
    double bytes = 0;
    for (int a = 0; a < state->loop->narrays && state->inspection && !state->loop->kernel; ++a) {
        const struct orrery_array *array = &state->loop->arrays[a];
        bool copied = array->dim >= 0 && orrery_shape_exists(&state->shapes[a]) &&
                      is_chosen(state, state->inspection, array->dim);
        if (copied)
            bytes += (array->written ? 2 : 1) * (double)state->shapes[a].row_stride *
                     (double)orrery_dim_range(&state->inspection->dims[array->dim]);
    }
    return bytes;
}

/* The places [begin, end) of a dim's rows. */
struct share {
    long begin, end;
};

/* Out of the array, or back: the copy is written in order. */
static void rows_copy(const struct orrery_dim *dim, const struct orrery_shape *shape, char *copies,
                      struct share places, bool back) {
    size_t size = (size_t)shape->row_stride;
    for (long place = places.begin; place < places.end; ++place) {
        long v = dim->order[place];
        char *copy = copies + (size_t)place * size;
        char *home = orrery_row_address(shape, dim->low + v);
        if (orrery_dim_has(dim, v))
            memcpy(back ? home : copy, back ? copy : home, size);
    }
}

/* Rows into the copies' places [begin, end), the array being read in its own order. */
static void places_fill(const struct orrery_dim *dim, const struct orrery_shape *shape,
                        char *copies, struct share places) {
    size_t size = (size_t)shape->row_stride;
    long range = orrery_dim_range(dim);
    for (long v = 0; v < range; ++v) {
        long place = (long)dim->place[v];
        if (place >= places.begin && place < places.end && orrery_dim_has(dim, v))
            memcpy(copies + (size_t)place * size, orrery_row_address(shape, dim->low + v), size);
    }
}

/* Rows begin to end of the array, the copies being read in their order. */
static void rows_fill(const struct orrery_dim *dim, const struct orrery_shape *shape,
                      const char *copies, struct share rows) {
    size_t size = (size_t)shape->row_stride;
    long range = orrery_dim_range(dim);
    for (long place = 0; place < range; ++place) {
        long v = (long)dim->order[place];
        if (v >= rows.begin && v < rows.end && orrery_dim_has(dim, v))
            memcpy(orrery_row_address(shape, dim->low + v), copies + (size_t)place * size, size);
    }
}

/* rows_copy where neither side fits: stretch by stretch of what is written, of which each fits and
 * is written once, all of the other side is read. */
static void rows_spill(const struct orrery_dim *dim, const struct orrery_shape *shape, char *copies,
                       struct share share, bool back) {
    size_t size = (size_t)shape->row_stride;
    long most = (long)(dsm_spill_budget() / 2 / (size_t)orrery_workers_count() / size);
    long step = most > 0 ? most : 1;
    for (struct share now = {share.begin, 0}; now.begin < share.end; now.begin = now.end) {
        now.end = share.end - now.begin < step ? share.end : now.begin + step;
        const char *base = back ? orrery_row_address(shape, dim->low) : copies;
        const char *low = base + (size_t)now.begin * size, *high = base + (size_t)now.end * size;
        dsm_spill_use(low, high);
        if (back)
            rows_fill(dim, shape, copies, now);
        else
            places_fill(dim, shape, copies, now);
        dsm_spill_done(low, high);
    }
}

static bool may_choose(const struct orrery_state *state) {
    return dsm_ranks() == 1 && (orrery_workers_count() > 1 || dsm_spill_budget()) &&
           !orrery_env()->replay && !state->loop->kernel;
}

bool orrery_local_holds(const struct orrery_state *state) {
    bool chosen = may_choose(state) && !state->inspection->levels;
    for (int d = 0; chosen && d < state->loop->ndims; ++d)
        if (state->inspection->relabel[d] != is_chosen(state, state->inspection, d))
            return false;
    return true;
}

bool orrery_local_choose(const struct orrery_state *state, struct orrery_inspection *inspection) {
    bool any = false;
    if (!may_choose(state))
        return false;
    for (int d = 0; d < state->loop->ndims; ++d) {
        inspection->relabel[d] = is_chosen(state, inspection, d);
        any |= inspection->relabel[d];
    }
    return any;
}

static bool is_copied(const struct orrery_state *state, int a) {
    int d = state->loop->arrays[a].dim;
    return d >= 0 && state->inspection->relabel[d] && orrery_shape_exists(&state->shapes[a]);
}

static void copies_make(struct orrery_state *state) {
    size_t n = (size_t)state->loop->narrays + 1;
    if (!state->local) {
        state->local = orrery_memory_aligned(sizeof *state->local);
        state->local->copies = orrery_memory_aligned(n * sizeof(char *));
        state->local->bytes = orrery_memory_aligned(n * sizeof(size_t));
        state->local->away = orrery_memory_aligned(n * sizeof *state->local->away);
    }
    for (int a = 0; a < state->loop->narrays; ++a) {
        size_t bytes = 0;
        if (is_copied(state, a))
            bytes = (size_t)orrery_dim_range(&orrery_dims_of(state)[state->loop->arrays[a].dim]) *
                    (size_t)state->shapes[a].row_stride;
        if (bytes == state->local->bytes[a])
            continue;
        orrery_away_end(&state->local->away[a]);
        orrery_memory_unmap(state->local->copies[a], state->local->bytes[a]);
        state->local->copies[a] = orrery_memory_map(bytes);
        state->local->bytes[a] = bytes;
    }
}

/* A worker's share of the places of one array. */
static void copy_share(const struct orrery_state *state, int a, bool back, int worker) {
    const struct orrery_dim *dim = &state->inspection->dims[state->loop->arrays[a].dim];
    long range = orrery_dim_range(dim), workers = orrery_workers_count();
    struct share places = {orrery_share(range, worker, workers),
                           orrery_share(range, worker + 1, workers)};
    bool spilled = dsm_is_spilled(state->local->copies[a]);
    (spilled ? rows_spill : rows_copy)(dim, &state->shapes[a], state->local->copies[a], places,
                                       back);
}

size_t orrery_local_size(const struct orrery_state *state, int d) {
    bool copied = state->inspection && state->local && state->inspection->relabel[d];
    return copied ? dim_bytes(state, d, orrery_dim_range(&state->inspection->dims[d])) : 0;
}

void orrery_local_part(const struct orrery_state *state, int d, long part,
                       void (*see)(const char *low, const char *high)) {
    const long *cut = &state->inspection->dims[d].cuts[part];
    for (int a = 0; a < state->loop->narrays; ++a) {
        size_t size = (size_t)state->shapes[a].row_stride;
        if (state->loop->arrays[a].dim == d && is_copied(state, a))
            see(state->local->copies[a] + (size_t)cut[0] * size,
                state->local->copies[a] + (size_t)cut[1] * size);
    }
}

static void enter_job(void *data, int worker) {
    const struct orrery_state *state = data;
    for (int a = 0; a < state->loop->narrays; ++a)
        if (is_copied(state, a) && !orrery_away_is(&state->local->away[a]))
            copy_share(state, a, false, worker);
}

static void leave_job(void *data, int worker) {
    const struct orrery_state *state = data;
    for (int a = 0; a < state->loop->narrays; ++a)
        if (is_copied(state, a) && state->loop->arrays[a].written &&
            !orrery_away_is(&state->local->away[a]))
            copy_share(state, a, true, worker);
}

static bool any_copies(const struct orrery_state *state) {
    return state->inspection && orrery_inspection_relabels(state->inspection);
}

/* The environments with the copies in place of the arrays. */
static void envs_make(struct orrery_state *state, const char *envs, long passes) {
    struct orrery_local *local = state->local;
    size_t size = state->loop->env_size;
    if (local->room < passes) {
        local->room = passes;
        local->envs = dsm_own_realloc(local->envs, (size_t)passes * size);
    }
    memcpy(local->envs, envs, (size_t)passes * size);
    for (int a = 0; a < state->loop->narrays; ++a) {
        if (!is_copied(state, a))
            continue;
        const struct orrery_shape *shape = &state->shapes[a];
        long low = state->inspection->dims[state->loop->arrays[a].dim].low;
        uintptr_t base = (uintptr_t)local->copies[a] - (uintptr_t)shape->row_offset -
                         (uintptr_t)low * (uintptr_t)shape->row_stride;
        for (long pass = 0; pass < passes; ++pass)
            memcpy(local->envs + (size_t)pass * size + (size_t)state->loop->arrays[a].base_offset,
                   &base, sizeof base);
    }
}

static struct orrery_away away_of(const struct orrery_state *state, int a) {
    const struct orrery_dim *dim = &state->inspection->dims[state->loop->arrays[a].dim];
    const struct orrery_shape *shape = &state->shapes[a];
    return (struct orrery_away){.dim = dim,
                                .copies = state->local->copies[a],
                                .base = orrery_row_address(shape, dim->low),
                                .size = (size_t)shape->row_stride,
                                .range = orrery_dim_range(dim)};
}

void orrery_local_forget(struct orrery_state *state) {
    for (int a = 0; state->local && a < state->loop->narrays; ++a)
        orrery_away_end(&state->local->away[a]);
}

const char *orrery_local_enter(struct orrery_state *state, const char *envs, long passes) {
    if (!any_copies(state))
        return envs;
    double begin = orrery_clock();
    copies_make(state);
    for (int a = 0; a < state->loop->narrays; ++a)
        if (is_copied(state, a) && dsm_is_spilled(state->local->copies[a]))
            orrery_away_look(&state->local->away[a], away_of(state, a));
    envs_make(state, envs, passes);
    orrery_workers_run(enter_job, state);
    state->stats->copy_seconds += orrery_clock() - begin;
    return state->local->envs;
}

void orrery_local_leave(struct orrery_state *state) {
    if (!any_copies(state))
        return;
    double begin = orrery_clock();
    for (int a = 0; a < state->loop->narrays; ++a)
        if (is_copied(state, a) && state->loop->arrays[a].written &&
            dsm_is_spilled(state->local->copies[a]))
            orrery_away_defer(&state->local->away[a], away_of(state, a));
    orrery_workers_run(leave_job, state);
    state->stats->copy_seconds += orrery_clock() - begin;
}
