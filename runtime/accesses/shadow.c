/*
 * Shadow memory: for every four bytes of the program's memory, when they were last written and read
 * and where. Words whose bytes are used one by one are split into four cells.
 */
#include "runtime/accesses/watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WORD = 4, CHUNK_BITS = 24, ADDRESS_BITS = 47, SPLIT_CHUNK = 1 << 14 };
#define CHUNK ((uintptr_t)1 << CHUNK_BITS)
#define CHUNKS ((size_t)1 << (ADDRESS_BITS - CHUNK_BITS))

/* Written last; read last; read before that, by another iteration of a loop that still runs. A
 * split cell has `written` 0, `is_split`, and in `read` the number of its four cells. */
struct cell {
    uint32_t written, written_at;
    uint32_t read, read_at;
    uint32_t before, before_at;
};

/* `written_at` of a cell that is split; times begin at 2, so 0 is no time. */
#define IS_SPLIT 0xffffffffu

/* The first byte of a block, per 16 bytes of memory: its size in units of 16, and its place. */
struct block_mark {
    uint32_t units, site;
};

enum { UNIT = 16, PAGE_UNITS = 1024 };

/* `counts`: blocks that begin in each page of units. */
struct chunk {
    struct cell *cells;
    struct block_mark *blocks;
    uint16_t *counts;
};

static struct chunk *directory;
static struct cell *quads[1 << 14];
static uint32_t nquads, free_quads;

/* ---- pages ----------------------------------------------------------------------------------- */

