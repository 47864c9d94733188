#include "runtime/load/load.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "include/orrery.h"

enum { MOST_THREADS = 256 };

struct round {
    load_task *task;
    void *state;
    long count;
    atomic_long next, failed; /* failed: the least index that did, or count */
    pthread_mutex_t lock;
    char message[LOAD_MESSAGE + 4096];
};

static void failed(struct round *round, long index) {
    pthread_mutex_lock(&round->lock);
    if (index < atomic_load(&round->failed)) {
        atomic_store(&round->failed, index);
        snprintf(round->message, sizeof round->message, "%s", orrery_load_error());
    }
    pthread_mutex_unlock(&round->lock);
}

static void *work(void *argument) {
    struct round *round = argument;
    struct load_piece piece = {0};
    for (;;) {
        long index = atomic_fetch_add(&round->next, 1);
        if (index >= round->count || index > atomic_load(&round->failed))
            break;
        if (round->task(round->state, index, &piece) != 0)
            failed(round, index);
    }
    free(piece.memory);
    return NULL;
}

int load_each(long count, load_task *task, void *state) {
    struct round round = {.task = task, .state = state, .count = count};
    pthread_t thread[MOST_THREADS];
    int wanted = orrery_load_threads ? orrery_load_threads() : 1, started = 0;
    if (wanted > MOST_THREADS)
        wanted = MOST_THREADS;
    if (wanted > count)
        wanted = (int)count;
    atomic_store(&round.failed, count);
    pthread_mutex_init(&round.lock, NULL);
    sigset_t all, old;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    while (started < wanted - 1 && pthread_create(&thread[started], NULL, work, &round) == 0)
        ++started;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    work(&round);
    while (started > 0)
        pthread_join(thread[--started], NULL);
    pthread_mutex_destroy(&round.lock);
    return atomic_load(&round.failed) < count ? load_fail("%s", round.message) : 0;
}
