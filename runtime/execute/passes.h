/*
 * Passes that were put off (orrery_run_later): they are run in a row, as one region, so that a wave
 * over the grid fills and drains once.
 */
#ifndef ORRERY_RUNTIME_PASSES_H
#define ORRERY_RUNTIME_PASSES_H

/* Rank 0: runs what was put off; its folds are wanted by nobody. */
void orrery_passes_flush(void);

#endif
