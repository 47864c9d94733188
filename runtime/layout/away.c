#include "runtime/layout/away.h"

#include <string.h>

/* What of row v lies in [low, high) of the array's addresses, and where it is in the copy. */
struct piece {
    char *home, *copy;
    size_t bytes;
};

static struct piece piece_of(const struct orrery_away *away, long v, const char *low,
                             const char *high) {
    char *home = away->base + (size_t)v * away->size;
    char *copy = away->copies + (size_t)away->dim->place[v] * away->size;
    size_t skip = home < low ? (size_t)(low - home) : 0;
    const char *end = home + away->size < high ? home + away->size : high;
    return (struct piece){home + skip, copy + skip, (size_t)(end - (home + skip))};
}

/* The rows [first, end) that [low, high) touches. */
static long first_row(const struct orrery_away *away, const char *low) {
    return low <= away->base ? 0 : (low - away->base) / (long)away->size;
}

static long end_row(const struct orrery_away *away, const char *high) {
    long end = (high - away->base + (long)away->size - 1) / (long)away->size;
    return end < away->range ? end : away->range;
}

/* The copies are read in their order: there are too many rows for any other. */
static void fetch(void *data, char *to, const char *address, size_t bytes) {
    const struct orrery_away *away = data;
    const char *high = address + bytes;
    long first = first_row(away, address), end = end_row(away, high);
    for (long place = 0; place < away->range; ++place) {
        long v = (long)away->dim->order[place];
        if (v < first || v >= end || !orrery_dim_has(away->dim, v))
            continue;
        struct piece piece = piece_of(away, v, address, high);
        memcpy(to + (piece.home - address), piece.copy, piece.bytes);
    }
}

/* A few rows that are not on whole pages of the array alone. */
static void edge_copy(const struct orrery_away *away, const char *low, const char *high,
                      bool back) {
    for (long v = first_row(away, low); low < high && v < end_row(away, high); ++v) {
        struct piece piece = piece_of(away, v, low, high);
        if (orrery_dim_has(away->dim, v))
            memcpy(back ? piece.home : piece.copy, back ? piece.copy : piece.home, piece.bytes);
    }
}

static void edges_copy(const struct orrery_away *away, bool back) {
    edge_copy(away, away->base, away->pages.low, back);
    edge_copy(away, away->pages.high, away->base + (size_t)away->range * away->size, back);
}

bool orrery_away_is(const struct orrery_away *away) {
    return away->lazy && dsm_lazy_state(away->lazy) == DSM_LAZY_PENDING;
}

static bool is_same(const struct orrery_away *away, const struct orrery_away *now) {
    return away->dim == now->dim && away->copies == now->copies && away->base == now->base &&
           away->size == now->size && away->range == now->range;
}

void orrery_away_look(struct orrery_away *away, struct orrery_away now) {
    if (orrery_away_is(away) && is_same(away, &now))
        edges_copy(away, false);
    else
        orrery_away_end(away);
}

void orrery_away_defer(struct orrery_away *away, struct orrery_away now) {
    if (!orrery_away_is(away)) {
        orrery_away_end(away);
        *away = now;
        away->lazy = dsm_lazy_new(now.base, now.base + (size_t)now.range * now.size, fetch, away,
                                  &away->pages);
        if (!away->lazy)
            return;
        dsm_lazy_defer(away->lazy);
    }
    edges_copy(away, true);
}

void orrery_away_end(struct orrery_away *away) {
    if (away->lazy) {
        dsm_lazy_materialize(away->lazy);
        dsm_lazy_end(away->lazy);
    }
    *away = (struct orrery_away){0};
}
