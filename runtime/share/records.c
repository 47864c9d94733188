/* Records of the inspection: rank 0 packs and sends them, the others keep theirs. */
#include "runtime/share/private.h"

#include "dsm/dsm.h"
#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/base/memory.h"

#include <string.h>

enum { PIECE = 1 << 20, GROUP = 64 << 20 };

static void send_pieces(int rank, const char *data, size_t bytes) {
    const size_t piece = dsm_chunk(PIECE);
    for (size_t at = 0; at < bytes; at += piece)
        dsm_send(rank, ORRERY_TAG_RECORDS, data + at, bytes - at < piece ? bytes - at : piece);
}

static void receive_pieces(char *data, size_t bytes) {
    const size_t piece = dsm_chunk(PIECE);
    for (size_t at = 0; at < bytes; at += piece)
        dsm_receive(0, ORRERY_TAG_RECORDS, data + at, bytes - at < piece ? bytes - at : piece);
}

static long records_of(const struct orrery_inspection *inspection, int rank) {
    long rows = inspection->blocks.rows, columns = inspection->blocks.columns;
    return inspection->starts[orrery_first_row_of(rank + 1, rows) * columns] -
           inspection->starts[orrery_first_row_of(rank, rows) * columns];
}

/* For the records of ranks first .. last - 1 beside what they are made of. */
static void room_make(const struct orrery_state *state, int first, int last) {
    size_t count = 0;
    for (int rank = first; rank < last; ++rank)
        count += (size_t)records_of(state->inspection, rank);
    dsm_window_room(count * state->loop->record_size);
}

