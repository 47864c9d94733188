/*
 * Several ranks: memory that every rank reads whole: replicated arrays, tables of rows, globals.
 * Sent again when it has changed.
 */
#ifndef ORRERY_RUNTIME_REPLICA_H
#define ORRERY_RUNTIME_REPLICA_H

#include "runtime/region/region.h"

#include "dsm/dsm.h"

/*
 * `ranges`: the memory, as on rank 0. `watch`: rank 0's, NULL = has to be sent. `own`: this rank's
 * copy when the memory is not shared (one range then). `wanted`: rank 0 found that it has to be
 * sent in this region; `sent`: it was, since the watch began. `stamp`: of the last time it was, on
 * this rank; no two have the same. `written`: by the loop, so that each rank has its own.
 */
struct orrery_replica {
    int nranges, wanted;
    struct dsm_range *ranges;
    struct dsm_watch *watch;
    bool substituted, sent, written;
    char *own;
    unsigned long stamp;
};

/* Rank 0: array a's memory in the range will be read whole. Refuses the loop when some of it is not
 * there: the pointer may be one that this run does not use. */
void orrery_there_check(const struct orrery_state *state, int a, struct dsm_range range);

/* Rank 0: what has to be replicated for array a: all of it, or (cut) its table of rows. Sets
 * wanted.
 */
void orrery_replica_look(const struct orrery_state *state, int a, const struct dsm_range *table,
                         struct orrery_replica *replica);

/* Collective, when `wanted` (the same on every rank). */
void orrery_replica_send(struct orrery_replica *replica);

/* Rank 0: it has been written behind the watch's back. */
void orrery_replica_stale(struct orrery_replica *replica);
void orrery_replica_free(struct orrery_replica *replica);

#endif
