/*
 * Loops of shared libraries: main is not wrapped, nor is the C library, any thread may call, and
 * the process may fork (docs/shared.md). One region runs at a time; the thread that has the lock
 * stands for that of main.
 */
#define _GNU_SOURCE
#include "runtime/start/guest.h"

#include "include/orrery.h"

#include "runtime/base/env.h"
#include "runtime/checkpoint/checkpoint.h"
#include "runtime/region/state.h"
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char orrery_shared __attribute__((weak));

/* One orrery_try of a thread. */
struct try {
    const struct orrery_try *asked;
    bool may_stop, stopped; /* SIGINT is looked at; the try was left for that reason */
};

static _Thread_local struct try *trying;
static _Thread_local bool inside; /* of a region of this thread */

static struct {
    pthread_mutex_t lock; /* of all regions */
    bool started;
    atomic_bool interrupted;
    struct sigaction before; /* what else SIGINT does */
} guest = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool orrery_is_guest(void) {
    return &orrery_shared != NULL;
}

/* ---- start, fork ----------------------------------------------------------------------------- */

static void fork_begins(void) {
    if (!inside)
        pthread_mutex_lock(&guest.lock);
}

static void fork_ends(void) {
    if (!inside)
        pthread_mutex_unlock(&guest.lock);
}

static void check_wanted(void) {
    if (dsm_launched() != 0 && dsm_launched() != 1 && strcmp(orrery_env_transport(), "self") != 0)
        dsm_refuse(2, "this process is one of several that a launcher has started, and loops of a "
                      "shared library run on the threads of their own process; set "
                      "ORRERY_TRANSPORT=self if each process is to run its own, or link the loops "
                      "into a program by orrery-cc, which divides them among the ranks (as "
                      "orrery.load(..., comm=MPI.COMM_WORLD) does, from Python)");
    if (strcmp(orrery_env_transport(), "mpi") == 0)
        dsm_refuse(2, "ORRERY_TRANSPORT=mpi: loops of a shared library run on threads; link them "
                      "into a program by orrery-cc to run them on several ranks");
    if (orrery_checkpoint_wanted())
        dsm_refuse(2, "ORRERY_CHECKPOINT: a checkpoint is of a whole program that orrery-cc has "
                      "linked, not of a process with shared libraries; unset it");
}

static void start(void) {
    char message[1024];
    if (orrery_env_read(message, sizeof message))
        dsm_refuse(2, "%s", message);
    check_wanted();
    dsm_guest();
    dsm_torture_allocation((unsigned long)orrery_env()->fails, (int)orrery_env()->fails_on);
    dsm_start("self");
    if (!dsm_on_exit(orrery_leave) || pthread_atfork(fork_begins, fork_ends, fork_ends))
        dsm_refuse(1, "cannot register the end of the run, or what fork does");
    guest.started = true;
}

/* ---- a region -------------------------------------------------------------------------------- */

struct call {
    struct orrery_loop *loop;
    void *env;
    long count;
    int (*run)(struct orrery_loop *loop, void *env, long count);
    int result;
};

static void memory_lend(void) {
    int n = trying ? trying->asked->count : 0;
    struct dsm_range *ranges = dsm_own_alloc((size_t)n * sizeof *ranges);
    for (int i = 0; i < n; ++i) {
        const struct orrery_memory *memory = &trying->asked->memory[i];
        ranges[i] = (struct dsm_range){memory->base, (const char *)memory->base + memory->bytes};
    }
    dsm_lend(n, ranges);
    dsm_own_free(ranges);
}

static void region(void *data) {
    struct call *call = data;
    if (!guest.started)
        start();
    orrery_driver_start();
    memory_lend();
    call->result = call->run(call->loop, call->env, call->count);
}

bool orrery_guest_is_inside(void) {
    return inside || orrery_worker_is_here();
}

