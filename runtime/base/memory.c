#define _GNU_SOURCE
#include "runtime/base/memory.h"

#include "dsm/dsm.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HUGE = 2 << 20, LINE = 64 };

/* System calls, since the C library's are wrapped: they serve the program's memory. */
static char *pages_map(size_t bytes) {
    long address = dsm_own_fails() ? -1
                                   : syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
    if (address == -1) {
        dsm_own_starve();
        dsm_refuse(1, "no memory for %zu bytes of records or copies", bytes);
    }
    return (char *)address;
}

static void pages_unmap(char *memory, size_t bytes) {
    if (bytes)
        syscall(SYS_munmap, memory, bytes);
}

/* Mapped with room to align them to a huge page; the room's ends are given back. */
static char *pages_map_huge(size_t bytes) {
    char *raw = pages_map(bytes + HUGE);
    char *aligned = (char *)(((uintptr_t)raw + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
    pages_unmap(raw, (size_t)(aligned - raw));
    pages_unmap(aligned + bytes, (size_t)(raw + HUGE - aligned));
    madvise(aligned, bytes, MADV_HUGEPAGE);
    return aligned;
}

static size_t page_up(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/*
 * The kernel reads 8 bytes there, and finds that they ask for nothing (rt_sigprocmask(2), EINVAL).
 * Pages of ours that nobody may read yet are there, too: whoever reads them is given what they
 * hold.
 */
static bool page_is_readable(uintptr_t page, size_t size) {
    int before = errno;
    syscall(SYS_rt_sigprocmask, -1, page, NULL, 8L);
    bool faults = errno == EFAULT;
    errno = before;
    return !faults || dsm_is_shared((const char *)page) || dsm_is_spilled((const char *)page) ||
           dsm_placed_on((const char *)page, (const char *)page + size) != 0;
}

static bool pages_are_readable(uintptr_t begin, uintptr_t end, uintptr_t page) {
    for (; begin < end; begin += page)
        if (!page_is_readable(begin, page))
            return false;
    return true;
}

int orrery_readable(const volatile void *at, unsigned long bytes) {
    enum { PIECE = 64 };
    unsigned char pages[PIECE];
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)at / page * page;
    uintptr_t end = (uintptr_t)at + bytes;
    if (begin == 0 || end < begin)
        return 0;
    for (; begin < end; begin += PIECE * page) {
        uintptr_t size = end - begin < PIECE * page ? end - begin : PIECE * page;
        if (syscall(SYS_mincore, begin, size, pages) != 0 ||
            !pages_are_readable(begin, begin + size, page))
            return 0;
    }
    return 1;
}

char *orrery_memory_map(size_t bytes) {
    size_t size = page_up(bytes);
    if (!bytes)
        return NULL;
    char *spilled = dsm_spill_map(size);
    if (spilled)
        return spilled;
    return size >= HUGE ? pages_map_huge(size) : pages_map(size);
}

char *orrery_memory_map_sparse(size_t bytes) {
    return bytes ? pages_map(page_up(bytes)) : NULL;
}

void orrery_memory_unmap(void *memory, size_t bytes) {
    if (memory && !dsm_spill_unmap(memory))
        pages_unmap(memory, page_up(bytes));
}

void *orrery_memory_aligned(size_t bytes) {
    return memset(dsm_own_aligned(LINE, bytes), 0, bytes);
}

void orrery_memory_free(void *memory) {
    dsm_own_free(memory);
}
