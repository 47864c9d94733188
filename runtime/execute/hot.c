#include "runtime/execute/hot.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/inspect/hot.h"
#include "runtime/inspect/levels.h"
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"

#include <string.h>

/* Of one touched object: where the program has unit `low`, and where the body has it. */
struct table {
    char *home, *memory;
    size_t stride, bytes, mapped; /* of a unit; of the program's units; of all */
    size_t number;                /* bytes of a number; 0: the object has no table */
};

struct orrery_hot_run {
    const struct orrery_hots *hots;
    struct table *tables;
    char *envs;
    struct orrery_flag *flags; /* by worker: the columns that its blocks are done with */
    bool serial;               /* the text runs on the program's own rows */
    long merged;               /* then: columns that are */
};

/* ---- tables ---------------------------------------------------------------------------------- */

/* Numbers of copies have to fit where keys did, and so have products with a row's length. */
static void range_check(const struct orrery_state *state, int t, const struct table *table) {
    const struct orrery_loop *loop = state->loop;
    const struct orrery_hots *hots = state->inspection->levels->hots;
    const struct orrery_hot_object *object = &hots->objects[t];
    long last = object->high + hots->rows * object->nhot;
    for (int f = 0; f < loop->nhot_fields; ++f) {
        const struct orrery_hot_field *field = &loop->hot_fields[f];
        int bits = 8 * (int)field->size - 1;
        long most = bits < 32 ? (1l << bits) - 1 : INT64_MAX;
        long product;
        if (field->touched == t &&
            (__builtin_mul_overflow(last, (long)(table->stride / table->number), &product) ||
             last > most || (bits > 30 && product > most) || table->stride % table->number))
            dsm_refuse(1,
                       "%s: the keys of %s are too narrow to number the copies of its hot rows; "
                       "leave out relax(hot : %s)",
                       state->where, loop->touched[t], loop->touched[t]);
    }
}

static void table_make(const struct orrery_state *state, int t, const struct orrery_unit *unit,
                       struct table *table) {
    const struct orrery_hots *hots = state->inspection->levels->hots;
    const struct orrery_hot_object *object = &hots->objects[t];
    if (!object->nhot)
        return;
    table->stride = (size_t)unit->stride;
    table->number = (size_t)state->loop->hot[t];
    if (unit->stride <= 0 || !unit->base)
        dsm_fail(1, "%s: rows of %s have no length", state->where, state->loop->touched[t]);
    range_check(state, t, table);
    long from = unit->origin + object->low * unit->stride;
    long to = unit->origin + (object->high + 1) * unit->stride;
    long extent = (long)orrery_shape_extent(&state->shapes[unit->array]);
    table->home = unit->base + from;
    table->bytes = (size_t)((extent > 0 && to > extent ? extent : to) - from);
    table->mapped =
        (size_t)(object->high - object->low + 1 + hots->rows * object->nhot) * table->stride;
    table->memory = orrery_memory_map(table->mapped);
}

/* Where the body finds unit 0, as far as it counts: it touches none but those in the table. */
static char *base_of(const struct table *table, const struct orrery_hot_object *object,
                     const struct orrery_unit *unit) {
    return (char *)((uintptr_t)table->memory - (uintptr_t)object->low * table->stride -
                    (uintptr_t)unit->origin);
}

static void env_lead(const struct orrery_state *state, const struct orrery_hot_run *run,
                     const struct orrery_unit *units, char *env) {
    for (int t = 0; t < run->hots->nobjects; ++t) {
        if (!run->tables[t].number)
            continue;
        char *base = base_of(&run->tables[t], &run->hots->objects[t], &units[t]);
        memcpy(env + state->loop->arrays[units[t].array].base_offset, &base, sizeof base);
    }
}

const char *orrery_hot_enter(struct orrery_region *region, struct orrery_state *state,
                             const char *envs) {
    const struct orrery_loop *loop = state->loop;
    const struct orrery_levels *levels = state->inspection ? state->inspection->levels : NULL;
    if (!levels || !levels->hots)
        return envs;
    int n = loop->ntouched;
    struct orrery_unit units[n + 1];
    struct orrery_hot_run *run = orrery_memory_aligned(sizeof *run);
    size_t bytes = (size_t)region->passes * loop->env_size;
    run->hots = levels->hots;
    run->serial = orrery_env()->replay != ORRERY_REPLAY_OFF;
    run->tables = orrery_memory_aligned((size_t)(n + 1) * sizeof *run->tables);
    run->flags = orrery_memory_aligned((size_t)orrery_workers_count() * sizeof *run->flags);
    run->envs = dsm_own_alloc(bytes);
    memcpy(run->envs, envs, bytes);
    loop->units(envs, units);
    for (int t = 0; t < n; ++t) {
        table_make(state, t, &units[t], &run->tables[t]);
        if (run->tables[t].number && !run->serial)
            memcpy(run->tables[t].memory, run->tables[t].home, run->tables[t].bytes);
    }
    for (long pass = 0; pass < region->passes && !run->serial; ++pass)
        env_lead(state, run, units, run->envs + (size_t)pass * loop->env_size);
    region->hot = run;
    return run->envs;
}

static void merge_until(struct orrery_hot_run *run, long end);

void orrery_hot_leave(struct orrery_region *region, const struct orrery_state *state) {
    struct orrery_hot_run *run = region->hot;
    if (!run)
        return;
    if (run->serial)
        merge_until(run, region->passes * run->hots->columns);
    for (int t = 0; t < state->loop->ntouched; ++t) {
        struct table *table = &run->tables[t];
        if (table->number && !run->serial)
            memcpy(table->home, table->memory, table->bytes);
        if (table->number)
            orrery_memory_unmap(table->memory, table->mapped);
    }
    dsm_own_free(run->envs);
    orrery_memory_free(run->flags);
    orrery_memory_free(run->tables);
    orrery_memory_free(run);
    region->hot = NULL;
}

