#ifndef ORRERY_SCHEDULER_STANDALONE_TEAM_H
#define ORRERY_SCHEDULER_STANDALONE_TEAM_H
/* ---- threads --------------------------------------------------------------------------------- */

/* Work of all threads: number `worker` of `workers`. */
typedef void orrery_job(void *data, int worker, int workers);

/* Where number w of n equal shares of [0, count) begins. */
static long orrery_share(long count, long w, long n) {
    long product;
    return __builtin_mul_overflow(count, w, &product) ? (long)((__int128)count * w / n)
                                                      : product / n;
}

static void orrery_die(const char *what) {
    fprintf(stderr, "error: %s\n", what);
    exit(1);
}

#if WITH_KEYS

/* In large pages, where the kernel has them for who asks. */
static void *orrery_allocate_large(unsigned long bytes) {
    unsigned long page = 2ul << 20;
    void *memory = (aligned_alloc)(page, (bytes + page - 1) / page * page);
    if (!memory)
        orrery_die("no memory for a parallel loop");
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memset(memory, 0, bytes);
}
#endif

static void *orrery_allocate(unsigned long count, unsigned long size) {
#if WITH_KEYS
    unsigned long bytes;
    if (!__builtin_mul_overflow(count, size, &bytes) && bytes >= 2ul << 20 && bytes < 1ul << 62)
        return orrery_allocate_large(bytes);
#endif
    void *memory = (calloc)(count ? count : 1, size);
    if (!memory)
        orrery_die("no memory for a parallel loop");
    return memory;
}

/* The same in whole lines of the cache. */
static char *orrery_allocate_lines(unsigned long bytes) {
#if WITH_KEYS
    if (bytes >= 2ul << 20)
        return orrery_allocate_large(bytes);
#endif
    char *memory = (aligned_alloc)(64, (bytes + 64) / 64 * 64);
    if (!memory)
        orrery_die("no memory for a parallel loop");
    return memset(memory, 0, (bytes + 64) / 64 * 64);
}

/* A job with what all threads have of the caller's, and leave to it. */
static struct orrery_context {
    orrery_job *job;
    void *data;
    fenv_t floats; /* how the caller rounds */
    int raised;    /* exceptions of all */
    int error;     /* errno of the last of the others that has one, and 1024 times its number */
} orrery_context;

