/*
 * Debts: memory of the program whose bytes are elsewhere until somebody touches it
 * (docs/dsm-protocol.md, "Debts"). The bytes come in through /proc/self/mem while the pages are
 * still unreadable, so no thread sees old ones.
 */
#define _GNU_SOURCE
#include "dsm/arrays/guard.h"

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

/*
 * [low, high): whole pages. `listed`: among the debts, from dsm_debt_owe until it is paid or gone;
 * `opening`: the bytes have come, protection is about to follow.
 */
struct dsm_debt {
    struct dsm_debt *next;
    char *low, *high;
    dsm_debt_fetch *fetch;
    void *data;
    bool listed, opening;
    _Atomic enum dsm_debt_state state;
};

static struct {
    struct dsm_lock paying; /* one at a time, whichever thread wants it; taken before `lock` */
    struct dsm_lock lock;   /* of the list */
    struct dsm_debt *first; /* the debts that are listed */
    char *bounce;           /* BOUNCE bytes, of who pays; NULL until somebody owes */
    bool asked, possible;   /* whether the kernel lets us */
} debts;

static _Thread_local bool pays;

/* ---- the list ---- */

static struct dsm_debt *find_locked(const char *low, const char *high) {
    struct dsm_debt *debt = debts.first;
    while (debt && !(low < debt->high && debt->low < high))
        debt = debt->next;
    return debt;
}

static struct dsm_debt *find(const char *low, const char *high) {
    dsm_lock_take(&debts.lock);
    struct dsm_debt *debt = find_locked(low, high);
    dsm_lock_give(&debts.lock);
    return debt;
}

static void list(struct dsm_debt *debt) {
    dsm_lock_take(&debts.lock);
    atomic_fetch_add(&dsm_guarded, 1);
    debt->next = debts.first;
    debts.first = debt;
    debt->listed = true;
    debt->opening = false;
    dsm_lock_give(&debts.lock);
}

static void unlist(struct dsm_debt *debt) {
    dsm_lock_take(&debts.lock);
    struct dsm_debt **link = &debts.first;
    while (*link != debt)
        link = &(*link)->next;
    *link = debt->next;
    debt->listed = false;
    atomic_fetch_sub(&dsm_guarded, 1);
    dsm_lock_give(&debts.lock);
}

struct dsm_range dsm_debt_next(const char *low, const char *high) {
    struct dsm_range next = {high, high};
    dsm_lock_take(&debts.lock);
    for (const struct dsm_debt *debt = debts.first; debt; debt = debt->next)
        if (!debt->opening && low < debt->high && debt->low < next.low)
            next = (struct dsm_range){debt->low > low ? debt->low : low, debt->high};
    dsm_lock_give(&debts.lock);
    return next;
}

/* ---- writing to pages that nobody may read ---- */

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

void dsm_debt_below(char *to, const char *address, size_t bytes) {
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

/* ---- paying ---- */

static void bring(const struct dsm_debt *debt) {
    int file = hidden_open();
    for (char *at = debt->low; at < debt->high; at += BOUNCE) {
        size_t left = (size_t)(debt->high - at), bytes = left < BOUNCE ? left : BOUNCE;
        debt->fetch(debt->data, debts.bounce, at, bytes);
        if (file < 0 || !hidden_write(file, at, debts.bounce, bytes)) {
            dsm_fail(DSM_STATUS_ERROR, "cannot write %zu bytes to %p by /proc/self/mem: %s", bytes,
                     (void *)at, strerror(errno));
        }
    }
    close(file);
}

/* The pages as their watches want them. */
static void settle(struct dsm_debt *debt, enum dsm_debt_state state) {
    dsm_lock_take(&debts.lock);
    debt->opening = true;
    dsm_lock_give(&debts.lock);
    dsm_watch_reopen(debt->low, debt->high);
    atomic_store(&debt->state, state);
    unlist(debt);
}

/* Memory that a library has unmapped behind our back, and others may have now, is nobody's. */
static void pay_locked(struct dsm_debt *debt) {
    pays = true;
    if (dsm_memory_sealed(debt->low, debt->high)) {
        bring(debt);
        settle(debt, DSM_DEBT_PAID);
    } else {
        atomic_store(&debt->state, DSM_DEBT_GONE);
        unlist(debt);
    }
    pays = false;
}

static void drop_locked(struct dsm_debt *debt) {
    settle(debt, DSM_DEBT_GONE);
}

/* False: no debt was there. */
static bool touch(const char *low, const char *high, bool drop) {
    struct dsm_debt *debt;
    bool any = false;
    dsm_lock_take(&debts.paying);
    while ((debt = find(low, high)) != NULL) {
        any = true;
        if (drop)
            drop_locked(debt);
        else
            pay_locked(debt);
    }
    dsm_lock_give(&debts.paying);
    return any;
}

void dsm_debt_touch(const char *low, const char *high, enum dsm_touch how) {
    if (!pays && find(low, high))
        touch(low, high, how == DSM_TOUCH_FREE);
}

bool dsm_debt_fault(const char *address) {
    return !pays && find(address, address + 1) && (touch(address, address + 1, false) || true);
}

/* Before fork, whose child has not got what the bytes are on. */
static void pay_all(void) {
    touch(NULL, (const char *)UINTPTR_MAX, false);
}

/* Before the program ends. What other ranks have they keep until the job ends. */
static void pay_last(void) {
    if (dsm_world.ranks == 1)
        pay_all();
}

/* ---- as the runtime calls it ---- */

static void prepare(void) {
    debts.possible = hidden_write_works();
    if (debts.possible) {
        debts.bounce = dsm_own_alloc(BOUNCE);
        debts.possible = pthread_atfork(pay_all, NULL, NULL) == 0 && atexit(pay_last) == 0;
    }
}

static bool is_possible(void) {
    if (!debts.asked) {
        debts.asked = true;
        prepare();
    }
    return debts.possible;
}

struct dsm_debt *dsm_debt_new(const char *low, const char *high, dsm_debt_fetch *fetch, void *data,
                              struct dsm_range *pages) {
    uintptr_t from = dsm_page_up((uintptr_t)low), to = dsm_page_down((uintptr_t)high);
    struct dsm_block block;
    bool known = to > from && to - from >= LEAST && dsm_block_find(low, &block) &&
                 high <= block.base + block.bytes &&
                 (block.kind == DSM_BLOCK_HEAP || block.kind == DSM_BLOCK_LIBRARY ||
                  block.kind == DSM_BLOCK_STATIC);
    if (!known || !is_possible())
        return NULL;
    struct dsm_debt *debt = dsm_own_alloc(sizeof *debt);
    *debt = (struct dsm_debt){.low = (char *)from, .high = (char *)to, fetch, data};
    atomic_init(&debt->state, DSM_DEBT_PAID);
    *pages = (struct dsm_range){debt->low, debt->high};
    return debt;
}

void dsm_debt_owe(struct dsm_debt *debt) {
    atomic_store(&debt->state, DSM_DEBT_OWED);
    list(debt);
    dsm_protect(debt->low, debt->high, PROT_NONE);
}

enum dsm_debt_state dsm_debt_state(const struct dsm_debt *debt) {
    return atomic_load(&debt->state);
}

void dsm_debt_pay(struct dsm_debt *debt) {
    dsm_lock_take(&debts.paying);
    if (debt->listed)
        pay_locked(debt);
    dsm_lock_give(&debts.paying);
}

void dsm_debt_end(struct dsm_debt *debt) {
    dsm_lock_take(&debts.paying);
    if (debt->listed)
        drop_locked(debt);
    dsm_lock_give(&debts.paying);
    dsm_own_free(debt);
}
