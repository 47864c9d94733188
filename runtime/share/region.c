/* A region on every rank: the steps that all of them do together (docs/runtime.md). */
#include "runtime/share/private.h"

#include "runtime/device/device.h"
#include "runtime/execute/carrier.h"
#include "runtime/execute/commands.h"
#include "runtime/inspect/far.h"
#include "runtime/report/verify_passes.h"
#include "runtime/serve/serve.h"

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
        else if (sharing->bands)
            base = orrery_bands_base(sharing->bands, sharing->state, a);
        if (base)
            orrery_share_addresses_check(sharing->state, a);
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
        orrery_share_refuse(
            "rank 0's command is about iterations that this rank has not looked at");
    memcpy(part->relabel, head->relabel, sizeof part->relabel);
    return part;
}

void orrery_share_region(struct orrery_sharing *sharing, const struct orrery_share_head *head,
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
