/* Region start and end on rank 0: orrery_run. */
#include "runtime/start/driver.h"

#include "runtime/base/clock.h"
#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/base/heartbeat.h"
#include "runtime/base/output.h"
#include "runtime/base/progress.h"
#include "runtime/checkpoint/checkpoint.h"
#include "runtime/checks/weights.h"
#include "runtime/device/device.h"
#include "runtime/execute/hot.h"
#include "runtime/execute/needs.h"
#include "runtime/execute/panels.h"
#include "runtime/execute/pipe.h"
#include "runtime/execute/spills.h"
#include "runtime/execute/wave.h"
#include "runtime/layout/local.h"
#include "runtime/merge/merge.h"
#include "runtime/merge/serve.h"
#include "runtime/region/region.h"
#include "runtime/region/state.h"
#include "runtime/report/profile.h"
#include "runtime/report/trace.h"
#include "runtime/report/verify_passes.h"
#include "runtime/share/sharing.h"
#include "runtime/start/by_levels.h"
#include "runtime/start/summary.h"
#include "runtime/start/verify.h"
#include "runtime/threads/context.h"

#include "dsm/dsm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- region start ---------------------------------------------------------------------------- */

/* Choices of a state so far: which has not been used for longest. */
static unsigned long runs;

/*
 * The state with the inspection of these inputs; else a new one; else, when there are enough of
 * them, the one that has not been used for longest.
 */
static struct orrery_state *state_choose(struct orrery_loop *loop, const void *env, long count) {
    struct orrery_state *chosen = NULL, *last = NULL;
    for (struct orrery_state *s = orrery_state_of(loop)->head; s; last = s, s = s->other) {
        if (!s->inspection || orrery_inspection_is_of(s->inspection, loop, env, count)) {
            chosen = s;
            break;
        }
        if (!chosen || s->used < chosen->used)
            chosen = s;
    }
    bool found =
        !chosen->inspection || orrery_inspection_is_of(chosen->inspection, loop, env, count);
    if (!found && last && last->slot + 1 < ORRERY_STATES)
        chosen = orrery_state_new(loop, last);
    chosen->used = ++runs;
    return loop->state = chosen;
}

/* ---- loops over tables of tables -------------------------------------------------------------- */

enum { TABLE_STATES = 16 };

static bool has_these_tables(const struct orrery_state *state, const struct orrery_shape *shapes) {
    for (int i = 0; i < state->nshapes; ++i)
        if (shapes[i].tables > 1 && memcmp(&state->flat[i].shape, &shapes[i], sizeof *shapes) != 0)
            return false;
    return true;
}

static bool has_tables(int n, const struct orrery_shape *shapes) {
    for (int i = 0; i < n; ++i)
        if (shapes[i].tables > 1)
            return true;
    return false;
}

static void shapes_ask(const struct orrery_state *state, const void *env,
                       struct orrery_shape *shapes) {
    memset(shapes, 0, (size_t)state->nshapes * sizeof *shapes);
    state->loop->shapes(env, shapes);
    for (int i = 0; i < state->nshapes; ++i)
        shapes[i].piece_bytes = labs(shapes[i].piece_bytes);
}

/*
 * A loop that runs on several tables of tables in turn (the levels of a multigrid solver) has a
 * state for each, so that rows are found, and proved to be disjoint, once. One rank.
 */
static struct orrery_state *state_by_tables(struct orrery_loop *loop, const void *env) {
    struct orrery_state *head = orrery_state_of(loop)->head, *chosen = head, *last = head;
    struct orrery_shape shapes[head->nshapes + 1];
    shapes_ask(head, env, shapes);
    bool found = !has_tables(head->nshapes, shapes) || head->used == 0;
    for (struct orrery_state *s = head; s && !found; last = s, s = s->other) {
        found = has_these_tables(s, shapes);
        if (found || s->used < chosen->used)
            chosen = s;
    }
    if (!found && last->slot + 1 < TABLE_STATES)
        chosen = orrery_state_new(loop, last);
    chosen->used = ++runs;
    return loop->state = chosen;
}

