#define _GNU_SOURCE
#include "cli/tune/tune.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* In a process of its own, which ends with this one. */
static _Noreturn void run_child(const struct tune *tune, const struct tune_run *run) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    struct launch launch = tune_launch(tune, run->candidate, run->rung);
    const char *grid = tune_grid(tune, run->candidate);
    launch.output = run->output;
    if (grid)
        setenv("ORRERY_GRID", grid, 1);
    exit(launch_run(tune->arena, "tune", &launch));
}

static pid_t start(const struct tune *tune, struct tune_run *run) {
    fprintf(stderr, "orrery tune: %s\n", tune_command(tune, run->candidate, run->rung));
    fflush(NULL);
    run->seconds = now();
    pid_t pid = fork();
    if (pid == 0)
        run_child(tune, run);
    run->status = pid < 0 ? 127 : 0;
    return pid;
}

static void finish(struct tune_run *run, int status) {
    run->seconds = now() - run->seconds;
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run->done = true;
}

int tune_pool(struct tune *tune, int nruns, struct tune_run *runs,
              int (*ended)(const struct tune *tune, struct tune_run *run)) {
    pid_t *pids = arena_alloc(tune->arena, (size_t)(nruns + 1) * sizeof *pids);
    int next = 0, result = 0;
    long active = 0;
    for (int i = 0; i < nruns; i++)
        pids[i] = -1;
    for (;;) {
        while (result == 0 && next < nruns && active < tune->jobs) {
            if (!runs[next].done && (pids[next] = start(tune, &runs[next])) > 0)
                active++;
            else if (!runs[next].done)
                result = ended(tune, &runs[next]);
            next++;
        }
        int status;
        pid_t pid = active > 0 ? wait(&status) : -1;
        if (pid < 0)
            return result;
        for (int i = 0; i < nruns; i++) {
            if (pids[i] != pid)
                continue;
            finish(&runs[i], status);
            pids[i] = -1;
            active--;
            int one = ended(tune, &runs[i]);
            result = result ? result : one;
        }
    }
}
