/*
 * The global heap: allocation on rank 0 of several, at addresses that every rank has reserved.
 * Small blocks lie in spans of one size each, whose bookkeeping is elsewhere, so user memory is
 * never touched; large blocks have pages of their own and an unreadable one behind them.
 */
#define _GNU_SOURCE
#include "dsm/memory/spans.h"
#include "dsm/memory/spill.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#define SMALL_MOST 32768UL
#define HUGE_LEAST (4UL << 20)
#define HUGE_PAGE (2UL << 20)
/* From here on a block that has to move takes its pages along instead of copying them. */
#define REMAP_LEAST (1UL << 20)

struct heap dsm_heap = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- size classes: multiples of 16 to 128, then four per doubling ---- */

static int class_of(size_t bytes) {
    if (bytes <= 128)
        return bytes == 0 ? 0 : (int)((bytes - 1) / 16);
    int doubling = 63 - __builtin_clzl(bytes - 1);
    return 8 + (doubling - 7) * 4 + (int)((bytes - 1) >> (doubling - 2)) - 4;
}

size_t heap_class_bytes(int class) {
    if (class < 8)
        return 16 * (size_t)(class + 1);
    int doubling = 7 + (class - 8) / 4, quarter = (class - 8) % 4;
    return (size_t)(5 + quarter) << (doubling - 2);
}

/* ---- pages ---- */

/* Pages that rank 0 gives up are given up by the others before the next command. */
static void forget(char *low, char *high) {
    if (dsm_heap.nforgotten > 0 && dsm_heap.forgotten[dsm_heap.nforgotten - 1].high == low)
        dsm_heap.forgotten[dsm_heap.nforgotten - 1].high = high;
    else if (dsm_heap.nforgotten < FORGOTTEN_MOST)
        dsm_heap.forgotten[dsm_heap.nforgotten++] = (struct dsm_range){low, high};
}

bool heap_pages_commit(char *low, size_t bytes) {
    return dsm_spill_protect(low, low + bytes, PROT_READ | PROT_WRITE);
}

bool heap_block_commit(const struct run *run) {
    if (!heap_pages_commit(run_address(run), run->pages))
        return false;
    if (dsm_spills_heap(run->pages) && !dsm_spill_has(run_address(run)))
        dsm_spill_block_at(run_address(run), run->pages);
    return true;
}

void heap_pages_drop(char *low, size_t bytes) {
    if (bytes > 0) {
        dsm_spill_free(low);
        dsm_clib_advise(low, bytes, MADV_DONTNEED);
        dsm_protect(low, low + bytes, PROT_NONE);
        forget(low, low + bytes);
    }
}

void dsm_heap_keep(const struct dsm_range *pages) {
    pthread_mutex_lock(&dsm_heap.lock);
    forget((char *)pages->low, (char *)pages->high);
    pthread_mutex_unlock(&dsm_heap.lock);
}

int dsm_heap_forgotten(struct dsm_range *ranges, int most) {
    pthread_mutex_lock(&dsm_heap.lock);
    int count = dsm_heap.nforgotten < most ? dsm_heap.nforgotten : most;
    dsm_heap.nforgotten -= count;
    memcpy(ranges, dsm_heap.forgotten + dsm_heap.nforgotten, (size_t)count * sizeof *ranges);
    pthread_mutex_unlock(&dsm_heap.lock);
    return count;
}

/* ---- small blocks ---- */

void heap_span_list(struct span *span) {
    span->previous = NULL;
    span->next = dsm_heap.spans[span->class];
    if (span->next)
        span->next->previous = span;
    dsm_heap.spans[span->class] = span;
    span->listed = true;
}

static void span_unlist(struct span *span) {
    if (span->previous)
        span->previous->next = span->next;
    else
        dsm_heap.spans[span->class] = span->next;
    if (span->next)
        span->next->previous = span->previous;
    span->listed = false;
}

static struct span *span_new(int class) {
    size_t units = heap_class_bytes(class) <= 4096 ? 1 : 4;
    struct run *run = run_alloc(units, RUN_UNIT);
    if (!run)
        return NULL;
    if (!heap_pages_commit(run_address(run), units * RUN_UNIT)) {
        run_free(run);
        return NULL;
    }
    struct span *span = dsm_own_alloc(sizeof *span);
    unsigned blocks = (unsigned)(units * RUN_UNIT / heap_class_bytes(class));
    size_t words = (blocks + 63) / 64;
    *span = (struct span){.run = run, .class = class, .blocks = blocks, .free = blocks};
    span->taken = memset(dsm_own_alloc(words * 8), 0, words * 8);
    span->slack = dsm_own_alloc(blocks * sizeof *span->slack);
    run->span = span;
    run->pages = units * RUN_UNIT;
    heap_span_list(span);
    return span;
}

