/*
 * Wavefronts on the devices of several ranks: what ranks wrote last of all stays where it is until
 * somebody reads it. Rank 0's pages of it are pending (docs/dsm-protocol.md, "Lazy copies"); a
 * fetch puts together what lay there, what rank 0's device has, and what the other ranks' devices
 * have.
 */
#include "runtime/execute/panels_pending.h"

#include "runtime/base/commands.h"
#include "runtime/base/env.h"

#include <stdint.h>
#include <string.h>

/* As a lazy copy's pieces. */
#define CHUNK (1L << 20)

/* `pages` of a piece, by rank 0's addresses. `lazy`: NULL while a region runs. */
struct orrery_pending {
    const struct orrery_panels *panels;
    long piece;
    struct dsm_range pages;
    struct dsm_lazy *lazy;
};

/* ---- which memory ---------------------------------------------------------------------------- */

/* Memory that a lazy copy can be over, and of it what it would be over. */
static bool pages_of(const struct orrery_piece *piece, struct dsm_range *pages) {
    struct dsm_lazy *lazy = dsm_lazy_new(piece->low, piece->high, NULL, NULL, pages);
    if (lazy)
        dsm_lazy_end(lazy);
    return lazy != NULL;
}

static bool anybody_ends(const struct orrery_panels *panels, const struct orrery_set *set) {
    bool any = false;
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        any |= orrery_set_meets(&panels->shares[rank].final, set);
    return any;
}

/* Adds the piece to what is pending, and its pages to the set. */
static void piece_plan(struct orrery_panels *panels, long i, struct orrery_set *all) {
    const struct orrery_piece *piece = &panels->places.items[i];
    struct orrery_set set = {0};
    struct dsm_range pages;
    if (!panels->written[piece->group] || piece->constant || piece->apart ||
        !pages_of(piece, &pages))
        return;
    orrery_places_range(piece, pages.low, pages.high, &set);
    if (anybody_ends(panels, &set))
        panels->pending[panels->npending++] = (struct orrery_pending){.piece = i, .pages = pages};
    else
        orrery_set_free(&set);
    orrery_set_join(all, &set);
}

/* What other ranks need at the next region's start, of what a rank ends with. */
static struct orrery_set wanted_of(const struct orrery_panels *panels, int rank) {
    struct orrery_set wanted = {0};
    for (int other = 0; other < dsm_ranks(); ++other) {
        if (other == rank)
            continue;
        struct orrery_set both =
            orrery_set_both(&panels->shares[rank].final, &panels->shares[other].refreshed);
        orrery_set_join(&wanted, &both);
    }
    return wanted;
}

void orrery_panels_defer_plan(struct orrery_panels *panels) {
    struct orrery_set pending = {0};
    panels->pending = dsm_own_alloc((size_t)(panels->places.count + 1) * sizeof *panels->pending);
    bool stays = panels->state->loop->kernel && orrery_env()->gpu_stay;
    for (long i = 0; i < panels->places.count && stays; ++i)
        piece_plan(panels, i, &pending);
    for (int rank = 0; rank < dsm_ranks(); ++rank) {
        struct orrery_panel_share *share = &panels->shares[rank];
        struct orrery_set wanted = wanted_of(panels, rank);
        share->home = orrery_set_without(&share->final, &pending);
        orrery_set_join(&share->home, &wanted);
    }
    orrery_set_free(&pending);
}

/* ---- rank 0 fetches -------------------------------------------------------------------------- */

static struct orrery_set part_of(const struct orrery_panels *panels, long piece,
                                 const struct orrery_set *of, struct dsm_range bytes) {
    struct orrery_set range = {0};
    orrery_places_range(&panels->places.items[piece], bytes.low, bytes.high, &range);
    struct orrery_set part = orrery_set_both(of, &range);
    orrery_set_free(&range);
    return part;
}

