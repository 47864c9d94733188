/*
 * Shadow memory: for every aligned eight bytes of the program's memory, when and where they were
 * last written and read. Words that are used by halves have a cell for each half, in a second
 * plane; halves that are used by bytes have four cells of their own. Cells are found by arithmetic.
 *
 * What an access does when nothing has to be written down stands here, for entry.c to inline.
 */
#ifndef ORRERY_RUNTIME_ACCESSES_SHADOW_H
#define ORRERY_RUNTIME_ACCESSES_SHADOW_H

#include "runtime/accesses/watch.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* AHEAD: most programs go through their memory upwards; how far to look ahead for cells. */
enum { WORD = 8, HALF = 4, AHEAD = 1024 };

/*
 * A stamp is a site, shifted by 32, and a time; 0: never. Written last; read last; read before
 * that, by another iteration of a loop that still runs.
 */
struct cell {
    uint64_t written, read, before;
};

/* In `written`, above the site: each half of the word has a cell. */
#define IS_HALF ((uint64_t)1 << 63)
/* `written` of a half whose bytes have cells: `before` is their number. */
#define IS_SPLIT ((uint64_t)0xffffffff << 32)

/* ---- where cells lie ------------------------------------------------------------------------- */

#define SHADOW_BEGIN ((uintptr_t)0x100000000000)
#define SHADOW_BITS 43
/* Not a power of two: AMD's first-level cache finds its way by bits 12 to 27 of an address, and
 * holds only one line of those that agree in them (Lipp and others, Take A Way, ASIA CCS 2020). */
#define SHADOW_PLANE (((uintptr_t)3 << SHADOW_BITS) + 0x55000)

/*
 * Programs of Linux on x86-64 have memory at the bottom (those at fixed addresses and their heap),
 * from 0x55 << 40 on (other programs and their heap) and at the top (libraries, mappings, stack):
 * told apart by the lower 43 bits. What is mapped elsewhere is not watched.
 */
static inline bool shadow_holds(uintptr_t at) {
    return (uint64_t)0x8401 >> (at >> SHADOW_BITS & 63) & 1;
}

/* The cell of a word; that of its lower half, where it has halves. */
static inline struct cell *cell_of_word(uintptr_t at) {
    uintptr_t word = at & (((uintptr_t)1 << SHADOW_BITS) - WORD);
    return (struct cell *)(SHADOW_BEGIN + 3 * word);
}

static inline struct cell *cell_of_half(uintptr_t at) {
    return (struct cell *)((uintptr_t)cell_of_word(at) + (at & HALF) / HALF * SHADOW_PLANE);
}

static inline bool has_halves(const struct cell *cell) {
    return cell->written >> 63;
}

/* ---- times ----------------------------------------------------------------------------------- */

static inline uint64_t stamp(uint32_t site) {
    return (uint64_t)site << 32 | watch.now;
}

static inline uint32_t time_of(uint64_t stamp) {
    return (uint32_t)stamp;
}

/* In an earlier iteration of a loop that runs, or before the loop that is innermost now. */
static inline bool is_earlier(uint64_t stamp) {
    return time_of(stamp) - watch.first < watch.past;
}

/* Of the level that carries an earlier access, `inner` or one around it, NULL: none does.
 * requires: is_earlier. */
static inline const struct watch_span *transfer_from(const struct watch_span *inner,
                                                     uint32_t time) {
    while (time < inner->begin)
        --inner;
    return time < inner->iteration ? inner : NULL;
}

static inline const struct watch_span *transfer_of(uint32_t time) {
    return transfer_from(watch.span, time);
}

/* ---- meeting --------------------------------------------------------------------------------- */

static inline uint32_t source_of(uint64_t earlier) {
    return (uint32_t)((earlier & ~IS_HALF) >> 32);
}

/* What is known of these accesses already, or no loop carries them: then nothing is to be done but
 * what has been done. requires: is_earlier. */
