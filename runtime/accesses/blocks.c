/* Blocks of the heap, for reports: per 16 bytes of memory, the block that begins there. */
#include "runtime/accesses/watch.h"

#include <sys/mman.h>

enum { UNIT = 16, PAGE_UNITS = 1024, CHUNK_BITS = 24, ADDRESS_BITS = 47 };
enum { SEARCH_CHUNKS = 256, CHUNK_UNITS = (1 << CHUNK_BITS) / UNIT };
#define CHUNK ((uintptr_t)1 << CHUNK_BITS)
#define CHUNKS ((size_t)1 << (ADDRESS_BITS - CHUNK_BITS))

/* The first byte of a block: its size in units, and the place of its allocation. */
struct block_mark {
    uint32_t units, site;
};

/* `counts`: blocks that begin in each page of units. */
struct chunk {
    struct block_mark *blocks;
    uint16_t *counts;
};

static struct chunk *directory;

static void *pages(size_t bytes) {
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static struct block_mark *block_of(uintptr_t at, bool make) {
    if (!directory && make)
        directory = pages(CHUNKS * sizeof *directory);
    if (!directory || at >> ADDRESS_BITS)
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

void block_add(uintptr_t at, size_t size, uintptr_t pc) {
    struct block_mark *mark = block_of(at, true);
    size_t units = (size + UNIT - 1) / UNIT + (size == 0);
    if (!mark)
        return;
    *count_of(at) += mark->units == 0;
    *mark = (struct block_mark){units < UINT32_MAX ? (uint32_t)units : UINT32_MAX, site_of(pc)};
}

void block_remove(uintptr_t at) {
    struct block_mark *mark = block_of(at, false);
    if (!mark || mark->units == 0)
        return;
    *mark = (struct block_mark){0};
    --*count_of(at);
}

size_t block_size(uintptr_t at) {
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

bool block_find(uintptr_t at, uintptr_t *begin, size_t *size, uint32_t *site) {
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