static void call_check(const struct orrery_loop *loop) {
    if (orrery_guest_is_inside())
        dsm_fail(1,
                 "%s:%d: a parallel loop was reached from inside of another one; mark the inner "
                 "one `#pragma orrery serial`",
                 loop->file, loop->line);
    if (loop->kernel)
        dsm_refuse(1,
                   "%s:%d: loops of a shared library run on threads, not on a GPU: compile it "
                   "without -target gpu, or link the loop into a program by orrery-cc",
                   loop->file, loop->line);
}

static void stop_if_asked(const struct orrery_loop *loop) {
    if (!trying || !trying->may_stop || !atomic_load(&guest.interrupted))
        return;
    trying->stopped = true;
    dsm_refuse(1, "%s:%d: interrupted in front of the loop", loop->file, loop->line);
}

/* A program's own memory is known anyway; of what is not its allocator's, what is lent. */
void orrery_try_enter(const struct orrery_loop *loop) {
    if (!trying && dsm_lent_epoch() == 0)
        return;
    if (!orrery_call_is_main() || orrery_region_active())
        return;
    stop_if_asked(loop);
    if (dsm_ranks() == 1)
        memory_lend();
}

int orrery_guest_run(struct orrery_loop *loop, void *env, long count,
                     int (*run)(struct orrery_loop *loop, void *env, long count)) {
    struct call call = {loop, env, count, run, 1};
    struct dsm_status status;
    call_check(loop);
    stop_if_asked(loop);
    pthread_mutex_lock(&guest.lock);
    inside = true;
    bool done = dsm_attempt(region, &call, &status);
    inside = false;
    pthread_mutex_unlock(&guest.lock);
    if (!done)
        dsm_refuse(1, "%s", status.why);
    return call.result;
}

/* ---- orrery_try ------------------------------------------------------------------------------ */

/* The handler that was there is told, too. */
static void on_interrupt(int number, siginfo_t *info, void *context) {
    atomic_store(&guest.interrupted, true);
    if (guest.before.sa_flags & SA_SIGINFO)
        guest.before.sa_sigaction(number, info, context);
    else if (guest.before.sa_handler != SIG_DFL && guest.before.sa_handler != SIG_IGN)
        guest.before.sa_handler(number);
}

/* The process handles the signal: by us, or in its own way. */
static bool handles(const struct sigaction *action, bool *us) {
    bool long_form = action->sa_flags & SA_SIGINFO;
    *us = long_form && action->sa_sigaction == on_interrupt;
    return long_form || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* Where the signal ends the process, or nothing, it goes on to do so. `take`: the handler that was
 * there is ours to put back. */
static bool signals_take(bool *take) {
    struct sigaction now, ours = {.sa_sigaction = on_interrupt};
    bool us = false, handled = sigaction(SIGINT, NULL, &now) == 0 && handles(&now, &us);
    *take = handled && !us;
    if (!*take)
        return handled;
    guest.before = now;
    ours.sa_flags = SA_SIGINFO | (now.sa_flags & (SA_RESTART | SA_ONSTACK));
    ours.sa_mask = now.sa_mask;
    atomic_store(&guest.interrupted, false);
    *take = sigaction(SIGINT, &ours, NULL) == 0;
    return *take;
}

/* Unless the process has another one by now. */
static void signals_give(void) {
    struct sigaction now;
    bool us;
    if (sigaction(SIGINT, NULL, &now) == 0 && handles(&now, &us) && us)
        sigaction(SIGINT, &guest.before, NULL);
}

int orrery_try(struct orrery_try *asked, void (*work)(void *data), void *data) {
    struct dsm_status status;
    bool take = false, signals = asked->signals && signals_take(&take);
    struct try mine = {.asked = asked, .may_stop = signals}, *before = trying;
    trying = &mine;
    bool good = dsm_attempt(work, data, &status);
    trying = before;
    if (take)
        signals_give();
    if (!good)
        snprintf(asked->message, sizeof asked->message, "%.*s", (int)sizeof asked->message - 1,
                 status.why);
    return good ? 0 : mine.stopped ? ORRERY_INTERRUPTED : ORRERY_REFUSED;
}