static inline __attribute__((always_inline)) bool
is_known(enum conflict_kind kind, uintptr_t at, uint64_t earlier, uint32_t site, uint32_t written) {
    uint32_t time = time_of(earlier);
    return conflict_again(kind, at, time, source_of(earlier), site, written) || !transfer_of(time);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The first read of what an earlier iteration wrote. */
void shadow_read_new(struct cell *cell, uintptr_t at, uint32_t site);
/* The first read in this iteration of the loop that carries the write and the last read. */
void shadow_read_newly(struct cell *cell, uintptr_t at, uint32_t site,
                       const struct watch_span *span);
/* Something earlier has read or written what is written now. `half`: IS_HALF, or 0. */
void shadow_write_again(struct cell *cell, uintptr_t at, uint32_t site, uint64_t half);

/* Of two earlier reads the one that an outer loop carries is kept beside the last, which the loop
 * of `span` carries. */
static inline __attribute__((always_inline)) void read_stays(struct cell *cell, uint32_t site,
                                                             const struct watch_span *span) {
    uint32_t before = time_of(cell->before);
    if (before >= span->begin || before < watch.first || !transfer_from(span - 1, before))
        cell->before = cell->read;
    cell->read = stamp(site);
}

/*
 * A cell that stands for all of an access. No read is older than the write that it sees. So the
 * level that carries the last read carries the write, too, or the write is no news: this is not the
 * first read in the iteration of the loop that carries it.
 */
static inline __attribute__((always_inline)) void shadow_read_cell(struct cell *cell, uintptr_t at,
                                                                   uint32_t site) {
    uint32_t read = time_of(cell->read);
    if (is_earlier(read)) {
        const struct watch_span *span = watch.span;
        while (read < span->begin)
            --span;
        if (read >= span->iteration)
            cell->read = stamp(site);
        else if (__builtin_expect(time_of(cell->written) >= span->begin, 0))
            shadow_read_newly(cell, at, site, span);
        else
            read_stays(cell, site, span);
    } else if (read == 0 && is_earlier(cell->written)) {
        shadow_read_new(cell, at, site);
    } else if (read != watch.now) {
        cell->read = stamp(site);
    }
}

static inline __attribute__((always_inline)) void shadow_write_cell(struct cell *cell, uintptr_t at,
                                                                    uint32_t site, uint64_t half) {
    if (is_earlier(cell->read) | is_earlier(cell->before) | is_earlier(cell->written))
        shadow_write_again(cell, at, site, half);
    else
        *cell = (struct cell){.written = stamp(site) | half};
}

/* ---- accesses of one size -------------------------------------------------------------------- */

/* The general way: any size, any state of the cells. */
void shadow_touch(uintptr_t at, size_t size, uint32_t site, bool write);

static inline __attribute__((always_inline)) struct cell *cell_for(uintptr_t at, size_t size) {
    return size == HALF ? cell_of_half(at) : cell_of_word(at);
}

/* A cell that is one for words or halves, as `size` says. */
static inline __attribute__((always_inline)) bool has_use(const struct cell *cell, size_t size) {
    return size == WORD   ? !has_halves(cell)
           : size == HALF ? cell->written - IS_HALF < IS_SPLIT - IS_HALF
                          : false;
}

/* A cell that is there for exactly these bytes. */
static inline __attribute__((always_inline)) bool is_for(const struct cell *cell, uintptr_t at,
                                                         size_t size) {
    return at % size == 0 && has_use(cell, size);
}

/* The same bytes were read at this time. Cells that stand for less, or for nothing, have other
 * times; that of a word with halves is its lower half's. */
static inline __attribute__((always_inline)) bool is_same_read(const struct cell *cell,
                                                               uintptr_t at, size_t size) {
    return (size == HALF || size == WORD) && at % size == 0 && time_of(cell->read) == watch.now &&
           (size == HALF || !has_halves(cell));
}

static inline __attribute__((always_inline)) void shadow_access(uintptr_t at, size_t size,
                                                                uintptr_t pc, bool write) {
    struct cell *cell = cell_for(at, size);
    if (!write && is_same_read(cell, at, size)) {
        ++watch.touches;
        return;
    }
    bool usual = is_for(cell, at, size) && pc - watch.base < SITE_LIBRARY;
    if (__builtin_expect(!usual, 0)) {
        (write ? shadow_write : shadow_read)(at, size, pc);
        return;
    }
    ++watch.touches;
    if (!shadow_holds(at))
        return;
    __builtin_prefetch((const char *)cell + AHEAD, 1);
    uint32_t site = (uint32_t)(pc - watch.base);
    if (write)
        shadow_write_cell(cell, at, site, size == HALF ? IS_HALF : 0);
    else
        shadow_read_cell(cell, at, site);
}

#endif
