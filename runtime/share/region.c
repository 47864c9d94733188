/* A region on every rank: the steps that all of them do together (docs/runtime.md). */
#include "runtime/share/private.h"

#include "runtime/base/clock.h"
#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/base/output.h"
#include "runtime/device/device.h"
#include "runtime/execute/spills.h"
#include "runtime/execute/transfer.h"
#include "runtime/merge/serve.h"
#include "runtime/report/verify_passes.h"
#include "runtime/share/balance.h"
#include "runtime/share/collect.h"

#include "dsm/dsm.h"

#include <string.h>

void orrery_share_addresses_check(const struct orrery_state *state, int a) {
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
        else if (sharing->panels)
            base = orrery_panels_base(sharing->panels, sharing->state, a);
        if (base)
            orrery_share_addresses_check(sharing->state, a);
        for (long pass = 0; base && pass < passes; ++pass)
            memcpy(sharing->envs + (size_t)pass * loop->env_size +
                       (size_t)loop->arrays[a].base_offset,
                   &base, sizeof base);
    }
}

static struct orrery_transfer *transfer_of(const struct orrery_sharing *sharing,
                                           const struct orrery_region *region) {
    const struct orrery_turns *turns = region->turns;
    struct orrery_slots slots = {region->slots, region->slots_bytes * (size_t)region->slots_rounds,
                                 region->slots_rounds > 1};
    if (!turns || turns->narrivals + turns->ndepartures == 0)
        return NULL;
    return orrery_transfer_new(turns, orrery_laps(region), sharing->state->loop->narrays,
                               sharing->arrays, sharing->cut, region->slots ? &slots : NULL,
                               sharing->touched);
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
        if (needed && region->panels)
            arrays[a].span = orrery_panels_span(region->panels, sharing->state, a);
        arrays[a].paneled = arrays[a].span.low != NULL;
        if (needed && !arrays[a].paneled)
            arrays[a].span =
                arrays[a].parts ? dsm_array_span(arrays[a].parts) : whole_span(sharing, a);
    }
    orrery_device_run(region, sharing->state, region->envs, arrays);
}

static void blocks_run(struct orrery_sharing *sharing, struct orrery_region *region) {
    struct orrery_spills spills;
    region->spills =
        orrery_spills_share(region, sharing->state, sharing->arrays, &spills) ? &spills : NULL;
    orrery_share_rest(sharing, region);
    orrery_region_run(region, sharing->state);
    region->spills = NULL;
    orrery_share_wake(sharing, region);
}

/* ---- the steps ------------------------------------------------------------------------------- */

/*
 * One region on one rank. What the command says is equal on all ranks: `head`, and in `sharing` the
 * environments, the shapes, and which replicas are wanted.
 */
struct run {
    const struct orrery_share_head *head;
    struct orrery_sharing *sharing;
    struct orrery_region *region;   /* zero at first, but for what rank 0 has chosen */
    const char *envs;               /* the program's on rank 0, the command's on the others */
    const char *lasts;              /* starts of copies, in the command */
    struct orrery_inspection *part; /* of this rank's iterations; NULL: rank 0 looked at all */
    double began, prepared; /* when; seconds until blocks ran, where arrays or records are new */
};

static bool lays(const struct run *run) {
    return run->head->lay;
}

static bool has_records(const struct run *run) {
    return run->head->records;
}

static bool lays_or_has_records(const struct run *run) {
    return run->head->lay || run->head->records;
}

static bool is_wave(const struct run *run) {
    return run->head->blocks.strategy == ORRERY_WAVEFRONT;
}

static bool is_pipeline(const struct run *run) {
    return run->head->blocks.strategy == ORRERY_PIPELINE;
}

static bool serves(const struct run *run) {
    return run->region->serve != NULL;
}

static void device_forget(struct run *run) {
    orrery_device_forget(run->sharing->state);
}

/* Lists and checks may read other members of a structure whose sums go to copies: only rank 0 has
 * it in its place, the others what came with the command. */
static void structures_find(struct run *run) {
    const struct orrery_region *region = run->region;
    const struct orrery_loop *loop = run->sharing->state->loop;
    for (int j = 0; dsm_rank() > 0 && j < loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &loop->reductions[j];
        const char *start = region->copies->starts[j];
        if (!start || reduction->op != ORRERY_FIELDS || reduction->array < 0)
            continue;
        for (long pass = 0; pass < region->passes; ++pass)
            memcpy(run->sharing->envs + (size_t)pass * loop->env_size +
                       (size_t)reduction->target_offset,
                   &start, sizeof start);
    }
}

