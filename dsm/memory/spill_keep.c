/*
 * Chunks of spilled memory: which are here. A chunk that is closed is unreadable, and has no page
 * here. Who touches it faults, makes room for it, and opens it: what is open is never more than the
 * budget. From seven eighths of it on a thread, the keeper, closes what is not needed. A chunk that
 * goes is unmapped, then written to the file, then forgotten by the kernel. Another thread reads
 * ahead. These threads, and who makes room, take no lock but the spill's own.
 */
#define _GNU_SOURCE
#include "dsm/memory/spill.h"

#include "dsm/base/wrapped.h"
#include "dsm/transport/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

REAL_DECLARE(mmap);

/* Stretches that are evicted together; ranges to read. */
enum { BATCH = 128, AHEAD = 64 };

/* So many chunks at most may be here: each may be two of the 65530 mappings that a process may have.
 * Those that are touched one behind the other open together, up to a huge page. */
#define CHUNKS 16384
#define MOST_RUN (2UL << 20)
#define BATCH_BYTES (2UL << 20)
#define READ_BYTES (256UL << 10)
#define READ_NAP 200000L
#define TORTURE_BUDGET (1UL << 20)

static struct {
    struct dsm_spill_chunk open; /* between the newest and the oldest of those that are */
    size_t here;                 /* bytes of them, and of twins */
    struct dsm_range ahead[AHEAD];
    unsigned asked, read;                     /* of `ahead`; under the spill's lock, as all above */
    atomic_int wanted;                        /* counts what is asked; a futex */
    atomic_int full;                          /* counts reasons to evict; a futex */
    atomic_size_t evicted, ahead_bytes, most; /* figures, as dsm_spill_figures_get says them */
    atomic_long stops, stopped_microseconds;  /* ... */
} keep;

static _Thread_local sigset_t before_lock;

void dsm_spill_lock(void) {
    sigset_t all;
    if (dsm_forked())
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_lock);
    dsm_lock_take(&dsm_spill.lock);
}

void dsm_spill_unlock(void) {
    if (dsm_forked())
        return;
    dsm_lock_give(&dsm_spill.lock);
    pthread_sigmask(SIG_SETMASK, &before_lock, NULL);
}