static void span_free(struct span *span) {
    struct run *run = span->run;
    span_unlist(span);
    dsm_own_free(span->taken);
    dsm_own_free(span->slack);
    dsm_own_free(span);
    heap_pages_drop(run_address(run), run->pages);
    run_free(run);
}

static unsigned span_take(struct span *span) {
    unsigned word = span->hint / 64;
    while (span->taken[word] == ~0UL)
        ++word;
    unsigned index = word * 64 + (unsigned)__builtin_ctzl(~span->taken[word]);
    span->taken[word] |= 1UL << (index % 64);
    span->hint = index;
    if (--span->free == 0)
        span_unlist(span);
    return index;
}

static void *small_alloc(size_t bytes, int class) {
    struct span *span = dsm_heap.spans[class];
    if (!span)
        span = span_new(class);
    if (!span)
        return NULL;
    unsigned index = span_take(span);
    span->slack[index] = (uint16_t)(heap_class_bytes(class) - bytes);
    return run_address(span->run) + index * heap_class_bytes(class);
}

static void small_free(struct span *span, unsigned index) {
    span->taken[index / 64] &= ~(1UL << (index % 64));
    if (index < span->hint)
        span->hint = index;
    if (span->free++ == 0)
        heap_span_list(span);
    if (span->free == span->blocks && (span->next || span->previous))
        span_free(span);
}

/* The block of a span that has the address; false when there is none. */
static bool small_index(const struct span *span, const char *address, unsigned *index) {
    size_t at = (size_t)(address - run_address(span->run)) / heap_class_bytes(span->class);
    *index = (unsigned)at;
    return at < span->blocks && (span->taken[at / 64] >> (at % 64) & 1);
}

/* ---- large blocks ---- */

static size_t units_for(size_t bytes) {
    return (dsm_page_up(bytes) + DSM_PAGE + RUN_UNIT - 1) / RUN_UNIT;
}

static void huge_advise(struct run *run) {
    size_t whole = run->bytes & ~(HUGE_PAGE - 1);
    if (run->bytes >= HUGE_LEAST && !dsm_spills_heap(run->bytes) &&
        (uintptr_t)run_address(run) % HUGE_PAGE == 0)
        dsm_clib_advise(run_address(run), whole, MADV_HUGEPAGE);
}

static void *large_alloc(size_t bytes, size_t alignment) {
    if (bytes > (size_t)(dsm_reservation.middle - dsm_reservation.low))
        return NULL;
    if (bytes >= HUGE_LEAST && alignment < HUGE_PAGE)
        alignment = HUGE_PAGE;
    struct run *run = run_alloc(units_for(bytes), alignment < RUN_UNIT ? RUN_UNIT : alignment);
    if (!run)
        return NULL;
    run->bytes = bytes;
    run->pages = dsm_page_up(bytes ? bytes : 1);
    if (!heap_block_commit(run)) {
        run_free(run);
        return NULL;
    }
    huge_advise(run);
    return run_address(run);
}

static void large_free(struct run *run) {
    heap_pages_drop(run_address(run), run->pages);
    run_free(run);
}

/* Resizes where it stands; false when there is no room, or it is spilled, or would be. */
static bool large_resize(struct run *run, size_t bytes) {
    size_t units = units_for(bytes), pages = dsm_page_up(bytes ? bytes : 1);
    if (pages != run->pages && (dsm_spills_heap(pages) || dsm_spills_heap(run->pages)))
        return false;
    if (units > run->units && !run_extend(run, units - run->units))
        return false;
    char *base = run_address(run);
    if (pages > run->pages && !heap_pages_commit(base + run->pages, pages - run->pages))
        return false;
    if (pages < run->pages)
        heap_pages_drop(base + pages, run->pages - pages);
    run->pages = pages;
    run->bytes = bytes;
    huge_advise(run);
    return true;
}

/* ---- the allocator ---- */

static void *alloc_locked(size_t bytes, size_t alignment) {
    size_t small = bytes < 16 ? 16 : bytes;
    if (alignment > 16 && small <= SMALL_MOST && alignment <= SMALL_MOST) {
        while (small & (small - 1))
            small += small & -small;
        small = small < alignment ? alignment : small;
    }
    if (small <= SMALL_MOST && alignment <= SMALL_MOST)
        return small_alloc(bytes, class_of(small));
    return large_alloc(bytes, alignment);
}

static void *no_memory(void *memory) {
    if (!memory)
        errno = ENOMEM;
    return memory;
}

void *dsm_heap_alloc(size_t bytes, size_t alignment) {
    pthread_mutex_lock(&dsm_heap.lock);
    void *memory = alloc_locked(bytes, alignment);
    pthread_mutex_unlock(&dsm_heap.lock);
    return no_memory(memory);
}

