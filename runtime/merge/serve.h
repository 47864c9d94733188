/*
 * Served arrays on several ranks (docs/served.md): relaxed and buffered arrays of which every rank
 * has a part, and of the others' parts what its next iterations touch. Used by merge.c alone, which
 * calls the steps in this order, and by share/ for what the memory of a program needs.
 */
#ifndef ORRERY_RUNTIME_SERVE_H
#define ORRERY_RUNTIME_SERVE_H

#include "runtime/region/region.h"

/* Rank 0: does the region serve its large relaxed and buffered arrays? */
bool orrery_serve_wanted(const struct orrery_state *state, const struct orrery_region *region);

/* Reduction j stands in such a region and is served: no rank has all of it. */
bool orrery_serve_has(const struct orrery_state *state, int j);

/* Collective: what is kept for regions like this one. `phases` of it are merged one by one. */
struct orrery_serve *orrery_serve_prepare(struct orrery_serve *serve, struct orrery_region *region,
                                          struct orrery_state *state, long phases);

/* Collective: the parts are with their owners,
 * and are home's again when rank 0's serial code asks. */
void orrery_serve_distribute(struct orrery_serve *serve);
void orrery_serve_settle(struct orrery_serve *serve);
void orrery_serve_release(struct orrery_serve *serve);

/* Rank 0: what lies in the range and is served comes home;
 * the ranges, one by one (false: no more). */
void orrery_serve_collect(struct orrery_serve *serve, struct dsm_range range);
bool orrery_serve_home(const struct orrery_serve *serve, int at, struct dsm_range *range);

/* What the lists may have been made of is other memory now: all of it, or some. */
void orrery_serve_doubt(struct orrery_serve *serve, struct dsm_range range);

/* Collective, environments are known: lists, if they do not hold any more, and the first chunk. */
void orrery_serve_start(struct orrery_serve *serve, struct orrery_region *region);

/* What the body of row `row` gets, by reduction. */
const struct orrery_served *orrery_serve_views(const struct orrery_serve *serve, long row);

/* The row's worker: its changes are taken out of what it wrote; messages move on. */
void orrery_serve_row_done(struct orrery_serve *serve, const struct orrery_region *region,
                           long row);

/* Collective, all rows have done phase `phase`: owners get the changes, the next chunk comes. */
void orrery_serve_merge(struct orrery_serve *serve, struct orrery_region *region, long phase,
                        bool last);

/* Of this rank, all loops: elements that its chunks have touched of others' parts, those that the
 * chunk before had (the cache), and the most bytes of such a chunk. */
struct orrery_cache_figures {
    uint64_t asked, hits;
    size_t bytes;
};
struct orrery_cache_figures orrery_serve_figures(void);

/* Bytes of this rank: its parts, chunks and lists. */
size_t orrery_serve_bytes(const struct orrery_serve *serve);

#endif
