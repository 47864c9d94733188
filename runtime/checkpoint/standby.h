/* A job that stands by for another (`orrery run --standby`). */
#ifndef ORRERY_CHECKPOINT_STANDBY_H
#define ORRERY_CHECKPOINT_STANDBY_H

#include <stdbool.h>

/* Rank 0, before the program begins. */
void orrery_standby_start(void);

/* Rank 0, at the first entry of a loop over passes: until `orrery run` says that it is its turn, or
 * `stops` is set. True: it is one, and checkpoints are to be looked for now. */
bool orrery_standby_wait(bool (*stops)(void));

/* Does it stand by, or come to? Nothing of the other job's may be changed. */
bool orrery_standby(void);

#endif
