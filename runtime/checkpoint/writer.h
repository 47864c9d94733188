/*
 * A child process that writes a checkpoint from its copy of the memory, while the program goes on. One at a time. It
 * dies with the thread that began it, and never touches what ranks share. Rank 0, the thread of main.
 */
#ifndef ORRERY_CHECKPOINT_WRITER_H
#define ORRERY_CHECKPOINT_WRITER_H

#include "dsm/dsm.h"

/* Begins. `work` runs in the child and says in `status` what went wrong. False: there is no child, `work` did not run.
 * Takes as long as fork does: some microseconds per megabyte. Pages that are written while the child lives are copied
 * first: at most, the memory of the program once more. */
bool orrery_writer_start(void (*work)(void *data, struct dsm_status *status), void *data);

/* Has the child that was begun not ended yet? */
bool orrery_writer_runs(void);

/* Waits for the child, at most ORRERY_WRITER_PATIENCE seconds, then ends it; `status` is what it said: true, or how it
 * ended: false. `seconds`: of a processor that it took, 0 where that is not known. */
bool orrery_writer_end(struct dsm_status *status, double *seconds);

enum { ORRERY_WRITER_PATIENCE = 600 };

#endif
