#define _GNU_SOURCE
#include "runtime/checkpoint/writer.h"

#include "runtime/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The program's own wait() must not get the child that writes, nor its handler of SIGCHLD hear of it.
 * So that is not the program's child: a *keeper* forks it and waits for it, a process that shares the
 * program's memory, whose end sends no signal and whom only __WALL waits for (clone(2)). A thread
 * lends it what belongs to a thread, and stands still meanwhile, as with vfork(2). The fork is the C
 * library's, so that no lock of an allocator stays closed in the child.
 */
enum { STACK = 8 << 20 };

static struct {
    void (*work)(void *data, struct dsm_status *status); /* what the child does, */
    void *data;                                          /* with this */
    pid_t program;                                       /* who began it, 0: nobody has */
    pthread_t thread;                                    /* that lends */
    char *stack;                                         /* the keeper's */
    pid_t keeper;                                        /* -1: there is none */
    bool forked;                                         /* there is a child */
    sem_t begun;                                         /* it is known whether there is */
    int said,
        report; /* ends of a pipe that the child's status goes through; it ends when the child does */
    int ended;          /* the child's status, -1 = not known */
    struct rusage used; /* by the child */
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

/* Of the thread that lent it to the keeper it has that no signal comes through: those that ask the
 * program for something are not its to answer, and what would be handled ends it. */
static _Noreturn void child_run(pid_t keeper) {
    struct dsm_status status = {0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper)
        _exit(1);
    writer.work(writer.data, &status);
    report(writer.said, &status);
    _exit(0);
}

/* ---- the keeper ------------------------------------------------------------------------------ */

/* Its files are copies: what it closes stays open in the program. */
static int keep(void *unused) {
    pid_t keeper = writer.keeper = getpid(), child = -1;
    (void)unused;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == writer.program)
        child = fork();
    if (child == 0)
        child_run(keeper);
    close(writer.said);
    writer.forked = child > 0;
    sem_post(&writer.begun);
    while (child > 0 && wait4(child, &writer.ended, 0, &writer.used) < 0 && errno == EINTR)
        continue;
    _exit(0);
}

static void *lend(void *unused) {
    writer.keeper = clone(keep, writer.stack + STACK, CLONE_VM | CLONE_VFORK, NULL);
    sem_post(&writer.begun);
    return unused;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* No signal comes through on that thread, nor to the keeper and the child. */
static bool thread_start(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&writer.thread, NULL, lend, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void keeper_end(void) {
    pthread_join(writer.thread, NULL);
    while (writer.keeper > 0 && waitpid(writer.keeper, NULL, __WALL) < 0 && errno == EINTR)
        continue;
}

static void leave(void) {
    close(writer.report);
    orrery_memory_unmap(writer.stack, STACK);
    sem_destroy(&writer.begun);
    writer.program = 0;
}

/* False: there is no child. */
static bool keeper_start(void) {
    if (!thread_start())
        return false;
    while (sem_wait(&writer.begun) != 0 && errno == EINTR)
        continue;
    if (!writer.forked)
        keeper_end();
    return writer.forked;
}

bool orrery_writer_start(void (*work)(void *data, struct dsm_status *status), void *data) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    dsm_before_fork();
    writer.work = work;
    writer.data = data;
    writer.program = getpid();
    writer.stack = orrery_memory_map_sparse(STACK);
    writer.keeper = writer.ended = -1;
    writer.forked = false;
    writer.report = ends[0];
    writer.said = ends[1];
    sem_init(&writer.begun, 0, 0);
    bool started = keeper_start();
    close(ends[1]);
    if (!started)
        leave();
    return started;
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
    return writer.program != 0 && !waits_for(0);
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
    bool late = !waits_for(ORRERY_WRITER_PATIENCE * 1000);
    if (late)
        kill(writer.keeper, SIGKILL);
    bool said = status_read(status);
    keeper_end();
    *seconds = seconds_of(writer.used.ru_utime) + seconds_of(writer.used.ru_stime);
    leave();
    if (!said)
        say_end(writer.ended, late, status);
    return said;
}
