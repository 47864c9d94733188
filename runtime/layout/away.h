/*
 * Copies of a spilled array (local.h) that outlive the region: the array's rows are pending until
 * somebody touches it (docs/dsm-protocol.md, "Lazy copies"), and the next region of the loop needs
 * no copying where nobody did. With one rank.
 */
#ifndef ORRERY_RUNTIME_AWAY_H
#define ORRERY_RUNTIME_AWAY_H

#include "runtime/grid/grid.h"

#include "dsm/dsm.h"

/* An array and its copies. All but `lazy` and `pages` is said by who asks. */
struct orrery_away {
    struct dsm_lazy *lazy;        /* NULL: the array has all rows */
    struct dsm_range pages;       /* of it, what is pending */
    const struct orrery_dim *dim; /* its rows, and their places */
    char *copies;                 /* the row of place p stands at p * size */
    char *base;                   /* of the array: row v at v * size */
    size_t size;                  /* bytes of a row */
    long range;                   /* how many there are */
};

/* Copies have the newest rows. */
bool orrery_away_is(const struct orrery_away *away);

/* When a region begins: `now` is as it is then. Afterwards the copies have all rows, or the array
 * has. */
void orrery_away_look(struct orrery_away *away, struct orrery_away now);

/* When it ends: the rows become pending, where that can be. */
void orrery_away_defer(struct orrery_away *away, struct orrery_away now);

/* The array has all rows, and nothing is pending. */
void orrery_away_end(struct orrery_away *away);

#endif
