/* Regions over several ranks: what rank 0 tells the others, and what all of them then do. */
#include "runtime/share/sharing.h"
#include "runtime/share/load.h"
#include "runtime/share/private.h"

#include "runtime/device/device.h"
#include "runtime/env.h"
#include "runtime/execute/bands_owe.h"
#include "runtime/execute/carrier.h"
#include "runtime/execute/commands.h"
#include "runtime/execute/needs.h"
#include "runtime/inspect/far.h"
#include "runtime/memory.h"
#include "runtime/report/progress.h"
#include "runtime/report/summary.h"
#include "runtime/report/trace.h"
#include "runtime/report/verify_passes.h"
#include "runtime/serve/serve.h"

#include "dsm/dsm.h"

#include <string.h>

struct forget_head {
    struct orrery_loop *loop;
    int slot;
    int records;
};

static _Noreturn void command_refuse(const char *what) {
    dsm_fail(1,
             "%s; all ranks have to run the same program, built by the same Orrery: compare the "
             "files on their hosts [ORR9234]",
             what);
}

/* Rank 0. */
static void forget(struct orrery_sharing *sharing, bool records) {
    if (!sharing || (!sharing->laid && !(records && sharing->held)))
        return;
    for (int a = 0; a < sharing->state->loop->narrays; ++a)
        if (sharing->arrays[a])
            dsm_array_collect(sharing->arrays[a]);
    if (sharing->bands)
        orrery_bands_owe_end(sharing->bands, NULL);
    struct forget_head head = {sharing->state->loop, sharing->state->slot, records};
    dsm_command(ORRERY_COMMAND_FORGET, &head, sizeof head);
    orrery_share_arrays_free(sharing);
    orrery_bands_free(sharing->bands);
    sharing->bands = NULL;
    if (records)
        sharing->held = false;
}

void orrery_sharing_forget(struct orrery_state *state) {
    forget(state->sharing, true);
}

void orrery_sharing_doubt(struct orrery_state *state) {
    if (state->sharing) {
        state->sharing->stale = true;
        state->sharing->held = false;
        for (int a = 0; a < state->loop->narrays; ++a)
            orrery_replica_stale(&state->sharing->replicas[a]);
    }
}

/* ---- one region, every rank ---- */

/* Array a stands elsewhere for the loop: addresses in it are not those of the program. */
static void addresses_check(const struct orrery_state *state, int a) {
    const struct orrery_loop *loop = state->loop;
    if (loop->addresses)
        dsm_refuse(
            1,
            "%s: what the loop leaves in `%s` is an address, and %s stands at another one on "
            "this rank; keep a subscript in its place, or run it on one rank (threads work) "
            "[ORR2286]",
            state->where, loop->addresses, loop->arrays[a].name);
    if (loop->compared && loop->compared_arrays >> a % 64 & 1)
        dsm_refuse(
            1,
            "%s: `%s` compares addresses, and %s stands at another one on this rank; compare "
            "subscripts in their place, or run it on one rank (threads work) [ORR2286]",
            state->where, loop->compared, loop->arrays[a].name);
}

/* What lies in front of an array that is folded into has copies on one rank only. Where the loop
 * may not run serially it runs, and ends the program when something of that was changed. */
static void fronts_look(const struct orrery_state *state) {
    const struct orrery_loop *loop = state->loop;
    for (int j = 0; j < loop->nreductions && loop->allow_fallback; ++j)
        if (state->front[j] > 0)
            dsm_refuse(1,
                       "%s: %s points behind the start of its memory, and on several ranks its "
                       "copies have nothing of what lies in front",
                       state->where, loop->reductions[j].name);
}

/* Rank 0, before the others hear of the region. */
static void addresses_look(const struct orrery_sharing *sharing) {
    const struct orrery_state *state = sharing->state;
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_layout_dim *dim = orrery_share_dim(sharing, a);
        const char *base = state->shapes[a].base;
        bool banded = sharing->bands && base && orrery_bands_have(state->loop, a);
        bool moved = dim      ? dim->mode == DSM_VIEW
                     : banded ? !dsm_is_shared(base)
                              : sharing->replicas[a].substituted;
        if (moved && orrery_shape_exists(&state->shapes[a]))
            addresses_check(state, a);
    }
}

