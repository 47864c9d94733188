#define _GNU_SOURCE
#include "runtime/checkpoint/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
    pid_t process; /* 0: there is none */
    int report; /* the end of a pipe that its status comes through; it ends when the child does */
} writer;

/* ---- the child ------------------------------------------------------------------------------- */

static void report(int pipe, const struct dsm_status *status) {
    const char *at = (const char *)status;
    size_t left = sizeof *status;
    while (left > 0) {
        ssize_t wrote = write(pipe, at, left);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return;
        at += wrote;
        left -= (size_t)wrote;
    }
}

/* What a child would do about a signal that asks the program for something is not its to do. */
static void signals_leave(void) {
    static const int ignored[] = {SIGTERM, SIGUSR1, SIGUSR2, SIGHUP, SIGINT, SIGPIPE};
    static const int plain[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; ++i)
        signal(ignored[i], SIG_IGN);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
        signal(plain[i], SIG_DFL);
}

static _Noreturn void child_run(pid_t parent, int pipe,
                                void (*work)(void *data, struct dsm_status *status), void *data) {
    struct dsm_status status = {0};
    signals_leave();
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(1);
    work(data, &status);
    report(pipe, &status);
    _exit(0);
}

/* ---- the program ----------------------------------------------------------------------------- */

bool orrery_writer_start(void (*work)(void *data, struct dsm_status *status), void *data) {
    int ends[2];
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t process = fork();
    if (process == 0)
        child_run(parent, ends[1], work, data);
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    writer.process = process;
    writer.report = ends[0];
    return true;
}

/* Is there something to read, or nobody who writes, within so many milliseconds? */
static bool waits_for(int milliseconds) {
    struct pollfd pipe = {.fd = writer.report, .events = POLLIN};
    int ready;
    while ((ready = poll(&pipe, 1, milliseconds)) < 0 && errno == EINTR)
        continue;
    return ready != 0;
}

bool orrery_writer_runs(void) {
    return writer.process != 0 && !waits_for(0);
}

/* False: it ended before it had said anything. */
static bool status_read(struct dsm_status *status) {
    char *at = (char *)status;
    size_t left = sizeof *status;
    while (left > 0) {
        ssize_t got = read(writer.report, at, left);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        left -= (size_t)got;
    }
    return true;
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* A program that waits for any child may have got this one: then nobody knows how it ended. */
static void say_end(int ended, bool late, struct dsm_status *status) {
    *status = (struct dsm_status){0};
    if (late)
        dsm_status_fail(status, "the process that wrote it took over %d seconds",
                        ORRERY_WRITER_PATIENCE);
    else if (ended >= 0 && WIFSIGNALED(ended))
        dsm_status_fail(status, "the process that wrote it was ended by signal %d (%s)",
                        WTERMSIG(ended), strsignal(WTERMSIG(ended)));
    else
        dsm_status_fail(status, "the process that wrote it ended before it was done");
}

bool orrery_writer_end(struct dsm_status *status, double *seconds) {
    struct rusage used = {0};
    int ended = -1;
    bool late = !waits_for(ORRERY_WRITER_PATIENCE * 1000);
    if (late)
        kill(writer.process, SIGKILL);
    bool said = status_read(status);
    while (wait4(writer.process, &ended, 0, &used) < 0 && errno == EINTR)
        continue;
    *seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    close(writer.report);
    writer.process = 0;
    if (!said)
        say_end(ended, late, status);
    return said;
}
