/*
 * Large reductions, folded in a row of ranks: rank 0 folds its own rows' copies into the target,
 * piece by piece, and sends what comes out to the next rank that has rows, which folds its rows'
 * into that, and so on; the last sends it back. The order is that of the rows, and a rank sends and
 * receives one copy, however many rows there are.
 */
#include "runtime/share/private.h"

#include "dsm/dsm.h"
#include "runtime/base/commands.h"
#include "runtime/base/memory.h"

#include <string.h>

/* Copies below that travel as they are;
 * what goes at once, and how many such pieces are under way. */
enum { LARGE = 256 << 10, PIECE = 128 << 10, UNDER_WAY = 4 };

/* One reduction on its way. `next`: the rank that it goes on to, `before`: it comes from. */
struct chain {
    const struct orrery_region *region;
    int j, before, next;
    size_t bytes, piece;
    struct dsm_request *going[UNDER_WAY];
    char *buffers[UNDER_WAY];
};

static bool has_rows(int rank, long rows) {
    return orrery_first_row_of(rank + 1, rows) > orrery_first_row_of(rank, rows);
}

static int neighbour(int rank, int step, long rows) {
    int ranks = dsm_ranks();
    do
        rank = (rank + step + ranks) % ranks;
    while (rank != 0 && !has_rows(rank, rows));
    return rank;
}

bool orrery_share_is_chained(const struct orrery_region *region, int j) {
    const struct orrery_reduction *reduction = &region->loop->reductions[j];
    return orrery_is_folded(reduction) && reduction->op != ORRERY_CARRIED &&
           region->copies->bytes[j] > reduction->size && region->blocks.rows > 2 &&
           region->copies->bytes[j] >= dsm_chunk(LARGE);
}

static size_t length_at(const struct chain *chain, size_t at) {
    return chain->bytes - at < chain->piece ? chain->bytes - at : chain->piece;
}

/* This rank's rows. */
static void fold(const struct chain *chain, size_t at, char *target) {
    const struct orrery_region *region = chain->region;
    const struct orrery_copies *copies = region->copies;
    orrery_fold(region->loop, chain->j, copies->memory[chain->j] + at, copies->stride[chain->j],
                length_at(chain, at), region->row_low, region->row_high, target);
}

static void left(struct chain *chain, size_t number) {
    struct dsm_request **going = &chain->going[number % UNDER_WAY];
    if (*going)
        dsm_wait(*going);
    *going = NULL;
}

static void pass_on(struct chain *chain, size_t number, const char *data, size_t bytes) {
    left(chain, number);
    chain->going[number % UNDER_WAY] = dsm_send_start(chain->next, ORRERY_TAG_FOLD, data, bytes);
}

static void chain_start(struct chain *chain, const struct orrery_region *region, int j) {
    size_t size = region->loop->reductions[j].size;
    long rows = region->blocks.rows;
    *chain = (struct chain){.region = region, .j = j, .bytes = region->copies->bytes[j]};
    chain->next = neighbour(dsm_rank(), 1, rows);
    chain->before = neighbour(dsm_rank(), -1, rows);
    chain->piece = dsm_chunk(PIECE) / size * size;
    chain->piece = chain->piece ? chain->piece : size;
    for (int i = 0; i < UNDER_WAY; ++i)
        chain->buffers[i] = orrery_memory_aligned(chain->piece);
}

static void chain_end(struct chain *chain) {
    for (int i = 0; i < UNDER_WAY; ++i) {
        left(chain, (size_t)i);
        orrery_memory_free(chain->buffers[i]);
    }
}

/* By way of memory that nobody watches. */
static void come_back(struct chain *chain, size_t number, char *target) {
    size_t at = number * chain->piece, bytes = length_at(chain, at);
    left(chain, number);
    dsm_receive(chain->before, ORRERY_TAG_FOLD, chain->buffers[0], bytes);
    memcpy(target + at, chain->buffers[0], bytes);
}

void orrery_share_chain_begin(const struct orrery_region *region, int j, char *target) {
    struct chain chain;
    chain_start(&chain, region, j);
    size_t pieces = (chain.bytes + chain.piece - 1) / chain.piece, back = 0;
    for (size_t i = 0; i < pieces; ++i) {
        size_t at = i * chain.piece;
        fold(&chain, at, target + at);
        if (chain.next == 0)
            continue;
        if (i >= UNDER_WAY)
            come_back(&chain, back++, target);
        pass_on(&chain, i, target + at, length_at(&chain, at));
    }
    while (chain.next != 0 && back < pieces)
        come_back(&chain, back++, target);
    chain_end(&chain);
}

void orrery_share_chain_join(const struct orrery_region *region, int j) {
    struct chain chain;
    if (!has_rows(dsm_rank(), region->blocks.rows))
        return;
    chain_start(&chain, region, j);
    for (size_t at = 0, i = 0; at < chain.bytes; at += chain.piece, ++i) {
        char *buffer = chain.buffers[i % UNDER_WAY];
        left(&chain, i);
        dsm_receive(chain.before, ORRERY_TAG_FOLD, buffer, length_at(&chain, at));
        fold(&chain, at, buffer);
        pass_on(&chain, i, buffer, length_at(&chain, at));
    }
    chain_end(&chain);
}