/* The environments as bodies on this rank get them: views and copies instead of homes. */
static void envs_patch(struct orrery_sharing *sharing, long passes) {
    const struct orrery_loop *loop = sharing->state->loop;
    for (int a = 0; a < loop->narrays; ++a) {
        const struct orrery_layout_dim *dim = orrery_share_dim(sharing, a);
        char *base = NULL;
        if (sharing->arrays[a] && dim->mode == DSM_VIEW)
            base = orrery_layout_base(&sharing->state->shapes[a], dim, sharing->arrays[a]);
        else if (sharing->replicas[a].own)
            base = sharing->replicas[a].own;
        else if (sharing->bands)
            base = orrery_bands_base(sharing->bands, sharing->state, a);
        if (base)
            addresses_check(sharing->state, a);
        for (long pass = 0; base && pass < passes; ++pass)
            memcpy(sharing->envs + (size_t)pass * loop->env_size +
                       (size_t)loop->arrays[a].base_offset,
                   &base, sizeof base);
    }
}

static struct orrery_carrier *carrier_of(const struct orrery_sharing *sharing,
                                         const struct orrery_region *region) {
    const struct orrery_turns *turns = region->turns;
    struct orrery_slots slots = {region->slots, region->slots_bytes * (size_t)region->slots_rounds,
                                 region->slots_rounds > 1};
    if (!turns || turns->narrivals + turns->ndepartures == 0)
        return NULL;
    return orrery_carrier_new(turns, region->passes, sharing->state->loop->narrays, sharing->arrays,
                              sharing->cut, region->slots ? &slots : NULL, sharing->touched);
}

/* Constants of the program, and what every rank has a copy of, whole. */
static struct dsm_range whole_span(const struct orrery_sharing *sharing, int a) {
    const struct orrery_replica *replica = &sharing->replicas[a];
    const struct orrery_shape *shape = &sharing->state->shapes[a];
    if (replica->nranges == 0)
        return (struct dsm_range){shape->base, shape->base + orrery_shape_extent(shape)};
    size_t bytes = (size_t)(replica->ranges[0].high - replica->ranges[0].low);
    const char *low = replica->own ? replica->own : replica->ranges[0].low;
    return (struct dsm_range){low, low + bytes};
}

/* On the device of this rank. */
static void device_run(struct orrery_sharing *sharing, struct orrery_region *region) {
    const struct orrery_loop *loop = sharing->state->loop;
    struct orrery_device_array arrays[loop->narrays + 1];
    for (int a = 0; a < loop->narrays; ++a) {
        bool needed = loop->arrays[a].placement != ORRERY_ALIGNED &&
                      orrery_shape_exists(&sharing->state->shapes[a]);
        arrays[a] = (struct orrery_device_array){.parts = needed ? sharing->arrays[a] : NULL};
        arrays[a].stamp = sharing->replicas[a].stamp;
        arrays[a].fresh = region->merge || region->serve;
        if (needed && region->bands)
            arrays[a].span = orrery_bands_span(region->bands, sharing->state, a);
        arrays[a].banded = arrays[a].span.low != NULL;
        if (needed && !arrays[a].banded)
            arrays[a].span =
                arrays[a].parts ? dsm_array_span(arrays[a].parts) : whole_span(sharing, a);
    }
    orrery_device_run(region, sharing->state, region->envs, arrays);
}

static void blocks_run(struct orrery_sharing *sharing, struct orrery_region *region) {
    orrery_share_rest(sharing, region);
    orrery_region_run(region, sharing->state);
    orrery_share_wake(sharing, region);
}