/* A rank's answer, to where its bytes are in `to`, which stands for the memory at `address`. */
static void answer_take(const struct orrery_pending *pending, int rank,
                        const struct orrery_set *set, char *to, const char *address) {
    size_t bytes = orrery_set_size(set);
    char *buffer = dsm_own_alloc(bytes);
    struct orrery_piece piece = pending->panels->places.items[pending->piece];
    piece.here = (char *)((uintptr_t)to - (uintptr_t)(address - piece.low));
    struct orrery_places places = {.count = 1, .items = &piece};
    struct orrery_place_walk walk = {&places, set, 0, 0};
    dsm_receive(rank, ORRERY_TAG_PENDING, buffer, bytes);
    orrery_places_move(&walk, buffer, bytes, false);
    dsm_own_free(buffer);
}

/*
 * A dsm_lazy_fetch. Bytes between rank 0's own come from its device along with them, and may be
 * other ranks': those are put over them.
 */
static void pending_fetch(void *data, char *to, const char *address, size_t bytes) {
    const struct orrery_pending *pending = data;
    const struct orrery_panels *panels = pending->panels;
    const struct orrery_state *state = panels->state;
    const struct dsm_range range = {address, address + bytes};
    struct orrery_panels_question question = {state->loop, state->slot, pending->piece, range};
    dsm_ask(&question, sizeof question);
    dsm_lazy_below(to, address, bytes);
    for (int rank = 0; rank < dsm_ranks(); ++rank) {
        struct orrery_set set = part_of(panels, pending->piece, &panels->shares[rank].final, range);
        if (set.count && rank == 0)
            panels->device.read(panels->device.data, &panels->places, &set, to, address);
        else if (set.count)
            answer_take(pending, rank, &set, to, address);
        orrery_set_free(&set);
    }
}

/* ---- the others answer ----------------------------------------------------------------------- */

void orrery_panels_answer(const struct orrery_panels *panels,
                          const struct orrery_panels_question *question) {
    struct orrery_set set = part_of(panels, question->piece, &panels->mine.final, question->bytes);
    struct orrery_place_walk walk = {&panels->places, &set, 0, 0};
    size_t size = orrery_set_size(&set);
    if (set.count) {
        char *buffer = dsm_own_alloc(size);
        panels->device.out(panels->device.data, &panels->places, &set, false);
        orrery_places_move(&walk, buffer, size, true);
        dsm_send(0, ORRERY_TAG_PENDING, buffer, size);
        dsm_own_free(buffer);
    }
    orrery_set_free(&set);
}

/* ---- as a region calls it, rank 0 ------------------------------------------------------------ */

/* Memory that cannot be pending any more comes now. */
static void fetch_now(struct orrery_pending *pending) {
    for (char *at = (char *)(uintptr_t)pending->pages.low; at < pending->pages.high; at += CHUNK) {
        long left = pending->pages.high - at;
        pending_fetch(pending, at, at, (size_t)(left < CHUNK ? left : CHUNK));
    }
}

void orrery_panels_defer_begin(struct orrery_panels *panels) {
    struct dsm_range pages;
    for (long i = 0; i < panels->npending; ++i) {
        struct orrery_pending *pending = &panels->pending[i];
        pending->panels = panels;
        dsm_acquire(pending->pages.low, (size_t)(pending->pages.high - pending->pages.low), true);
        pending->lazy =
            dsm_lazy_new(pending->pages.low, pending->pages.high, pending_fetch, pending, &pages);
        if (!pending->lazy)
            fetch_now(pending);
    }
}

void orrery_panels_defer(struct orrery_panels *panels) {
    for (long i = 0; i < panels->npending; ++i)
        if (panels->pending[i].lazy)
            dsm_lazy_defer(panels->pending[i].lazy);
}

void orrery_panels_defer_end(struct orrery_panels *panels, const char *materialize) {
    for (long i = 0; i < panels->npending; ++i) {
        struct orrery_pending *pending = &panels->pending[i];
        if (!pending->lazy)
            continue;
        if (!materialize || materialize[panels->places.items[pending->piece].group])
            dsm_lazy_materialize(pending->lazy);
        dsm_lazy_end(pending->lazy);
        pending->lazy = NULL;
    }
}

void orrery_panels_materialize(const struct orrery_panels *panels, struct dsm_range range) {
    for (long i = 0; i < panels->npending; ++i) {
        const struct orrery_pending *pending = &panels->pending[i];
        if (pending->lazy && pending->pages.low < range.high && range.low < pending->pages.high)
            dsm_lazy_materialize(pending->lazy);
    }
}
