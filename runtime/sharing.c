/* Regions over several ranks: what rank 0 tells the others, and what all of them then do. */
#include "runtime/sharing.h"

#include "runtime/carrier.h"
#include "runtime/driver.h"
#include "runtime/env.h"
#include "runtime/exchange.h"
#include "runtime/layout.h"
#include "runtime/memory.h"
#include "runtime/progress.h"
#include "runtime/replica.h"
#include "runtime/trace.h"

#include "dsm/dsm.h"

#include <string.h>

/*
 * What a rank keeps of a loop's arrays. `laid`: dims, arrays are made, from `shapes`, `count` and
 * the grid. Per array of the loop: `claimed` (its own dim, when its rows are told apart by claims),
 * `arrays` (NULL when not cut), `homes`, `replicas`. `cut[a]`: the dim of array a. `held`: rank 0:
 * others have records of the inspection. `starts`, `envs` (one per pass, `room` of them): this
 * rank's (ranks above 0 own the starts). `stale`: another loop has written what is laid out here.
 * Levels: nothing is cut, every rank has a copy of each array; `exchange`, `extents` (of the
 * touched objects) say what a column changed.
 */
struct orrery_sharing {
    struct orrery_state *state;
    bool laid, held, stale;
    struct orrery_shape *shapes;
    long count, last_row, first;
    struct orrery_blocks blocks;
    struct orrery_layout_dim dims[ORRERY_LAYOUTS], *claimed;
    struct dsm_array **arrays;
    int *cut;
    struct dsm_range *homes;
    struct orrery_replica *replicas;
    struct orrery_exchange *exchange;
    long *extents;
    long *starts, room;
    char *envs;
};

/* Head of a region's command; environments, shapes, sizes of reductions, starts of copies, wanted
 * replicas and globals follow. */
struct region_head {
    struct orrery_loop *loop;
    int slot;
    long passes, count, last_row;
    struct orrery_blocks blocks;
    int lay, records;
};

struct forget_head {
    struct orrery_loop *loop;
    int slot;
    int records;
};

static struct orrery_sharing *sharing_of(struct orrery_state *state) {
    if (state->sharing)
        return state->sharing;
    struct orrery_sharing *sharing = orrery_memory_aligned(sizeof *sharing);
    size_t n = (size_t)state->loop->narrays + 1;
    sharing->state = state;
    sharing->shapes = orrery_memory_aligned((size_t)(state->nshapes + 1) * sizeof *sharing->shapes);
    sharing->arrays = orrery_memory_aligned(n * sizeof *sharing->arrays);
    sharing->claimed = orrery_memory_aligned(n * sizeof *sharing->claimed);
    sharing->cut = orrery_memory_aligned(n * sizeof *sharing->cut);
    for (int a = 0; a < state->loop->narrays; ++a)
        sharing->cut[a] = state->loop->arrays[a].dim;
    sharing->homes = orrery_memory_aligned(n * sizeof *sharing->homes);
    sharing->replicas = orrery_memory_aligned(n * sizeof *sharing->replicas);
    sharing->extents = orrery_memory_aligned((size_t)(state->loop->ntouched + 1) * sizeof(long));
    return state->sharing = sharing;
}

static bool is_by_level(const struct orrery_blocks *blocks) {
    return blocks->strategy == ORRERY_LEVELS;
}

/* ---- payloads ---- */

struct payload {
    char *data;
    size_t size, room;
};

static void put(struct payload *payload, const void *data, size_t bytes) {
    if (payload->size + bytes > payload->room) {
        payload->room = 2 * (payload->size + bytes);
        payload->data = dsm_own_realloc(payload->data, payload->room);
    }
    if (bytes)
        memcpy(payload->data + payload->size, data, bytes);
    payload->size += bytes;
}

static void get(const char **from, void *to, size_t bytes) {
    memcpy(to, *from, bytes);
    *from += bytes;
}

