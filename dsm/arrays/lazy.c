/*
 * Lazy copies: memory of the program whose bytes are elsewhere until somebody touches it
 * (docs/dsm-protocol.md, "Lazy copies"). The bytes come in through /proc/self/mem while the pages
 * are still unreadable, so no thread sees old ones.
 */
#define _GNU_SOURCE
#include "dsm/arrays/guard.h"
#include "dsm/memory/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Less is fetched sooner than protected. */
#define LEAST 16384UL
#define BOUNCE (1UL << 20)

struct dsm_lazy {
    struct dsm_lazy *next; /* of those that are listed */
    char *low, *high;      /* whole pages */
    dsm_lazy_fetch *fetch; /* who has the bytes, */
    void *data;            /* ... and what it gets */
    bool listed;  /* among the lazy copies, from dsm_lazy_defer until it is materialized or gone */
    bool opening; /* the bytes have come, protection is about to follow */
    bool spilled; /* mapped shared, where /proc/self/mem does not write */
    _Atomic enum dsm_lazy_state state; /* as dsm_lazy_state says it */
};

static struct {
    struct dsm_lock
        materializing;      /* one at a time, whichever thread wants it; taken before `lock` */
    struct dsm_lock lock;   /* of the list */
    struct dsm_lazy *first; /* the lazy copies that are listed */
    char *bounce;           /* BOUNCE bytes, of who materializes; NULL until some are pending */
    bool asked, possible;   /* whether the kernel lets us */
} lazy_all;

static _Thread_local bool pays;

/* ---- the list -------------------------------------------------------------------------------- */

static struct dsm_lazy *find_locked(const char *low, const char *high) {
    struct dsm_lazy *lazy = lazy_all.first;
    while (lazy && !(low < lazy->high && lazy->low < high))
        lazy = lazy->next;
    return lazy;
}

static struct dsm_lazy *find(const char *low, const char *high) {
    dsm_lock_take(&lazy_all.lock);
    struct dsm_lazy *lazy = find_locked(low, high);
    dsm_lock_give(&lazy_all.lock);
    return lazy;
}

static void list(struct dsm_lazy *lazy) {
    dsm_lock_take(&lazy_all.lock);
    atomic_fetch_add(&dsm_guarded, 1);
    lazy->next = lazy_all.first;
    lazy_all.first = lazy;
    lazy->listed = true;
    lazy->opening = false;
    dsm_lock_give(&lazy_all.lock);
}

static void unlist(struct dsm_lazy *lazy) {
    dsm_lock_take(&lazy_all.lock);
    struct dsm_lazy **link = &lazy_all.first;
    while (*link != lazy)
        link = &(*link)->next;
    *link = lazy->next;
    lazy->listed = false;
    atomic_fetch_sub(&dsm_guarded, 1);
    dsm_lock_give(&lazy_all.lock);
}

struct dsm_range dsm_lazy_next(const char *low, const char *high) {
    struct dsm_range next = {high, high};
    dsm_lock_take(&lazy_all.lock);
    for (const struct dsm_lazy *lazy = lazy_all.first; lazy; lazy = lazy->next)
        if (!lazy->opening && low < lazy->high && lazy->low < next.low)
            next = (struct dsm_range){lazy->low > low ? lazy->low : low, lazy->high};
    dsm_lock_give(&lazy_all.lock);
    return next;
}

/* ---- writing to pages that nobody may read --------------------------------------------------- */

static bool hidden_write(int file, char *to, const char *from, size_t bytes) {
    while (bytes > 0) {
        long wrote = dsm_clib_pwrite(file, from, bytes, (long)(uintptr_t)to);
        if (wrote <= 0 && errno != EINTR)
            return false;
        if (wrote > 0) {
            to += wrote;
            from += wrote;
            bytes -= (size_t)wrote;
        }
    }
    return true;
}

static int hidden_open(void) {
    return open("/proc/self/mem", O_RDWR | O_CLOEXEC);
}

void dsm_lazy_below(char *to, const char *address, size_t bytes) {
    int file = hidden_open();
    while (bytes > 0) {
        long got = dsm_clib_pread(file, to, bytes, (long)(uintptr_t)address);
        if (got <= 0 && errno != EINTR) {
            dsm_fail(DSM_STATUS_ERROR, "cannot read %zu bytes at %p by /proc/self/mem: %s", bytes,
                     (const void *)address, strerror(errno));
        }
        if (got > 0) {
            to += got;
            address += got;
            bytes -= (size_t)got;
        }
    }
    close(file);
}

/* Some kernels forbid it. */
static bool hidden_write_works(void) {
    char *page = dsm_clib_map(DSM_PAGE);
    int file = hidden_open();
    bool works = page && file >= 0 && dsm_clib_protect(page, page + DSM_PAGE, PROT_NONE) &&
                 hidden_write(file, page, "works", 5) &&
                 dsm_clib_protect(page, page + DSM_PAGE, PROT_READ) &&
                 memcmp(page, "works", 5) == 0;
    if (file >= 0)
        close(file);
    if (page)
        dsm_clib_unmap(page, DSM_PAGE);
    return works;
}

/* ---- paying ---------------------------------------------------------------------------------- */

/* By other addresses of the same pages, which leave when they are written. */
static void bring_spilled(const struct dsm_lazy *lazy) {
    size_t most = dsm_page_up(dsm_spill_budget() / 4 + 1);
    for (char *at = lazy->low; at < lazy->high; at += most) {
        size_t left = (size_t)(lazy->high - at), bytes = left < most ? left : most;
        char *twin = dsm_spill_twin(at, bytes);
        lazy->fetch(lazy->data, twin, at, bytes);
        dsm_spill_twin_end(at, twin, bytes);
    }
}

