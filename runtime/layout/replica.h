/*
 * Several ranks: memory that every rank reads whole: replicated arrays, tables of rows, globals.
 * Sent again when it has changed.
 */
#ifndef ORRERY_RUNTIME_REPLICA_H
#define ORRERY_RUNTIME_REPLICA_H

#include "runtime/region/region.h"

#include "dsm/dsm.h"

struct orrery_replica {
    int nranges;              /* of `ranges` */
    int wanted;               /* rank 0 found that it has to be sent in this region */
    struct dsm_range *ranges; /* the memory, as on rank 0 */
    struct dsm_watch *watch;  /* rank 0's, NULL = has to be sent */
    bool substituted;         /* it is not shared: this rank has it in `own` (one range then) */
    bool sent;                /* it was sent, since the watch began */
    bool written;             /* by the loop, so that each rank has its own */
    char *own;                /* this rank's copy; NULL: it is at its addresses */
    unsigned long stamp;      /* of the last time it was sent; no two have the same */
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
