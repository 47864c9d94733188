/* The folder of checkpoints, as `orrery run` has it (docs/checkpoints.md). */
#ifndef ORRERY_TOOLS_FOLDER_H
#define ORRERY_TOOLS_FOLDER_H

#include <stdbool.h>

/*
 * Makes the folder where it is missing, and locks it until this process ends: runs that were
 * started again are of one job. Not 0, after a message: it cannot be made, or another run has it.
 */
int folder_take(const char *command, const char *folder);

/* Sets the checkpoints in it aside (as `...h5.old`). Not 0, after a message: one stays. */
int folder_clear(const char *command, const char *folder);

#endif
