/*
 * Has this memory changed? Whole pages of blocks we know are write-protected, everything else is
 * copied and compared (docs/dsm-protocol.md, "Watches").
 */
#include "dsm/arrays/guard.h"
#include "dsm/memory/spill.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/* Shorter pieces are copied: below this, comparing is cheaper than a fault. */
#define PROTECT_LEAST 16384UL
/* Memory of unknown owner is copied up to this size; beyond it the watch is always hit. */
#define COPY_MOST (256UL << 20)
/* Each protected piece costs two mappings of the 65530 that a process may have. */
#define ARMED_MOST 12000

/* A piece of a watched range that is treated in one way. */
struct piece {
    char *low, *high;             /* what is watched */
    char *guard_low, *guard_high; /* pages of it by protection while `armed` */
    bool armed;                   /* its pages are protected, so that a write is noticed */
    bool may_vanish;              /* a library that we do not see may unmap it */
    bool foreign;                 /* a file's, maybe, which may have become shorter */
    bool constant;                /* the program cannot write it, so neither is needed */
    struct dsm_window_look
        look;   /* of memory in a window, which is told of writes; number 0: none */
    char *copy; /* of the rest: first the bytes in front of the pages, then those behind */
};

struct dsm_watch {
    atomic_bool hit;
    int npieces, room;
    struct piece *pieces;
    struct dsm_watch *next;
};

atomic_int dsm_guarded;

static struct {
    struct dsm_lock lock;    /* of all below, and of the watches' pieces */
    struct dsm_watch *first; /* all watches, the newest first */
    int narmed;              /* pieces that are protected */
} watches;

/* ---- bytes of anybody's memory: no library call, so that sanitizers have no say -------------- */

__attribute__((no_sanitize("address", "thread"))) static void bytes_copy(char *to, const char *from,
                                                                         size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
        to[i] = from[i];
}

__attribute__((no_sanitize("address", "thread"), optimize("O3"))) static bool
bytes_differ(const char *a, const char *b, size_t bytes) {
    typedef unsigned long word __attribute__((aligned(1), may_alias));
    size_t words = bytes / sizeof(word), i = 0;
    const word *x = (const word *)a, *y = (const word *)b;
    for (; i + 64 <= words; i += 64) {
        unsigned long difference = 0;
        for (size_t j = 0; j < 64; ++j)
            difference |= x[i + j] ^ y[i + j];
        if (difference)
            return true;
    }
    for (i *= sizeof(word); i < bytes; ++i)
        if (a[i] != b[i])
            return true;
    return false;
}

/* ---- pages ----------------------------------------------------------------------------------- */

static bool overlap(const char *a_low, const char *a_high, const char *b_low, const char *b_high) {
    return a_low < b_high && b_low < a_high;
}

