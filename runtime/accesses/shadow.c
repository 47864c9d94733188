/* The parts of the shadow that are not for every access: halves, bytes, ranges, what is freed. */
#define _GNU_SOURCE
#include "runtime/accesses/shadow.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Cells of bytes, four by four; number 0 is none. `read` of a free one: the next free one. */
enum { QUADS = 1 << 27 };

static struct cell (*quads)[HALF];
static uint64_t nquads, free_quads;

/* ---- address space --------------------------------------------------------------------------- */

static void *reserve(uintptr_t at, size_t size) {
    int fixed = at ? MAP_FIXED_NOREPLACE : 0;
    void *got = mmap((void *)at, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    if (got != MAP_FAILED) {
        madvise(got, size, MADV_DONTDUMP);
        madvise(got, size, MADV_HUGEPAGE);
    }
    return got;
}

bool shadow_start(void) {
    void *planes = reserve(SHADOW_BEGIN, 2 * SHADOW_PLANE);
    void *bytes = reserve(0, QUADS * sizeof *quads);
    quads = bytes;
    if (planes == (void *)SHADOW_BEGIN && bytes != MAP_FAILED)
        return true;
    fprintf(stderr,
            "orrery: accesses are not watched: %zu TB of address space cannot be had: %s (is it "
            "limited by `ulimit -v` or vm.overcommit_memory?)\n",
            (size_t)(2 * SHADOW_PLANE >> 40), strerror(errno));
    return false;
}

/* ---- halves and bytes ------------------------------------------------------------------------ */

/* The number of four unused cells, 0: there is no room. */
static uint64_t quad_new(void) {
    uint64_t number = free_quads;
    if (number) {
        free_quads = quads[number][0].read;
        return number;
    }
    return nquads + 1 < QUADS ? ++nquads : 0;
}

static void quad_free(struct cell *half) {
    quads[half->before][0].read = free_quads;
    free_quads = half->before;
}

/* The cell of a half, its word being in halves from now on. */
static struct cell *make_half(uintptr_t at) {
    struct cell *word = cell_of_word(at);
    if (!has_halves(word)) {
        struct cell *upper = (struct cell *)((uintptr_t)word + SHADOW_PLANE);
        word->written |= IS_HALF;
        *upper = *word;
    }
    return cell_of_half(at);
}

/* The cells of a half's bytes, NULL: there is no room. */
static struct cell *make_bytes(struct cell *half) {
    if (half->written == IS_SPLIT)
        return quads[half->before];
    uint64_t number = quad_new();
    if (!number)
        return NULL;
    struct cell *parts = quads[number];
    for (int i = 0; i < HALF; ++i)
        parts[i] = (struct cell){half->written & ~IS_HALF, half->read, half->before};
    *half = (struct cell){.written = IS_SPLIT, .before = number};
    return parts;
}

/* The word has one cell again. */
static void join_word(uintptr_t at, uint64_t written) {
    struct cell *lower = cell_of_word(at);
    struct cell *upper = (struct cell *)((uintptr_t)lower + SHADOW_PLANE);
    if (has_halves(lower)) {
        if (lower->written == IS_SPLIT)
            quad_free(lower);
        if (upper->written == IS_SPLIT)
            quad_free(upper);
        *upper = (struct cell){0};
    }
    *lower = (struct cell){.written = written};
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* Two accesses meet, or no loop carries them. requires: is_earlier. */
static void meet(enum conflict_kind kind, uintptr_t at, uint64_t earlier, uint32_t site,
                 uint32_t written) {
    uint32_t source = source_of(earlier), time = time_of(earlier);
    if (conflict_again(kind, at, time, source, site, written))
        return;
    const struct watch_span *span = transfer_of(time);
    if (span)
        conflict_met(span, kind, at, time, source, site, written);
}

static __attribute__((noinline)) void read_news(struct cell *cell, uintptr_t at, uint32_t site) {
    meet(CONFLICT_FLOW, at, cell->written, site, 0);
    cell->read = stamp(site);
}

void shadow_read_new(struct cell *cell, uintptr_t at, uint32_t site) {
    if (__builtin_expect(is_known(CONFLICT_FLOW, at, cell->written, site, 0), 1))
        cell->read = stamp(site);
    else
        read_news(cell, at, site);
}

void shadow_read_newly(struct cell *cell, uintptr_t at, uint32_t site,
                       const struct watch_span *span) {
    meet(CONFLICT_FLOW, at, cell->written, site, 0);
    read_stays(cell, site, span);
}

/* What the last read, the one before and the last write met with; `done`: so many of them are. */
static __attribute__((noinline)) void write_news(struct cell *cell, uintptr_t at, uint32_t site,
                                                 uint64_t half, int done) {
    uint32_t written = time_of(cell->written);
    if (done < 1 && is_earlier(cell->read))
        meet(CONFLICT_ANTI, at, cell->read, site, written);
    if (done < 2 && is_earlier(cell->before))
        meet(CONFLICT_ANTI, at, cell->before, site, written);
    if (is_earlier(written))
        meet(CONFLICT_OUTPUT, at, cell->written, site, 0);
    *cell = (struct cell){.written = stamp(site) | half};
}

void shadow_write_again(struct cell *cell, uintptr_t at, uint32_t site, uint64_t half) {
    uint32_t written = time_of(cell->written);
    if (is_earlier(cell->read) && !is_known(CONFLICT_ANTI, at, cell->read, site, written))
        write_news(cell, at, site, half, 0);
    else if (is_earlier(cell->before) && !is_known(CONFLICT_ANTI, at, cell->before, site, written))
        write_news(cell, at, site, half, 1);
    else if (is_earlier(written) && !is_known(CONFLICT_OUTPUT, at, cell->written, site, 0))
        write_news(cell, at, site, half, 2);
    else
        *cell = (struct cell){.written = stamp(site) | half};
}

static inline void touch_cell(struct cell *cell, uintptr_t at, uint32_t site, bool write,
                              uint64_t half) {
    if (write)
        shadow_write_cell(cell, at, site, half);
    else
        shadow_read_cell(cell, at, site);
}

/* `count` bytes of one half. */
static void touch_bytes(uintptr_t at, size_t count, uint32_t site, bool write) {
    struct cell *parts = make_bytes(make_half(at));
    for (size_t i = 0; parts && i < count; ++i)
        touch_cell(&parts[at % HALF + i], at + i, site, write, 0);
}

static void touch_half(uintptr_t at, uint32_t site, bool write) {
    struct cell *half = make_half(at);
    if (half->written != IS_SPLIT) {
        touch_cell(half, at, site, write, IS_HALF);
        return;
    }
    touch_bytes(at, HALF, site, write);
    if (write) {
        quad_free(half);
        *half = (struct cell){.written = stamp(site) | IS_HALF};
    }
}

/* A word that is written as a whole has one cell from then on. */
static void touch_word(uintptr_t at, uint32_t site, bool write) {
    struct cell *cell = cell_of_word(at);
    if (!has_halves(cell)) {
        touch_cell(cell, at, site, write, 0);
        return;
    }
    touch_half(at, site, write);
    touch_half(at + HALF, site, write);
    if (write)
        join_word(at, stamp(site));
}

void shadow_touch(uintptr_t at, size_t size, uint32_t site, bool write) {
    if (!shadow_holds(at) || !shadow_holds(at + size))
        return;
    while (size > 0) {
        size_t part = at % WORD == 0 && size >= WORD ? WORD : HALF - at % HALF;
        part = part < size ? part : size;
        if (part == WORD)
            touch_word(at, site, write);
        else if (part == HALF)
            touch_half(at, site, write);
        else
            touch_bytes(at, part, site, write);
        at += part;
        size -= part;
    }
}

void shadow_read(uintptr_t at, size_t size, uintptr_t pc) {
    ++watch.touches;
    shadow_touch(at, size, site_of(pc), false);
}

void shadow_write(uintptr_t at, size_t size, uintptr_t pc) {
    ++watch.touches;
    shadow_touch(at, size, site_of(pc), true);
}

/* ---- what is freed --------------------------------------------------------------------------- */

/* Bytes at the ends of a range that are no whole words. */
static void forget_bytes(uintptr_t at, size_t count) {
    for (size_t i = 0; i < count; ++i, ++at) {
        struct cell *parts = make_bytes(make_half(at));
        if (parts)
            parts[at % HALF] = (struct cell){0};
    }
}

static void forget_word(uintptr_t at) {
    struct cell *cell = cell_of_word(at);
    if (cell->written | cell->read)
        join_word(at, 0);
}

/* Whole pages of cells of large ranges go back to the kernel, where no word of the program has
 * cells for bytes: those would be lost. Returns how many bytes of memory they stood for. */
static size_t forget_pages(uintptr_t at, size_t size) {
    enum { LARGE = 1 << 20, STEP = 4096 };
    uintptr_t end = (at + size) & ~(uintptr_t)(STEP - 1);
    if (nquads > 0 || at % STEP || end < at + LARGE)
        return 0;
    struct cell *cells = cell_of_word(at);
    madvise(cells, 3 * (end - at), MADV_DONTNEED);
    madvise((char *)cells + SHADOW_PLANE, 3 * (end - at), MADV_DONTNEED);
    return end - at;
}

void shadow_forget(uintptr_t at, size_t size) {
    if (!shadow_holds(at) || !shadow_holds(at + size))
        return;
    while (size > 0) {
        size_t part = forget_pages(at, size);
        if (part == 0) {
            part = WORD - at % WORD;
            part = part < size ? part : size;
            if (part == WORD)
                forget_word(at);
            else
                forget_bytes(at, part);
        }
        at += part;
        size -= part;
    }
}
