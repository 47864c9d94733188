/*
 * The threads that keep the budget of spilled memory, and the one that reads ahead. What is here is
 * what the kernel counts as this process's pages of files. Some way below the budget the keeper
 * evicts: pages are written to the file, and given back to the system. Near it the watcher stops the
 * threads of the program, each in a handler of SIGURG, until enough has gone. A page that is touched
 * again comes back by the kernel's own fault, also where the kernel touches it. These threads take
 * no lock but the spill's own.
 */
#define _GNU_SOURCE
#include "dsm/memory/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Chunks that are evicted together; tries in vain until the program goes on; chunks that wait to be evicted first; ranges to read. */
enum { BATCH = 4, VAIN = 32, QUEUE = 1024, AHEAD = 64 };

/* How long the keeper sleeps, nanoseconds; and how fast pages are touched at most. */
#define LEAST_NAP 200000L
#define MOST_NAP 5000000L
#define BYTES_PER_NANOSECOND 8
#define MARGIN (16UL << 20)
#define READ_BYTES (256UL << 10)
#define TORTURE_BUDGET (1UL << 20)

struct victim {
    struct dsm_spilled *block;
    long chunk;
};

static struct {
    int statm, pages, tasks;            /* of /proc/self */
    atomic_int keeper, watcher, reader; /* threads that are not stopped */
    long others;                        /* bytes of files that the program and its libraries are */
    atomic_size_t shared;               /* bytes of memory that is shared, as MPI's is */
    atomic_int stopped;                 /* the program's threads are to wait; a futex */
    atomic_int stuck;                   /* ... though nothing is left that could go */
    struct victim queue[QUEUE];         /* nobody needs them now; under the spill's lock */
    unsigned head, tail;                /* of the queue */
    struct dsm_range ahead[AHEAD];
    unsigned asked, read;                     /* of `ahead`; under the spill's lock */
    atomic_int wanted;                        /* counts what is asked; a futex */
    atomic_size_t evicted, ahead_bytes, most; /* figures, as dsm_spill_figures_get says them */
    atomic_long stops, stopped_microseconds;  /* ... */
} keep;

static _Thread_local int inside;

void dsm_spill_lock(void) {
    if (dsm_forked())
        return;
    ++inside;
    dsm_lock_take(&dsm_spill.lock);
}

void dsm_spill_unlock(void) {
    if (dsm_forked())
        return;
    dsm_lock_give(&dsm_spill.lock);
    --inside;
}

/* ---- what is here ---------------------------------------------------------------------------- */

/* Field 3 of /proc/self/statm: resident pages of files and shared memory (proc(5)). */
static size_t file_bytes(void) {
    char text[128];
    long got = dsm_clib_pread(keep.statm, text, sizeof text - 1, 0), pages = 0;
    int field = 0;
    for (long i = 0; i < got && field < 3; ++i)
        if (text[i] == ' ')
            ++field;
        else if (field == 2)
            pages = pages * 10 + (text[i] - '0');
    return (size_t)pages * DSM_PAGE;
}

/* Shared memory, such as MPI's, counts there, too, but is no file's. It grows as it is used, so it is
 * asked for before anything is evicted. */
static void shared_look(void) {
    long bytes = dsm_process_number(DSM_PROCESS_SHARED);
    if (bytes >= 0)
        atomic_store(&keep.shared, (size_t)bytes);
}

static size_t resident(void) {
    size_t bytes = file_bytes(), others = (size_t)keep.others + atomic_load(&keep.shared);
    bytes = bytes > others ? bytes - others : 0;
    if (bytes > atomic_load(&keep.most))
        atomic_store(&keep.most, bytes);
    return bytes;
}