static void put_region(struct payload *payload, const struct region_head *head,
                       const struct orrery_sharing *sharing, const void *envs) {
    const struct orrery_state *state = sharing->state;
    const struct orrery_loop *loop = head->loop;
    put(payload, head, sizeof *head);
    put(payload, envs, (size_t)head->passes * loop->env_size);
    put(payload, state->shapes, (size_t)state->nshapes * sizeof *state->shapes);
    put(payload, state->bytes, (size_t)loop->nreductions * sizeof *state->bytes);
    for (int j = 0; j < loop->nreductions; ++j)
        if (orrery_starts_as_target(&loop->reductions[j]))
            put(payload, orrery_target_of(loop, j, envs), state->bytes[j]);
    for (int a = 0; a < loop->narrays; ++a)
        put(payload, &sharing->replicas[a].wanted, sizeof(int));
    if (is_by_level(&head->blocks))
        put(payload, sharing->extents, (size_t)loop->ntouched * sizeof *sharing->extents);
    for (int g = 0; g < loop->nglobals; ++g)
        put(payload, loop->globals[g].address, loop->globals[g].size);
}

/* A global that has its value already may be a constant, which cannot be written. */
static void get_global(const char **from, const struct orrery_global *global) {
    if (memcmp(global->address, *from, global->size) != 0)
        memcpy(global->address, *from, global->size);
    *from += global->size;
}

/* The other half of put_region; the starts of copies stay in the payload: *lasts. */
static void get_region(const char *from, const struct region_head *head,
                       struct orrery_sharing *sharing, const char **lasts) {
    long passes = head->passes;
    struct orrery_state *state = sharing->state;
    const struct orrery_loop *loop = state->loop;
    if (sharing->room < passes)
        sharing->envs = dsm_own_realloc(sharing->envs, (size_t)passes * loop->env_size);
    sharing->room = sharing->room < passes ? passes : sharing->room;
    get(&from, sharing->envs, (size_t)passes * loop->env_size);
    get(&from, state->shapes, (size_t)state->nshapes * sizeof *state->shapes);
    get(&from, state->bytes, (size_t)loop->nreductions * sizeof *state->bytes);
    *lasts = from;
    for (int j = 0; j < loop->nreductions; ++j)
        if (orrery_starts_as_target(&loop->reductions[j]))
            from += state->bytes[j];
    for (int a = 0; a < loop->narrays; ++a)
        get(&from, &sharing->replicas[a].wanted, sizeof(int));
    if (is_by_level(&head->blocks))
        get(&from, sharing->extents, (size_t)loop->ntouched * sizeof *sharing->extents);
    for (int g = 0; g < loop->nglobals; ++g)
        get_global(&from, &loop->globals[g]);
}

/* ---- records ---- */

enum { PIECE = 8 << 20, GROUP = 64 << 20 };

static void send_pieces(int rank, const char *data, size_t bytes) {
    for (size_t at = 0; at < bytes; at += PIECE)
        dsm_send(rank, ORRERY_TAG_RECORDS, data + at, bytes - at < PIECE ? bytes - at : PIECE);
}

static void receive_pieces(char *data, size_t bytes) {
    for (size_t at = 0; at < bytes; at += PIECE)
        dsm_receive(0, ORRERY_TAG_RECORDS, data + at, bytes - at < PIECE ? bytes - at : PIECE);
}

static long records_of(const struct orrery_inspection *inspection, int rank) {
    long rows = inspection->blocks.rows, columns = inspection->blocks.columns;
    return inspection->starts[orrery_first_row_of(rank + 1, rows) * columns] -
           inspection->starts[orrery_first_row_of(rank, rows) * columns];
}

/* Ranks first .. last - 1 in one walk over the iterations. */
static void send_group(struct orrery_state *state, const void *env, int first, int last) {
    const struct orrery_inspection *inspection = state->inspection;
    long rows = inspection->blocks.rows, columns = inspection->blocks.columns;
    size_t size = state->loop->record_size;
    long low = orrery_first_row_of(first, rows);
    struct orrery_packed packed;
    orrery_inspection_pack(inspection, state->loop, env, low, orrery_first_row_of(last, rows),
                           false, &packed);
    const char *at = packed.records;
    for (int rank = first; rank < last; ++rank) {
        long from = orrery_first_row_of(rank, rows), to = orrery_first_row_of(rank + 1, rows);
        dsm_send(rank, ORRERY_TAG_RECORDS, inspection->starts + from * columns,
                 (size_t)((to - from) * columns + 1) * sizeof(long));
        size_t bytes = (size_t)records_of(inspection, rank) * size;
        send_pieces(rank, at, bytes);
        at += bytes;
    }
    orrery_packed_free(&packed);
}

