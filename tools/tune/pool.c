#define _GNU_SOURCE
#include "tools/tune/tune.h"

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

struct tune_signals {
    sigset_t mask;
    struct sigaction actions[4];
};

/* `pids`: of each run, 0 when it does not run. `next`: the first that was not looked at. */
struct tune_pool {
    pid_t *pids;
    int next;
    long active;
    struct tune_signals before;
};

static void unwatch(const struct tune_signals *before);

/* In a process of its own, which ends with this one. */
static _Noreturn void run_child(const struct tune *tune, const struct tune_run *run,
                                const struct tune_signals *before) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    unwatch(before);
    struct launch launch = tune_launch(tune, run->candidate, run->rung);
    const char *grid = tune_grid(tune, run->candidate);
    launch.output = run->output;
    if (grid)
        setenv("ORRERY_GRID", grid, 1);
    exit(launch_run(tune->arena, "tune", &launch));
}

static pid_t start(const struct tune *tune, struct tune_run *run,
                   const struct tune_signals *before) {
    if (!tune->quiet)
        fprintf(stderr, "orrery tune: %s\n", tune_command(tune, run->candidate, run->rung));
    fflush(NULL);
    run->seconds = now();
    pid_t pid = fork();
    if (pid == 0)
        run_child(tune, run, before);
    run->status = pid < 0 ? 127 : 0;
    return pid;
}

static void finish(struct tune_run *run, int status) {
    run->seconds = now() - run->seconds;
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run->done = true;
}

/* ---- signals --------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
    if (number != SIGCHLD)
        interrupted = number;
}

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};

enum { NWATCHED = sizeof watched / sizeof *watched };

/* From here on a signal arrives only while the pool waits; what was before is kept. */
static void watch(struct tune_signals *before) {
    struct sigaction action = {.sa_handler = on_signal};
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < NWATCHED; ++i)
        sigaddset(&set, watched[i]);
    sigprocmask(SIG_BLOCK, &set, &before->mask);
    for (int i = 0; i < NWATCHED; ++i) {
        sigaction(watched[i], &action, &before->actions[i]);
        if (watched[i] != SIGCHLD && before->actions[i].sa_handler == SIG_IGN)
            sigaction(watched[i], &before->actions[i], NULL);
    }
}

static void unwatch(const struct tune_signals *before) {
    for (int i = 0; i < NWATCHED; ++i)
        sigaction(watched[i], &before->actions[i], NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

int tune_interrupted(void) {
    return interrupted;
}

/* ---- the pool -------------------------------------------------------------------------------- */

/* The next child that has ended; -1: a signal says that there is to be an end of it. */
static pid_t await(int *status, const struct tune_signals *before) {
    for (;;) {
        pid_t pid = waitpid(-1, status, WNOHANG);
        if (pid != 0)
            return pid;
        if (interrupted)
            return -1;
        sigset_t open = before->mask;
        for (int i = 0; i < NWATCHED; ++i)
            sigdelset(&open, watched[i]);
        sigsuspend(&open);
    }
}

/* Ends the runs that are still there; what they found out is lost. */
static void end_all(const struct tune_run *runs, const pid_t *pids, int nruns) {
    for (int i = 0; i < nruns; ++i)
        if (pids[i] > 0)
            kill(pids[i], SIGTERM);
    for (int i = 0; i < nruns; ++i) {
        if (pids[i] <= 0)
            continue;
        waitpid(pids[i], NULL, 0);
        unlink(runs[i].output);
    }
}

/* Starts runs while there is room for them. */
static int fill_room(struct tune *tune, int nruns, struct tune_run *runs, struct tune_pool *pool,
                     tune_ended *ended) {
    int result = 0;
    while (result == 0 && pool->next < nruns && pool->active < tune->jobs) {
        struct tune_run *run = &runs[pool->next];
        if (!run->done && (pool->pids[pool->next] = start(tune, run, &pool->before)) > 0)
            ++pool->active;
        else if (!run->done)
            result = ended(tune, run);
        ++pool->next;
    }
    return result;
}

int tune_pool(struct tune *tune, int nruns, struct tune_run *runs, tune_ended *ended) {
    struct tune_pool pool = {.pids =
                                 arena_alloc(tune->arena, (size_t)(nruns + 1) * sizeof *pool.pids)};
    int result = 0, status;
    watch(&pool.before);
    for (;;) {
        if (result == 0)
            result = fill_room(tune, nruns, runs, &pool, ended);
        pid_t pid = pool.active > 0 ? await(&status, &pool.before) : 0;
        if (pid <= 0)
            break;
        for (int i = 0; i < nruns; ++i) {
            if (pool.pids[i] != pid)
                continue;
            finish(&runs[i], status);
            pool.pids[i] = 0;
            --pool.active;
            int one = interrupted && runs[i].status != 0 ? 0 : ended(tune, &runs[i]);
            result = result ? result : one;
        }
    }
    end_all(runs, pool.pids, nruns);
    unwatch(&pool.before);
    return interrupted ? -1 : result;
}