/* Is a page of it mapped? Bit 63 of its entry of /proc/self/pagemap (pagemap.rst). */
static bool is_here(const struct victim *victim) {
    uint64_t pages[DSM_SPILL_CHUNK / DSM_PAGE];
    size_t bytes = dsm_spill_chunk_bytes(victim->block, victim->chunk);
    uintptr_t at = (uintptr_t)victim->block->base + (size_t)victim->chunk * DSM_SPILL_CHUNK;
    long got = dsm_clib_pread(keep.pages, pages, bytes / DSM_PAGE * sizeof *pages,
                              (long)(at / DSM_PAGE * sizeof *pages));
    for (long page = 0; page < got / (long)sizeof *pages; ++page)
        if (pages[page] >> 63)
            return true;
    return false;
}

/* ---- stopping the program -------------------------------------------------------------------- */

static void futex(atomic_int *word, int operation, int value, const struct timespec *most) {
    syscall(SYS_futex, word, operation, value, most, NULL, 0);
}

/* SIGURG: nobody's by default, and ignored. */
static void on_stop(int number) {
    int error = errno;
    (void)number;
    while (!inside && atomic_load(&keep.stopped))
        futex(&keep.stopped, FUTEX_WAIT, 1, &(struct timespec){0, 100000000});
    errno = error;
}

/* The program may have a handler of its own: then it is left alone. */
static bool may_stop(void) {
    struct sigaction action;
    return dsm_clib_sigaction(SIGURG, NULL, &action) == 0 && action.sa_handler == on_stop;
}

/* Is it running, or in a page fault? A thread that sleeps touches nothing. The state follows the
 * name, which ends with the last parenthesis (proc(5)). */
static bool is_running(const char *task) {
    char path[32], text[256];
    size_t length = strlen(task);
    if (length > 16)
        return false;
    memcpy(path, task, length);
    memcpy(path + length, "/stat", 6);
    int file = openat(keep.tasks, path, O_RDONLY | O_CLOEXEC);
    long got = file < 0 ? 0 : dsm_clib_read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    while (got > 2 && text[got - 1] != ')')
        --got;
    return got > 2 && (text[got + 1] == 'R' || text[got + 1] == 'D');
}

static void stop_one(const char *name) {
    pid_t task = 0;
    for (const char *digit = name; *digit >= '0' && *digit <= '9'; ++digit)
        task = task * 10 + (*digit - '0');
    if (task && task != keep.keeper && task != keep.reader && task != keep.watcher &&
        is_running(name))
        syscall(SYS_tgkill, getpid(), task, SIGURG);
}

/* As getdents64(2) has them. */
struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char kind;
    char name[];
};

static void stop_all(void) {
    _Alignas(8) char text[4096];
    atomic_store(&keep.stopped, 1);
    if (!may_stop())
        return;
    lseek(keep.tasks, 0, SEEK_SET);
    long got;
    while ((got = syscall(SYS_getdents64, keep.tasks, text, sizeof text)) > 0)
        for (long at = 0; at < got;) {
            const struct entry *entry = (const void *)(text + at);
            stop_one(entry->name);
            at += entry->length;
        }
}

static void go_on(void) {
    if (atomic_exchange(&keep.stopped, 0))
        futex(&keep.stopped, FUTEX_WAKE, INT32_MAX, NULL);
}

/* ---- who has to go --------------------------------------------------------------------------- */

static void hand_next(void) {
    struct dsm_spilled *block = dsm_spill.hand;
    if (block && ++dsm_spill.hand_chunk < block->chunks)
        return;
    dsm_spill.hand = block && block->next ? block->next : dsm_spill.first;
    dsm_spill.hand_chunk = 0;
}

static bool may_go(const struct victim *victim, bool any) {
    const struct dsm_spilled *block = victim->block;
    return block && block->base && !block->going &&
           (any || atomic_load(&block->uses[victim->chunk]) == 0) && is_here(victim);
}

static int queue_take(struct victim *victims) {
    int n = 0;
    while (keep.head != keep.tail && n < BATCH) {
        struct victim victim = keep.queue[keep.head++ % QUEUE];
        if (may_go(&victim, false))
            victims[n++] = victim;
    }
    return n;
}

static long chunks_of_all(void) {
    long chunks = 0;
    for (struct dsm_spilled *block = dsm_spill.first; block; block = block->next)
        chunks += block->chunks;
    return chunks;
}