/* Rows without bytes (rank 0 of a model): nothing of the array is used. */
static void empty_rows_drop(struct orrery_state *state, int i) {
    struct orrery_shape *shape = &state->shapes[i];
    if (i < state->loop->narrays && state->loop->arrays[i].dim >= 0 && !shape->table &&
        shape->row_stride == 0 && shape->piece_bytes == 0)
        *shape = (struct orrery_shape){0};
}

static void shapes_read(struct orrery_state *state, const void *env) {
    unsigned long epoch = state->epoch = dsm_find_epoch();
    shapes_ask(state, env, state->shapes);
    orrery_tables_flatten(state, epoch);
    for (int i = 0; i < state->nshapes; ++i) {
        orrery_tables_trim(&state->shapes[i]);
        empty_rows_drop(state, i);
    }
    for (int j = 0; j < state->loop->nreductions; ++j) {
        state->bytes[j] = orrery_reduction_bytes(state->loop, j, state->shapes);
        state->front[j] = orrery_reduction_front(state->loop, j, state->shapes);
    }
}

/*
 * Where something else lies than when it was checked. Copies, which stand behind the arrays, may: a
 * scratch array of a function lies elsewhere when another function calls it, and nothing that was
 * checked asks where it lies, only how large it is.
 */
static bool shapes_changed(const struct orrery_state *state) {
    for (int i = 0; i < state->nshapes; ++i) {
        struct orrery_shape was = state->checked[i];
        if (i >= state->loop->narrays && !was.table)
            was.base = state->shapes[i].base;
        if (memcmp(&state->shapes[i], &was, sizeof was) != 0)
            return true;
    }
    return false;
}

/* `bytes`: found by the check, since the first row of a table says how long rows are. */
struct keys_context {
    const struct orrery_state *state;
    const void *env;
    long count;
    long bytes[ORRERY_DIMS];
};

static void parameters_per_key(const struct orrery_state *state, const struct orrery_dim *dims,
                               long bytes[ORRERY_DIMS]) {
    memset(bytes, 0, ORRERY_DIMS * sizeof *bytes);
    for (int a = 0; a < state->loop->narrays; ++a) {
        int d = state->loop->arrays[a].dim;
        const struct orrery_shape *shape = &state->shapes[a];
        if (d < 0 || !orrery_shape_exists(shape) || dims[d].low > dims[d].high)
            continue;
        bytes[d] += shape->piece_bytes ? orrery_row_bytes(shape)
                                       : (long)orrery_row_length(shape, dims[d].low);
    }
}

static bool keys_check(void *data, struct orrery_inspection *inspection) {
    struct keys_context *context = data;
    orrery_bounds_check(context->state->loop, context->env, context->count, context->state->shapes,
                        inspection->dims);
    parameters_per_key(context->state, inspection->dims, context->bytes);
    return orrery_local_choose(context->state, inspection) || dsm_ranks() > 1 ||
           orrery_env()->profile;
}

/* The values that the space dim takes in a loop without keys;
 * steps over some when step is not 1. */
static void range_dims(const struct orrery_loop *loop, const void *env, long count,
                       struct orrery_dim *dims) {
    for (int d = 0; d < ORRERY_DIMS; ++d)
        dims[d] = (struct orrery_dim){.low = 0, .high = -1, .parts = 1};
    if (loop->step == 0)
        return;
    long first;
    memcpy(&first, (const char *)env + loop->lower_offset, sizeof first);
    long last = first + (count - 1) * loop->step;
    dims[0].low = first < last ? first : last;
    dims[0].high = first < last ? last : first;
    dims[0].distinct = count;
    dims[0].apart = labs(loop->step);
}

static void inspection_make(struct orrery_state *state, const void *env, long count) {
    struct keys_context context = {.state = state, .env = env, .count = count};
    double begin = orrery_clock();
    uint32_t phase = orrery_heartbeat_phase(ORRERY_PHASE_INSPECTION);
    orrery_heartbeat_loop(state->where);
    orrery_sharing_forget(state);
    orrery_device_forget(state);
    orrery_local_forget(state);
    orrery_packed_free(&state->packed);
    orrery_inspection_free(state->inspection);
    state->inspection = NULL;
    orrery_inspect(state->loop, state->slot, env, count, context.bytes, keys_check, &context,
                   &state->inspection);
    double packing = orrery_clock();
    if (dsm_ranks() == 1) {
        orrery_inspection_pack(state->inspection, state->loop, env, 0,
                               state->inspection->blocks.rows, orrery_env()->replay,
                               &state->packed);
        orrery_inspection_packed(state->inspection);
    }
    state->stats->inspections += 1;
    state->stats->pack_seconds += orrery_clock() - packing;
    state->stats->packed_bytes = state->packed.mapped + state->packed.order_mapped;
    state->stats->inspect_seconds += orrery_clock() - begin;
    orrery_heartbeat_phase(phase);
    orrery_trace_region("inspect", state->where, orrery_env()->trace ? begin : 0);
}