static void *pages(size_t bytes) {
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static __attribute__((noinline)) struct cell *cells_make(uintptr_t at) {
    if (!directory)
        directory = pages(CHUNKS * sizeof *directory);
    if (!directory || at >> ADDRESS_BITS)
        return NULL;
    struct chunk *chunk = &directory[at >> CHUNK_BITS];
    if (!chunk->cells)
        chunk->cells = pages(CHUNK / WORD * sizeof *chunk->cells);
    return chunk->cells;
}

/* The cell of a word, NULL where there is no memory for it. */
static inline struct cell *cell_of(uintptr_t at) {
    struct cell *cells =
        directory && !(at >> ADDRESS_BITS) ? directory[at >> CHUNK_BITS].cells : NULL;
    if (__builtin_expect(!cells, 0) && !(cells = cells_make(at)))
        return NULL;
    return &cells[(at & (CHUNK - 1)) / WORD];
}

/* ---- split words ----------------------------------------------------------------------------- */

static inline bool is_split(const struct cell *cell) {
    return cell->written == 0 && cell->written_at == IS_SPLIT;
}

static struct cell *quad(uint32_t number) {
    return &quads[number / SPLIT_CHUNK][(size_t)(number % SPLIT_CHUNK) * WORD];
}

/* The number of four unused cells, 0: there is no memory. */
static uint32_t quad_new(void) {
    uint32_t number = free_quads;
    if (number) {
        free_quads = quad(number)->read;
        return number;
    }
    number = ++nquads;
    if (number / SPLIT_CHUNK >= sizeof quads / sizeof *quads)
        return 0;
    struct cell **part = &quads[number / SPLIT_CHUNK];
    if (!*part && !(*part = pages((size_t)SPLIT_CHUNK * WORD * sizeof **part)))
        return 0;
    return number;
}

static struct cell *split(struct cell *cell) {
    if (is_split(cell))
        return quad(cell->read);
    uint32_t number = quad_new();
    if (!number)
        return NULL;
    struct cell *parts = quad(number);
    for (int i = 0; i < WORD; ++i)
        parts[i] = *cell;
    *cell = (struct cell){.written_at = IS_SPLIT, .read = number};
    return parts;
}

static void join(struct cell *cell) {
    if (is_split(cell)) {
        quad(cell->read)->read = free_quads;
        free_quads = cell->read;
    }
    *cell = (struct cell){0};
}

/* ---- accesses -------------------------------------------------------------------------------- */

static inline bool is_earlier(uint32_t time) {
    return time - watch.first < watch.iteration - watch.first;
}

/* The level of an access that is earlier than the innermost iteration. */
static inline int level_of(uint32_t time) {
    return time >= watch.begin ? watch.depth - 1 : watch_level_of(time);
}

static __attribute__((noinline)) void meet(enum conflict_kind kind, uintptr_t at, uint32_t time,
                                           uint32_t source, uint32_t sink) {
    int level = level_of(time);
    if (level >= 0 && !conflict_known(level, kind, at, source, sink))
        conflict_met(level, kind, at, time, source, sink);
}

/* A write meets an earlier read: had that iteration written what it read? */
static __attribute__((noinline)) void meet_read(const struct cell *cell, uintptr_t at,
                                                uint32_t time, uint32_t source, uint32_t sink) {
    int level = level_of(time);
    if (level < 0)
        return;
    enum conflict_kind kind = cell->written >= watch_start(&watch_levels[level], time)
                                  ? CONFLICT_ANTI_OWN
                                  : CONFLICT_ANTI;
    if (!conflict_known(level, kind, at, source, sink))
        conflict_met(level, kind, at, time, source, sink);
}

/* Of two earlier reads the one that an outer loop carries is kept beside the last. */
static __attribute__((noinline)) void keep_read(struct cell *cell) {
    int last = watch_level_of(cell->read), kept = watch_level_of(cell->before);
    if (kept >= 0 && kept < last)
        return;
    cell->before = cell->read;
    cell->before_at = cell->read_at;
}

static inline void read_cell(struct cell *cell, uintptr_t at, uint32_t site) {
    if (__builtin_expect(is_earlier(cell->written), 0))
        meet(CONFLICT_FLOW, at, cell->written, cell->written_at, site);
    if (cell->read != watch.now) {
        if (is_earlier(cell->read))
            keep_read(cell);
        cell->read = watch.now;
    }
    cell->read_at = site;
}

static inline void write_cell(struct cell *cell, uintptr_t at, uint32_t site) {
    if (__builtin_expect(is_earlier(cell->read), 0))
        meet_read(cell, at, cell->read, cell->read_at, site);
    if (__builtin_expect(is_earlier(cell->before), 0))
        meet_read(cell, at, cell->before, cell->before_at, site);
    if (__builtin_expect(is_earlier(cell->written), 0))
        meet(CONFLICT_OUTPUT, at, cell->written, cell->written_at, site);
    cell->written = watch.now;
    cell->written_at = site;
    cell->read = cell->before = 0;
}

static inline void touch_cell(struct cell *cell, uintptr_t at, uint32_t site, bool write) {
    if (write)
        write_cell(cell, at, site);
    else
        read_cell(cell, at, site);
}

/* `count` bytes of one word. */
static __attribute__((noinline)) void touch_bytes(struct cell *cell, uintptr_t at, size_t count,
                                                  uint32_t site, bool write) {
    struct cell *parts = split(cell);
    for (size_t i = 0; parts && i < count; ++i)
        touch_cell(&parts[at % WORD + i], at + i, site, write);
}

static inline bool same_cell(const struct cell *a, const struct cell *b) {
    return a->written == b->written && a->written_at == b->written_at && a->read == b->read &&
           a->read_at == b->read_at && a->before == b->before && a->before_at == b->before_at;
}

/* Two words that have always been used together. False: they have not, and nothing was done. */
static inline bool touch_pair(uintptr_t at, uint32_t site, bool write) {
    struct cell *cell = cell_of(at);
    if (!cell || is_split(cell) || !same_cell(cell, cell + 1))
        return false;
    touch_cell(cell, at, site, write);
    cell[1] = cell[0];
    return true;
}

static inline void touch(uintptr_t at, size_t size, uintptr_t pc, bool write) {
    uint32_t site = site_of(pc);
    ++watch.touches;
    if (size == 2 * WORD && at % (2 * WORD) == 0 && touch_pair(at, site, write))
        return;
    while (size > 0) {
        size_t part = WORD - at % WORD;
        struct cell *cell = cell_of(at);
        part = part < size ? part : size;
        if (cell && part == WORD && !is_split(cell))
            touch_cell(cell, at, site, write);
        else if (cell)
            touch_bytes(cell, at, part, site, write);
        at += part;
        size -= part;
    }
}

void shadow_read(uintptr_t at, size_t size, uintptr_t pc) {
    touch(at, size, pc, false);
}

void shadow_write(uintptr_t at, size_t size, uintptr_t pc) {
    touch(at, size, pc, true);
}

/* Bytes at the ends of a range that are no whole words. */
static void forget_bytes(uintptr_t at, size_t count) {
    struct cell *cell = cell_of(at), *parts;
    if (!cell || !(parts = split(cell)))
        return;
    for (size_t i = 0; i < count; ++i)
        parts[at % WORD + i] = (struct cell){0};
}

/* A large range of whole pages of cells goes back to the kernel; where words are split, cell by
 * cell, so that none of their parts is lost. Returns how many bytes of memory it stood for. */
static size_t forget_pages(uintptr_t at, size_t size) {
    enum { LARGE = 1 << 20, STEP = 2048 };
    uintptr_t begin = (at + STEP - 1) & ~(uintptr_t)(STEP - 1);
    uintptr_t end = (at + size) & ~(uintptr_t)(STEP - 1), border = (at | (CHUNK - 1)) + 1;
    end = end < border ? end : border;
    if (nquads > 0 || at != begin || end < begin + LARGE)
        return 0;
    struct cell *cells = cell_of(begin);
    if (cells && (uintptr_t)cells % 4096 == 0)
        madvise(cells, (end - begin) / WORD * sizeof *cells, MADV_DONTNEED);
    return cells && (uintptr_t)cells % 4096 == 0 ? end - begin : 0;
}

void shadow_forget(uintptr_t at, size_t size) {
    while (size > 0) {
        size_t whole = forget_pages(at, size);
        if (whole > 0) {
            at += whole;
            size -= whole;
            continue;
        }
        size_t part = WORD - at % WORD;
        part = part < size ? part : size;
        if (part < WORD) {
            forget_bytes(at, part);
        } else {
            struct cell *cell = cell_of(at);
            if (cell && (cell->written | cell->written_at | cell->read))
                join(cell);
        }
        at += part;
        size -= part;
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

enum { SEARCH_CHUNKS = 256, CHUNK_UNITS = (1 << CHUNK_BITS) / UNIT };

static struct block_mark *block_of(uintptr_t at, bool make) {
    if (at >> ADDRESS_BITS || (!directory && !cells_make(at)))
        return NULL;
    struct chunk *chunk = &directory[at >> CHUNK_BITS];
    if (!chunk->blocks && make) {
        chunk->counts = pages(CHUNK_UNITS / PAGE_UNITS * sizeof *chunk->counts);
        chunk->blocks = chunk->counts ? pages(CHUNK_UNITS * sizeof *chunk->blocks) : NULL;
    }
    return chunk->blocks ? &chunk->blocks[(at & (CHUNK - 1)) / UNIT] : NULL;
}

static uint16_t *count_of(uintptr_t at) {
    return &directory[at >> CHUNK_BITS].counts[(at & (CHUNK - 1)) / UNIT / PAGE_UNITS];
}

void shadow_block_add(uintptr_t at, size_t size, uintptr_t pc) {
    struct block_mark *mark = block_of(at, true);
    size_t units = (size + UNIT - 1) / UNIT + (size == 0);
    if (!mark)
        return;
    *count_of(at) += mark->units == 0;
    *mark = (struct block_mark){units < UINT32_MAX ? (uint32_t)units : UINT32_MAX, site_of(pc)};
}

void shadow_block_remove(uintptr_t at) {
    struct block_mark *mark = block_of(at, false);
    if (!mark || mark->units == 0)
        return;
    *mark = (struct block_mark){0};
    --*count_of(at);
}

size_t shadow_block_size(uintptr_t at) {
    const struct block_mark *mark = at ? block_of(at, false) : NULL;
    return mark ? (size_t)mark->units * UNIT : 0;
}

/* The last unit of a chunk up to `unit` at which a block begins, -1: none. */
static long last_block(const struct chunk *chunk, long unit) {
    while (chunk->blocks && unit >= 0)
        if (chunk->counts[unit / PAGE_UNITS] == 0)
            unit = unit / PAGE_UNITS * PAGE_UNITS - 1;
        else if (chunk->blocks[unit].units == 0)
            --unit;
        else
            return unit;
    return -1;
}

bool shadow_block_find(uintptr_t at, uintptr_t *begin, size_t *size, uint32_t *site) {
    uintptr_t number = at >> CHUNK_BITS;
    long unit = (long)((at & (CHUNK - 1)) / UNIT);
    for (int i = 0; directory && i < SEARCH_CHUNKS && (uintptr_t)i <= number; ++i) {
        const struct chunk *chunk = &directory[number - (uintptr_t)i];
        long found = last_block(chunk, unit);
        unit = CHUNK_UNITS - 1;
        if (found < 0)
            continue;
        *begin = ((number - (uintptr_t)i) << CHUNK_BITS) + (uintptr_t)found * UNIT;
        *size = (size_t)chunk->blocks[found].units * UNIT;
        *site = chunk->blocks[found].site;
        return at - *begin < *size;
    }
    return false;
}
