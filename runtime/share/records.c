/* Records of the inspection: rank 0 packs and sends them, the others keep theirs. */
#include "runtime/share/private.h"

#include "dsm/dsm.h"
#include "runtime/execute/driver.h"
#include "runtime/memory.h"

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
void orrery_share_records_send(struct orrery_state *state, const void *env) {
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
