/* Regions over several ranks: what rank 0 tells the others, and what all of them then do. */
#include "runtime/share/sharing.h"
#include "runtime/share/private.h"

#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/device/device.h"
#include "runtime/execute/needs.h"
#include "runtime/execute/panels_pending.h"
#include "runtime/inspect/remote.h"
#include "runtime/report/verify_passes.h"
#include "runtime/share/balance.h"
#include "runtime/share/collect.h"

#include "dsm/dsm.h"

#include <string.h>

struct forget_head {
    struct orrery_loop *loop;
    int slot;
    int records;
};

/* Rank 0. */
static void forget(struct orrery_sharing *sharing, bool records) {
    if (!sharing || (!sharing->laid && !(records && sharing->held)))
        return;
    for (int a = 0; a < sharing->state->loop->narrays; ++a)
        if (sharing->arrays[a])
            dsm_array_collect(sharing->arrays[a]);
    if (sharing->panels)
        orrery_panels_defer_end(sharing->panels, NULL);
    struct forget_head head = {sharing->state->loop, sharing->state->slot, records};
    dsm_command(ORRERY_COMMAND_FORGET, &head, sizeof head);
    orrery_share_arrays_free(sharing);
    orrery_panels_free(sharing->panels);
    sharing->panels = NULL;
    if (records)
        sharing->held = false;
}

void orrery_sharing_forget(struct orrery_state *state) {
    forget(state->sharing, true);
}

void orrery_sharing_scatter(struct orrery_state *state) {
    forget(state->sharing, false);
    if (state->sharing)
        state->sharing->held = false;
}

void orrery_sharing_doubt(struct orrery_state *state) {
    if (state->sharing) {
        state->sharing->stale = true;
        state->sharing->held = false;
        for (int a = 0; a < state->loop->narrays; ++a)
            orrery_replica_stale(&state->sharing->replicas[a]);
    }
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

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
        bool paneled = sharing->panels && base && orrery_panels_have(state->loop, a);
        bool moved = dim       ? dim->mode == DSM_VIEW
                     : paneled ? !dsm_is_shared(base)
                               : sharing->replicas[a].substituted;
        if (moved && orrery_shape_exists(&state->shapes[a]))
            orrery_share_addresses_check(state, a);
    }
}

static void places_check(const struct orrery_state *state, const void *env) {
    const struct orrery_loop *loop = state->loop;
    if (!dsm_is_shared(loop))
        dsm_refuse(
            1,
            "%s: the program is position independent, so its ranks do not agree on addresses; "
            "link it with orrery-cc and without -pie",
            state->where);
    if (loop->unplaced)
        dsm_refuse(1,
                   "%s: %s is reached by pointers that the loop reads, and it is not known which "
                   "memory that is, so other ranks have no copy of it; keep the nodes in an array, "
                   "with subscripts in place of pointers, or run it on one rank (threads work)",
                   state->where, loop->unplaced);
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
            orrery_panels_hold(sharing->panels, state, region, env)) &&
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
            orrery_layout_intervals(sharing->state, a, env, region, &sharing->claimed[a]);
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
static bool remote_look(struct orrery_state *state, const void *env) {
    if (!state->inspection || !state->inspection->remote)
        return false;
    if (!orrery_remote_holds(state->inspection->remote))
        orrery_inspection_home(state->inspection, state->loop, env);
    return state->inspection->remote != NULL;
}