static void rows_run(struct orrery_sharing *sharing, struct orrery_region *region,
                     const char *lasts) {
    struct orrery_state *state = sharing->state;
    envs_patch(sharing, region->passes);
    region->envs = sharing->envs;
    region->records = state->packed.records;
    orrery_share_lasts_start(region, lasts);
    region->exchange = orrery_share_is_by_level(&region->blocks) ? sharing->exchange : NULL;
    if (region->exchange)
        orrery_exchange_place(region->exchange, state->loop, region->envs, sharing->extents);
    region->carrier = carrier_of(sharing, region);
    if (state->loop->kernel)
        device_run(sharing, region);
    else
        blocks_run(sharing, region);
    orrery_carrier_free(region->carrier);
}

/* This rank's rows, and in which turns they are. */
static void region_start(struct orrery_sharing *sharing, struct orrery_region *region) {
    region->blocks = sharing->blocks;
    region->last_row = sharing->last_row;
    region->row_low = orrery_first_row_of(dsm_rank(), region->blocks.rows);
    region->row_high = orrery_first_row_of(dsm_rank() + 1, region->blocks.rows);
    if (region->blocks.strategy == ORRERY_WAVEFRONT) {
        region->row_low = 0;
        region->row_high = region->blocks.rows;
    }
    orrery_region_prepare(region, sharing->state, sharing->count);
    region->kept = sharing->keeps ? orrery_kept_new(region) : NULL;
}

/* New memory behind an array: lists may have been made of what it held. */
static void replica_send(struct orrery_sharing *sharing, int a) {
    struct orrery_replica *replica = &sharing->replicas[a];
    orrery_replica_send(replica);
    for (int i = 0; sharing->state->serve && i < replica->nranges; ++i) {
        struct dsm_range range = replica->ranges[i];
        size_t bytes = (size_t)(range.high - range.low);
        if (replica->own)
            range = (struct dsm_range){replica->own, replica->own + bytes};
        orrery_serve_doubt(sharing->state->serve, range);
    }
}

/* Lists are made of what the loop does not write. */
static void array_distribute(struct orrery_sharing *sharing, int a) {
    static const struct dsm_range all = {NULL, (const char *)UINTPTR_MAX};
    struct dsm_counters before, after;
    dsm_counters_get(&before);
    dsm_array_distribute(sharing->arrays[a]);
    dsm_counters_get(&after);
    if (sharing->state->serve && !sharing->state->loop->arrays[a].written &&
        before.distributes != after.distributes)
        orrery_serve_doubt(sharing->state->serve, all);
}

/* Collective: what the bodies left behind on other ranks is rank 0's. */
static void marks_gather(void) {
    struct orrery_marks marks = orrery_context_marks();
    if (dsm_rank() > 0)
        dsm_send(0, ORRERY_TAG_MARKS, &marks, sizeof marks);
    for (int rank = 1; dsm_rank() == 0 && rank < dsm_ranks(); ++rank) {
        dsm_receive(rank, ORRERY_TAG_MARKS, &marks, sizeof marks);
        orrery_context_add(marks);
    }
}

/* NULL: rank 0 has looked at all iterations. */
static struct orrery_inspection *part_of(struct orrery_sharing *sharing,
                                         const struct orrery_share_head *head) {
    struct orrery_inspection *part = dsm_rank() ? sharing->part : sharing->state->inspection;
    if (!head->far)
        return NULL;
    if (!part)
        command_refuse("rank 0's command is about iterations that this rank has not looked at");
    memcpy(part->relabel, head->relabel, sizeof part->relabel);
    return part;
}

