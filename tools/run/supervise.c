#define _GNU_SOURCE
#include "tools/run/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* DEAD_SECONDS: what a launcher gets to say that a rank has died before it is killed; OVER_SECONDS:
 * to end when all ranks have. */
enum {
    GRACE_SECONDS = 3,
    DEAD_SECONDS = 1,
    OVER_SECONDS = 10,
    STATUS_TIMEOUT = 124,
    STATUS_NO_START = 127
};

/* Seconds between two looks that count; more of them passed without this process. */
#define MOST_PASSED .5

/* Keeps children from being orphaned: they come to us, and go with us. */
static void adopt(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
}

void supervise_bind(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, (long)SIGTERM, 0L, 0L, 0L);
    if (getppid() != parent)
        _exit(STATUS_NO_START);
}

static void start_child(const struct supervision *supervision, pid_t parent, const sigset_t *mask,
                        int errors) {
    const struct arg_list *words = supervision->words;
    supervise_bind(parent);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (supervision->output) {
        int fd = open(supervision->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
            _exit(STATUS_NO_START);
    }
    if (errors >= 0 && dup2(errors, STDERR_FILENO) < 0)
        _exit(STATUS_NO_START);
    execvp(words->items[0], (char *const *)words->items);
    fprintf(stderr, "orrery: cannot run '%s': %s%s\n", words->items[0], strerror(errno),
            strstr(words->items[0], "mpi") ? " (an MPI is needed for several ranks: Debian's "
                                             "openmpi-bin)"
                                           : "");
    _exit(STATUS_NO_START);
}

/* Kills every process whose parent we are but the standby's: after the child's end these are its
 * orphans. */
static void kill_orphans(struct standby *standby) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    for (int round = 0; round < 50; ++round) {
        FILE *in = fopen(path, "r");
        int found = 0, status;
        long pid;
        pid_t ended;
        while (in && fscanf(in, "%ld", &pid) == 1)
            if (!standby || pid != standby->child) {
                kill((pid_t)pid, SIGKILL);
                ++found;
            }
        if (in)
            fclose(in);
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
            standby_reaped(standby, ended, status);
        if (!found)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

void supervise_orphans(void) {
    kill_orphans(NULL);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Reaps; true when it was the child that ended. */
static bool reap(struct standby *standby, pid_t child, int *status) {
    int one;
    pid_t pid;
    bool ended = false;
    while ((pid = waitpid(-1, &one, WNOHANG)) > 0) {
        if (pid == child) {
            *status = one;
            ended = true;
        } else {
            standby_reaped(standby, pid, one);
        }
    }
    return ended;
}

/* What goes on while the child runs. */
struct watching {
    struct supervision *supervision; /* what was asked for, and what came of it */
    pid_t child;                     /* the command */
    double limit;                    /* when the timeout passes, 0 = never */
    double kill_at;                  /* when the child is killed, 0 = not yet */
    double looked;                   /* when heartbeats were looked at */
    double watched; /* the time that they go by: none passes while we are stopped */
    int errors;     /* read end of its error stream, -1 = none */
    int signals;    /* that were handed on */
    bool timed_out; /* the timeout has passed */
};

/* The second signal is meant. */
static void hand_on(struct watching *watching, int number) {
    const struct supervision *what = watching->supervision;
    bool asks = what->saves && (number == SIGTERM || number == SIGUSR1);
    watching->supervision->stopped = true;
    kill(watching->child, asks && what->launcher ? SIGUSR1 : number);
    if ((!asks || ++watching->signals > 1) && watching->kill_at == 0)
        watching->kill_at = now() + GRACE_SECONDS;
}

/* Nobody is lost. Some may keep others waiting; or all are done, and their launcher does not end,
 * though what it has to write can be written. */
static void look_at_progress(struct watching *watching) {
    struct supervision *what = watching->supervision;
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    char text[1200];
    if (heartbeats_note(what->heartbeats, watching->watched, text, sizeof text))
        fprintf(stderr, "orrery %s: %s\n", what->who, text);
    double over = what->heartbeats->over;
    if (over > 0 && watching->watched - over > OVER_SECONDS && poll(&output, 1, 0) > 0 &&
        watching->kill_at == 0) {
        what->lingered = true;
        watching->kill_at = now();
    }
}

/* Other ranks than there are: some of those that wait, or the job ends with a checkpoint. */
static void look_at_size(struct watching *watching) {
    struct supervision *what = watching->supervision;
    if (!what->resize || what->stopped || watching->kill_at > 0)
        return;
    enum resize_step step = resize_look(what->resize, what->who);
    if (step == RESIZE_DEAL)
        heartbeats_want(what->heartbeats, (int)what->resize->ranks);
    else if (step == RESIZE_ANEW)
        kill(watching->child, SIGUSR1);
}

/* A rank that is lost: the job is over, however long its launcher takes to see it. */
static void look_at_heartbeats(struct watching *watching) {
    struct supervision *what = watching->supervision;
    if (!what->heartbeats || what->lost >= 0 || now() - watching->looked < .1)
        return;
    double passed = now() - watching->looked;
    watching->looked = now();
    watching->watched += passed < MOST_PASSED ? passed : MOST_PASSED;
    look_at_size(watching);
    if (what->standby && what->heartbeats->ranks > 0)
        standby_look(what->standby, (long)what->heartbeats->watched[0].last.pass);
    what->lost = heartbeats_look(what->heartbeats, watching->watched, &what->loss);
    if (what->lost < 0) {
        look_at_progress(watching);
        return;
    }
    bool dead = what->loss == HEARTBEAT_DEAD;
    if (what->launcher)
        watching->kill_at = watching->looked + (dead ? DEAD_SECONDS : 0);
    else if (!dead)
        watching->kill_at = watching->looked;
}

/* A launcher that has said which process was killed has nothing left to do. */
static void look_at_errors(struct watching *watching) {
    const struct errors *errors = watching->supervision->errors;
    if (errors && errors->rank >= 0 && watching->kill_at == 0)
        watching->kill_at = now() + GRACE_SECONDS;
}

static void look(struct watching *watching) {
    double time = now();
    look_at_heartbeats(watching);
    look_at_errors(watching);
    if (watching->limit > 0 && time > watching->limit && !watching->timed_out) {
        fprintf(stderr, "orrery %s: still running after %ld s, ending it\n",
                watching->supervision->who, watching->supervision->timeout);
        watching->timed_out = true;
        kill(watching->child, SIGTERM);
        watching->kill_at = time + GRACE_SECONDS;
    }
    if (watching->kill_at > 0 && time >= watching->kill_at)
        kill(watching->child, SIGKILL);
}

/* The rest of what was said; orphans may hold the stream open, so not for long. */
static void drain(struct watching *watching) {
    struct pollfd poll_of = {.fd = watching->errors, .events = POLLIN};
    while (watching->errors >= 0 && poll(&poll_of, 1, 50) > 0)
        if (!errors_read(watching->supervision->errors, watching->errors))
            return;
}

/* Once asked to end (by the limit or by a signal)
 * the child has GRACE_SECONDS before it is killed. */
static int watch(struct watching *watching, const sigset_t *signals) {
    int status = 0;
    int turn = watching->errors >= 0 || watching->supervision->heartbeats ? 50000000 : 200000000;
    struct pollfd poll_of = {.fd = watching->errors, .events = POLLIN};
    while (!reap(watching->supervision->standby, watching->child, &status)) {
        siginfo_t info;
        int got = sigtimedwait(signals, &info, &(struct timespec){.tv_nsec = turn});
        if (got > 0 && got != SIGCHLD)
            hand_on(watching, got);
        while (watching->errors >= 0 && poll(&poll_of, 1, 0) > 0)
            if (!errors_read(watching->supervision->errors, watching->errors))
                break;
        look(watching);
    }
    drain(watching);
    if (watching->timed_out)
        return STATUS_TIMEOUT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void signals_of(sigset_t *signals) {
    static const int numbers[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    sigemptyset(signals);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        sigaddset(signals, numbers[i]);
}

/* The command; -1 with a message: it cannot be started. */
static pid_t child_start(const struct supervision *what, const sigset_t *mask, int *errors) {
    int ends[2] = {-1, -1};
    if (what->errors && pipe2(ends, O_CLOEXEC) == 0)
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        start_child(what, parent, mask, ends[1]);
    if (child < 0)
        fprintf(stderr, "orrery %s: cannot start a process: %s\n", what->who, strerror(errno));
    if (ends[1] >= 0)
        close(ends[1]);
    *errors = ends[0];
    return child;
}

/* Between two attempts signals wait for the second. `before`: the mask of who called the first. */
static struct {
    bool blocked;
    sigset_t before;
} mask;

static void block(const sigset_t *signals) {
    if (!mask.blocked)
        sigprocmask(SIG_BLOCK, signals, &mask.before);
    mask.blocked = true;
}

static void unblock(const struct supervision *what) {
    if (!what->attempts)
        sigprocmask(SIG_SETMASK, &mask.before, NULL);
    mask.blocked = what->attempts;
}

/* The one that came between two attempts; 0: none did. */
static int signal_between(const sigset_t *signals) {
    for (int got; (got = sigtimedwait(signals, NULL, &(struct timespec){0})) > 0;)
        if (got != SIGCHLD)
            return got;
    return 0;
}

int supervise_all(struct supervision *what) {
    sigset_t signals;
    int between = 0;
    signals_of(&signals);
    if (mask.blocked && !what->running)
        between = signal_between(&signals);
    block(&signals);
    what->stopped = between != 0;
    if (between) {
        unblock(what);
        return 128 + between;
    }
    adopt();
    fflush(NULL);
    what->lost = -1;
    struct watching watching = {
        .supervision = what, .watched = what->time, .errors = what->stream, .child = what->running};
    if (!watching.child)
        watching.child = child_start(what, &mask.before, &watching.errors);
    int status = STATUS_NO_START;
    if (watching.child > 0) {
        if (what->heartbeats)
            what->heartbeats->launcher = watching.child;
        watching.limit = what->timeout ? now() + (double)what->timeout : 0;
        status = watch(&watching, &signals);
        kill_orphans(what->standby);
    }
    if (watching.errors >= 0)
        close(watching.errors);
    unblock(what);
    return status;
}

int supervise(const char *who, const struct arg_list *words, long timeout, const char *output) {
    return supervise_all(
        &(struct supervision){.who = who, .words = words, .timeout = timeout, .output = output});
}