/* Round once at most; `any`: also what is in use. */
static int hand_take(struct victim *victims, int n, bool any) {
    for (long left = chunks_of_all(); left > 0 && n < BATCH; --left) {
        hand_next();
        struct victim victim = {dsm_spill.hand, dsm_spill.hand_chunk};
        if (may_go(&victim, any))
            victims[n++] = victim;
    }
    return n;
}

/* They are busy, so that their blocks stay. `any`: also what is in use. */
static int victims_take(struct victim *victims, bool any) {
    dsm_spill_lock();
    int n = queue_take(victims);
    n = hand_take(victims, n, any);
    for (int i = 0; i < n; ++i)
        atomic_fetch_add(&victims[i].block->busy, 1);
    dsm_spill_unlock();
    return n;
}

/* ---- eviction -------------------------------------------------------------------------------- */

struct piece {
    char *low;
    size_t bytes;
    off_t offset;
};

static struct piece piece_of(const struct victim *victim) {
    off_t from = (off_t)victim->chunk * (off_t)DSM_SPILL_CHUNK;
    return (struct piece){victim->block->base + from,
                          dsm_spill_chunk_bytes(victim->block, victim->chunk),
                          victim->block->offset + from};
}

/* Pages that are not mapped here stay in the file's cache until they are written, then they go. A
 * thread that touches one in between has it again, with what it holds. */
static void pieces_write(const struct piece *pieces, int n, unsigned flags) {
    for (int i = 0; i < n; ++i)
        if (sync_file_range(dsm_spill.file, pieces[i].offset, (off_t)pieces[i].bytes, flags) != 0 &&
            errno != EINTR)
            dsm_fail(1, "cannot write %zu bytes that are spilled to %s: %s [ORR9236]",
                     pieces[i].bytes, dsm_spill.folder, strerror(errno));
}