/* Rank 0 holds at most one group beside its own: as many ranks as fit in GROUP, at least one. */
static void send_records(struct orrery_state *state, const void *env) {
    const struct orrery_inspection *inspection = state->inspection;
    for (int first = 1, last; first < dsm_ranks(); first = last) {
        size_t bytes = 0;
        for (last = first; last < dsm_ranks(); ++last) {
            bytes += (size_t)records_of(inspection, last) * state->loop->record_size;
            if (last > first && bytes > GROUP)
                break;
        }
        send_group(state, env, first, last);
    }
    orrery_packed_free(&state->packed);
    orrery_inspection_pack(inspection, state->loop, env, 0,
                           orrery_first_row_of(1, inspection->blocks.rows), false, &state->packed);
    state->stats->packed_bytes = state->packed.mapped;
}

static void receive_records(struct orrery_sharing *sharing) {
    struct orrery_state *state = sharing->state;
    long rows = orrery_first_row_of(dsm_rank() + 1, sharing->blocks.rows) -
                orrery_first_row_of(dsm_rank(), sharing->blocks.rows);
    long blocks = rows * sharing->blocks.columns;
    orrery_packed_free(&state->packed);
    dsm_own_free(sharing->starts);
    sharing->starts = dsm_own_alloc((size_t)(blocks + 1) * sizeof *sharing->starts);
    dsm_receive(0, ORRERY_TAG_RECORDS, sharing->starts,
                (size_t)(blocks + 1) * sizeof *sharing->starts);
    state->packed.count = sharing->starts[blocks] - sharing->starts[0];
    state->packed.mapped = (size_t)state->packed.count * state->loop->record_size;
    state->packed.records = orrery_memory_map(state->packed.mapped);
    receive_pieces(state->packed.records, state->packed.mapped);
}

/* ---- arrays ---- */

/* The dim that array a is cut along: one of the loop's, that of the iterations, or its own; NULL
 * when it is not cut. */
static struct orrery_layout_dim *dim_of(const struct orrery_sharing *sharing, int a) {
    int d = orrery_layout_of(sharing->state->loop, a);
    if (is_by_level(&sharing->blocks))
        return NULL;
    return d >= 0 ? (struct orrery_layout_dim *)&sharing->dims[d]
           : orrery_layout_claimed(sharing->state->loop, a) >= 0 ? &sharing->claimed[a]
                                                                 : NULL;
}

/* Constants of the program stand at their home addresses on every rank already. */
static bool is_everywhere(const struct orrery_sharing *sharing, int a) {
    const struct orrery_array *array = &sharing->state->loop->arrays[a];
    const struct orrery_shape *shape = &sharing->state->shapes[a];
    const struct orrery_layout_dim *dim = dim_of(sharing, a);
    return dim->mode == DSM_INPLACE && !array->written && !shape->table &&
           dsm_is_constant(orrery_row_address(shape, dim->low));
}

/* Collective. */
static void arrays_new(struct orrery_sharing *sharing, const struct orrery_region *region) {
    struct orrery_state *state = sharing->state;
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_layout_dim *dim = dim_of(sharing, a);
        if (!dim || !orrery_shape_exists(&state->shapes[a]) || is_everywhere(sharing, a))
            continue;
        sharing->arrays[a] = orrery_layout_array(state, a, region, dim);
    }
    memcpy(sharing->shapes, state->shapes, (size_t)state->nshapes * sizeof *state->shapes);
    sharing->laid = true;
    sharing->stale = false;
}

/* Collective; homes are valid. */
static void arrays_free(struct orrery_sharing *sharing) {
    for (int a = 0; a < sharing->state->loop->narrays; ++a) {
        if (sharing->arrays[a])
            dsm_array_free(sharing->arrays[a]);
        sharing->arrays[a] = NULL;
        orrery_layout_dim_free(&sharing->claimed[a]);
    }
    orrery_layout_free(sharing->dims);
    memset(sharing->dims, 0, sizeof sharing->dims);
    sharing->laid = false;
}