void orrery_sharing_run(struct orrery_state *state, const char *envs, long passes, long count,
                        struct orrery_region *region) {
    struct orrery_sharing *sharing = orrery_sharing_of(state);
    orrery_balance_look();
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
        sharing->panels = orrery_panels_make(state, envs, region);
    if (orrery_share_is_by_level(&region->blocks))
        orrery_exchange_extents(state, envs, sharing->extents);
    else if (state->inspection && relabel_set(sharing, state->inspection))
        sharing->held = false;
    head.records = state->loop->by_key && !sharing->held;
    orrery_share_homes_look(sharing);
    head.remote = (head.records || head.lay) && remote_look(state, envs);
    if (head.remote)
        memcpy(head.relabel, state->inspection->relabel, sizeof head.relabel);
    state->stats->trades += head.remote && head.records;
    addresses_look(sharing);
    fronts_look(state);
    struct orrery_share_message message = {0};
    orrery_share_message_put(&message, &head, sharing, envs);
    dsm_attempt_commit();
    dsm_command(ORRERY_COMMAND_REGION, message.data, message.size);
    const char *lasts;
    orrery_share_message_get(message.data + sizeof head, message.size - sizeof head, &head, sharing,
                             &lasts);
    orrery_share_region(sharing, &head, envs, lasts, region);
    sharing->held = true;
    dsm_own_free(message.data);
    orrery_share_release(sharing);
    if (region->serve)
        orrery_share_serve_release(sharing, region->serve);
    dsm_placed_tidy(false);
}

/* ---- the other ranks ------------------------------------------------------------------------- */

/* The head of a command, whole, and of a loop that this program has. */
static void head_take(void *head, size_t size, const void *payload, size_t bytes) {
    const struct orrery_loop *loop;
    if (bytes < size)
        orrery_share_refuse("rank 0's command ends before its head does");
    memcpy(head, payload, size);
    memcpy(&loop, head, sizeof loop);
    if (!loop || !dsm_is_shared(loop))
        orrery_share_refuse("rank 0's command is about a loop that this program does not have");
}

void orrery_share_serve_region(const void *payload, size_t bytes) {
    struct orrery_share_head head;
    head_take(&head, sizeof head, payload, bytes);
    if (head.passes < 1 || head.count < 0 || head.slot < 0 || head.slot >= ORRERY_STATES)
        orrery_share_refuse("rank 0's command runs a loop in a way that there is not");
    struct orrery_state *state = orrery_state_at(head.loop, head.slot);
    struct orrery_sharing *sharing = orrery_sharing_of(state);
    struct orrery_region region = {.count = head.count};
    const char *lasts;
    state->serves = head.serves;
    orrery_context_adopt(&head.floats);
    orrery_share_message_get((const char *)payload + sizeof head, bytes - sizeof head, &head,
                             sharing, &lasts);
    orrery_share_region(sharing, &head, NULL, lasts, &region);
    orrery_kept_free(&region);
    orrery_needs_enforce(state->where);
    state->stats->passes += (uint64_t)head.passes;
}

void orrery_share_serve_forget(const void *payload, size_t bytes) {
    struct forget_head head;
    head_take(&head, sizeof head, payload, bytes);
    struct orrery_state *state = orrery_state_at(head.loop, head.slot);
    if (!state->sharing)
        orrery_share_refuse("rank 0's command ends what this rank has not begun");
    orrery_share_arrays_free(state->sharing);
    orrery_panels_free(state->sharing->panels);
    state->sharing->panels = NULL;
    if (head.records) {
        orrery_packed_free(&state->packed);
        orrery_inspection_free(state->sharing->part);
        state->sharing->part = NULL;
    }
}

static const struct orrery_panels *panels_of(const struct orrery_panels_question *question) {
    struct orrery_state *state = orrery_states();
    while (state && (state->loop != question->loop || state->slot != question->slot))
        state = state->next;
    return state && state->sharing ? state->sharing->panels : NULL;
}

void orrery_command_answer(const void *data, size_t bytes) {
    struct orrery_panels_question question;
    if (bytes != sizeof question)
        orrery_share_refuse("rank 0 asks for bytes in a way that there is not");
    memcpy(&question, data, sizeof question);
    const struct orrery_panels *panels = panels_of(&question);
    if (!panels || !panels->device.out || question.piece < 0 ||
        question.piece >= panels->places.count)
        orrery_share_refuse("rank 0 asks for bytes of a loop that this rank has not run");
    orrery_panels_answer(panels, &question);
}