/* The values or the arrays' addresses are others than before. */
static void addresses_look(struct orrery_state *state, const void *env, long count,
                           const struct orrery_dim *dims) {
    memcpy(state->checked, state->shapes, (size_t)state->nshapes * sizeof *state->shapes);
    orrery_bounds_check(state->loop, env, count, state->shapes, dims);
    orrery_tables_look(state, dims);
    state->stats->checks += 1;
    state->moved = true;
}

/* True when the loop variable takes other values than in the region before. */
static bool ranges_look(struct orrery_state *state, const void *env, long count) {
    struct orrery_dim before = state->ranges[0];
    range_dims(state->loop, env, count, state->ranges);
    return before.low != state->ranges[0].low || before.high != state->ranges[0].high ||
           before.distinct != state->ranges[0].distinct;
}

static bool keys_hold(const struct orrery_state *state, const void *env, long count) {
    return state->inspection && orrery_local_holds(state) &&
           orrery_inspection_holds(state->inspection, state->loop, env, count);
}

static bool keys_look(struct orrery_state *state, const void *env, long count) {
    if (keys_hold(state, env, count))
        return false;
    inspection_make(state, env, count);
    return true;
}

/* Inspects when there is nothing that still holds; checks what depends on values and addresses. */
static int blocks_make(struct orrery_state *state, const void *env, long count) {
    struct orrery_loop *loop = state->loop;
    state->in_vain = !keys_hold(state, env, count) && orrery_levels_in_vain(state, env, count);
    if (state->in_vain)
        return 1;
    bool fresh = loop->by_key ? keys_look(state, env, count) : ranges_look(state, env, count);
    const struct orrery_dim *dims = orrery_dims_of(state);
    unsigned long lent = dsm_lent_epoch();
    bool moved =
        fresh || shapes_changed(state) || !orrery_tables_hold(state) || state->lent != lent;
    state->lent = lent;
    if (state->refused && state->overlap && !moved && state->epoch == state->overlap_epoch)
        return orrery_fall_back(loop, state->overlap);
    bool changed = moved || state->refused;
    dsm_own_free(state->overlap);
    state->overlap = NULL;
    if (changed)
        addresses_look(state, env, count, dims);
    orrery_tables_fill(state);
    state->refused = orrery_guards_check(loop, env, count, changed, state->shapes, dims) != 0;
    return state->refused;
}

/* ---- region end ------------------------------------------------------------------------------ */

static void fold_all(const struct orrery_region *region, const struct orrery_state *state,
                     const void *env) {
    const struct orrery_copies *copies = region->copies;
    for (int j = 0; j < region->loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &region->loop->reductions[j];
        void *target = orrery_target_of(region->loop, j, env);
        if (orrery_is_folded(reduction) && !orrery_device_fold(region, state, j, target)) {
            orrery_copies_fold_front(copies, j, target);
            orrery_fold(region->loop, j, copies->memory[j], copies->stride[j], copies->bytes[j],
                        region->row_low, region->row_high, target);
        } else if (reduction->op == ORRERY_LAST)
            memcpy(target, orrery_copies_last(copies, j), copies->bytes[j]);
    }
}

static void lasts_start(const struct orrery_region *region, const void *env) {
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (region->copies->starts[j] && orrery_merge_snaps(region, j))
            memcpy(region->copies->starts[j], orrery_target_of(region->loop, j, env),
                   region->copies->bytes[j]);
}