/* Collective; `envs` on rank 0: the user's environments. */
static void region_all(struct orrery_sharing *sharing, const struct orrery_share_head *head,
                       const char *envs, const char *lasts, struct orrery_region *region) {
    struct orrery_state *state = sharing->state;
    if (head->lay || head->records)
        orrery_device_forget(state);
    sharing->count = head->count;
    sharing->keeps = head->keeps;
    region->passes = head->passes;
    region->cuts = head->cuts ? sharing->cuts : NULL;
    sharing->last_row = head->last_row;
    sharing->blocks = head->blocks;
    region_start(sharing, region);
    if (head->blocks.strategy == ORRERY_WAVEFRONT) {
        region->wave = head->wave;
        if (head->lay)
            sharing->bands = orrery_bands_deal(sharing->bands);
        region->bands = sharing->bands;
    }
    if (head->lay) {
        if (!orrery_share_is_whole(&head->blocks))
            orrery_layout_share(sharing->dims);
        for (int a = 0; a < state->loop->narrays && !orrery_share_is_whole(&head->blocks); ++a)
            if (orrery_layout_claimed(state->loop, a) >= 0)
                orrery_layout_dim_share(&sharing->claimed[a]);
        orrery_share_arrays_new(sharing, region);
    }
    struct orrery_inspection *part = part_of(sharing, head);
    if (head->records && part)
        orrery_share_records_trade(sharing, part, dsm_rank() ? sharing->envs : envs);
    else if (head->records && dsm_rank() == 0)
        orrery_share_records_send(state, envs);
    else if (head->records)
        orrery_share_records_receive(sharing);
    if (head->records || head->lay)
        orrery_share_rows_list(sharing, part, dsm_rank() ? sharing->envs : envs);
    if (head->records && orrery_share_is_by_level(&head->blocks)) {
        orrery_exchange_free(sharing->exchange);
        sharing->exchange = orrery_exchange_new(state, envs);
    }
    if (state->loop->by_key)
        region->starts = dsm_rank() ? sharing->starts : state->inspection->starts;
    for (int a = 0; a < state->loop->narrays; ++a)
        if (sharing->replicas[a].wanted)
            replica_send(sharing, a);
    for (int a = 0; a < state->loop->narrays; ++a)
        if (sharing->arrays[a])
            array_distribute(sharing, a);
    if (region->bands)
        orrery_bands_bring(region->bands);
    if (region->serve)
        orrery_serve_distribute(region->serve);
    rows_run(sharing, region, lasts);
    if (region->bands)
        orrery_bands_return(region->bands);
    if (region->blocks.strategy == ORRERY_PIPELINE)
        orrery_share_homes_bring(sharing, region);
    if (dsm_rank() == 0)
        orrery_share_copies_receive(region,
                                    envs + (size_t)(head->passes - 1) * state->loop->env_size);
    else
        orrery_share_copies_send(region);
    for (int a = 0; a < state->loop->narrays; ++a)
        if (sharing->arrays[a])
            dsm_array_settle(sharing->arrays[a]);
    if (region->serve)
        orrery_serve_settle(region->serve);
    marks_gather();
    orrery_kept_gather(region);
}

/* ---- rank 0 ---- */

static void places_check(const struct orrery_state *state, const void *env) {
    const struct orrery_loop *loop = state->loop;
    if (!dsm_is_shared(loop))
        dsm_refuse(
            1,
            "%s: the program is position independent, so its ranks do not agree on addresses; "
            "link it with orrery-cc and without -pie",
            state->where);
    if (state->inspection && state->inspection->levels) {
        orrery_exchange_check(state, env);
        return;
    }
    for (int a = 0; a < loop->narrays; ++a)
        if (loop->arrays[a].placement == ORRERY_UNPLACED && loop->strategy == ORRERY_WAVEFRONT)
            dsm_refuse(
                1,
                "%s: a wavefront cannot be divided among ranks when it is not known before it "
                "runs which parts of %s (%s) it touches; run it on one rank (threads work) "
                "[ORR2475]",
                state->where, loop->arrays[a].name, loop->arrays[a].where);
        else if (loop->arrays[a].placement == ORRERY_UNPLACED)
            dsm_refuse(
                1,
                "%s: it is not known which rows of %s (%s) an iteration uses, so it cannot be "
                "divided among ranks; run it on one rank (threads work)",
                state->where, loop->arrays[a].name, loop->arrays[a].where);
}