/* clang's OpenMP forgets what the caller's own thread raised, too. */
static void orrery_context_job(void *data, int worker, int workers) {
    struct orrery_context *context = data;
    if (worker > 0) {
        fesetenv(&context->floats);
        errno = 0;
    }
    context->job(context->data, worker, workers);
    int raised = fetestexcept(FE_ALL_EXCEPT);
    if (raised)
        __atomic_fetch_or(&context->raised, raised, __ATOMIC_RELAXED);
    if (worker == 0 || (errno != EDOM && errno != ERANGE))
        return;
    int seen = __atomic_load_n(&context->error, __ATOMIC_RELAXED), own = worker * 1024 + errno;
    while (seen < own && !__atomic_compare_exchange_n(&context->error, &seen, own, 0,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static struct orrery_context *orrery_context_begin(orrery_job *job, void *data) {
    orrery_context.job = job;
    orrery_context.data = data;
    orrery_context.raised = orrery_context.error = 0;
    fegetenv(&orrery_context.floats);
    return &orrery_context;
}

static void orrery_context_end(void) {
    if (orrery_context.raised & ~fetestexcept(FE_ALL_EXCEPT))
        feraiseexcept(orrery_context.raised);
    if (orrery_context.error)
        errno = orrery_context.error % 1024;
}
#if WITH_OPENMP

/* As many as OMP_NUM_THREADS says, else one per core. */
static int orrery_threads(void) {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* A child of fork has none of the threads that OpenMP's library waits for there: it does all alone. */
static void orrery_team(orrery_job *job, void *data) {
#ifdef _OPENMP
    static int owner;
    owner = owner ? owner : getpid();
    if (owner == getpid()) {
        struct orrery_context *context = orrery_context_begin(job, data);
#pragma omp parallel
        orrery_context_job(context, omp_get_thread_num(), omp_get_num_threads());
        orrery_context_end();
        return;
    }
#endif
    job(data, 0, 1);
}
#endif
#if WITH_PTHREADS

/* Threads that wait for work, made at the first parallel loop of a process; thread 0 is the caller. */
static struct orrery_pool {
    int workers;           /* threads, with the caller */
    int owner;             /* whose threads they are: a child of fork has none of them */
    pthread_mutex_t lock;  /* of `number` and `left` */
    pthread_cond_t begins; /* a job is there */
    pthread_cond_t ends;   /* all have ended it */
    unsigned number;       /* of the job that runs, or ran last */
    int left;              /* threads that have not ended it */
    orrery_job *job;       /* what they do */
    void *data;            /* and with what */
} orrery_pool;

/* A while of looking is cheaper than sleeping, where the job is short. */
static int orrery_comes_soon(const unsigned *value, unsigned wanted) {
    for (int i = 0; i < 2000; ++i) {
        if (__atomic_load_n(value, __ATOMIC_ACQUIRE) == wanted)
            return 1;
        if (i % 16 == 15)
            sched_yield();
    }
    return 0;
}

static void *orrery_thread(void *argument) {
    int worker = (int)(long)argument;
    for (unsigned number = 1;; ++number) {
        if (!orrery_comes_soon(&orrery_pool.number, number)) {
            pthread_mutex_lock(&orrery_pool.lock);
            while (orrery_pool.number != number)
                pthread_cond_wait(&orrery_pool.begins, &orrery_pool.lock);
            pthread_mutex_unlock(&orrery_pool.lock);
        }
        orrery_pool.job(orrery_pool.data, worker, orrery_pool.workers);
        pthread_mutex_lock(&orrery_pool.lock);
        if (__atomic_sub_fetch(&orrery_pool.left, 1, __ATOMIC_RELEASE) == 0)
            pthread_cond_signal(&orrery_pool.ends);
        pthread_mutex_unlock(&orrery_pool.lock);
    }
    return 0;
}

/* As many as ORRERY_THREADS says, else one per core. */
static int orrery_threads(void) {
    const char *said = getenv("ORRERY_THREADS");
    if (orrery_pool.owner == getpid())
        return orrery_pool.workers;
    long wanted = said ? strtol(said, 0, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    orrery_pool = (struct orrery_pool){wanted < 1      ? 1
                                       : wanted > 4096 ? 4096
                                                       : (int)wanted,
                                       getpid(),
                                       PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_COND_INITIALIZER,
                                       PTHREAD_COND_INITIALIZER,
                                       0,
                                       0,
                                       0,
                                       0};
    for (long worker = 1; worker < orrery_pool.workers; ++worker) {
        pthread_t thread;
        if (pthread_create(&thread, 0, orrery_thread, (void *)worker))
            orrery_die("cannot start a thread");
        pthread_detach(thread);
    }
    return orrery_pool.workers;
}

static void orrery_team(orrery_job *job, void *data) {
    int workers = orrery_threads();
    if (workers == 1) {
        job(data, 0, 1);
        return;
    }
    orrery_pool.job = orrery_context_job;
    orrery_pool.data = orrery_context_begin(job, data);
    __atomic_store_n(&orrery_pool.left, workers - 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&orrery_pool.lock);
    __atomic_store_n(&orrery_pool.number, orrery_pool.number + 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&orrery_pool.begins);
    pthread_mutex_unlock(&orrery_pool.lock);
    orrery_context_job(orrery_pool.data, 0, workers);
    for (int i = 0; i < 2000 && __atomic_load_n(&orrery_pool.left, __ATOMIC_ACQUIRE); ++i)
        sched_yield();
    pthread_mutex_lock(&orrery_pool.lock);
    while (__atomic_load_n(&orrery_pool.left, __ATOMIC_ACQUIRE))
        pthread_cond_wait(&orrery_pool.ends, &orrery_pool.lock);
    pthread_mutex_unlock(&orrery_pool.lock);
    orrery_context_end();
}
#endif
#if WITH_FLAGS

/* A number that one thread raises and others wait for. */
struct orrery_flag {
    long value;
} __attribute__((__aligned__(64)));

static void orrery_flag_set(struct orrery_flag *flag, long value) {
    __atomic_store_n(&flag->value, value, __ATOMIC_RELEASE);
}

/* Some ten microseconds; then the core is offered to whoever needs it. */
static void orrery_flag_wait(const struct orrery_flag *flag, long value) {
    for (int i = 0; __atomic_load_n(&flag->value, __ATOMIC_ACQUIRE) < value; ++i) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
        if (i > 1000)
            sched_yield();
    }
}

static struct orrery_flag *orrery_flags_new(long count) {
    return (void *)orrery_allocate_lines((unsigned long)(count + 1) * sizeof(struct orrery_flag));
}
#endif

#endif
