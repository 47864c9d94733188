/* This rank's part of a region, whoever leads it: what it needs is made, and it runs. */
#include "runtime/execute/pipe.h"
#include "runtime/region/state.h"

#include "runtime/base/env.h"
#include "runtime/base/heartbeat.h"
#include "runtime/base/memory.h"
#include "runtime/inspect/levels.h"
#include "runtime/layout/layout.h"
#include "runtime/merge/merge.h"
#include "runtime/report/trace.h"

#include "dsm/dsm.h"

/* Kept while blocks and rows stay as they are. */
static void turns_make(struct orrery_state *state, struct orrery_region *region) {
    if (region->needs && (!state->flags || state->turns)) {
        orrery_turns_free(state->turns);
        orrery_memory_free(state->flags);
        state->turns = NULL;
        state->flags = orrery_memory_aligned((size_t)orrery_workers_count() * sizeof *state->flags);
        state->turn = 0;
    }
    if (region->blocks.strategy == ORRERY_WAVEFRONT && state->nflags != region->blocks.rows) {
        orrery_memory_free(state->flags);
        state->nflags = region->blocks.rows;
        state->flags = orrery_memory_aligned((size_t)state->nflags * sizeof *state->flags);
        state->turn = 0;
    }
    region->flags = state->flags;
    region->turn = state->turn;
    if (region->blocks.batons == 0)
        return;
    if (!orrery_turns_fit(state->turns, &region->blocks, region->row_low, region->row_high) ||
        state->turns->epoch != orrery_owners_epoch()) {
        size_t bytes = (size_t)region->blocks.batons * sizeof *state->flags;
        orrery_turns_free(state->turns);
        state->turns = orrery_turns_make(&region->blocks, region->row_low, region->row_high,
                                         dsm_rank(), dsm_ranks() > 1 ? orrery_rank_of_row : NULL);
        state->turns->epoch = orrery_owners_epoch();
        orrery_memory_free(state->flags);
        state->flags = orrery_memory_aligned(bytes);
        state->turn = 0;
    }
    region->turns = state->turns;
    region->flags = state->flags;
    region->turn = state->turn;
}

long orrery_rows_of(const struct orrery_state *state, long count) {
    size_t bytes = orrery_merge_row_bytes(state);
    for (int j = 0; j < state->loop->nreductions; ++j)
        bytes += orrery_is_folded(&state->loop->reductions[j]) ? state->bytes[j] : 0;
    return orrery_grid_rows(state->loop, count, (long)bytes, orrery_merge_wants_few(state));
}

void orrery_region_prepare(struct orrery_region *region, struct orrery_state *state, long count) {
    region->loop = state->loop;
    region->where = state->where;
    region->count = count;
    region->records = state->packed.records;
    region->order = state->packed.order;
    region->needs =
        state->inspection && state->inspection->levels ? state->inspection->levels->needs : NULL;
    region->replay = orrery_env()->replay != ORRERY_REPLAY_OFF;
    region->stats = state->stats;
    orrery_copies_make(&state->copies, state->loop, region->row_low, region->row_high,
                       region->last_row, state->bytes, state->front, state->serves);
    region->copies = &state->copies;
    region->merge = orrery_merge_prepare(region, state);
    orrery_pipe_slots(region, state);
    turns_make(state, region);
}

void orrery_region_run(struct orrery_region *region, struct orrery_state *state) {
    uint32_t phase = orrery_heartbeat_phase(ORRERY_PHASE_PASS);
    orrery_heartbeat_loop(region->where);
    orrery_heartbeat_no_block();
    orrery_trace_prepare();
    orrery_clocks_run(region);
    orrery_heartbeat_phase(phase);
    bool in_order = region->needs || region->blocks.strategy == ORRERY_WAVEFRONT;
    state->turn += (unsigned)orrery_laps(region) * (region->turns ? region->turns->most
                                                    : in_order    ? (unsigned)region->blocks.columns
                                                                  : 0);
}

/* The row of the block that is the last one in the order of the clocks. */
long orrery_last_row(const struct orrery_state *state, const struct orrery_blocks *blocks) {
    for (long clock = blocks->clocks - 1; state->loop->by_key && clock >= 0; --clock)
        for (long row = blocks->rows - 1; row >= 0; --row) {
            long column = orrery_column_at(blocks, row, clock);
            const long *start = state->inspection->starts + row * blocks->columns + column;
            if (column >= 0 && start[1] > start[0])
                return row;
        }
    return blocks->rows - 1;
}