/* The serial text has one scratch array for all: the user's own. */
static void replay_unite(struct orrery_region *region, const void *env) {
    for (int j = 0; region->replay && j < region->loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &region->loop->reductions[j];
        if (orrery_is_scratch(reduction) && reduction->array >= 0)
            orrery_copies_unite(region->copies, j, orrery_target_of(region->loop, j, env));
    }
}

static size_t copies_bytes(const struct orrery_region *region) {
    size_t bytes = region->merge ? orrery_merge_bytes(region->merge) : 0;
    bytes += region->serve ? orrery_serve_bytes(region->serve) : 0;
    for (int j = 0; j < region->loop->nreductions; ++j)
        bytes += region->copies->stride[j] * (size_t)region->copies->slots[j];
    return bytes;
}

static void account(struct orrery_state *state, const struct orrery_region *region, double begin,
                    double inspected) {
    struct orrery_loop_stats *stats = state->stats;
    if (region->entered > 0)
        stats->starts[stats->regions % ORRERY_STARTS] =
            (float)(region->entered - begin - inspected - region->copied);
    double seconds = orrery_clock() - begin;
    stats->paces[stats->regions % ORRERY_STARTS] =
        (float)((seconds - inspected) / (double)region->passes);
    stats->regions += 1;
    stats->passes += (uint64_t)region->passes;
    stats->iterations += (uint64_t)(region->count * region->passes);
    stats->blocks = region->blocks;
    stats->copies_bytes = copies_bytes(region);
    stats->seconds += seconds;
    orrery_levels_doubt(region, stats->inspections > 1 ? seconds : seconds - inspected);
}

static struct orrery_blocks blocks_without_keys(struct orrery_state *state, const void *env,
                                                long count, struct orrery_region *region) {
    if (state->loop->strategy == ORRERY_WAVEFRONT)
        return orrery_wave_blocks(state->loop, env, count, &region->wave);
    if (state->loop->strategy == ORRERY_PIPELINE)
        return orrery_pipe_blocks(state->loop, count);
    long rows = orrery_rows_of(state, count);
    region->cuts = orrery_weights_cut(state, env, count, rows);
    if (state->loop->sections && dsm_ranks() > 1)
        return orrery_blocks_of_wave(rows, 1);
    return orrery_blocks_make(state->loop->strategy, 1, &rows);
}

static void grid_of(struct orrery_state *state, const void *env, long count,
                    struct orrery_region *region) {
    const struct orrery_inspection *inspection = state->inspection;
    region->blocks =
        inspection ? inspection->blocks : blocks_without_keys(state, env, count, region);
    region->row_high = region->blocks.rows;
    region->last_row = orrery_last_row(state, &region->blocks);
    region->starts = inspection ? inspection->starts : NULL;
}

/* ---- checks that a body makes: its loop changes nothing but what folds and lasts change ------ */

/* Scratch space is not changed: rows have their own. */
static char **targets_keep(const struct orrery_state *state, const void *env) {
    const struct orrery_loop *loop = state->loop;
    if (!loop->reruns)
        return NULL;
    char **kept = dsm_own_alloc((size_t)(loop->nreductions + 1) * sizeof *kept);
    for (int j = 0; j < loop->nreductions; ++j) {
        bool changes = loop->reductions[j].op != ORRERY_PRIVATE;
        kept[j] = changes ? dsm_own_alloc(state->bytes[j] + 1) : NULL;
        if (changes)
            memcpy(kept[j], orrery_target_of(loop, j, env), state->bytes[j]);
    }
    return kept;
}

/* True when the loop has to run serially, from where it began. */
static bool targets_settle(const struct orrery_state *state, const void *env, char **kept) {
    const struct orrery_loop *loop = state->loop;
    for (int j = 0; kept && j < loop->nreductions; ++j)
        orrery_rows_check(orrery_target_of(loop, j, env));
    bool stopped = kept && orrery_context_marks().stopped;
    for (int j = 0; kept && j < loop->nreductions; ++j) {
        if (stopped && kept[j])
            memcpy(orrery_target_of(loop, j, env), kept[j], state->bytes[j]);
        dsm_own_free(kept[j]);
    }
    dsm_own_free(kept);
    if (stopped)
        orrery_output_drop();
    return stopped;
}