/* This rank's rows, and in which turns they are. */
static void rows_prepare(struct run *run) {
    const struct orrery_share_head *head = run->head;
    struct orrery_sharing *sharing = run->sharing;
    struct orrery_region *region = run->region;
    sharing->count = head->count;
    sharing->keeps = head->keeps;
    sharing->last_row = head->last_row;
    sharing->blocks = head->blocks;
    region->passes = head->passes;
    region->cuts = head->cuts ? sharing->cuts : NULL;
    region->blocks = head->blocks;
    region->last_row = head->last_row;
    region->row_low = is_wave(run) ? 0 : orrery_first_row_of(dsm_rank(), head->blocks.rows);
    region->row_high =
        is_wave(run) ? head->blocks.rows : orrery_first_row_of(dsm_rank() + 1, head->blocks.rows);
    orrery_region_prepare(region, sharing->state, sharing->count);
    region->kept = head->keeps ? orrery_kept_new(region) : NULL;
    orrery_share_lasts_start(region, run->lasts);
    structures_find(run);
}

static void panels_assign(struct run *run) {
    run->region->wave = run->head->wave;
    if (run->head->lay)
        run->sharing->panels = orrery_panels_assign(run->sharing->panels);
    run->region->panels = run->sharing->panels;
}

static void arrays_lay(struct run *run) {
    struct orrery_sharing *sharing = run->sharing;
    const struct orrery_loop *loop = sharing->state->loop;
    bool whole = orrery_share_is_whole(&run->head->blocks);
    if (!whole)
        orrery_layout_share(sharing->dims);
    for (int a = 0; a < loop->narrays && !whole; ++a)
        if (orrery_layout_claimed(loop, a) >= 0)
            orrery_layout_dim_share(&sharing->claimed[a]);
    orrery_share_arrays_new(sharing, run->region);
}

static void part_look(struct run *run) {
    const struct orrery_share_head *head = run->head;
    struct orrery_inspection *part =
        dsm_rank() ? run->sharing->part : run->sharing->state->inspection;
    if (!head->remote)
        return;
    if (!part)
        orrery_share_refuse(
            "rank 0's command is about iterations that this rank has not looked at");
    memcpy(part->relabel, head->relabel, sizeof part->relabel);
    run->part = part;
}

static void records_move(struct run *run) {
    if (run->part)
        orrery_share_records_trade(run->sharing, run->part, run->envs);
    else if (dsm_rank() == 0)
        orrery_share_records_send(run->sharing->state, run->envs);
    else
        orrery_share_records_receive(run->sharing);
}

static void rows_list(struct run *run) {
    orrery_share_rows_list(run->sharing, run->part, run->envs);
}