/* Ranks first .. last - 1 in one walk over the iterations. */
static void send_group(struct orrery_state *state, const void *env, int first, int last) {
    const struct orrery_inspection *inspection = state->inspection;
    long rows = inspection->blocks.rows, columns = inspection->blocks.columns;
    size_t size = state->loop->record_size;
    long low = orrery_first_row_of(first, rows);
    struct orrery_packed packed;
    room_make(state, first, last);
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

/* A part of the budget. */
static size_t group_bytes(void) {
    size_t most = dsm_chunk(GROUP), part = (size_t)orrery_env()->memory * 1000000 / 16;
    return part > 0 && part < most ? part : most;
}

/* Rank 0 holds at most one group beside its own: as many ranks as fit, at least one. */
void orrery_share_records_send(struct orrery_state *state, const void *env) {
    const struct orrery_inspection *inspection = state->inspection;
    for (int first = 1, last; first < dsm_ranks(); first = last) {
        size_t bytes = 0;
        for (last = first; last < dsm_ranks(); ++last) {
            bytes += (size_t)records_of(inspection, last) * state->loop->record_size;
            if (last > first && bytes > group_bytes())
                break;
        }
        send_group(state, env, first, last);
    }
    orrery_packed_free(&state->packed);
    room_make(state, 0, 1);
    orrery_inspection_pack(inspection, state->loop, env, 0,
                           orrery_first_row_of(1, inspection->blocks.rows), false, &state->packed);
    orrery_inspection_packed(state->inspection);
    state->stats->packed_bytes = state->packed.mapped;
}

void orrery_share_records_receive(struct orrery_sharing *sharing) {
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

/* ---- every rank has some: all to all --------------------------------------------------------- */

/*
 * Of the blocks that this rank runs, first .. first + blocks - 1: `counts[rank * blocks + b]`, the
 * records that a rank has of one; `places`, where its next one goes.
 */
struct trade {
    struct orrery_sharing *sharing;
    const struct orrery_inspection *part;
    long first, blocks;
    long *counts, *places;
};

static long first_block(const struct trade *trade, int rank) {
    const struct orrery_blocks *blocks = &trade->sharing->blocks;
    return orrery_first_row_of(rank, blocks->rows) * blocks->columns;
}

/* Everybody tells everybody how many records he has for whom; rank 0 where blocks begin. */
static void counts_trade(struct trade *trade, const long *starts) {
    struct orrery_sharing *sharing = trade->sharing;
    int ranks = dsm_ranks(), me = dsm_rank();
    long all = first_block(trade, ranks);
    long *own = dsm_own_alloc((size_t)(all + 1) * sizeof *own);
    struct dsm_request **sends = dsm_own_alloc((size_t)ranks * sizeof *sends);
    orrery_inspection_own(trade->part, own);
    for (int rank = 0; rank < ranks; ++rank) {
        long first = first_block(trade, rank), blocks = first_block(trade, rank + 1) - first;
        sends[rank] =
            dsm_send_start(rank, ORRERY_TAG_REMOTE, own + first, (size_t)blocks * sizeof *own);
        if (me == 0 && rank > 0)
            dsm_send(rank, ORRERY_TAG_RECORDS, starts + first, (size_t)(blocks + 1) * sizeof(long));
    }
    for (int rank = 0; rank < ranks; ++rank)
        dsm_receive(rank, ORRERY_TAG_REMOTE, trade->counts + rank * trade->blocks,
                    (size_t)trade->blocks * sizeof *own);
    if (me > 0) {
        size_t bytes = (size_t)(trade->blocks + 1) * sizeof *sharing->starts;
        dsm_own_free(sharing->starts);
        sharing->starts = dsm_own_alloc(bytes);
        dsm_receive(0, ORRERY_TAG_RECORDS, sharing->starts, bytes);
    }
    for (int rank = 0; rank < ranks; ++rank)
        dsm_wait(sends[rank]);
    dsm_own_free(sends);
    dsm_own_free(own);
}

/* Inside of a block the ranks' records follow each other, and so they are in the loop's order. */
static void places_make(struct trade *trade, const long *starts) {
    for (long b = 0; b < trade->blocks; ++b) {
        long place = starts[b] - starts[0];
        for (int rank = 0; rank < dsm_ranks(); ++rank) {
            trade->places[rank * trade->blocks + b] = place;
            place += trade->counts[rank * trade->blocks + b];
        }
    }
}

static void scatter(const struct trade *trade, int from, const char *records, size_t size) {
    char *to = trade->sharing->state->packed.records;
    for (long b = 0; b < trade->blocks; ++b) {
        size_t bytes = (size_t)trade->counts[from * trade->blocks + b] * size;
        if (bytes)
            memcpy(to + (size_t)trade->places[from * trade->blocks + b] * size, records, bytes);
        records += bytes;
    }
}

static size_t bytes_from(const struct trade *trade, int rank, size_t size) {
    long count = 0;
    for (long b = 0; b < trade->blocks; ++b)
        count += trade->counts[rank * trade->blocks + b];
    return (size_t)count * size;
}

/* One round: records for `to` go, those from `from` come. */
static void round_trade(const struct trade *trade, const void *env, int to, int from) {
    const struct orrery_loop *loop = trade->sharing->state->loop;
    size_t size = loop->record_size, bytes = bytes_from(trade, from, size);
    long rows = trade->sharing->blocks.rows;
    struct orrery_packed packed;
    orrery_inspection_pack(trade->part, loop, env, orrery_first_row_of(to, rows),
                           orrery_first_row_of(to + 1, rows), false, &packed);
    if (to == dsm_rank()) {
        scatter(trade, to, packed.records, size);
        orrery_packed_free(&packed);
        return;
    }
    struct dsm_request *send = NULL;
    if (packed.mapped)
        send = dsm_send_start(to, ORRERY_TAG_RECORDS, packed.records, packed.mapped);
    char *records = orrery_memory_map(bytes);
    if (bytes)
        dsm_receive(from, ORRERY_TAG_RECORDS, records, bytes);
    scatter(trade, from, records, size);
    orrery_memory_unmap(records, bytes);
    if (send)
        dsm_wait(send);
    orrery_packed_free(&packed);
}

void orrery_share_records_trade(struct orrery_sharing *sharing, struct orrery_inspection *part,
                                const void *env) {
    struct orrery_state *state = sharing->state;
    struct trade trade = {.sharing = sharing, .part = part};
    int ranks = dsm_ranks(), me = dsm_rank();
    trade.first = first_block(&trade, me);
    trade.blocks = first_block(&trade, me + 1) - trade.first;
    size_t bytes = (size_t)(ranks * trade.blocks + 1) * sizeof *trade.counts;
    trade.counts = dsm_own_alloc(bytes);
    trade.places = dsm_own_alloc(bytes);
    counts_trade(&trade, part->starts);
    const long *starts = me ? sharing->starts : part->starts;
    places_make(&trade, starts);
    orrery_packed_free(&state->packed);
    state->packed.count = starts[trade.blocks] - starts[0];
    state->packed.mapped = (size_t)state->packed.count * state->loop->record_size;
    state->packed.records = orrery_memory_map(state->packed.mapped);
    for (int step = 0; step < ranks; ++step)
        round_trade(&trade, env, (me + step) % ranks, (me - step + ranks) % ranks);
    state->stats->packed_bytes = state->packed.mapped;
    orrery_inspection_packed(part);
    dsm_own_free(trade.counts);
    dsm_own_free(trade.places);
}