/* Rank 0. */
static void forget(struct orrery_sharing *sharing, bool records) {
    if (!sharing || (!sharing->laid && !(records && sharing->held)))
        return;
    for (int a = 0; a < sharing->state->loop->narrays; ++a)
        if (sharing->arrays[a])
            dsm_array_collect(sharing->arrays[a]);
    struct forget_head head = {sharing->state->loop, sharing->state->slot, records};
    dsm_command(ORRERY_COMMAND_FORGET, &head, sizeof head);
    arrays_free(sharing);
    if (records)
        sharing->held = false;
}

void orrery_sharing_forget(struct orrery_state *state) {
    forget(state->sharing, true);
}

void orrery_sharing_collect(struct orrery_state *state, int a) {
    if (state->sharing && state->sharing->arrays[a])
        dsm_array_collect(state->sharing->arrays[a]);
}

static bool overlap(struct dsm_range a, struct dsm_range b) {
    return a.low < b.high && b.low < a.high;
}

/* Rank 0: written arrays of other loops whose home lies in the range come home. */
static void collect_others(const struct orrery_sharing *mine, struct dsm_range range) {
    for (struct orrery_state *state = orrery_states(); state; state = state->next) {
        struct orrery_sharing *other = state->sharing;
        if (!other || other == mine || !other->laid)
            continue;
        for (int a = 0; a < state->loop->narrays; ++a)
            if (other->arrays[a] && state->loop->arrays[a].written &&
                overlap(other->homes[a], range))
                dsm_array_collect(other->arrays[a]);
    }
}

static bool replica_overlaps(const struct orrery_replica *replica, struct dsm_range range) {
    for (int i = 0; i < replica->nranges; ++i)
        if (overlap(replica->ranges[i], range))
            return true;
    return false;
}

/* Rank 0: the range has been written by a region; what others made of it is out of date. */
static void stale_others(const struct orrery_sharing *mine, struct dsm_range range) {
    for (struct orrery_state *state = orrery_states(); state; state = state->next) {
        struct orrery_sharing *other = state->sharing;
        for (int a = 0; other && a < state->loop->narrays; ++a) {
            if (replica_overlaps(&other->replicas[a], range))
                orrery_replica_stale(&other->replicas[a]);
            if (other != mine && other->laid && other->arrays[a] && overlap(other->homes[a], range))
                other->stale = true;
        }
    }
}

/* ---- one region, every rank ---- */

/* The environments as bodies on this rank get them: views and copies instead of homes. */
static void envs_patch(struct orrery_sharing *sharing, long passes) {
    const struct orrery_loop *loop = sharing->state->loop;
    for (int a = 0; a < loop->narrays; ++a) {
        const struct orrery_layout_dim *dim = dim_of(sharing, a);
        char *base = NULL;
        if (sharing->arrays[a] && dim->mode == DSM_VIEW)
            base = orrery_layout_base(&sharing->state->shapes[a], dim, sharing->arrays[a]);
        else if (sharing->replicas[a].own)
            base = sharing->replicas[a].own;
        for (long pass = 0; base && pass < passes; ++pass)
            memcpy(sharing->envs + (size_t)pass * loop->env_size +
                       (size_t)loop->arrays[a].base_offset,
                   &base, sizeof base);
    }
}

static void lasts_start(struct orrery_region *region, const char *from) {
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (region->copies->starts[j]) {
            memcpy(region->copies->starts[j], from, region->copies->bytes[j]);
            from += region->copies->bytes[j];
        }
}

/* What rank 0 wants of a rank's copies: all rows' of what is folded, the last row's of the others.
 */
static size_t copies_size(const struct orrery_region *region, int j, int rank) {
    const struct orrery_reduction *reduction = &region->loop->reductions[j];
    if (reduction->op == ORRERY_PRIVATE || orrery_is_merged(reduction))
        return 0;
    if (reduction->op == ORRERY_LAST)
        return orrery_rank_of_row(region->last_row, region->blocks.rows) == rank
                   ? region->copies->bytes[j]
                   : 0;
    long rows = region->blocks.rows;
    return region->copies->stride[j] *
           (size_t)(orrery_first_row_of(rank + 1, rows) - orrery_first_row_of(rank, rows));
}

