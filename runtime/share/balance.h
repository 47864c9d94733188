/*
 * Which rank has how many rows of a grid: as many as it is fast. Between regions rank 0 deals them
 * by the seconds that blocks took, when that pays, and to as many ranks as are wanted
 * (docs/runtime.md, "Who has which rows").
 */
#ifndef ORRERY_RUNTIME_BALANCE_H
#define ORRERY_RUNTIME_BALANCE_H

#include "runtime/region/region.h"

/* What a rank did in a region: seconds of its workers in blocks, and the iterations of them; both 0
 * where nobody has looked. */
struct orrery_busy {
    double seconds;
    double iterations;
};

/* Local, behind a region's blocks. */
struct orrery_busy orrery_balance_busy(const struct orrery_region *region);

/* Rank 0: that of all ranks. `prepared`: seconds that went into laying arrays out and into moving
 * records. */
void orrery_balance_note(const struct orrery_region *region, const struct orrery_busy *ranks,
                         double prepared);

/* Rank 0, between regions: deals rows anew where that is due. */
void orrery_balance_look(void);

/* Ranks other than 0: the command DEAL. */
void orrery_balance_serve(const void *payload, size_t bytes);

/* Rank 0: how often rows were dealt, 0: never; the weights by which they are now, NULL: equal ones. */
unsigned long orrery_balance_deals(const uint32_t **weights);

#endif
