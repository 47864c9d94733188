/* A program on threads, or on ranks. */
#ifndef ORRERY_TOOLS_RUN_JOB_H
#define ORRERY_TOOLS_RUN_JOB_H

#include "tools/run/launch.h"

/*
 * Runs a program of `orrery run`: with ranks under a launcher, again from its checkpoints if it has
 * any, else in this process (then it does not return). `program`: its command line, at least a
 * name. The program's exit status, or one of launch_run.
 */
int job_run(struct arena *arena, struct launch *launch, struct arg_list *program);

#endif