static char *copies_memory(const struct orrery_region *region, int j) {
    return region->loop->reductions[j].op == ORRERY_LAST ? orrery_copies_last(region->copies, j)
                                                         : region->copies->memory[j];
}

static void send_copies(const struct orrery_region *region) {
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (copies_size(region, j, dsm_rank()))
            dsm_send(0, ORRERY_TAG_FOLD, copies_memory(region, j),
                     copies_size(region, j, dsm_rank()));
}

static void fold_rank(const struct orrery_region *region, int rank, int j, void *target) {
    const struct orrery_copies *copies = region->copies;
    size_t bytes = copies_size(region, j, rank);
    if (!bytes)
        return;
    char *memory = rank ? orrery_memory_aligned(bytes) : copies_memory(region, j);
    if (rank)
        dsm_receive(rank, ORRERY_TAG_FOLD, memory, bytes);
    if (region->loop->reductions[j].op == ORRERY_LAST)
        memcpy(target, memory, bytes);
    else
        orrery_fold(region->loop, j, memory, copies->stride[j], copies->bytes[j],
                    orrery_first_row_of(rank, region->blocks.rows),
                    orrery_first_row_of(rank + 1, region->blocks.rows), target);
    if (rank)
        orrery_memory_free(memory);
}

static void receive_copies(const struct orrery_region *region, const void *env) {
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        for (int j = 0; j < region->loop->nreductions; ++j)
            fold_rank(region, rank, j, orrery_target_of(region->loop, j, env));
}

static struct orrery_carrier *carrier_of(const struct orrery_sharing *sharing,
                                         const struct orrery_region *region) {
    const struct orrery_turns *turns = region->turns;
    if (!turns || turns->narrivals + turns->ndepartures == 0)
        return NULL;
    return orrery_carrier_new(turns, region->passes, sharing->state->loop->narrays, sharing->arrays,
                              sharing->cut);
}

static void rows_run(struct orrery_sharing *sharing, struct orrery_region *region,
                     const char *lasts) {
    struct orrery_state *state = sharing->state;
    envs_patch(sharing, region->passes);
    region->envs = sharing->envs;
    region->records = state->packed.records;
    lasts_start(region, lasts);
    region->exchange = is_by_level(&region->blocks) ? sharing->exchange : NULL;
    if (region->exchange)
        orrery_exchange_place(region->exchange, state->loop, region->envs, sharing->extents);
    region->carrier = carrier_of(sharing, region);
    orrery_region_run(region, state);
    orrery_carrier_free(region->carrier);
}

/* This rank's rows, and in which turns they are. */
static void region_start(struct orrery_sharing *sharing, struct orrery_region *region) {
    region->blocks = sharing->blocks;
    region->last_row = sharing->last_row;
    region->row_low = orrery_first_row_of(dsm_rank(), region->blocks.rows);
    region->row_high = orrery_first_row_of(dsm_rank() + 1, region->blocks.rows);
    orrery_region_prepare(region, sharing->state, sharing->count);
}

/* Collective; `envs` on rank 0: the user's environments. */
static void region_all(struct orrery_sharing *sharing, const struct region_head *head,
                       const char *envs, const char *lasts, struct orrery_region *region) {
    struct orrery_state *state = sharing->state;
    sharing->count = head->count;
    region->passes = head->passes;
    sharing->last_row = head->last_row;
    sharing->blocks = head->blocks;
    region_start(sharing, region);
    if (head->lay) {
        if (!is_by_level(&head->blocks))
            orrery_layout_share(sharing->dims);
        for (int a = 0; a < state->loop->narrays && !is_by_level(&head->blocks); ++a)
            if (orrery_layout_claimed(state->loop, a) >= 0)
                orrery_layout_dim_share(&sharing->claimed[a]);
        arrays_new(sharing, region);
    }
    if (head->records && dsm_rank() == 0)
        send_records(state, envs);
    else if (head->records)
        receive_records(sharing);
    if (head->records && is_by_level(&head->blocks)) {
        orrery_exchange_free(sharing->exchange);
        sharing->exchange = orrery_exchange_new(state, envs);
    }
    if (state->loop->by_key)
        region->starts = dsm_rank() ? sharing->starts : state->inspection->starts;
    for (int a = 0; a < state->loop->narrays; ++a)
        if (sharing->replicas[a].wanted)
            orrery_replica_send(&sharing->replicas[a]);
    for (int a = 0; a < state->loop->narrays; ++a)
        if (sharing->arrays[a])
            dsm_array_distribute(sharing->arrays[a]);
    rows_run(sharing, region, lasts);
    if (dsm_rank() == 0)
        receive_copies(region, envs + (size_t)(head->passes - 1) * state->loop->env_size);
    else
        send_copies(region);
    for (int a = 0; a < state->loop->narrays; ++a)
        if (sharing->arrays[a])
            dsm_array_settle(sharing->arrays[a]);
}