static void futex(atomic_int *word, int operation, int value) {
    syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

static void tell(atomic_int *word) {
    atomic_fetch_add(word, 1);
    futex(word, FUTEX_WAKE, 1);
}

/* ---- open and closed ------------------------------------------------------------------------- */

static size_t offset_in(const struct dsm_spill_chunk *chunk) {
    return (size_t)(chunk - chunk->block->chunks) * dsm_spill.chunk;
}

/* Bytes of so many chunks. */
static size_t bytes_of(const struct dsm_spill_chunk *first, long count) {
    size_t left = first->block->bytes - offset_in(first), bytes = (size_t)count * dsm_spill.chunk;
    return left < bytes ? left : bytes;
}

static struct dsm_spill_chunk *chunk_at(const struct dsm_spilled *block, const char *address) {
    return &block->chunks[(size_t)(address - block->base) / dsm_spill.chunk];
}

/* Behind `older` in the order in which they go. */
static void chunk_link(struct dsm_spill_chunk *chunk, struct dsm_spill_chunk *older) {
    chunk->older = older;
    chunk->newer = older->newer;
    chunk->older->newer = chunk->newer->older = chunk;
}

static void chunk_unlink(struct dsm_spill_chunk *chunk) {
    chunk->older->newer = chunk->newer;
    chunk->newer->older = chunk->older;
}

/* Pages [from, end) of a block get what is wanted of them, or are closed. */
static bool pages_set(const struct dsm_spilled *block, size_t from, size_t end, bool open) {
    bool good = true;
    for (size_t to; from < end && good; from = to) {
        unsigned char wanted = block->wanted[from];
        for (to = from + 1; to < end && block->wanted[to] == wanted;)
            ++to;
        if (wanted != PROT_NONE)
            good = dsm_clib_protect(block->base + from * DSM_PAGE, block->base + to * DSM_PAGE,
                                    open ? wanted : PROT_NONE);
    }
    return good;
}

static void chunks_set(const struct dsm_spill_chunk *first, long count, bool open) {
    size_t from = offset_in(first) / DSM_PAGE;
    if (!pages_set(first->block, from, from + bytes_of(first, count) / DSM_PAGE, open))
        dsm_fail(DSM_STATUS_ERROR,
                 "cannot change the protection of spilled memory: %s (the limit on mappings, "
                 "/proc/sys/vm/max_map_count, may be too low)",
                 strerror(errno));
}

/* How many of the next `most` chunks, from this one on, are open, or closed, like it. */
static long alike(const struct dsm_spill_chunk *first, long most) {
    long left = first->block->count - (first - first->block->chunks), n = 1;
    most = most < left ? most : left;
    while (n < most && first[n].open == first->open)
        ++n;
    return n;
}

static void here_add(size_t bytes) {
    keep.here += bytes;
    if (keep.here > atomic_load(&keep.most))
        atomic_store(&keep.most, keep.here);
}

/* ---- who has to go --------------------------------------------------------------------------- */

/* Chunks that were closed and are still to be written, in stretches. */
struct batch {
    int n;
    size_t bytes;
    struct stretch {
        struct dsm_spill_chunk *first;
        long count;
    } stretches[BATCH];
};

static void batch_begin(struct batch *batch) {
    batch->n = 0;
    batch->bytes = 0;
}

static bool batch_is_full(const struct batch *batch) {
    return batch->n == BATCH || batch->bytes >= BATCH_BYTES;
}

static void chunk_choose(struct dsm_spill_chunk *chunk, struct batch *batch) {
    struct stretch *last = &batch->stretches[batch->n - 1];
    size_t bytes = bytes_of(chunk, 1);
    chunk_unlink(chunk);
    chunk->open = false;
    keep.here -= bytes;
    batch->bytes += bytes;
    if (batch->n > 0 && last->first->block == chunk->block && last->first + last->count == chunk) {
        ++last->count;
    } else {
        batch->stretches[batch->n++] = (struct stretch){chunk, 1};
        ++chunk->block->busy;
    }
}

/* The oldest first, but for those that must stay, and, unless `any`, that a loop needs. */
static void choose(size_t most, bool any, struct batch *batch) {
    const struct dsm_spill_chunk *last = keep.open.older, *looked = &keep.open;
    while (keep.here > most && looked != last && !batch_is_full(batch)) {
        struct dsm_spill_chunk *chunk = keep.open.newer;
        looked = chunk;
        if (chunk->held || (chunk->uses && !any)) {
            chunk_unlink(chunk);
            chunk_link(chunk, keep.open.older);
        } else {
            chunk_choose(chunk, batch);
        }
    }
}

/* Until no more than `most` bytes are here, or nothing is left that may go, or enough has gone. Pages
 * go from here; they stay in the file's cache until they are written. A thread that opens them in
 * between has them again, with what they hold. */
static void room_make(size_t most, size_t hard, struct batch *batch) {
    choose(most, false, batch);
    choose(hard, true, batch);
    for (int i = 0; i < batch->n; ++i) {
        struct dsm_spill_chunk *first = batch->stretches[i].first;
        size_t bytes = bytes_of(first, batch->stretches[i].count);
        chunks_set(first, batch->stretches[i].count, false);
        dsm_clib_advise(first->block->base + offset_in(first), bytes, MADV_DONTNEED);
    }
    atomic_fetch_add(&keep.evicted, batch->bytes);
}

static size_t less(size_t bytes, size_t by) {
    return bytes > by ? bytes - by : 0;
}

/* From here on what nobody needs is evicted. */
static size_t soft(void) {
    return dsm_spill.budget / 8 * 7;
}

/* Makes room for so many closed chunks, or fewer, and opens them. Who finds no room evicts a sixteenth of
 * the budget. */
static void chunks_open(struct dsm_spill_chunk *first, long count, struct batch *batch) {
    size_t budget = dsm_spill.budget, bytes = bytes_of(first, count);
    if (keep.here + bytes > budget)
        room_make(less(budget - budget / 16, bytes), less(budget, bytes), batch);
    for (; count > 1 && keep.here + bytes > budget; bytes = bytes_of(first, count))
        count /= 2;
    for (long i = 0; i < count; ++i) {
        chunk_link(&first[i], keep.open.older);
        first[i].open = true;
    }
    here_add(bytes);
    chunks_set(first, count, true);
    if (keep.here > soft())
        tell(&keep.full);
}

/* The more of what is before it is open, the more of what follows will be touched. */
static long run_of(const struct dsm_spill_chunk *chunk) {
    size_t most = dsm_spill.budget / 64 < MOST_RUN ? dsm_spill.budget / 64 : MOST_RUN;
    long before = chunk - chunk->block->chunks, n = 0;
    while (n < before && (size_t)(n + 1) * dsm_spill.chunk <= most && chunk[-n - 1].open)
        ++n;
    return alike(chunk, n > 1 ? n : 1);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void stretch_write(off_t offset, size_t bytes, unsigned flags) {
    if (sync_file_range(dsm_spill.file, offset, (off_t)bytes, flags) != 0 && errno != EINTR)
        dsm_fail(1, "cannot write %zu bytes that are spilled to %s: %s [ORR9236]", bytes,
                 dsm_spill.folder, strerror(errno));
}

enum {
    START = SYNC_FILE_RANGE_WRITE,
    END = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER
};

static void batch_write(const struct batch *batch, unsigned flags) {
    for (int i = 0; i < batch->n; ++i) {
        const struct dsm_spill_chunk *first = batch->stretches[i].first;
        off_t offset = first->block->offset + (off_t)offset_in(first);
        size_t bytes = bytes_of(first, batch->stretches[i].count);
        stretch_write(offset, bytes, flags);
        if (flags == END)
            posix_fadvise(dsm_spill.file, offset, (off_t)bytes, POSIX_FADV_DONTNEED);
    }
}

static void batch_end(const struct batch *batch) {
    batch_write(batch, START);
    batch_write(batch, END);
    if (batch->n == 0)
        return;
    dsm_spill_lock();
    for (int i = 0; i < batch->n; ++i)
        --batch->stretches[i].first->block->busy;
    dsm_spill_unlock();
}

static int64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The same for who wants to go on. Keeps errno. */
static void batch_wait(const struct batch *batch) {
    int error = errno;
    if (batch->n == 0)
        return;
    int64_t began = clock_now();
    batch_end(batch);
    atomic_fetch_add(&keep.stops, 1);
    atomic_fetch_add(&keep.stopped_microseconds, (long)((clock_now() - began) / 1000));
    errno = error;
}

static void *keeper(void *unused) {
    (void)unused;
    for (;;) {
        struct batch batch;
        int seen = atomic_load(&keep.full);
        batch_begin(&batch);
        dsm_spill_lock();
        if (keep.here > soft())
            room_make(soft() - dsm_spill.budget / 16, SIZE_MAX, &batch);
        dsm_spill_unlock();
        batch_end(&batch);
        if (batch.n == 0)
            futex(&keep.full, FUTEX_WAIT, seen);
    }
    return NULL;
}

/* ---- who touches ----------------------------------------------------------------------------- */

bool dsm_spill_touch(const char *address, bool write) {
    struct batch batch;
    if (!dsm_spill.on || dsm_forked())
        return false;
    batch_begin(&batch);
    dsm_spill_lock();
    struct dsm_spilled *block = dsm_spill_block(address);
    int protection = block ? block->wanted[(size_t)(address - block->base) / DSM_PAGE] : PROT_NONE;
    bool may = (protection & (write ? PROT_WRITE : PROT_READ)) != 0;
    struct dsm_spill_chunk *chunk = may ? chunk_at(block, address) : NULL;
    if (chunk && chunk->open)
        chunks_set(chunk, 1, true);
    else if (chunk)
        chunks_open(chunk, run_of(chunk), &batch);
    dsm_spill_unlock();
    batch_wait(&batch);
    return may;
}

/* Some chunks from *at on are here, and stay; then *at is behind them. False: they are in no block. */
static bool chunks_hold(const char **at, const char *high) {
    struct batch batch;
    batch_begin(&batch);
    dsm_spill_lock();
    struct dsm_spilled *block = dsm_spill_block(*at);
    if (block) {
        struct dsm_spill_chunk *first = chunk_at(block, *at);
        const char *end = block->base + block->bytes;
        long most = chunk_at(block, (high < end ? high : end) - 1) - first + 1;
        if (!first->open)
            chunks_open(first, alike(first, most), &batch);
        long count = alike(first, most);
        for (long i = 0; i < count; ++i)
            ++first[i].held;
        *at = block->base + offset_in(first) + bytes_of(first, count);
    }
    dsm_spill_unlock();
    batch_wait(&batch);
    return block != NULL;
}

size_t dsm_spill_hold(const void *memory, size_t bytes, size_t most) {
    const char *low = memory, *at = low, *high = low + (bytes < most ? bytes : most);
    if (!dsm_spill.on || dsm_forked())
        return 0;
    while (at < high && chunks_hold(&at, high))
        continue;
    return (size_t)(at - low) < bytes ? (size_t)(at - low) : bytes;
}

void dsm_spill_let(const void *memory, size_t held) {
    const char *low = memory, *high = low + held;
    if (!dsm_spill.on || held == 0 || dsm_forked())
        return;
    dsm_spill_lock();
    struct dsm_spilled *block = dsm_spill_block(low);
    for (struct dsm_spill_chunk *chunk = block ? chunk_at(block, low) : NULL;
         chunk && chunk <= chunk_at(block, high - 1); ++chunk)
        --chunk->held;
    dsm_spill_unlock();
}

/* The first block with bytes in [low, high). */
static struct dsm_spilled *block_in(const char *low, const char *high) {
    struct dsm_spilled *first = NULL;
    for (struct dsm_spilled *block = dsm_spill.first; block; block = block->next)
        if (block->base && block->base < high && low < block->base + block->bytes &&
            (!first || block->base < first->base))
            first = block;
    return first;
}

/* [low, high) is in one block. */
static bool wanted_set(struct dsm_spilled *block, const char *low, const char *high,
                       int protection) {
    bool good = true;
    memset(block->wanted + (low - block->base) / DSM_PAGE, protection,
           (size_t)(high - low) / DSM_PAGE);
    for (const char *to; low < high && good; low = to) {
        const struct dsm_spill_chunk *first = chunk_at(block, low);
        long count = alike(first, chunk_at(block, high - 1) - first + 1);
        const char *end = block->base + offset_in(first) + bytes_of(first, count);
        to = end < high ? end : high;
        good = !first->open || dsm_clib_protect(low, to, protection);
    }
    return good;
}

bool dsm_spill_protect(const char *low, const char *high, int protection) {
    bool good = true;
    if (!dsm_spill.on || dsm_forked())
        return dsm_clib_protect(low, high, protection);
    dsm_spill_lock();
    while (low < high && good) {
        struct dsm_spilled *block = block_in(low, high);
        const char *base = block ? block->base : high, *end = block ? base + block->bytes : high;
        if (low < base)
            good = dsm_clib_protect(low, base, protection);
        low = low < base ? base : low;
        end = end < high ? end : high;
        if (good && low < end)
            good = wanted_set(block, low, end, protection);
        low = end;
    }
    dsm_spill_unlock();
    return good;
}

bool dsm_spill_wants(const char *low, const char *high, int mask, int bits, bool *has) {
    if (!dsm_spill.on || dsm_forked())
        return false;
    dsm_spill_lock();
    struct dsm_spilled *block = dsm_spill_block(low);
    bool inside = block && high <= block->base + block->bytes;
    *has = inside;
    for (const char *at = low; inside && *has && at < high; at += DSM_PAGE)
        *has = (block->wanted[(size_t)(at - block->base) / DSM_PAGE] & mask) == bits;
    dsm_spill_unlock();
    return inside;
}

/* ---- the same pages elsewhere ---------------------------------------------------------------- */

/* So many bytes will be here. True: that is counted; else some have gone, and are to be written. */
static bool twin_room(size_t bytes, struct batch *batch) {
    batch_begin(batch);
    dsm_spill_lock();
    if (keep.here + bytes > dsm_spill.budget)
        room_make(less(dsm_spill.budget, bytes), less(dsm_spill.budget, bytes), batch);
    bool room = batch->n == 0;
    if (room)
        here_add(bytes);
    dsm_spill_unlock();
    return room;
}

char *dsm_spill_twin(const char *low, size_t bytes) {
    off_t offset = dsm_spill_offset(low);
    struct batch batch;
    while (!twin_room(bytes, &batch))
        batch_wait(&batch);
    void *twin = offset < 0 ? MAP_FAILED
                            : REAL(mmap)(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                                         dsm_spill.file, offset);
    if (twin == MAP_FAILED)
        dsm_fail(DSM_STATUS_ERROR, "no address space for %zu bytes of spilled memory", bytes);
    return twin;
}

void dsm_spill_twin_end(const char *low, char *twin, size_t bytes) {
    dsm_clib_unmap(twin, bytes);
    dsm_spill_lock();
    keep.here -= bytes;
    dsm_spill_unlock();
    off_t offset = dsm_spill_offset(low);
    stretch_write(offset, bytes, END);
    posix_fadvise(dsm_spill.file, offset, (off_t)bytes, POSIX_FADV_DONTNEED);
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

/* Opens some chunks if there is room. *end: where they end. False: there is none, or no such chunk. */
static bool ahead_open(const char *address, const char **end) {
    struct batch none;
    batch_begin(&none);
    dsm_spill_lock();
    struct dsm_spilled *block = dsm_spill_block(address);
    struct dsm_spill_chunk *first = block ? chunk_at(block, address) : NULL;
    long most = (long)(READ_BYTES / dsm_spill.chunk),
         count = first ? alike(first, most > 1 ? most : 1) : 0;
    bool opens = first && (first->open || keep.here + bytes_of(first, count) <= dsm_spill.budget);
    if (opens && !first->open)
        chunks_open(first, count, &none);
    if (opens)
        *end = block->base + offset_in(first) + bytes_of(first, count);
    dsm_spill_unlock();
    return opens;
}

/* Where there is room, or soon will be. A range that is gone meanwhile is not harmed. */
static void range_read(const struct dsm_range *range) {
    const char *end = NULL;
    for (const char *at = range->low; at < range->high; at = end) {
        bool opens = ahead_open(at, &end);
        for (int i = 0; i < 20 && !opens; ++i) {
            nanosleep(&(struct timespec){0, READ_NAP}, NULL);
            opens = ahead_open(at, &end);
        }
        if (!opens)
            return;
        end = end < range->high ? end : range->high;
        size_t bytes = (size_t)(end - at);
        if (!dsm_clib_advise((char *)at, bytes, MADV_POPULATE_READ))
            dsm_clib_advise((char *)at, bytes, MADV_WILLNEED);
        atomic_fetch_add(&keep.ahead_bytes, bytes);
    }
}

static void *reader(void *unused) {
    (void)unused;
    for (;;) {
        struct dsm_range range;
        int seen = atomic_load(&keep.wanted);
        if (ahead_take(&range))
            range_read(&range);
        else
            futex(&keep.wanted, FUTEX_WAIT, seen);
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
    tell(&keep.wanted);
}

/* ---- hints ----------------------------------------------------------------------------------- */

static void use_change(const char *from, const char *to, bool more) {
    if (!dsm_spill.on || from >= to)
        return;
    dsm_spill_lock();
    struct dsm_spilled *block = dsm_spill_block(from);
    bool inside = block && to <= block->base + block->bytes;
    struct dsm_spill_chunk *first = inside ? chunk_at(block, from) : NULL;
    for (struct dsm_spill_chunk *chunk = inside ? chunk_at(block, to - 1) : NULL;
         chunk && chunk >= first; --chunk) {
        chunk->uses = (unsigned short)(more ? chunk->uses + 1 : chunk->uses - 1);
        if (!chunk->uses && chunk->open) {
            chunk_unlink(chunk);
            chunk_link(chunk, &keep.open);
        }
    }
    dsm_spill_unlock();
}

void dsm_spill_use(const char *from, const char *to) {
    use_change(from, to, true);
}

/* It goes first. */
void dsm_spill_done(const char *from, const char *to) {
    use_change(from, to, false);
}

/* ---- blocks come and go ---------------------------------------------------------------------- */

void dsm_spill_forget(struct dsm_spilled *block) {
    for (struct dsm_spill_chunk *chunk = block->chunks; chunk < block->chunks + block->count;
         ++chunk)
        if (chunk->open) {
            chunk_unlink(chunk);
            keep.here -= bytes_of(chunk, 1);
        }
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
    keep.open.older = keep.open.newer = &keep.open;
    if (dsm_spill.evict)
        dsm_spill.budget = TORTURE_BUDGET;
    dsm_spill.chunk = DSM_PAGE;
    while (dsm_spill.chunk * CHUNKS < dsm_spill.budget)
        dsm_spill.chunk *= 2;
    dsm_message_held_by(dsm_spill_hold, dsm_spill_let);
    thread_start(keeper);
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
