/*
 * The allocation family as a program linked by orrery-cc calls it (wrap.txt). One rank, and ranks
 * above 0: the C library, with every block in the registry. Rank 0 of several: the global heap.
 * What is freed or resized goes where its address says it came from.
 */
#define _GNU_SOURCE
#include "dsm/interception/hooks.h"

#include "dsm/arrays/guard.h"
#include "dsm/base/wrapped.h"
#include "dsm/memory/spill.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * From here on a block of a single rank is made of huge pages: those that it covers whole, and its
 * last, while the bytes added by that stay below HUGE_EXCESS over the program's life.
 */
#define HUGE_LEAST (1UL << 20)
#define HUGE_PAGE (2UL << 20)
#define HUGE_EXCESS (32UL << 20)

REAL_DECLARE(getdelim);

static bool from_heap(void) {
    return dsm_reservation.low && dsm_world.rank == 0;
}

/* Whole huge pages inside the block only. */
static void huge_advise(char *memory, size_t bytes) {
    uintptr_t low = ((uintptr_t)memory + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    uintptr_t high = ((uintptr_t)memory + bytes) & ~(HUGE_PAGE - 1);
    if (low < high)
        dsm_clib_advise((void *)low, high - low, MADV_HUGEPAGE);
}

/* Bookkeeping of a block that is handed to the program. */
static void *library_block(void *memory, size_t bytes) {
    if (memory) {
        dsm_guard_new(memory, bytes);
        dsm_registry_add(memory, bytes);
    }
    return memory;
}

/* Bytes to take for a block that starts at a huge page. */
static size_t huge_room(size_t bytes) {
    static atomic_size_t excess;
    size_t whole = (bytes + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    if (whole < bytes || atomic_fetch_add(&excess, whole - bytes) + whole - bytes > HUGE_EXCESS) {
        atomic_fetch_sub(&excess, whole - bytes);
        return bytes;
    }
    return whole;
}

static void *library_aligned(size_t alignment, size_t bytes) {
    void *memory = dsm_spill_alloc(bytes, alignment);
    size_t least = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    if (memory)
        return library_block(memory, bytes);
    size_t room = alignment >= HUGE_PAGE && bytes >= HUGE_LEAST ? huge_room(bytes) : bytes;
    int error = dsm_clib_memalign(&memory, least, room);
    if (error) {
        errno = error;
        return NULL;
    }
    if (bytes >= HUGE_LEAST)
        huge_advise(memory, room);
    return library_block(memory, bytes);
}

static void *library_alloc(size_t bytes) {
    if (bytes >= HUGE_LEAST)
        return library_aligned(HUGE_PAGE, bytes);
    return library_block(dsm_clib_malloc(bytes), bytes);
}

/* Private anonymous pages that are dropped come back as zeros (madvise(2), MADV_DONTNEED). */
static void zero_large(char *memory, size_t bytes) {
    char *low = (char *)dsm_page_up((uintptr_t)memory);
    char *high = (char *)dsm_page_down((uintptr_t)memory + bytes);
    if (!dsm_clib_advise(low, (size_t)(high - low), MADV_DONTNEED))
        low = high = memory;
    memset(memory, 0, (size_t)(low - memory));
    memset(high, 0, (size_t)(memory + bytes - high));
}

static void *library_zeroed(size_t bytes) {
    if (bytes < HUGE_LEAST)
        return library_block(dsm_clib_calloc(1, bytes), bytes);
    void *memory = library_aligned(HUGE_PAGE, bytes);
    if (memory && !dsm_spill_has(memory))
        zero_large(memory, bytes);
    return memory;
}

/* Bytes that the program may use at memory, as its owner says. */
static size_t block_bytes(void *memory) {
    struct dsm_block block;
    if (dsm_block_find(memory, &block) && block.base == (char *)memory)
        return block.bytes;
    return dsm_in_heap(memory) ? 0 : dsm_clib_usable(memory);
}

/* Into another one: spilled memory does not grow in place, nor does what gets a window. */
static void *block_copy(void *old, size_t had, size_t bytes) {
    void *memory = __wrap_malloc(bytes);
    if (memory) {
        memcpy(memory, old, had < bytes ? had : bytes);
        __wrap_free(old);
    }
    return memory;
}

static void *library_realloc(void *old, size_t bytes) {
    size_t had = block_bytes(old);
    bool spilled = dsm_spill_has(old);
    if (spilled && bytes == 0) {
        __wrap_free(old);
        return NULL;
    }
    if (spilled || (bytes >= DSM_SPILL_LEAST && dsm_spill_budget()))
        return block_copy(old, had, bytes);
    dsm_registry_remove(old);
    void *memory = dsm_clib_realloc(old, bytes);
    if (!memory) {
        if (bytes > 0)
            dsm_registry_add(old, had);
        return NULL;
    }
    if (bytes >= HUGE_LEAST)
        huge_advise(memory, bytes);
    return library_block(memory, bytes);
}

static void *heap_block(void *memory, size_t bytes) {
    if (memory)
        dsm_guard_new(memory, bytes);
    return memory;
}

/* A block that has not grown out of another. */
static void *heap_new(void *memory, size_t bytes) {
    dsm_window_new(heap_block(memory, bytes), bytes);
    return memory;
}

static void *block_alloc(size_t bytes, size_t alignment) {
    if (from_heap())
        return heap_new(dsm_heap_alloc(bytes, alignment), bytes);
    return alignment <= 16 ? library_alloc(bytes) : library_aligned(alignment, bytes);
}

/* ---- malloc and its kin ---- */

void *__wrap_malloc(size_t bytes) {
    return block_alloc(bytes, 16);
}

void *__wrap_calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    if (from_heap())
        return heap_new(dsm_heap_alloc_zeroed(bytes), bytes);
    return library_zeroed(bytes);
}

void __wrap_free(void *memory) {
    if (!memory)
        return;
    if (atomic_load_explicit(&dsm_guarded, memory_order_relaxed) > 0)
        dsm_guard_free(memory, block_bytes(memory));
    if (dsm_in_heap(memory)) {
        dsm_heap_free(memory);
        return;
    }
    int error = errno;
    dsm_registry_remove(memory);
    if (!dsm_spill_free(memory))
        dsm_clib_free(memory);
    errno = error;
}

/* Under a budget a block may have a window, or get one. */
static bool window_realloc(void *old, size_t bytes, void **memory) {
    if (bytes == 0 || !from_heap() || !dsm_in_heap(old))
        return false;
    if (dsm_window_realloc(old, bytes, memory))
        return true;
    if (!dsm_window_copies(old, bytes))
        return false;
    *memory = block_copy(old, block_bytes(old), bytes);
    return true;
}

void *__wrap_realloc(void *old, size_t bytes) {
    void *memory;
    if (!old)
        return __wrap_malloc(bytes);
    if (window_realloc(old, bytes, &memory))
        return memory;
    if (atomic_load_explicit(&dsm_guarded, memory_order_relaxed) > 0)
        dsm_guard_move(old, block_bytes(old));
    if (!dsm_in_heap(old) && !from_heap())
        return library_realloc(old, bytes);
    if (bytes == 0) {
        __wrap_free(old);
        return NULL;
    }
    if (dsm_in_heap(old))
        return heap_block(dsm_heap_realloc(old, bytes), bytes);
    return block_copy(old, dsm_clib_usable(old), bytes);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return __wrap_realloc(old, bytes);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes) {
    if (alignment == 0 || alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    int error = errno;
    void *block = block_alloc(bytes, alignment);
    errno = error;
    if (!block)
        return ENOMEM;
    *memory = block;
    return 0;
}

/* As glibc's memalign: an alignment that is no power of two is rounded up to one. */
void *__wrap_memalign(size_t alignment, size_t bytes) {
    size_t power = 16;
    while (power < alignment && power << 1)
        power <<= 1;
    return block_alloc(bytes, power);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return __wrap_memalign(alignment, bytes);
}

void *__wrap_valloc(size_t bytes) {
    return block_alloc(bytes, DSM_PAGE);
}

void *__wrap_pvalloc(size_t bytes) {
    return block_alloc(dsm_page_up(bytes), DSM_PAGE);
}

size_t __wrap_malloc_usable_size(void *memory) {
    bool ours = memory && (dsm_in_heap(memory) || dsm_spill_has(memory));
    return !memory ? 0 : ours ? block_bytes(memory) : dsm_clib_usable(memory);
}

/* ---- functions of the C library that allocate for their caller ---- */

char *__wrap_strdup(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = __wrap_malloc(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

char *__wrap_strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *copy = __wrap_malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *__wrap___strdup(const char *text) {
    return __wrap_strdup(text);
}

char *__wrap___strndup(const char *text, size_t most) {
    return __wrap_strndup(text, most);
}

int __wrap_vasprintf(char **text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *memory = length < 0 ? NULL : __wrap_malloc((size_t)length + 1);
    if (!memory)
        return -1;
    *text = memory;
    return vsnprintf(memory, (size_t)length + 1, format, arguments);
}

int __wrap_asprintf(char **text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

int __wrap___vasprintf_chk(char **text, int flag, const char *format, va_list arguments) {
    (void)flag;
    return __wrap_vasprintf(text, format, arguments);
}

int __wrap___asprintf_chk(char **text, int flag, const char *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

/* Room for `need` bytes in the caller's growing line. */
static bool line_grow(char **line, size_t *room, size_t need) {
    if (*line && need <= *room)
        return true;
    size_t bytes = *room < 120 || !*line ? 120 : *room;
    while (bytes < need)
        bytes *= 2;
    char *memory = __wrap_realloc(*line, bytes);
    if (!memory)
        return false;
    *line = memory;
    *room = bytes;
    return true;
}

/* The line is the C library's, and so is the work. */
static ssize_t library_getdelim(char **line, size_t *room, int delimiter, FILE *stream) {
    char *old = *line;
    size_t had = *room;
    if (old)
        dsm_guard_move(old, had);
    ssize_t length = REAL(getdelim)(line, room, delimiter, stream);
    if (*line != old || *room != had) {
        if (old)
            dsm_registry_remove(old);
        library_block(*line, *room);
    }
    return length;
}

ssize_t __wrap_getdelim(char **line, size_t *room, int delimiter, FILE *stream) {
    if (!line || !room) {
        errno = EINVAL;
        return -1;
    }
    if (!from_heap() && !dsm_in_heap(*line) && !dsm_spill_has(*line))
        return library_getdelim(line, room, delimiter, stream);
    size_t length = 0;
    int c = 0;
    if (!line_grow(line, room, 1))
        return -1;
    flockfile(stream);
    while (c != delimiter && (c = getc_unlocked(stream)) != EOF) {
        if (!line_grow(line, room, length + 2)) {
            funlockfile(stream);
            return -1;
        }
        (*line)[length++] = (char)c;
    }
    funlockfile(stream);
    (*line)[length] = '\0';
    return length == 0 ? -1 : (ssize_t)length;
}

ssize_t __wrap___getdelim(char **line, size_t *room, int delimiter, FILE *stream) {
    return __wrap_getdelim(line, room, delimiter, stream);
}

ssize_t __wrap_getline(char **line, size_t *room, FILE *stream) {
    return __wrap_getdelim(line, room, '\n', stream);
}
