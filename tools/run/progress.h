/* Do the ranks of a job advance, or do some wait for one that does not? */
#ifndef ORRERY_TOOLS_PROGRESS_H
#define ORRERY_TOOLS_PROGRESS_H

#include "tools/run/heartbeat.h"

/* A heartbeat that has come, before it takes the place of `watched->last`. */
void progress_take(struct watched *watched, const struct orrery_heartbeat *heartbeat, double now);

/* Has this rank stopped advancing, while others wait for it, or all for each other, for so long
 * that the job is to end? `seconds`: for how long. */
enum heartbeat_loss progress_loss(const struct heartbeats *heartbeats, int rank, double now,
                                  double *seconds);

/* Who is to be named now, and goes on: true, and a text. Each is named once, again after twice as
 * long. */
bool progress_note(struct heartbeats *heartbeats, double now, char *text, size_t size);

/* "rank 0 for rank 1, rank 1 for rank 0" */
void progress_circle(const struct heartbeats *heartbeats, char *text, size_t size);

#endif