/* The loop variable's first value, which the layout of a loop without keys depends on. */
static long first_of(const struct orrery_loop *loop, const void *env) {
    long first = 0;
    if (!loop->by_key && loop->step)
        memcpy(&first, (const char *)env + loop->lower_offset, sizeof first);
    return first;
}

static bool layout_holds(const struct orrery_sharing *sharing, const struct orrery_region *region,
                         const void *env) {
    const struct orrery_state *state = sharing->state;
    long first = first_of(state->loop, env);
    return sharing->laid && !sharing->stale && sharing->count == region->count &&
           orrery_blocks_same(&sharing->blocks, &region->blocks) && sharing->first == first &&
           sharing->version == state->weights.version &&
           (region->blocks.strategy != ORRERY_WAVEFRONT ||
            orrery_bands_hold(sharing->bands, state, region, env)) &&
           memcmp(sharing->shapes, state->shapes, (size_t)state->nshapes * sizeof *state->shapes) ==
               0;
}

static void lay(struct orrery_sharing *sharing, const void *env,
                const struct orrery_region *region) {
    forget(sharing, false);
    sharing->blocks = region->blocks;
    sharing->first = first_of(sharing->state->loop, env);
    sharing->version = sharing->state->weights.version;
    if (orrery_share_is_whole(&region->blocks))
        return;
    orrery_layout_dims(sharing->state, env, region, sharing->dims);
    orrery_layout_modes(sharing->state, sharing->dims);
    for (int a = 0; a < sharing->state->loop->narrays; ++a)
        if (orrery_layout_claimed(sharing->state->loop, a) >= 0 &&
            orrery_shape_exists(&sharing->state->shapes[a]))
            orrery_layout_claims(sharing->state, a, env, region, &sharing->claimed[a]);
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

/* Rank 0: can the others still read what they have inspected? Else all of it comes here. */
static bool far_look(struct orrery_state *state, const void *env) {
    if (!state->inspection || !state->inspection->far)
        return false;
    if (!orrery_far_holds(state->inspection->far))
        orrery_inspection_home(state->inspection, state->loop, env);
    return state->inspection->far != NULL;
}

void orrery_sharing_run(struct orrery_state *state, const char *envs, long passes, long count,
                        struct orrery_region *region) {
    struct orrery_sharing *sharing = orrery_sharing_of(state);
    region->count = count;
    dsm_placed_tidy(true);
    places_check(state, envs);
    sharing->stale |= state->moved;
    state->moved = false;
    struct orrery_share_head head = {.loop = state->loop,
                                     .slot = state->slot,
                                     .passes = passes,
                                     .count = count,
                                     .last_row = region->last_row,
                                     .blocks = region->blocks,
                                     .cuts = region->cuts != NULL,
                                     .serves = state->serves,
                                     .keeps = orrery_env()->verify != NULL};
    head.wave = region->wave;
    fegetenv(&head.floats);
    head.lay = !layout_holds(sharing, region, envs);
    if (head.lay)
        lay(sharing, envs, region);
    if (head.lay && region->blocks.strategy == ORRERY_WAVEFRONT)
        sharing->bands = orrery_bands_make(state, envs, region);
    if (orrery_share_is_by_level(&region->blocks))
        extents_set(sharing, envs);
    else if (state->inspection && relabel_set(sharing, state->inspection))
        sharing->held = false;
    head.records = state->loop->by_key && !sharing->held;
    orrery_share_homes_look(sharing);
    head.far = (head.records || head.lay) && far_look(state, envs);
    if (head.far)
        memcpy(head.relabel, state->inspection->relabel, sizeof head.relabel);
    state->stats->trades += head.far && head.records;
    addresses_look(sharing);
    fronts_look(state);
    struct orrery_share_message message = {0};
    orrery_share_message_put(&message, &head, sharing, envs);
    dsm_attempt_commit();
    dsm_command(ORRERY_COMMAND_REGION, message.data, message.size);
    const char *lasts;
    orrery_share_message_get(message.data + sizeof head, message.size - sizeof head, &head, sharing,
                             &lasts);
    region_all(sharing, &head, envs, lasts, region);
    sharing->held = true;
    dsm_own_free(message.data);
    orrery_share_release(sharing);
    if (region->serve)
        orrery_share_serve_release(sharing, region->serve);
    dsm_placed_tidy(false);
}

/* ---- the other ranks ---- */

/* The head of a command, whole, and of a loop that this program has. */
static void head_take(void *head, size_t size, const void *payload, size_t bytes) {
    const struct orrery_loop *loop;
    if (bytes < size)
        command_refuse("rank 0's command ends before its head does");
    memcpy(head, payload, size);
    memcpy(&loop, head, sizeof loop);
    if (!loop || !dsm_is_shared(loop))
        command_refuse("rank 0's command is about a loop that this program does not have");
}

static void serve_region(const char *payload, size_t bytes) {
    struct orrery_share_head head;
    head_take(&head, sizeof head, payload, bytes);
    if (head.passes < 1 || head.count < 0 || head.slot < 0 || head.slot >= ORRERY_STATES)
        command_refuse("rank 0's command runs a loop in a way that there is not");
    struct orrery_state *state = orrery_state_at(head.loop, head.slot);
    struct orrery_sharing *sharing = orrery_sharing_of(state);
    struct orrery_region region = {.count = head.count};
    const char *lasts;
    state->serves = head.serves;
    orrery_context_adopt(&head.floats);
    orrery_share_message_get(payload + sizeof head, bytes - sizeof head, &head, sharing, &lasts);
    region_all(sharing, &head, NULL, lasts, &region);
    orrery_kept_free(&region);
    orrery_needs_enforce(state->where);
    state->stats->passes += (uint64_t)head.passes;
}

static void serve_forget(const void *payload, size_t bytes) {
    struct forget_head head;
    head_take(&head, sizeof head, payload, bytes);
    struct orrery_state *state = orrery_state_at(head.loop, head.slot);
    if (!state->sharing)
        command_refuse("rank 0's command ends what this rank has not begun");
    orrery_share_arrays_free(state->sharing);
    orrery_bands_free(state->sharing->bands);
    state->sharing->bands = NULL;
    if (head.records) {
        orrery_packed_free(&state->packed);
        orrery_inspection_free(state->sharing->part);
        state->sharing->part = NULL;
    }
}

void orrery_command_serve(void *data, int command, const void *payload, size_t bytes) {
    (void)data;
    switch (command) {
    case ORRERY_COMMAND_REGION:
        serve_region(payload, bytes);
        break;
    case ORRERY_COMMAND_FORGET:
        serve_forget(payload, bytes);
        break;
    case ORRERY_COMMAND_END:
        orrery_trace_write();
        orrery_device_count_report();
        orrery_stats_collect();
        break;
    case ORRERY_COMMAND_LOAD:
        orrery_load_serve(payload, bytes);
        break;
    case ORRERY_COMMAND_INSPECT:
        orrery_far_serve(payload, bytes);
        break;
    default:
        command_refuse("rank 0 sent a command that there is not");
    }
}

static const struct orrery_bands *bands_of(const struct orrery_bands_question *question) {
    struct orrery_state *state = orrery_states();
    while (state && (state->loop != question->loop || state->slot != question->slot))
        state = state->next;
    return state && state->sharing ? state->sharing->bands : NULL;
}

void orrery_command_answer(const void *data, size_t bytes) {
    struct orrery_bands_question question;
    if (bytes != sizeof question)
        command_refuse("rank 0 asks for bytes in a way that there is not");
    memcpy(&question, data, sizeof question);
    const struct orrery_bands *bands = bands_of(&question);
    if (!bands || !bands->device.out || question.piece < 0 || question.piece >= bands->places.count)
        command_refuse("rank 0 asks for bytes of a loop that this rank has not run");
    orrery_bands_answer(bands, &question);
}