static void bring(const struct dsm_lazy *lazy) {
    if (lazy->spilled) {
        bring_spilled(lazy);
        return;
    }
    for (char *at = lazy->low; at < lazy->high; at += BOUNCE) {
        size_t left = (size_t)(lazy->high - at), bytes = left < BOUNCE ? left : BOUNCE;
        lazy->fetch(lazy->data, lazy_all.bounce, at, bytes);
        dsm_hidden_put(at, lazy_all.bounce, bytes);
    }
}

/* The pages as their watches want them. */
static void settle(struct dsm_lazy *lazy, enum dsm_lazy_state state) {
    dsm_lock_take(&lazy_all.lock);
    lazy->opening = true;
    dsm_lock_give(&lazy_all.lock);
    dsm_watch_reopen(lazy->low, lazy->high);
    atomic_store(&lazy->state, state);
    unlist(lazy);
}

/* Memory that a library has unmapped behind our back, and others may have now, is nobody's. */
static void materialize_locked(struct dsm_lazy *lazy) {
    pays = true;
    if (dsm_memory_sealed(lazy->low, lazy->high)) {
        bring(lazy);
        settle(lazy, DSM_LAZY_DONE);
    } else {
        atomic_store(&lazy->state, DSM_LAZY_GONE);
        unlist(lazy);
    }
    pays = false;
}

static void drop_locked(struct dsm_lazy *lazy) {
    settle(lazy, DSM_LAZY_GONE);
}

/* False: no lazy copy was there. */
static bool touch(const char *low, const char *high, bool drop) {
    struct dsm_lazy *lazy;
    bool any = false;
    dsm_lock_take(&lazy_all.materializing);
    while ((lazy = find(low, high)) != NULL) {
        any = true;
        if (drop)
            drop_locked(lazy);
        else
            materialize_locked(lazy);
    }
    dsm_lock_give(&lazy_all.materializing);
    return any;
}

void dsm_lazy_touch(const char *low, const char *high, enum dsm_touch how) {
    if (!pays && find(low, high))
        touch(low, high, how == DSM_TOUCH_FREE);
}

bool dsm_lazy_fault(const char *address) {
    return !pays && find(address, address + 1) && (touch(address, address + 1, false) || true);
}

/* Before fork, whose child has not got what the bytes are on. */
static void materialize_all(void) {
    touch(NULL, (const char *)UINTPTR_MAX, false);
}

/* Before the program ends. What other ranks have they keep until the job ends. */
static void materialize_last(int status, void *data) {
    (void)status;
    (void)data;
    if (dsm_world.ranks == 1)
        materialize_all();
}

/* ---- as the runtime calls it ----------------------------------------------------------------- */

static void prepare(void) {
    lazy_all.possible = hidden_write_works();
    if (lazy_all.possible) {
        lazy_all.bounce = dsm_own_alloc(BOUNCE);
        lazy_all.possible =
            pthread_atfork(materialize_all, NULL, NULL) == 0 && dsm_on_exit(materialize_last);
    }
}

bool dsm_hidden_possible(void) {
    if (!lazy_all.asked) {
        lazy_all.asked = true;
        prepare();
    }
    return lazy_all.possible;
}

void dsm_hidden_put(char *to, const char *from, size_t bytes) {
    int file = hidden_open();
    if (file < 0 || !hidden_write(file, to, from, bytes))
        dsm_fail(DSM_STATUS_ERROR, "cannot write %zu bytes to %p by /proc/self/mem: %s", bytes,
                 (void *)to, strerror(errno));
    close(file);
}

struct dsm_lazy *dsm_lazy_new(const char *low, const char *high, dsm_lazy_fetch *fetch, void *data,
                              struct dsm_range *pages) {
    uintptr_t from = dsm_page_up((uintptr_t)low), to = dsm_page_down((uintptr_t)high);
    struct dsm_block block;
    dsm_window_touch(low, high, DSM_TOUCH_READ);
    bool known = to > from && to - from >= LEAST && dsm_block_find(low, &block) &&
                 high <= block.base + block.bytes &&
                 (block.kind == DSM_BLOCK_HEAP || block.kind == DSM_BLOCK_LIBRARY ||
                  block.kind == DSM_BLOCK_STATIC);
    if (!known || !dsm_hidden_possible())
        return NULL;
    struct dsm_lazy *lazy = dsm_own_alloc(sizeof *lazy);
    *lazy = (struct dsm_lazy){.low = (char *)from, .high = (char *)to, fetch, data};
    lazy->spilled = dsm_is_spilled(low);
    atomic_init(&lazy->state, DSM_LAZY_DONE);
    *pages = (struct dsm_range){lazy->low, lazy->high};
    return lazy;
}

void dsm_lazy_defer(struct dsm_lazy *lazy) {
    atomic_store(&lazy->state, DSM_LAZY_PENDING);
    list(lazy);
    dsm_protect(lazy->low, lazy->high, PROT_NONE);
}

enum dsm_lazy_state dsm_lazy_state(const struct dsm_lazy *lazy) {
    return atomic_load(&lazy->state);
}

void dsm_lazy_materialize(struct dsm_lazy *lazy) {
    dsm_lock_take(&lazy_all.materializing);
    if (lazy->listed)
        materialize_locked(lazy);
    dsm_lock_give(&lazy_all.materializing);
}

void dsm_lazy_end(struct dsm_lazy *lazy) {
    dsm_lock_take(&lazy_all.materializing);
    if (lazy->listed)
        drop_locked(lazy);
    dsm_lock_give(&lazy_all.materializing);
    dsm_own_free(lazy);
}
