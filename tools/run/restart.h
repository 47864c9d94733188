/* A job that is started again when a rank or a host of it is lost. */
#ifndef ORRERY_TOOLS_RESTART_H
#define ORRERY_TOOLS_RESTART_H

#include "tools/run/launch.h"

/*
 * Runs to the end, at most launch->restarts times more than once. A rank that was killed, or is
 * silent, or whose host is lost, is a reason to start again, on the hosts that are left and with as
 * many ranks as they take; that the program said no is none. Statuses as launch_run.
 */
int restart_run(struct arena *arena, const char *command, struct launch *launch);

#endif
