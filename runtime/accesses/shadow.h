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
#define SHADOW_PLANE ((uintptr_t)3 << SHADOW_BITS)

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

/* Of the level that carries an earlier access, NULL: none does. requires: is_earlier. */
static inline const struct watch_span *transfer_of(uint32_t time) {
    const struct watch_span *span = watch.span;
    while (time < span->begin)
        --span;
    return time < span->iteration ? span : NULL;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* A cell that stands for all of an access. `half`: IS_HALF, or 0. */
void shadow_read_cell(struct cell *cell, uintptr_t at, uint32_t site);
void shadow_write_cell(struct cell *cell, uintptr_t at, uint32_t site, uint64_t half);

/* ---- accesses of one size -------------------------------------------------------------------- */

/* The general way: any size, any state of the cells. */
void shadow_touch(uintptr_t at, size_t size, uint32_t site, bool write);

/* A cell that is there for exactly these bytes. */
static inline bool is_for(const struct cell *cell, uintptr_t at, size_t size) {
    if (at % size != 0)
        return false;
    return size == WORD   ? !has_halves(cell)
           : size == HALF ? cell->written - IS_HALF < IS_SPLIT - IS_HALF
                          : false;
}

static inline __attribute__((always_inline)) void shadow_access(uintptr_t at, size_t size,
                                                                uintptr_t pc, bool write) {
    struct cell *cell = size == HALF ? cell_of_half(at) : cell_of_word(at);
    bool usual = is_for(cell, at, size) && pc - site_base < SITE_LIBRARY;
    if (__builtin_expect(!usual, 0)) {
        (write ? shadow_write : shadow_read)(at, size, pc);
        return;
    }
    ++watch.touches;
    if ((!write && time_of(cell->read) == watch.now) || !shadow_holds(at))
        return;
    __builtin_prefetch((const char *)cell + AHEAD, 1);
    uint32_t site = (uint32_t)(pc - site_base);
    if (write)
        shadow_write_cell(cell, at, site, size == HALF ? IS_HALF : 0);
    else
        shadow_read_cell(cell, at, site);
}

#endif