void dsm_spill_write(off_t offset, size_t bytes) {
    struct piece piece = {NULL, bytes, offset};
    pieces_write(&piece, 1,
                 SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    posix_fadvise(dsm_spill.file, offset, (off_t)bytes, POSIX_FADV_DONTNEED);
}

static void evict(const struct victim *victims, int n) {
    struct piece pieces[BATCH];
    for (int i = 0; i < n; ++i) {
        pieces[i] = piece_of(&victims[i]);
        dsm_clib_advise(pieces[i].low, pieces[i].bytes, MADV_DONTNEED);
        atomic_fetch_add(&keep.evicted, pieces[i].bytes);
    }
    pieces_write(pieces, n, SYNC_FILE_RANGE_WRITE);
    pieces_write(pieces, n,
                 SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    for (int i = 0; i < n; ++i)
        posix_fadvise(dsm_spill.file, pieces[i].offset, (off_t)pieces[i].bytes,
                      POSIX_FADV_DONTNEED);
    for (int i = 0; i < n; ++i)
        atomic_fetch_sub(&victims[i].block->busy, 1);
}

/* False: that has not helped, as far as the kernel's count says, which is a few pages old. */
static bool evict_some(bool any) {
    struct victim victims[BATCH];
    size_t before = resident();
    int n = victims_take(victims, any);
    evict(victims, n);
    return n > 0 && resident() < before;
}

/* While the program waits: `vain` tries in a row have not helped. Every other one takes what is in
 * use, too. */
static int evict_hard(int vain) {
    vain = evict_some(vain % 2 == 1) ? 0 : vain + 1;
    if (vain >= VAIN)
        atomic_store(&keep.stuck, 1);
    return vain;
}

/* Where the program has to wait: below the budget by what it may touch until it is stopped, if its
 * cores are busy with others' work. */
static size_t most(void) {
    size_t budget = dsm_spill.budget;
    return budget - (budget / 4 < MARGIN ? budget / 4 : MARGIN);
}

/* From here on what nobody needs is evicted, while the program runs. */
static size_t soft(void) {
    return most() - most() / 8;
}

static size_t low(void) {
    return soft() - most() / 16;
}

static void nap(long nanoseconds) {
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

/* While there is too much, all the time. Above the budget the program waits meanwhile. */
static void *keeper(void *unused) {
    (void)unused;
    keep.keeper = (pid_t)syscall(SYS_gettid);
    for (int vain = 0;;) {
        bool hard = atomic_load(&keep.stopped);
        if (resident() > soft())
            shared_look();
        if (resident() <= (hard ? low() : soft()))
            nap(LEAST_NAP);
        else if (hard)
            vain = evict_hard(vain);
        else if (!evict_some(false))
            nap(LEAST_NAP);
    }
    return NULL;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Until the program can have touched what there is room for. */
static long nap_length(size_t now) {
    size_t room = now < most() ? most() - now : 0;
    long nanoseconds = (long)(room / BYTES_PER_NANOSECOND);
    return nanoseconds < LEAST_NAP ? LEAST_NAP : nanoseconds > MOST_NAP ? MOST_NAP : nanoseconds;
}

/* Where it is allowed: the sooner it looks, the less the program has touched. */
static void hurry(pid_t task) {
    setpriority(PRIO_PROCESS, (id_t)task, -15);
}

static void *watcher(void *unused) {
    (void)unused;
    keep.watcher = (pid_t)syscall(SYS_gettid);
    hurry(keep.watcher);
    for (double began = 0;;) {
        size_t now = resident();
        bool waits = atomic_load(&keep.stopped);
        if (now > most() && !waits) {
            shared_look();
            now = resident();
        }
        if (waits && (now <= soft() || atomic_exchange(&keep.stuck, 0))) {
            go_on();
            atomic_fetch_add(&keep.stopped_microseconds, (long)(1e6 * (seconds() - began)));
        } else if (now > most()) {
            began = waits ? began : seconds();
            atomic_fetch_add(&keep.stops, !waits);
            stop_all();
        }
        nap(waits ? LEAST_NAP : nap_length(now));
    }
    return NULL;
}

/* ---- reading ahead --------------------------------------------------------------------------- */

static bool ahead_take(struct dsm_range *range) {
    dsm_spill_lock();
    bool some = keep.read != keep.asked;
    if (some)
        *range = keep.ahead[keep.read++ % AHEAD];
    dsm_spill_unlock();
    return some;
}

/* Where there is room, or soon will be. A range that is gone meanwhile is not harmed. */
static void range_read(const struct dsm_range *range) {
    char *high = (char *)range->high;
    for (char *at = (char *)range->low; at < high; at += READ_BYTES) {
        size_t bytes = (size_t)(high - at) < READ_BYTES ? (size_t)(high - at) : READ_BYTES;
        for (int i = 0; i < 20 && resident() + bytes > most(); ++i)
            nap(LEAST_NAP);
        if (resident() + bytes > most())
            return;
        if (!dsm_clib_advise(at, bytes, MADV_POPULATE_READ))
            dsm_clib_advise(at, bytes, MADV_WILLNEED);
        atomic_fetch_add(&keep.ahead_bytes, bytes);
    }
}

static void *reader(void *unused) {
    (void)unused;
    keep.reader = (pid_t)syscall(SYS_gettid);
    for (;;) {
        struct dsm_range range;
        int seen = atomic_load(&keep.wanted);
        if (ahead_take(&range))
            range_read(&range);
        else
            futex(&keep.wanted, FUTEX_WAIT, seen, NULL);
    }
    return NULL;
}

void dsm_spill_ahead(const char *from, const char *to) {
    if (!dsm_spill.on || from >= to || dsm_forked())
        return;
    dsm_spill_lock();
    if (keep.asked - keep.read < AHEAD)
        keep.ahead[keep.asked++ % AHEAD] = (struct dsm_range){
            (const char *)dsm_page_down((uintptr_t)from), (const char *)dsm_page_up((uintptr_t)to)};
    dsm_spill_unlock();
    atomic_fetch_add(&keep.wanted, 1);
    futex(&keep.wanted, FUTEX_WAKE, 1, NULL);
}

/* ---- hints ----------------------------------------------------------------------------------- */

/* Chunks that [from, to) touches; the block holds all of it, or there are none. */
static struct dsm_spilled *chunks_of(const char *from, const char *to, long *first, long *end) {
    struct dsm_spilled *block = dsm_spill_block(from);
    if (!block || to > block->base + block->bytes)
        return NULL;
    *first = (from - block->base) / (long)DSM_SPILL_CHUNK;
    *end = (to - block->base + (long)DSM_SPILL_CHUNK - 1) / (long)DSM_SPILL_CHUNK;
    return block;
}

void dsm_spill_use(const char *from, const char *to) {
    long first, end;
    if (!dsm_spill.on || from >= to)
        return;
    dsm_spill_lock();
    struct dsm_spilled *block = chunks_of(from, to, &first, &end);
    for (long chunk = first; block && chunk < end; ++chunk)
        atomic_fetch_add(&block->uses[chunk], 1);
    dsm_spill_unlock();
}

void dsm_spill_done(const char *from, const char *to) {
    long first, end;
    if (!dsm_spill.on || from >= to)
        return;
    dsm_spill_lock();
    struct dsm_spilled *block = chunks_of(from, to, &first, &end);
    for (long chunk = first; block && chunk < end; ++chunk)
        if (atomic_fetch_sub(&block->uses[chunk], 1) == 1 && keep.tail - keep.head < QUEUE)
            keep.queue[keep.tail++ % QUEUE] = (struct victim){block, chunk};
    dsm_spill_unlock();
}

void dsm_spill_forget(const struct dsm_spilled *block) {
    if (dsm_spill.hand == block) {
        dsm_spill.hand = NULL;
        dsm_spill.hand_chunk = 0;
    }
    for (unsigned i = keep.head; i != keep.tail; ++i)
        if (keep.queue[i % QUEUE].block == block)
            keep.queue[i % QUEUE].block = NULL;
}

/* ---- start ----------------------------------------------------------------------------------- */

static void thread_start(void *(*run)(void *)) {
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        dsm_fail(1, "cannot start a thread that spills memory: %s", strerror(error));
    pthread_detach(thread);
}

void dsm_spill_keep(void) {
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    dsm_clib_sigaction(SIGURG, &action, NULL);
    keep.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    keep.pages = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    keep.tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (keep.statm < 0 || keep.pages < 0 || keep.tasks < 0)
        dsm_fail(1, "cannot read /proc/self, without which no memory can be spilled: %s",
                 strerror(errno));
    shared_look();
    keep.others = (long)(file_bytes() - atomic_load(&keep.shared));
    if (dsm_spill.evict)
        dsm_spill.budget = TORTURE_BUDGET;
    thread_start(keeper);
    thread_start(watcher);
    thread_start(reader);
}

/* What the process has moved so far: /proc/pid/io (proc(5)); 0 where that is not told. */
static void moved_read(const char *text, struct dsm_spill_figures *figures) {
    sscanf(text, "rchar: %*u wchar: %*u syscr: %*u syscw: %*u read_bytes: %zu write_bytes: %zu",
           &figures->read, &figures->written);
}

void dsm_spill_figures_get(struct dsm_spill_figures *figures) {
    char text[1024] = "";
    int file = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
    *figures = (struct dsm_spill_figures){
        .budget = dsm_spill_budget(),
        .evicted = atomic_load(&keep.evicted),
        .ahead = atomic_load(&keep.ahead_bytes),
        .most = atomic_load(&keep.most),
        .stops = atomic_load(&keep.stops),
        .stopped = 1e-6 * (double)atomic_load(&keep.stopped_microseconds),
    };
    if (file < 0 || !figures->budget) {
        if (file >= 0)
            close(file);
        return;
    }
    if (dsm_clib_read(file, text, sizeof text - 1) > 0)
        moved_read(text, figures);
    close(file);
}
