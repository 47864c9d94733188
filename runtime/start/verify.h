/* ORRERY_VERIFY=file: what every region wrote, in the user's order (verify_format.h). */
#ifndef ORRERY_RUNTIME_VERIFY_H
#define ORRERY_RUNTIME_VERIFY_H

#include "runtime/region/region.h"

/* The program executes the loop, rank 0, what was put off before having run: records say how often
 * it did so. */
void orrery_verify_call(struct orrery_loop *loop);

/* Before a region, rank 0: keeps what the record of it will need. No effect without a file. */
void orrery_verify_before(struct orrery_state *state);

/* After a region, rank 0: appends its written arrays and reductions. No effect without a file. */
void orrery_verify_record(struct orrery_state *state, const void *env,
                          const struct orrery_region *region);

/* Behind a merge that others of the region follow: appends what its arrays are. */
void orrery_verify_merged(const struct orrery_region *region);

/* Flushes the file; failing to write it ends the job with a message. */
void orrery_verify_end(void);

#endif
