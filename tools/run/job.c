/* A program on threads, or on ranks: what `orrery run` does. */
#include "tools/run/job.h"

#include "tools/base/status.h"
#include "tools/run/restart.h"

int job_run(struct arena *arena, struct launch *launch, struct arg_list *program) {
    const char *path = launch_find(arena, "run", program->items[0]);
    if (!path)
        return STATUS_USAGE;
    program->items[0] = path;
    launch->program = *program;
    int status = launch_check("run", launch);
    if (status != 0)
        return status;
    if (launch->ranks == 1 && !launch->hostfile)
        launch->ranks = 0;
    if (launch->checkpoint || launch->resize || launch->ranks > 0)
        return restart_run(arena, "run", launch);
    if (launch->ranks == 0 && launch->timeout == 0)
        return launch_become("run", launch);
    return launch_run(arena, "run", launch);
}
