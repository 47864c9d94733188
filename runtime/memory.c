#define _GNU_SOURCE
#include "runtime/memory.h"

#include "dsm/dsm.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20, LINE = 64 };

/* Large blocks are mapped with room to align them to a huge page; the room's ends are given back.
 */
static char *map_aligned(size_t bytes) {
    char *raw = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED)
        return raw;
    char *aligned = (char *)(((uintptr_t)raw + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
    if (aligned > raw)
        munmap(raw, (size_t)(aligned - raw));
    munmap(aligned + bytes, (size_t)(raw + HUGE - aligned));
    madvise(aligned, bytes, MADV_HUGEPAGE);
    return aligned;
}

static size_t page_up(size_t bytes) {
    return (bytes + 4095) & ~(size_t)4095;
}

char *orrery_memory_map(size_t bytes) {
    if (!bytes)
        return NULL;
    size_t size = page_up(bytes);
    char *memory =
        size >= HUGE ? map_aligned(size)
                     : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        dsm_fail(1, "no memory for %zu bytes of packed records", bytes);
    return memory;
}

void orrery_memory_unmap(void *memory, size_t bytes) {
    if (memory && bytes)
        munmap(memory, page_up(bytes));
}

void *orrery_memory_aligned(size_t bytes) {
    char *raw = dsm_own_alloc(bytes + LINE + sizeof(void *));
    char *aligned = (char *)(((uintptr_t)raw + sizeof(void *) + LINE - 1) & ~(uintptr_t)(LINE - 1));
    memcpy(aligned - sizeof raw, &raw, sizeof raw);
    memset(aligned, 0, bytes);
    return aligned;
}

void orrery_memory_free(void *memory) {
    char *raw;
    if (!memory)
        return;
    memcpy(&raw, (char *)memory - sizeof raw, sizeof raw);
    dsm_own_free(raw);
}