static void levels_list(struct run *run) {
    struct orrery_sharing *sharing = run->sharing;
    if (!orrery_share_is_by_level(&run->head->blocks))
        return;
    orrery_exchange_free(sharing->exchange);
    sharing->exchange = orrery_exchange_new(sharing->state, dsm_rank() ? NULL : run->envs);
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

static void replicas_send(struct run *run) {
    for (int a = 0; a < run->sharing->state->loop->narrays; ++a)
        if (run->sharing->replicas[a].wanted)
            replica_send(run->sharing, a);
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

static void arrays_distribute(struct run *run) {
    for (int a = 0; a < run->sharing->state->loop->narrays; ++a)
        if (run->sharing->arrays[a])
            array_distribute(run->sharing, a);
}

static void panels_bring(struct run *run) {
    orrery_panels_bring(run->region->panels);
}

static void served_distribute(struct run *run) {
    orrery_serve_distribute(run->region->serve);
}

static void rows_run(struct run *run) {
    struct orrery_sharing *sharing = run->sharing;
    struct orrery_region *region = run->region;
    struct orrery_state *state = sharing->state;
    if (state->loop->by_key)
        region->starts = dsm_rank() ? sharing->starts : state->inspection->starts;
    envs_patch(sharing, region->passes);
    region->envs = sharing->envs;
    region->records = state->packed.records;
    region->exchange = orrery_share_is_by_level(&region->blocks) ? sharing->exchange : NULL;
    if (region->exchange)
        orrery_exchange_place(region->exchange, state->loop, region->envs, sharing->extents,
                              sharing->replicas);
    region->transfer = transfer_of(sharing, region);
    run->prepared = lays_or_has_records(run) ? orrery_clock() - run->began : 0;
    if (state->loop->kernel)
        device_run(sharing, region);
    else
        blocks_run(sharing, region);
    orrery_transfer_free(region->transfer);
}

static void panels_return(struct run *run) {
    orrery_panels_return(run->region->panels);
}

static void stages_bring(struct run *run) {
    orrery_share_homes_bring(run->sharing, run->region);
}

static void copies_fold(struct run *run) {
    size_t last = (size_t)(run->head->passes - 1) * run->head->loop->env_size;
    if (dsm_rank() == 0)
        orrery_share_copies_receive(run->region, run->envs + last);
    else
        orrery_share_copies_send(run->region);
}

static void arrays_settle(struct run *run) {
    for (int a = 0; a < run->sharing->state->loop->narrays; ++a)
        if (run->sharing->arrays[a])
            dsm_array_settle(run->sharing->arrays[a]);
}

static void served_settle(struct run *run) {
    orrery_serve_settle(run->region->serve);
}

/* What the bodies left behind on other ranks is rank 0's, and how long they took. */
static void marks_gather(struct run *run) {
    struct left {
        struct orrery_marks marks;
        struct orrery_busy busy;
    } left = {orrery_context_marks(), orrery_balance_busy(run->region)};
    if (dsm_rank() > 0) {
        dsm_send(0, ORRERY_TAG_MARKS, &left, sizeof left);
        return;
    }
    struct orrery_busy *busy = dsm_own_alloc((size_t)dsm_ranks() * sizeof *busy);
    busy[0] = left.busy;
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        dsm_receive(rank, ORRERY_TAG_MARKS, &left, sizeof left);
        orrery_context_add(left.marks);
        busy[rank] = left.busy;
    }
    orrery_balance_note(run->region, busy, run->prepared);
    dsm_own_free(busy);
}

/* So is what they have printed. */
static void output_gather(struct run *run) {
    size_t bytes = 0;
    char *pieces = NULL;
    (void)run;
    if (dsm_rank() > 0) {
        pieces = orrery_output_take(&bytes);
        dsm_send(0, ORRERY_TAG_MARKS, &bytes, sizeof bytes);
        if (bytes > 0)
            dsm_send(0, ORRERY_TAG_MARKS, pieces, bytes);
    }
    for (int rank = 1; dsm_rank() == 0 && rank < dsm_ranks(); ++rank) {
        dsm_receive(rank, ORRERY_TAG_MARKS, &bytes, sizeof bytes);
        pieces = dsm_own_realloc(pieces, bytes + 1);
        if (bytes > 0)
            dsm_receive(rank, ORRERY_TAG_MARKS, pieces, bytes);
        orrery_output_add(pieces, bytes);
    }
    dsm_own_free(pieces);
}

static void passes_gather(struct run *run) {
    orrery_kept_gather(run->region);
}

/*
 * The protocol, in order. A collective step may take messages from all ranks: its `when` asks the
 * command, the loop, and what both have made, which are equal on all ranks.
 */
struct step {
    const char *name;
    bool collective;
    bool (*when)(const struct run *run); /* NULL: always */
    void (*do_it)(struct run *run);
};

static const struct step steps[] = {
    {"device copies end", false, lays_or_has_records, device_forget},
    {"rows are prepared", false, NULL, rows_prepare},
    {"panels are assigned", true, is_wave, panels_assign},
    {"arrays are laid out", true, lays, arrays_lay},
    {"this rank's iterations", false, NULL, part_look},
    {"records move", true, has_records, records_move},
    {"rows that are touched", true, lays_or_has_records, rows_list},
    {"what levels change", true, has_records, levels_list},
    {"replicas are sent", true, NULL, replicas_send},
    {"arrays are distributed", true, NULL, arrays_distribute},
    {"panels get what they need", true, is_wave, panels_bring},
    {"served arrays are distributed", true, serves, served_distribute},
    {"blocks run", true, NULL, rows_run},
    {"panels return", true, is_wave, panels_return},
    {"stages bring their homes", true, is_pipeline, stages_bring},
    {"copies are folded", true, NULL, copies_fold},
    {"arrays are settled", true, NULL, arrays_settle},
    {"served arrays are settled", true, serves, served_settle},
    {"marks are gathered", true, NULL, marks_gather},
    {"output is gathered", true, NULL, output_gather},
    {"passes are gathered", true, NULL, passes_gather},
};

/* Under torture: all ranks are at the same step. */
static void step_check(int at) {
    int theirs = at;
    dsm_broadcast(&theirs, sizeof theirs);
    if (theirs != at)
        dsm_fail(1, "rank 0 is at the step \"%s\" of a region, this rank at \"%s\"",
                 steps[theirs].name, steps[at].name);
}

void orrery_share_region(struct orrery_sharing *sharing, const struct orrery_share_head *head,
                         const char *envs, const char *lasts, struct orrery_region *region) {
    struct run run = {.head = head,
                      .sharing = sharing,
                      .region = region,
                      .envs = dsm_rank() ? sharing->envs : envs,
                      .lasts = lasts,
                      .began = orrery_clock()};
    for (int at = 0; at < (int)(sizeof steps / sizeof *steps); ++at) {
        if (steps[at].when && !steps[at].when(&run))
            continue;
        if (steps[at].collective && orrery_env()->torture)
            step_check(at);
        steps[at].do_it(&run);
    }
}