/* Pages of large blocks are new, so zero. */
void *dsm_heap_alloc_zeroed(size_t bytes) {
    void *memory = dsm_heap_alloc(bytes, 16);
    return memory && bytes <= SMALL_MOST ? memset(memory, 0, bytes) : memory;
}

static _Noreturn void bad_free(const void *memory) {
    dsm_fail(134, "free or realloc of %p, which is not an allocated block", memory);
}

/* The run of a block that begins at memory, its index if it is small;
 * ends the job if there is none. */
static struct run *run_of_block(void *memory, unsigned *index) {
    struct run *run = run_find(memory);
    if (!run)
        bad_free(memory);
    if (!run->span) {
        if (run_address(run) != (char *)memory)
            bad_free(memory);
        return run;
    }
    if (!small_index(run->span, memory, index) ||
        run_address(run) + *index * heap_class_bytes(run->span->class) != (char *)memory) {
        bad_free(memory);
    }
    return run;
}

void dsm_heap_free(void *memory) {
    unsigned index;
    pthread_mutex_lock(&dsm_heap.lock);
    struct run *run = run_of_block(memory, &index);
    if (run->span)
        small_free(run->span, index);
    else
        large_free(run);
    pthread_mutex_unlock(&dsm_heap.lock);
}

/* Resizes in place: the address, or NULL. `had`: the size so far. */
static void *resize_in_place(void *memory, size_t bytes, size_t *had) {
    unsigned index;
    void *result = NULL;
    pthread_mutex_lock(&dsm_heap.lock);
    struct run *run = run_of_block(memory, &index);
    if (!run->span) {
        *had = run->bytes;
        if (bytes > SMALL_MOST && large_resize(run, bytes))
            result = memory;
    } else {
        size_t room = heap_class_bytes(run->span->class);
        *had = room - run->span->slack[index];
        if (bytes <= room && bytes > room / 2) {
            run->span->slack[index] = (uint16_t)(room - bytes);
            result = memory;
        }
    }
    pthread_mutex_unlock(&dsm_heap.lock);
    return result;
}

/*
 * Moves the front of a block by its pages, leaving empty ones behind (mremap(2),
 * MREMAP_DONTUNMAP), up to the last boundary between huge pages, where the mapping may change.
 * Returns how many bytes moved.
 */
static size_t pages_move(char *from, char *to, size_t bytes) {
    size_t whole = bytes & ~(bytes >= HUGE_LEAST ? HUGE_PAGE - 1 : DSM_PAGE - 1);
    int flags = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
    return dsm_clib_remap(from, whole, flags, to) ? whole : 0;
}

void *dsm_heap_resize(void *memory, size_t bytes) {
    size_t had;
    return resize_in_place(memory, bytes, &had);
}

void *dsm_heap_realloc(void *old, size_t bytes) {
    size_t had, moved = 0;
    char *memory = resize_in_place(old, bytes, &had);
    if (memory)
        return memory;
    memory = dsm_heap_alloc(bytes, 16);
    if (!memory)
        return NULL;
    if (had >= REMAP_LEAST && bytes >= had && !dsm_spills_heap(bytes))
        moved = pages_move(old, memory, had);
    memcpy(memory + moved, (char *)old + moved, (had < bytes ? had : bytes) - moved);
    dsm_heap_free(old);
    return memory;
}

bool dsm_heap_find(const void *address, struct dsm_block *block) {
    bool found = false;
    unsigned index;
    pthread_mutex_lock(&dsm_heap.lock);
    struct run *run = run_find(address);
    if (run && !run->span) {
        *block = (struct dsm_block){run_address(run), run->bytes, DSM_BLOCK_HEAP, true};
        found = true;
    } else if (run && small_index(run->span, address, &index)) {
        size_t room = heap_class_bytes(run->span->class);
        *block = (struct dsm_block){run_address(run) + index * room, room - run->span->slack[index],
                                    DSM_BLOCK_HEAP, false};
        found = true;
    }
    pthread_mutex_unlock(&dsm_heap.lock);
    return found && (size_t)((const char *)address - block->base) < block->bytes;
}

bool dsm_heap_stretch(char *low, char *high, char **begin, char **end) {
    pthread_mutex_lock(&dsm_heap.lock);
    struct run *run = run_next(low, high);
    while (run && run_address(run) + run->pages <= low)
        run = run_next(run_address(run) + run->units * RUN_UNIT, high);
    if (run) {
        char *from = run_address(run), *to = from + run->pages;
        *begin = from > low ? from : low;
        *end = to < high ? to : high;
    }
    pthread_mutex_unlock(&dsm_heap.lock);
    return run != NULL && *begin < *end;
}