static void run_here(struct orrery_state *state, const char *envs, long count,
                     struct orrery_region *region) {
    const void *env = envs + (size_t)(region->passes - 1) * state->loop->env_size;
    double copied = state->stats->copy_seconds;
    /* Passes that were put off have had serial code behind their inspection. */
    bool holds =
        state->inspection && orrery_inspection_holds(state->inspection, state->loop, envs, count);
    region->envs = orrery_local_enter(state, envs, region->passes);
    region->envs = orrery_hot_enter(region, state, region->envs);
    region->copied = state->stats->copy_seconds - copied;
    orrery_region_prepare(region, state, count);
    struct orrery_spills spills;
    region->spills = orrery_spills_choose(region, state, &spills) ? &spills : NULL;
    region->kept = orrery_env()->verify ? orrery_kept_new(region) : NULL;
    lasts_start(region, env);
    replay_unite(region, env);
    long blocks =
        region->blocks.rows * region->blocks.columns * orrery_laps(region) / orrery_workers_count();
    orrery_progress_start(state->where, state->stats->passes + 1, blocks);
    if (state->loop->kernel && !region->replay) {
        orrery_device_run(region, state, region->envs, NULL);
    } else {
        dsm_attempt_commit();
        orrery_region_run(region, state);
    }
    orrery_progress_end();
    orrery_hot_leave(region, state);
    orrery_local_leave(state);
    fold_all(region, state, env);
    if (holds && !region->spills)
        orrery_inspection_ran(state->inspection);
}

struct orrery_state *orrery_region_open(struct orrery_loop *loop, const void *env, long count,
                                        double *inspected) {
    orrery_context_begin();
    orrery_region_enter();
    struct orrery_state *state = loop->by_key       ? state_choose(loop, env, count)
                                 : dsm_ranks() == 1 ? state_by_tables(loop, env)
                                                    : orrery_state_of(loop);
    shapes_read(state, env);
    *inspected = state->stats->inspect_seconds;
    int refused = blocks_make(state, env, count);
    if (!refused && state->inspection)
        state->blocks = state->inspection->blocks;
    *inspected = state->stats->inspect_seconds - *inspected;
    orrery_region_close();
    return refused ? NULL : state;
}

bool orrery_region_execute(struct orrery_state *state, const char *envs, long passes, long count,
                           double begin, double inspected) {
    struct orrery_region region = {.passes = passes, .count = count};
    const char *last = envs + (size_t)(passes - 1) * state->loop->env_size;
    orrery_region_enter();
    grid_of(state, envs, count, &region);
    state->blocks = region.blocks;
    orrery_profile_begin(state, &region.blocks);
    orrery_profile_rows_look(state, envs);
    if (orrery_env()->profile && state->loop->strategy == ORRERY_WAVEFRONT &&
        state->loop->sections && dsm_ranks() == 1 && state->profile.written == 0)
        orrery_panels_measure(state, envs, &region, &state->profile.told, &state->profile.written);
    orrery_verify_before(state);
    region.merged = orrery_env()->verify ? orrery_verify_merged : NULL;
    state->serves = orrery_serve_wanted(state, &region);
    orrery_needs_check(state);
    orrery_merge_check(state, envs);
    orrery_checkpoint_look(state);
    char **kept = targets_keep(state, last);
    if (dsm_ranks() == 1)
        run_here(state, envs, count, &region);
    else
        orrery_sharing_run(state, envs, passes, count, &region);
    orrery_profile_served_look(state, &region);
    orrery_needs_enforce(state->where);
    orrery_trace_region("run", state->where, orrery_env()->trace ? begin : 0);
    bool stopped = targets_settle(state, last, kept);
    if (!stopped)
        orrery_verify_record(state, last, &region);
    orrery_kept_free(&region);
    account(state, &region, begin, inspected);
    orrery_profile_end(state, passes);
    orrery_region_close();
    return !stopped;
}

/* ---- the end of the program ------------------------------------------------------------------ */

void orrery_driver_end(void) {
    if (dsm_ranks() > 1)
        dsm_command(ORRERY_COMMAND_END, NULL, 0);
    orrery_trace_write();
    orrery_device_report();
    orrery_verify_end();
    orrery_stats_collect();
    orrery_profile_write();
}