/* ---- rank 0 ---- */

static void places_check(const struct orrery_state *state, const void *env) {
    const struct orrery_loop *loop = state->loop;
    if (!dsm_is_shared(loop))
        dsm_fail(1,
                 "%s: the program is position independent, so its ranks do not agree on addresses; "
                 "link it with orrery-cc and without -pie",
                 state->where);
    if (state->inspection && state->inspection->levels) {
        orrery_exchange_check(state, env);
        return;
    }
    if (loop->strategy == ORRERY_WAVEFRONT)
        dsm_fail(1,
                 "%s: a wavefront cannot be divided among ranks; run it on one rank (threads work)",
                 state->where);
    for (int a = 0; a < loop->narrays; ++a)
        if (loop->arrays[a].placement == ORRERY_UNPLACED)
            dsm_fail(1,
                     "%s: it is not known which rows of %s (%s) an iteration uses, so it cannot be "
                     "divided among ranks; run it on one rank (threads work)",
                     state->where, loop->arrays[a].name, loop->arrays[a].where);
}

static bool layout_holds(const struct orrery_sharing *sharing, const struct orrery_region *region,
                         long first) {
    const struct orrery_state *state = sharing->state;
    return sharing->laid && !sharing->stale && sharing->count == region->count &&
           orrery_blocks_same(&sharing->blocks, &region->blocks) && sharing->first == first &&
           memcmp(sharing->shapes, state->shapes, (size_t)state->nshapes * sizeof *state->shapes) ==
               0;
}

/* The loop variable's first value, which the layout of a loop without keys depends on. */
static long first_of(const struct orrery_loop *loop, const void *env) {
    long first = 0;
    if (!loop->by_key && loop->step)
        memcpy(&first, (const char *)env + loop->lower_offset, sizeof first);
    return first;
}

/* Homes of what is cut become valid and known; replicas are looked at. */
static void homes_look(struct orrery_sharing *sharing) {
    const struct orrery_state *state = sharing->state;
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_array *array = &state->loop->arrays[a];
        const struct orrery_shape *shape = &state->shapes[a];
        struct orrery_replica *replica = &sharing->replicas[a];
        replica->wanted = 0;
        if (array->placement == ORRERY_ALIGNED || !orrery_shape_exists(shape))
            continue;
        const struct orrery_layout_dim *dim = dim_of(sharing, a);
        if (dim) {
            struct dsm_range table = {0};
            sharing->homes[a] = orrery_layout_home(shape, dim);
            collect_others(sharing, sharing->homes[a]);
            if (shape->table) {
                table = orrery_table_range(shape, dim->low, dim->range);
                orrery_replica_look(state, a, &table, replica);
            }
        } else {
            orrery_replica_look(state, a, NULL, replica);
            for (int i = 0; i < replica->nranges; ++i)
                collect_others(sharing, replica->ranges[i]);
        }
    }
}

static void lay(struct orrery_sharing *sharing, const void *env,
                const struct orrery_region *region) {
    forget(sharing, false);
    sharing->blocks = region->blocks;
    sharing->first = first_of(sharing->state->loop, env);
    if (is_by_level(&region->blocks))
        return;
    orrery_layout_dims(sharing->state, env, region, sharing->dims);
    orrery_layout_modes(sharing->state, sharing->dims);
    for (int a = 0; a < sharing->state->loop->narrays; ++a)
        if (orrery_layout_claimed(sharing->state->loop, a) >= 0 &&
            orrery_shape_exists(&sharing->state->shapes[a]))
            orrery_layout_claims(sharing->state, a, env, region->count, region->blocks.rows,
                                 &sharing->claimed[a]);
}

