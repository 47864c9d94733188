/*
 * Checkpoints of a run (docs/checkpoints.md). On ranks above 0 there is nothing to do but not to
 * die of the signals that ask for one.
 */
#ifndef ORRERY_CHECKPOINT_H
#define ORRERY_CHECKPOINT_H

#include <stdbool.h>

/* Does the environment want them? Before dsm_start, on every rank. */
bool orrery_checkpoint_wanted(void);

/* After dsm_start, before main: looks for a checkpoint to go on from. Ends the run when there is
 * one that does not fit, or none can be made. */
void orrery_checkpoint_start(int argc, char **argv);

struct orrery_state;

/* A region with these shapes runs. Rank 0. */
void orrery_checkpoint_look(const struct orrery_state *state);

/* The program ends with this status: was the saved loop reached? A run that ends well and was not
 * there has not gone on from it: an error. */
void orrery_checkpoint_end(int status);

#endif
