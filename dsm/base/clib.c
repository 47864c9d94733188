/*
 * The C library's allocator and system calls as the dsm and the hooks use them, whatever is
 * wrapped, and memory of the runtime itself.
 */
#define _GNU_SOURCE
#include "dsm/base/base.h"
#include "dsm/base/wrapped.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

REAL_DECLARE(malloc);
REAL_DECLARE(calloc);
REAL_DECLARE(realloc);
REAL_DECLARE(free);
REAL_DECLARE(posix_memalign);
REAL_DECLARE(malloc_usable_size);
REAL_DECLARE(mmap);
REAL_DECLARE(munmap);
REAL_DECLARE(mprotect);
REAL_DECLARE(read);
REAL_DECLARE(write);
REAL_DECLARE(pwrite);
REAL_DECLARE(pread);
REAL_DECLARE(sigaction);
REAL_DECLARE(on_exit);
REAL_DECLARE(madvise);
REAL_DECLARE(mremap);

void *dsm_clib_malloc(size_t bytes) {
    return REAL(malloc)(bytes);
}

void *dsm_clib_calloc(size_t count, size_t bytes) {
    return REAL(calloc)(count, bytes);
}

void *dsm_clib_realloc(void *memory, size_t bytes) {
    return REAL(realloc)(memory, bytes);
}

void dsm_clib_free(void *memory) {
    REAL(free)(memory);
}

int dsm_clib_memalign(void **memory, size_t alignment, size_t bytes) {
    return REAL(posix_memalign)(memory, alignment, bytes);
}

size_t dsm_clib_usable(void *memory) {
    return REAL(malloc_usable_size)(memory);
}

/* Mappings from here on are noted, the first so many. */
#define TABLE_LEAST (1UL << 20)
enum { TABLES = 64 };

static struct {
    unsigned long failing;           /* torture: which of our allocations fails, 0 = none */
    int failing_rank;                /* ... on this rank, < 0: on every rank */
    atomic_ulong allocations;        /* under torture: how many there were */
    atomic_ulong starved;            /* how often there was no memory */
    atomic_int ntables;              /* of `tables`; more when it is full */
    struct dsm_range tables[TABLES]; /* large mappings of the dsm itself */
} own;

void dsm_torture_allocation(unsigned long nth, int rank) {
    own.failing = nth;
    own.failing_rank = rank;
}

bool dsm_own_fails(void) {
    return own.failing && (own.failing_rank < 0 || own.failing_rank == dsm_world.rank) &&
           atomic_fetch_add(&own.allocations, 1) + 1 == own.failing;
}

void *dsm_clib_map(size_t bytes) {
    if (dsm_own_fails())
        return NULL;
    void *memory = REAL(mmap)(NULL, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    int at = bytes >= TABLE_LEAST ? atomic_fetch_add(&own.ntables, 1) : TABLES;
    if (at < TABLES)
        own.tables[at] = (struct dsm_range){memory, (char *)memory + bytes};
    return memory;
}

bool dsm_own_table(uintptr_t address) {
    int count = atomic_load(&own.ntables);
    for (int i = 0; i < count && i < TABLES; ++i)
        if (address >= (uintptr_t)own.tables[i].low && address < (uintptr_t)own.tables[i].high)
            return true;
    return false;
}

void *dsm_clib_map_at(void *address, size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *memory = REAL(mmap)(address, bytes, PROT_NONE, flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void *dsm_own_map_at(void *address, size_t bytes) {
    char *memory = dsm_clib_map_at(address, bytes);
    if (memory &&
        (memory != address || !dsm_clib_protect(memory, memory + bytes, PROT_READ | PROT_WRITE))) {
        dsm_clib_unmap(memory, bytes);
        memory = NULL;
    }
    return memory;
}

void *dsm_own_map_file(int file, size_t bytes) {
    void *memory = REAL(mmap)(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void *dsm_clib_map_file(int file, size_t bytes) {
    void *memory = REAL(mmap)(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

bool dsm_clib_map_shared(void *address, size_t bytes, int file) {
    int flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED;
    return REAL(mmap)(address, bytes, PROT_NONE, flags, file, 0) != MAP_FAILED;
}

bool dsm_clib_map_private(void *address, size_t bytes, int file) {
    int flags = MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED;
    return REAL(mmap)(address, bytes, PROT_READ | PROT_WRITE, flags, file, 0) != MAP_FAILED;
}

bool dsm_clib_map_over(void *address, size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    return REAL(mmap)(address, bytes, PROT_NONE, flags, -1, 0) != MAP_FAILED;
}

void dsm_clib_unmap(void *memory, size_t bytes) {
    REAL(munmap)(memory, bytes);
}

bool dsm_clib_protect(const void *low, const void *high, int protection) {
    size_t bytes = (size_t)((const char *)high - (const char *)low);
    return bytes == 0 || REAL(mprotect)((void *)low, bytes, protection) == 0;
}

bool dsm_clib_advise(void *low, size_t bytes, int advice) {
    return REAL(madvise)(low, bytes, advice) == 0;
}

bool dsm_clib_remap(void *from, size_t bytes, int flags, void *to) {
    return REAL(mremap)(from, bytes, bytes, flags, to) != MAP_FAILED;
}

long dsm_clib_read(int file, void *memory, size_t bytes) {
    return REAL(read)(file, memory, bytes);
}

long dsm_clib_write(int file, const void *memory, size_t bytes) {
    return REAL(write)(file, memory, bytes);
}

long dsm_clib_pwrite(int file, const void *memory, size_t bytes, long at) {
    return REAL(pwrite)(file, memory, bytes, at);
}

long dsm_clib_pread(int file, void *memory, size_t bytes, long at) {
    return REAL(pread)(file, memory, bytes, at);
}

int dsm_clib_sigaction(int number, const struct sigaction *action, struct sigaction *before) {
    return REAL(sigaction)(number, action, before);
}

bool dsm_on_exit(void (*run)(int, void *)) {
    return REAL(on_exit)(run, NULL) == 0;
}

void dsm_own_starve(void) {
    atomic_fetch_add(&own.starved, 1);
}

unsigned long dsm_own_starved(void) {
    return atomic_load(&own.starved);
}

/* With several ranks a message may be under way. */
static _Noreturn void out_of_memory(size_t bytes) {
    if (dsm_world.ranks > 1)
        dsm_attempt_commit();
    dsm_own_starve();
    dsm_refuse(DSM_STATUS_ERROR, "out of memory: the runtime needs %zu bytes", bytes);
}

void *dsm_own_alloc(size_t bytes) {
    void *memory = dsm_own_fails() ? NULL : dsm_clib_malloc(bytes ? bytes : 1);
    if (!memory)
        out_of_memory(bytes);
    return memory;
}

void *dsm_own_aligned(size_t alignment, size_t bytes) {
    void *memory = NULL;
    if (dsm_own_fails() || dsm_clib_memalign(&memory, alignment, bytes ? bytes : 1))
        out_of_memory(bytes);
    return memory;
}

void *dsm_own_realloc(void *old, size_t bytes) {
    void *memory = dsm_own_fails() ? NULL : dsm_clib_realloc(old, bytes ? bytes : 1);
    if (!memory)
        out_of_memory(bytes);
    return memory;
}

void dsm_own_free(void *memory) {
    dsm_clib_free(memory);
}