static void release(const struct orrery_sharing *sharing) {
    const struct orrery_loop *loop = sharing->state->loop;
    for (int a = 0; a < loop->narrays; ++a)
        if (sharing->arrays[a] && loop->arrays[a].written) {
            dsm_array_release(sharing->arrays[a]);
            stale_others(sharing, sharing->homes[a]);
        }
    for (int a = 0; a < loop->narrays && is_by_level(&sharing->blocks); ++a)
        for (int i = 0; loop->arrays[a].written && i < sharing->replicas[a].nranges; ++i)
            stale_others(sharing, sharing->replicas[a].ranges[i]);
}

static void extents_set(struct orrery_sharing *sharing, const void *env) {
    const struct orrery_loop *loop = sharing->state->loop;
    struct orrery_unit units[loop->ntouched + 1];
    loop->units(env, units);
    for (int t = 0; t < loop->ntouched; ++t)
        sharing->extents[t] =
            units[t].base && !units[t].table
                ? (long)orrery_shape_extent(&sharing->state->shapes[units[t].array])
                : 0;
}

/* True when records made before hold other labels. */
static bool relabel_set(const struct orrery_sharing *sharing,
                        struct orrery_inspection *inspection) {
    bool changed = false;
    for (int d = 0; d < sharing->state->loop->ndims; ++d) {
        bool relabel = sharing->dims[d].mode == DSM_VIEW && inspection->dims[d].place;
        changed |= relabel != inspection->relabel[d];
        inspection->relabel[d] = relabel;
    }
    return changed;
}

void orrery_sharing_run(struct orrery_state *state, const char *envs, long passes, long count,
                        struct orrery_region *region) {
    struct orrery_sharing *sharing = sharing_of(state);
    region->count = count;
    places_check(state, envs);
    sharing->stale |= state->moved;
    state->moved = false;
    struct region_head head = {.loop = state->loop,
                               .slot = state->slot,
                               .passes = passes,
                               .count = count,
                               .last_row = region->last_row,
                               .blocks = region->blocks};
    head.lay = !layout_holds(sharing, region, first_of(state->loop, envs));
    if (head.lay)
        lay(sharing, envs, region);
    if (is_by_level(&region->blocks))
        extents_set(sharing, envs);
    else if (state->inspection && relabel_set(sharing, state->inspection))
        sharing->held = false;
    head.records = state->loop->by_key && !sharing->held;
    homes_look(sharing);
    struct payload payload = {0};
    put_region(&payload, &head, sharing, envs);
    dsm_command(ORRERY_COMMAND_REGION, payload.data, payload.size);
    const char *lasts;
    get_region(payload.data + sizeof head, &head, sharing, &lasts);
    region_all(sharing, &head, envs, lasts, region);
    sharing->held = true;
    dsm_own_free(payload.data);
    release(sharing);
}

/* ---- the other ranks ---- */

static void serve_region(const char *payload) {
    struct region_head head;
    memcpy(&head, payload, sizeof head);
    struct orrery_state *state = orrery_state_at(head.loop, head.slot);
    struct orrery_sharing *sharing = sharing_of(state);
    struct orrery_region region = {.count = head.count};
    const char *lasts;
    get_region(payload + sizeof head, &head, sharing, &lasts);
    region_all(sharing, &head, NULL, lasts, &region);
    state->stats->passes += (uint64_t)head.passes;
}

static void serve_forget(const void *payload) {
    struct forget_head head;
    memcpy(&head, payload, sizeof head);
    struct orrery_state *state = orrery_state_at(head.loop, head.slot);
    arrays_free(state->sharing);
    if (head.records)
        orrery_packed_free(&state->packed);
}

void orrery_command_serve(void *data, int command, const void *payload, size_t bytes) {
    (void)data;
    (void)bytes;
    switch (command) {
    case ORRERY_COMMAND_REGION:
        serve_region(payload);
        break;
    case ORRERY_COMMAND_FORGET:
        serve_forget(payload);
        break;
    case ORRERY_COMMAND_END:
        orrery_trace_write();
        orrery_stats_collect();
        break;
    default:
        dsm_fail(1, "rank 0 sent the unknown command %d; are all ranks the same program?", command);
    }
}
