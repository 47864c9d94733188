/* The folder of checkpoints: which there are, which are whole, how one comes to be. */
#ifndef ORRERY_CHECKPOINT_FILES_H
#define ORRERY_CHECKPOINT_FILES_H

#include "dsm/dsm.h"

#include <stdbool.h>
#include <stddef.h>

enum { ORRERY_PATH = 4096, ORRERY_SEAL = 512 };

/* The folder exists, or is made; temporary files in it are removed.
 * Ends the run when it cannot be used. */
void orrery_files_start(const char *folder);

/* Nobody else writes here until this process ends; ends the run when somebody does. */
void orrery_files_lock(const char *folder);

/* The highest number below `below` that a checkpoint has, 0 when there is none, or no folder. */
long orrery_files_newest(const char *folder, long below);

void orrery_files_path(const char *folder, long number, char path[ORRERY_PATH]);
/* No other process has this name: a host that was thought dead may still be writing. */
void orrery_files_temporary(const char *folder, long number, char path[ORRERY_PATH]);

/* Is the file what was sealed? */
bool orrery_files_check(const char *path, struct dsm_status *status);

/*
 * Seals the temporary file of this number, brings it to the disk and makes it the newest; removes
 * those below `before`, the newest whole one until then, 0 = there is none. Failed: nothing has
 * changed but that the file is gone.
 */
bool orrery_files_commit(const char *folder, long number, long before, struct dsm_status *status);

#endif
