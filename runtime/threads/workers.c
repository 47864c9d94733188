#define _GNU_SOURCE
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"
#include "runtime/threads/context.h"
#include "runtime/threads/cores.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    int count; /* workers, the thread that hands out jobs among them */
    int spins; /* how long a waiter looks at a flag before it sleeps; 0 when there are more workers
                * than cores */
    struct orrery_flag start;     /* counts jobs handed out */
    struct orrery_flag done;      /* ... and finished */
    _Alignas(64) atomic_int left; /* workers that have not finished the last one */
    void (*job)(void *data, int worker);
    void *data;
    fenv_t floats;            /* what the thread that hands out the job computes with */
    bool attempt;             /* that thread is in one, so that a worker may refuse */
    atomic_int refused;       /* one has, */
    struct dsm_status status; /* and said why */
} pool;

/* Some ten microseconds; then the core is offered to whoever needs it, who may be the one that is
 * awaited; about a millisecond later the waiter sleeps. FEW_YIELDS: with more workers than cores.
 */
enum { SPINS = 1000, YIELDS = 2000, FEW_YIELDS = 20, UNLIMITED_MEGABYTES = 1024 };

static void futex(atomic_uint *word, int op, unsigned value) {
    syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

/* A sleeper announces itself before it looks again, and the setter looks for sleepers after it has
 * set: one of the two sees the other (both sequentially consistent). */
void orrery_flag_set(struct orrery_flag *flag, unsigned value) {
    atomic_store(&flag->value, value);
    if (atomic_load(&flag->sleepers))
        futex(&flag->value, FUTEX_WAKE, 0x7fffffff);
}

bool orrery_flag_is(struct orrery_flag *flag, unsigned value) {
    return (int)(atomic_load_explicit(&flag->value, memory_order_acquire) - value) >= 0;
}

static void flag_sleep(struct orrery_flag *flag, unsigned value) {
    atomic_fetch_add(&flag->sleepers, 1);
    for (;;) {
        unsigned seen = atomic_load(&flag->value);
        if ((int)(seen - value) >= 0)
            break;
        futex(&flag->value, FUTEX_WAIT, seen);
    }
    atomic_fetch_sub(&flag->sleepers, 1);
}

void orrery_flag_wait(struct orrery_flag *flag, unsigned value) {
    for (int i = 0; i < pool.spins; ++i) {
        if (orrery_flag_is(flag, value))
            return;
        __builtin_ia32_pause();
    }
    for (int i = 0; i < (pool.spins ? YIELDS : FEW_YIELDS); ++i) {
        if (orrery_flag_is(flag, value))
            return;
        sched_yield();
    }
    flag_sleep(flag, value);
}

struct try {
    void (*job)(void *data, int worker);
    void *data;
    int worker;
};

static void try_job(void *data) {
    const struct try *try = data;
    try->job(try->data, try->worker);
}

/* The first that refuses speaks for all. */
static void job_try(void (*job)(void *data, int worker), void *data, int worker) {
    struct try try = {job, data, worker};
    struct dsm_status status;
    if (!dsm_attempt(try_job, &try, &status) && !atomic_exchange(&pool.refused, 1))
        pool.status = status;
}

static _Thread_local bool is_worker;

bool orrery_worker_is_here(void) {
    return is_worker;
}

static void *worker_main(void *argument) {
    int worker = (int)(intptr_t)argument;
    is_worker = true;
    orrery_rank_bind(worker, pool.count);
    for (unsigned job = 1;; ++job) {
        orrery_flag_wait(&pool.start, job);
        orrery_context_enter(&pool.floats);
        if (pool.attempt)
            job_try(pool.job, pool.data, worker);
        else
            pool.job(pool.data, worker);
        orrery_context_leave(worker);
        if (atomic_fetch_sub(&pool.left, 1) == 1)
            orrery_flag_set(&pool.done, job);
    }
    return NULL;
}

/* As much as the program's thread may have; glibc gives 2 MiB where that is unlimited. */
static size_t stack_bytes(void) {
    const size_t megabyte = 1 << 20, most = UNLIMITED_MEGABYTES * megabyte;
    struct rlimit limit;
    if (orrery_env()->stack)
        return (size_t)orrery_env()->stack * megabyte;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > most)
        return most;
    return limit.rlim_cur < megabyte ? megabyte : (size_t)limit.rlim_cur;
}

static int thread_start(int worker) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int error = pthread_attr_setstacksize(&attributes, stack_bytes());
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (!error)
        error = pthread_create(&thread, &attributes, worker_main, (void *)(intptr_t)worker);
    pthread_attr_destroy(&attributes);
    return error;
}

/* Signals are the program's: they are handled by its own threads. False: there is no such thread,
 * and nobody has asked for so many. */
static bool worker_start(int worker) {
    sigset_t all, old;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGABRT);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = thread_start(worker);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error && orrery_env()->threads)
        dsm_fail(1,
                 "cannot start worker thread %d of %d with %zu MB of stack: %s (set ORRERY_THREADS "
                 "or ORRERY_STACK lower)",
                 worker, pool.count, stack_bytes() >> 20, strerror(error));
    return !error;
}

static int wanted(int cores) {
    return orrery_env()->threads ? (int)orrery_env()->threads : cores;
}

/* Where memory is taken by several threads its addresses are never the same again. */
int orrery_load_threads(void) {
    return orrery_env()->checkpoint ? 1 : wanted(orrery_rank_cores());
}

/* A child of fork has none yet. */
static void pool_forget(void) {
    pool.count = 0;
    atomic_store(&pool.start.value, 0);
    atomic_store(&pool.start.sleepers, 0);
    atomic_store(&pool.done.value, 0);
    atomic_store(&pool.done.sleepers, 0);
}

static void pool_prepare(void) {
    static bool prepared;
    if (!prepared && pthread_atfork(NULL, NULL, pool_forget))
        dsm_fail(1, "cannot register what fork does to workers");
    prepared = true;
}

int orrery_workers_wanted(void) {
    return pool.count ? pool.count : wanted(orrery_rank_cores());
}

int orrery_workers_count(void) {
    if (pool.count)
        return pool.count;
    pool_prepare();
    int cores = orrery_rank_cores();
    pool.count = wanted(cores);
    pool.spins = pool.count <= cores ? SPINS : 0;
    orrery_rank_bind(0, pool.count);
    for (int worker = 1; worker < pool.count; ++worker)
        if (!worker_start(worker))
            pool.count = worker;
    return pool.count;
}

static void job_here(void (*job)(void *data, int worker), void *data) {
    orrery_context_enter(NULL);
    if (pool.attempt)
        job_try(job, data, 0);
    else
        job(data, 0);
    orrery_context_leave(0);
}

/* In an attempt a job may be refused by any worker; all of them come to an end of it. */
static void job_begin(void) {
    pool.attempt = dsm_attempting();
    atomic_store(&pool.refused, 0);
}

static void job_end(void) {
    if (pool.attempt && atomic_load(&pool.refused))
        dsm_refuse(1, "%s", pool.status.why);
}

void orrery_workers_run(void (*job)(void *data, int worker), void *data) {
    int count = orrery_workers_count();
    job_begin();
    if (count == 1) {
        job_here(job, data);
        job_end();
        return;
    }
    unsigned number = atomic_load_explicit(&pool.start.value, memory_order_relaxed) + 1;
    pool.job = job;
    pool.data = data;
    fegetenv(&pool.floats);
    atomic_store_explicit(&pool.left, count - 1, memory_order_relaxed);
    orrery_flag_set(&pool.start, number);
    job_here(job, data);
    orrery_flag_wait(&pool.done, number);
    job_end();
}