/* Pieces of a watch ascend and do not overlap. The first that has something above `low`. */
static int piece_first(const struct dsm_watch *watch, const char *low) {
    int from = 0, to = watch->npieces;
    while (from < to) {
        int middle = (from + to) / 2;
        const struct piece *piece = &watch->pieces[middle];
        if (piece->high > low || piece->guard_high > low)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* The armed piece with pages in [at, high) that begins first; NULL when there is none. */
static struct piece *armed_next(const char *at, const char *high) {
    struct piece *next = NULL;
    for (struct dsm_watch *watch = watches.first; watch; watch = watch->next) {
        for (int i = piece_first(watch, at); i < watch->npieces; ++i) {
            struct piece *piece = &watch->pieces[i];
            if (piece->low >= high)
                break;
            if (piece->armed && overlap(piece->guard_low, piece->guard_high, at, high)) {
                next = !next || piece->guard_low < next->guard_low ? piece : next;
                break;
            }
        }
    }
    return next;
}

/* Makes pages writable that are not pending. */
static void pages_settled_open(char *low, char *high) {
    while (low < high) {
        struct dsm_range pending = dsm_lazy_next(low, high);
        if (pending.low > low)
            dsm_protect(low, pending.low, PROT_READ | PROT_WRITE);
        low = (char *)pending.high;
    }
}

/* Makes the pages writable that no armed piece needs and are not pending. */
static void pages_open(char *low, char *high) {
    while (low < high) {
        struct piece *piece = armed_next(low, high);
        char *end = piece ? piece->guard_low : high;
        if (end > low)
            pages_settled_open(low, end);
        low = piece ? piece->guard_high : high;
    }
}

void dsm_watch_reopen(char *low, char *high) {
    dsm_lock_take(&watches.lock);
    pages_open(low, high);
    for (struct piece *piece; low < high && (piece = armed_next(low, high));
         low = piece->guard_high) {
        char *from = piece->guard_low > low ? piece->guard_low : low;
        dsm_protect(from, piece->guard_high < high ? piece->guard_high : high, PROT_READ);
    }
    dsm_lock_give(&watches.lock);
}

static void piece_disarm(struct piece *piece) {
    if (piece->armed) {
        piece->armed = false;
        --watches.narmed;
        pages_open(piece->guard_low, piece->guard_high);
    }
}

/* Marks every watch that has something in [low, high), by a fault: on pages it protects. */
static void hit_locked(const char *low, const char *high, bool by_fault) {
    for (struct dsm_watch *watch = watches.first; watch; watch = watch->next) {
        for (int i = piece_first(watch, low); i < watch->npieces; ++i) {
            struct piece *piece = &watch->pieces[i];
            if (piece->low >= high)
                break;
            bool guarded = piece->armed && overlap(piece->guard_low, piece->guard_high, low, high);
            if (guarded || (!by_fault && overlap(piece->low, piece->high, low, high))) {
                atomic_store(&watch->hit, true);
                piece_disarm(piece);
            }
        }
    }
}

void dsm_watch_hit(const char *low, const char *high) {
    dsm_lock_take(&watches.lock);
    hit_locked(low, high, false);
    dsm_lock_give(&watches.lock);
}

bool dsm_watch_fault(const char *address) {
    char *page = (char *)dsm_page_down((uintptr_t)address);
    dsm_lock_take(&watches.lock);
    bool found = armed_next(page, page + DSM_PAGE) != NULL;
    if (found)
        hit_locked(page, page + DSM_PAGE, true);
    dsm_lock_give(&watches.lock);
    return found;
}

/* What becomes of memory that is elsewhere when a watch begins: all of it comes; what is pending
 * stays so; what has a window keeps it. */
enum how { WHOLE, PENDING, WINDOWED };

/* ---- begin ----------------------------------------------------------------------------------- */

static struct piece *piece_add(struct dsm_watch *watch, char *low, char *high) {
    if (watch->npieces == watch->room) {
        watch->room = watch->room ? 2 * watch->room : 8;
        watch->pieces = dsm_own_realloc(watch->pieces, (size_t)watch->room * sizeof *watch->pieces);
    }
    struct piece *piece = &watch->pieces[watch->npieces++];
    *piece = (struct piece){.low = low, .high = high, .guard_low = high, .guard_high = high};
    piece->may_vanish = true;
    return piece;
}

/* Whole pages of the piece: those inside, and those where nothing but its block lies. None where
 * the kernel may write without our knowing. */
static void piece_guard(struct piece *piece, const struct dsm_block *block) {
    if (dsm_job.guest || block->kind == DSM_BLOCK_LENT)
        return;
    uintptr_t low = dsm_page_up((uintptr_t)piece->low);
    uintptr_t high = dsm_page_down((uintptr_t)piece->high);
    if (block->own_pages && piece->high == block->base + block->bytes)
        high = dsm_page_up((uintptr_t)piece->high);
    if (high > low && high - low + DSM_PAGE > PROTECT_LEAST) {
        piece->guard_low = (char *)low;
        piece->guard_high = (char *)high;
    }
}

static size_t tail_begin(const struct piece *piece) {
    return piece->guard_high < piece->high ? (size_t)(piece->guard_high - piece->low)
                                           : (size_t)(piece->high - piece->low);
}

/* Bytes in front of the guarded pages, and behind them. */
static size_t head_bytes(const struct piece *piece) {
    return (size_t)(piece->guard_low - piece->low);
}

static size_t tail_bytes(const struct piece *piece) {
    return (size_t)(piece->high - piece->low) - tail_begin(piece);
}

static void piece_copy(struct piece *piece) {
    size_t head = head_bytes(piece), tail = tail_bytes(piece);
    if (head + tail > 0 && !piece->constant) {
        piece->copy = dsm_own_alloc(head + tail);
        bytes_copy(piece->copy, piece->low, head);
        bytes_copy(piece->copy + head, piece->low + tail_begin(piece), tail);
    }
}

/* What is not guarded gets copied, or compared: it has to be there. */
static void piece_materialize(const struct piece *piece) {
    if (piece->low < piece->guard_low)
        dsm_lazy_touch(piece->low, piece->guard_low, DSM_TOUCH_READ);
    if (piece->guard_high < piece->high)
        dsm_lazy_touch(piece->guard_high, piece->high, DSM_TOUCH_READ);
}

/* A range inside one block that we know. */
static void range_known(struct dsm_watch *watch, char *low, char *high,
                        const struct dsm_block *block) {
    struct piece *piece = piece_add(watch, low, high);
    piece->may_vanish = block->kind == DSM_BLOCK_LIBRARY || block->kind == DSM_BLOCK_LENT;
    piece->constant = block->kind == DSM_BLOCK_CONSTANT;
    if (!piece->constant)
        piece_guard(piece, block);
    piece_materialize(piece);
}

/* A range of the global heap over several blocks: stretch by stretch. */
static void range_heap(struct dsm_watch *watch, char *low, char *high) {
    char *begin, *end;
    while (low < high && dsm_heap_stretch(low, high, &begin, &end)) {
        struct dsm_block all = {begin, (size_t)(end - begin), DSM_BLOCK_HEAP, false};
        range_known(watch, begin, end, &all);
        low = end;
    }
}

/* Memory of unknown owner, or that others write: copied whole if it is there and not too much. */
static void range_unknown(struct dsm_watch *watch, char *low, char *high) {
    if ((size_t)(high - low) > COPY_MOST || !dsm_memory_has(low, high, PROT_READ)) {
        atomic_store(&watch->hit, true);
        return;
    }
    piece_add(watch, low, high)->foreign = true;
}

/* Whole pages of the block, so that nothing of it has to be copied. */
static void range_pending(struct dsm_watch *watch, char *low, char *high,
                          const struct dsm_block *block) {
    char *end = block->base + block->bytes;
    low = (char *)dsm_page_down((uintptr_t)low);
    high = (char *)dsm_page_up((uintptr_t)high);
    range_known(watch, low < block->base ? block->base : low, high < end ? high : end, block);
}

/* A range of a window: its pages are the window's to protect. */
static bool range_windowed(struct dsm_watch *watch, char *low, char *high) {
    struct dsm_window_look look;
    if (!dsm_window_watch(low, high, &look))
        return false;
    struct piece *piece = piece_add(watch, low, high);
    piece->guard_low = low;
    piece->look = look;
    return true;
}

static void range_add(struct dsm_watch *watch, const struct dsm_range *range, enum how how) {
    char *low = (char *)range->low, *high = (char *)range->high;
    struct dsm_block block;
    bool pending = how == PENDING;
    if (how == WINDOWED && range_windowed(watch, low, high))
        return;
    bool known = dsm_block_find(low, &block) && high <= block.base + block.bytes;
    dsm_window_touch(low, high, DSM_TOUCH_WATCH);
    if (pending && known && block.kind == DSM_BLOCK_HEAP && block.own_pages) {
        dsm_homes_touch(low, high, DSM_TOUCH_READ);
        range_pending(watch, low, high, &block);
        return;
    }
    dsm_home_touch(low, high, DSM_TOUCH_READ);
    if (dsm_block_find(low, &block) && high <= block.base + block.bytes &&
        block.kind != DSM_BLOCK_SHARED) {
        range_known(watch, low, high, &block);
    } else if (dsm_registry_filled(low, high)) {
        struct dsm_block all = {low, (size_t)(high - low), DSM_BLOCK_LIBRARY, false};
        range_known(watch, low, high, &all);
    } else if (dsm_in_heap(low) && dsm_in_heap(high - 1)) {
        range_heap(watch, low, high);
    } else {
        range_unknown(watch, low, high);
    }
}

/* Pages that are pending cannot be read as it is. */
static bool pages_arm(char *low, char *high) {
    bool good = true;
    while (low < high && good) {
        struct dsm_range pending = dsm_lazy_next(low, high);
        good = pending.low == low || dsm_spill_protect(low, pending.low, PROT_READ);
        low = (char *)pending.high;
    }
    return good;
}

/* Protects the whole pages of a piece, or has them copied like the rest. */
static void piece_arm(struct piece *piece) {
    piece->armed = watches.narmed < ARMED_MOST && pages_arm(piece->guard_low, piece->guard_high);
    if (piece->armed) {
        ++watches.narmed;
    } else {
        pages_open(piece->guard_low, piece->guard_high);
        piece->guard_low = piece->guard_high = piece->high;
    }
}

/* Protection comes before the copies: nothing changes unseen between the two. */
static void watch_arm(struct dsm_watch *watch) {
    dsm_lock_take(&watches.lock);
    atomic_fetch_add(&dsm_guarded, 1);
    watch->next = watches.first;
    watches.first = watch;
    for (int i = 0; i < watch->npieces; ++i)
        if (watch->pieces[i].guard_low < watch->pieces[i].guard_high &&
            watch->pieces[i].look.window == 0)
            piece_arm(&watch->pieces[i]);
    dsm_lock_give(&watches.lock);
}

static struct dsm_watch *start(int nranges, const struct dsm_range *ranges, enum how how) {
    struct dsm_watch *watch = dsm_own_alloc(sizeof *watch);
    *watch = (struct dsm_watch){.hit = false};
    size_t bytes = (size_t)nranges * sizeof *ranges;
    struct dsm_range *sorted = dsm_own_alloc(bytes);
    if (nranges > 0)
        memcpy(sorted, ranges, bytes);
    nranges = dsm_ranges_join(nranges, sorted, 0);
    for (int i = 0; i < nranges; ++i)
        range_add(watch, &sorted[i], how);
    dsm_own_free(sorted);
    watch_arm(watch);
    for (int i = 0; i < watch->npieces; ++i)
        piece_copy(&watch->pieces[i]);
    return watch;
}

struct dsm_watch *dsm_watch_start(int nranges, const struct dsm_range *ranges) {
    return start(nranges, ranges, WHOLE);
}

struct dsm_watch *dsm_watch_start_pending(int nranges, const struct dsm_range *ranges) {
    return start(nranges, ranges, PENDING);
}

struct dsm_watch *dsm_watch_start_windowed(int nranges, const struct dsm_range *ranges) {
    return start(nranges, ranges, WINDOWED);
}

/* ---- ask, end -------------------------------------------------------------------------------- */

/* mincore(2) fails where nothing is mapped. */
static bool mapped(const char *at, size_t bytes) {
    unsigned char resident[256];
    uintptr_t low = dsm_page_down((uintptr_t)at), high = dsm_page_up((uintptr_t)at + bytes);
    for (; low < high; low += sizeof resident * DSM_PAGE) {
        size_t length =
            high - low < sizeof resident * DSM_PAGE ? high - low : sizeof resident * DSM_PAGE;
        if (mincore((void *)low, length, resident) != 0)
            return false;
    }
    return true;
}

/* Pages behind the end of their file are mapped,
 * and nobody may touch them. Kernels before 5.14 do not say. */
static bool has_pages(const char *at, size_t bytes) {
    uintptr_t low = dsm_page_down((uintptr_t)at), high = dsm_page_up((uintptr_t)at + bytes);
    return dsm_spill_has(at) || dsm_clib_advise((void *)low, high - low, MADV_POPULATE_READ) ||
           errno != EFAULT;
}

/* Shares of bytes begin on lines. */
static size_t share_of(size_t bytes, int part, int parts) {
    enum { LINE = 64 };
    return part == parts ? bytes : bytes / (size_t)parts * (size_t)part / LINE * LINE;
}

static bool copy_differs(const struct piece *piece, const char *now, const char *then,
                         size_t bytes) {
    return bytes > 0 && !piece->constant &&
           ((piece->may_vanish && !mapped(now, bytes)) ||
            (piece->foreign && !has_pages(now, bytes)) || bytes_differ(now, then, bytes));
}

static bool share_differs(const struct piece *piece, const char *now, const char *then,
                          size_t bytes, int part, int parts) {
    size_t low = share_of(bytes, part, parts), high = share_of(bytes, part + 1, parts);
    return copy_differs(piece, now + low, then + low, high - low);
}

static bool piece_changed(const struct piece *piece, int part, int parts) {
    size_t head = head_bytes(piece), tail = tail_bytes(piece);
    return share_differs(piece, piece->low, piece->copy, head, part, parts) ||
           share_differs(piece, piece->low + tail_begin(piece), piece->copy + head, tail, part,
                         parts);
}

static void piece_look(struct dsm_watch *watch, int i, int part, int parts) {
    if ((watch->pieces[i].look.window && !dsm_window_unchanged(&watch->pieces[i].look)) ||
        piece_changed(&watch->pieces[i], part, parts))
        atomic_store(&watch->hit, true);
}

bool dsm_watch_look(struct dsm_watch *watch, int part, int parts) {
    for (int i = 0; i < watch->npieces && !atomic_load(&watch->hit); ++i)
        piece_look(watch, i, part, parts);
    return atomic_load(&watch->hit);
}

bool dsm_watch_changed(struct dsm_watch *watch) {
    return dsm_watch_look(watch, 0, 1);
}

size_t dsm_watch_compared(const struct dsm_watch *watch) {
    size_t bytes = 0;
    for (int i = 0; i < watch->npieces; ++i)
        bytes += watch->pieces[i].constant
                     ? 0
                     : head_bytes(&watch->pieces[i]) + tail_bytes(&watch->pieces[i]);
    return bytes;
}

static bool has_part(const struct dsm_watch *watch, const char *low, const char *high) {
    int i = piece_first(watch, low);
    return i < watch->npieces && watch->pieces[i].low < high;
}

/* Those that began over a part of [low, high) and are not marked: NULL-terminated. */
static struct dsm_watch **watches_on(const char *low, const char *high) {
    int n = 0, room = 0;
    struct dsm_watch **found = NULL;
    dsm_lock_take(&watches.lock);
    for (struct dsm_watch *watch = watches.first; watch; watch = watch->next)
        ++room;
    found = dsm_own_alloc((size_t)(room + 1) * sizeof(struct dsm_watch *));
    for (struct dsm_watch *watch = watches.first; watch; watch = watch->next)
        if (!atomic_load(&watch->hit) && has_part(watch, low, high))
            found[n++] = watch;
    found[n] = NULL;
    dsm_lock_give(&watches.lock);
    return found;
}

void dsm_watch_sent(const char *low, const char *high) {
    struct dsm_watch **found = watches_on(low, high);
    for (int w = 0; found[w]; ++w)
        for (int i = piece_first(found[w], low);
             i < found[w]->npieces && found[w]->pieces[i].low < high; ++i)
            piece_look(found[w], i, 0, 1);
    dsm_own_free(found);
}

void dsm_watch_end(struct dsm_watch *watch) {
    if (!watch)
        return;
    dsm_lock_take(&watches.lock);
    struct dsm_watch **link = &watches.first;
    while (*link != watch)
        link = &(*link)->next;
    *link = watch->next;
    for (int i = 0; i < watch->npieces; ++i)
        piece_disarm(&watch->pieces[i]);
    dsm_lock_give(&watches.lock);
    atomic_fetch_sub(&dsm_guarded, 1);
    for (int i = 0; i < watch->npieces; ++i)
        dsm_own_free(watch->pieces[i].copy);
    dsm_own_free(watch->pieces);
    dsm_own_free(watch);
}
