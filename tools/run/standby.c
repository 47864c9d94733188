#define _GNU_SOURCE
#include "tools/run/standby.h"

#include "tools/run/supervise.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the start ------------------------------------------------------------------------------- */

/* Input is the job's. */
static void become(const struct arg_list *words, int output, int errors) {
    sigset_t none;
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(errors, STDERR_FILENO) >= 0)
        execvp(words->items[0], (char *const *)words->items);
    _exit(127);
}

static pid_t child_start(const struct arg_list *words, int output, int errors) {
    pid_t parent = getpid(), child = fork();
    if (child != 0)
        return child;
    supervise_bind(parent);
    become(words, output, errors);
    return child;
}

/* The words name the variables that they hand on. */
static void launcher_start(struct standby *standby, int output, int errors) {
    struct arg_list words = {.arena = standby->arena};
    setenv("ORRERY_STANDBY", "1", 1);
    launch_words(standby->launch, &words);
    standby->child = child_start(&words, output, errors);
    unsetenv("ORRERY_STANDBY");
}

static void begin(struct standby *standby) {
    const struct launch *launch = standby->launch;
    int output[2], errors[2];
    if (pipe2(output, O_CLOEXEC) != 0)
        return;
    if (pipe2(errors, O_CLOEXEC) != 0) {
        close(output[0]);
        close(output[1]);
        return;
    }
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    launch_switch();
    heartbeats_start(&standby->heartbeats, launch_heartbeats(standby->arena, launch),
                     launch_processes(launch), !launch_is_spread(launch));
    standby->errors = errors[0];
    standby->relay = relay_start(output[0]);
    if (standby->relay && standby->heartbeats.ranks > 0)
        launcher_start(standby, output[1], errors[1]);
    launch_switch();
    close(output[1]);
    close(errors[1]);
    standby->heartbeats.launcher = standby->child > 0 ? standby->child : 0;
}

/* ---- while it waits -------------------------------------------------------------------------- */

static void listen(struct standby *standby) {
    char bytes[4096], *more;
    ssize_t got;
    while ((got = read(standby->errors, bytes, sizeof bytes)) > 0)
        if ((more = realloc(standby->said, standby->bytes + (size_t)got))) {
            memcpy(more + standby->bytes, bytes, (size_t)got);
            standby->said = more;
            standby->bytes += (size_t)got;
        }
}

/* One pass is over: inspecting the data is not held up. */
static bool is_time(struct standby *standby, long pass) {
    if (standby->pass == 0)
        standby->pass = pass;
    return standby->child || (pass > 0 && pass != standby->pass);
}

void standby_look(struct standby *standby, long pass) {
    if (!standby->launch || standby->ended || !is_time(standby, pass))
        return;
    if (!standby->child)
        begin(standby);
    if (standby->child <= 0) {
        standby_end(standby);
        standby->ended = true;
        fprintf(stderr, "orrery run: no other job can be begun that stands by\n");
        return;
    }
    standby->time = now();
    heartbeats_read(&standby->heartbeats, standby->time);
    listen(standby);
}

bool standby_reaped(struct standby *standby, pid_t process, int status) {
    if (!standby || standby->child <= 0 || standby->child != process)
        return false;
    listen(standby);
    fwrite(standby->said, 1, standby->bytes, stderr);
    fprintf(stderr,
            "orrery run: the job that stood by has ended (%s %d): should this one be lost, it is "
            "started from the beginning\n",
            WIFSIGNALED(status) ? "signal" : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    standby->child = 0;
    standby->ended = true;
    return true;
}

/* ---- its turn -------------------------------------------------------------------------------- */

bool standby_is_well(struct standby *standby) {
    if (!standby->launch || standby->child <= 0)
        return false;
    standby_look(standby, 0);
    return heartbeats_are_well(&standby->heartbeats, standby->time);
}

void standby_go(struct standby *standby, int ranks, struct errors *errors) {
    heartbeats_want(&standby->heartbeats, ranks);
    errors_take(errors, standby->said, standby->bytes);
    relay_open(standby->relay);
    free(standby->said);
    standby->said = NULL;
    standby->bytes = 0;
}

void standby_end(struct standby *standby) {
    bool there = standby->relay != NULL;
    if (standby->child > 0) {
        kill(standby->child, SIGKILL);
        waitpid(standby->child, NULL, 0);
        supervise_orphans();
    }
    if (there) {
        relay_end(standby->relay);
        heartbeats_end(&standby->heartbeats);
        close(standby->errors);
        launch_switch();
        launch_clean();
        launch_switch();
    }
    free(standby->said);
    *standby = (struct standby){
        .arena = standby->arena, .launch = standby->launch, .ended = standby->ended};
}
