/*
 * Sparse rotation: batons of which only the rows move that the next ranks' blocks touch
 * (docs/runtime.md, "Rows that are touched"). Arithmetic only: every rank makes its lists of the
 * same bits, and so sender and receiver agree without asking.
 */
#ifndef ORRERY_RUNTIME_TOUCHED_H
#define ORRERY_RUNTIME_TOUCHED_H

#include "runtime/schedule/blocks.h"

#include "dsm/dsm.h"

/*
 * Who touches what. `cuts[d]`: places where the parts of dim d begin, NULL: the dim is not looked
 * at; `masks[d]`: per place, a bit for every rank whose iterations touch its row.
 */
struct orrery_touchers {
    const long *cuts[ORRERY_DIMS];
    const uint64_t *masks[ORRERY_DIMS];
};

/*
 * Where the batons go in a pass: ranks[first[b]] is the home of baton b, behind it those it visits,
 * each when it is another than the one before, home again at the end. Fewer than two: it stays.
 * `once`: no rank but home comes twice, and home not in between.
 */
struct orrery_rings {
    long batons;
    long *first;
    int *ranks;
    bool *once;
};

/* `ranks` ranks; which of them has a row. */
void orrery_rings_make(const struct orrery_blocks *blocks, int ranks,
                       int (*rank_of)(long row, long rows), struct orrery_rings *rings);
void orrery_rings_free(struct orrery_rings *rings);

/* All batons of dim d that move do so once. */
bool orrery_rings_fit(const struct orrery_rings *rings, const struct orrery_blocks *blocks, int d);

/* Rows that cross in a pass, of dim d, by `crosses(data, from, to)`: when whole parts move, and
 * when only what is touched does. */
struct orrery_crossings {
    uint64_t whole, touched;
};
struct orrery_crossings orrery_touches_count(const struct orrery_touchers *touches,
                                             const struct orrery_rings *rings,
                                             const struct orrery_blocks *blocks, int d,
                                             bool (*crosses)(void *data, int from, int to),
                                             void *data);

struct orrery_touched_message {
    int peer;
    struct dsm_rows rows;
};

/*
 * What one rank sends and receives in a pass. dims[d]: the batons of dim d move by rows. Baton b
 * takes away out[out_first[b]] up to out[out_first[b + 1]], and needs the same of `in`; keeps[b]:
 * this rank is its home.
 */
struct orrery_touched {
    bool dims[ORRERY_DIMS];
    long batons;
    bool *keeps;
    long *out_first, *in_first;
    struct orrery_touched_message *out, *in;
};

/* For `rank`; owned by the caller. */
struct orrery_touched *orrery_touched_make(const struct orrery_touchers *touches,
                                           const struct orrery_rings *rings,
                                           const struct orrery_blocks *blocks, int rank, int ranks,
                                           const bool dims[ORRERY_DIMS]);
void orrery_touched_free(struct orrery_touched *touched);

#endif
