#define _GNU_SOURCE
#include "cli/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_SECONDS = 3, STATUS_TIMEOUT = 124, STATUS_NO_START = 127 };

/* Keeps children from being orphaned: they come to us, and go with us. */
static void adopt(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
}

static void start_child(const struct arg_list *words, const char *output, const sigset_t *mask) {
    prctl(PR_SET_PDEATHSIG, (long)SIGTERM, 0L, 0L, 0L);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (output) {
        int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
            _exit(STATUS_NO_START);
    }
    execvp(words->items[0], (char *const *)words->items);
    fprintf(stderr, "orrery: cannot run '%s': %s%s\n", words->items[0], strerror(errno),
            strstr(words->items[0], "mpi") ? " (an MPI is needed for several ranks: Debian's "
                                             "openmpi-bin)"
                                           : "");
    _exit(STATUS_NO_START);
}

/* Kills every process whose parent we are: after the child's end these are its orphans. */
static void kill_orphans(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    for (int round = 0; round < 50; round++) {
        FILE *in = fopen(path, "r");
        int found = 0;
        long pid;
        while (in && fscanf(in, "%ld", &pid) == 1) {
            kill((pid_t)pid, SIGKILL);
            found++;
        }
        if (in)
            fclose(in);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (!found)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Reaps; true when it was the child that ended. */
static bool reap(pid_t child, int *status) {
    int one;
    pid_t pid;
    bool ended = false;
    while ((pid = waitpid(-1, &one, WNOHANG)) > 0) {
        if (pid == child) {
            *status = one;
            ended = true;
        }
    }
    return ended;
}

/*
 * Waits for the child. `limit`: when to ask it to end, 0 = never. Once asked (by the limit or by a
 * signal) it has GRACE_SECONDS before it is killed.
 */
static int watch(const char *who, pid_t child, const sigset_t *signals, double limit,
                 long timeout) {
    int status = 0, timed_out = 0;
    double kill_at = 0;
    while (!reap(child, &status)) {
        siginfo_t info;
        int got = sigtimedwait(signals, &info, &(struct timespec){.tv_nsec = 200000000});
        if (got > 0 && got != SIGCHLD) {
            kill(child, got);
            kill_at = kill_at > 0 ? kill_at : now() + GRACE_SECONDS;
        }
        if (limit > 0 && now() > limit && !timed_out) {
            fprintf(stderr, "orrery %s: still running after %ld s, ending it\n", who, timeout);
            timed_out = 1;
            kill(child, SIGTERM);
            kill_at = now() + GRACE_SECONDS;
        }
        if (kill_at > 0 && now() > kill_at)
            kill(child, SIGKILL);
    }
    if (timed_out)
        return STATUS_TIMEOUT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int supervise(const char *who, const struct arg_list *words, long timeout, const char *output) {
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &before);
    adopt();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        start_child(words, output, &before);
    if (child < 0) {
        fprintf(stderr, "orrery %s: cannot start a process: %s\n", who, strerror(errno));
        return STATUS_NO_START;
    }
    int status = watch(who, child, &signals, timeout ? now() + (double)timeout : 0, timeout);
    kill_orphans();
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}