/* ---- rows and their copies -------------------------------------------------------------------- */

static const struct table *table_of(const struct orrery_hot_run *run, unsigned hot) {
    return &run->tables[run->hots->object_of[hot]];
}

static char *copy_of(const struct orrery_hot_run *run, long row, unsigned hot) {
    const struct table *table = table_of(run, hot);
    long low = run->hots->objects[run->hots->object_of[hot]].low;
    return table->memory + (size_t)(orrery_hot_copy(run->hots, row, hot) - low) * table->stride;
}

static char *row_of(const struct orrery_hot_run *run, unsigned hot) {
    const struct table *table = table_of(run, hot);
    long at = run->hots->unit_of[hot] - run->hots->objects[run->hots->object_of[hot]].low;
    return (run->serial ? table->home : table->memory) + (size_t)at * table->stride;
}

/* The last row of an array may be shorter than the others. */
static size_t bytes_of(const struct orrery_hot_run *run, unsigned hot) {
    const struct table *table = table_of(run, hot);
    long unit = run->hots->unit_of[hot] - run->hots->objects[run->hots->object_of[hot]].low;
    size_t left = table->bytes - (size_t)unit * table->stride;
    return left < table->stride ? left : table->stride;
}

void orrery_hot_load(const struct orrery_hot_run *run, long row, long column) {
    const long *first = &run->hots->taken_first[column * run->hots->rows + row];
    for (long n = first[0]; n < first[1]; ++n) {
        unsigned hot = run->hots->taken[n];
        memcpy(copy_of(run, row, hot), row_of(run, hot), bytes_of(run, hot));
    }
}

void orrery_hot_swap(const struct orrery_hot_run *run, long row, long column) {
    const long *first = &run->hots->taken_first[column * run->hots->rows + row];
    for (long n = first[0]; n < first[1]; ++n) {
        unsigned hot = run->hots->taken[n];
        char *copy = copy_of(run, row, hot), *home = row_of(run, hot);
        for (size_t i = 0; i < bytes_of(run, hot); ++i) {
            char byte = copy[i];
            copy[i] = home[i];
            home[i] = byte;
        }
    }
}

/* ---- merges ----------------------------------------------------------------------------------- */

/* Each number becomes the mean of those that rows of the grid have changed: what it was, and the
 * sum of the changes, rows rising, by how many there are. One change: what it was changed to. */
#define MERGE(suffix, type)                                                                        \
    static void merge_##suffix(const struct orrery_hot_run *run, const struct orrery_hot_merge *m, \
                               size_t count) {                                                     \
        type *to = (type *)(void *)row_of(run, m->hot);                                            \
        for (size_t k = 0; k < count; ++k) {                                                       \
            type sum = 0, last = to[k];                                                            \
            int n = 0;                                                                             \
            for (uint64_t rows = m->rows; rows; rows &= rows - 1) {                                \
                const type *copy =                                                                 \
                    (const type *)(const void *)copy_of(run, __builtin_ctzl(rows), m->hot);        \
                if (memcmp(&copy[k], &to[k], sizeof *to) != 0) {                                   \
                    last = copy[k];                                                                \
                    sum += last - to[k];                                                           \
                    ++n;                                                                           \
                }                                                                                  \
            }                                                                                      \
            to[k] = n > 1 ? to[k] + sum / (type)n : last;                                          \
        }                                                                                          \
    }

MERGE(f32, float)
MERGE(f64, double)

static long merges_of(const struct orrery_hot_run *run, long column) {
    return run->hots->merged_first[column + 1] - run->hots->merged_first[column];
}

static void merge(const struct orrery_hot_run *run, long column, long begin, long end) {
    const struct orrery_hot_merge *all = run->hots->merged + run->hots->merged_first[column];
    for (long n = begin; n < end; ++n) {
        size_t bytes = bytes_of(run, all[n].hot);
        if (table_of(run, all[n].hot)->number == sizeof(float))
            merge_f32(run, &all[n], bytes / sizeof(float));
        else
            merge_f64(run, &all[n], bytes / sizeof(double));
    }
}

double orrery_hot_merge(struct orrery_region *region, long column, long begin, long end,
                        unsigned turn, int worker) {
    struct orrery_hot_run *run = region->hot;
    long count = merges_of(run, column), rows = region->blocks.rows;
    unsigned now = turn - region->turn + 1;
    int workers = orrery_workers_count();
    double from = workers > 1 ? orrery_clock() : 0, waited = 0;
    if (count == 0)
        return 0;
    orrery_flag_set(&run->flags[worker], now);
    for (int other = 0; other < workers; ++other)
        if (orrery_share(rows, other, workers) < orrery_share(rows, other + 1, workers))
            orrery_flag_wait(&run->flags[other], now);
    waited = workers > 1 ? orrery_clock() - from : 0;
    merge(run, column, orrery_share(count, begin, rows), orrery_share(count, end, rows));
    return waited;
}

static void merge_until(struct orrery_hot_run *run, long end) {
    for (; run->merged < end; ++run->merged) {
        long column = run->merged % run->hots->columns;
        merge(run, column, 0, merges_of(run, column));
    }
}

void orrery_hot_before(const struct orrery_region *region, long lap, long row, long column) {
    merge_until(region->hot, lap * region->blocks.columns + column);
    orrery_hot_load(region->hot, row, column);
}
