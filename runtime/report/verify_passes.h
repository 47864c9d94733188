/* For orrery verify: what the passes of a region fold to that nobody waits for. */
#ifndef ORRERY_RUNTIME_VERIFY_PASSES_H
#define ORRERY_RUNTIME_VERIFY_PASSES_H

#include "runtime/region/region.h"

/* Before a region of several passes runs, its copies made: room for what the rows here hold at the
 * end of all passes but the last. NULL: there is nothing to keep. */
struct orrery_kept *orrery_kept_new(const struct orrery_region *region);

/* Row `row` here is done with `pass`; said again it is not heard.
 * Any worker; each row by one at a time. */
void orrery_kept_row(const struct orrery_region *region, long row, long pass);

/* Collective, behind a region that all ranks ran: rank 0 has all rows afterwards. */
void orrery_kept_gather(struct orrery_region *region);

/* Rank 0: reduction j of `pass`, folded over all rows, into `to`. False: none is kept. */
bool orrery_kept_fold(const struct orrery_region *region, int j, long pass, void *to);

void orrery_kept_free(struct orrery_region *region);

#endif
