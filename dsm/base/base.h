/*
 * What every room of the dsm stands on: the job, its end by failure, locks, and the C library
 * whatever is wrapped.
 */
#ifndef ORRERY_DSM_BASE_BASE_H
#define ORRERY_DSM_BASE_BASE_H

#include "dsm/base/world.h"
#include "dsm/dsm.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

struct sigaction;

#define DSM_PAGE 4096UL
#define DSM_STATUS_FAULT 70
#define DSM_STATUS_ERROR 71

static inline uintptr_t dsm_page_down(uintptr_t address) {
    return address & ~(DSM_PAGE - 1);
}

static inline uintptr_t dsm_page_up(uintptr_t address) {
    return dsm_page_down(address + DSM_PAGE - 1);
}

/* ---- a lock that the fault handler may take ---- */

struct dsm_lock {
    atomic_int held;
};

static inline void dsm_lock_take(struct dsm_lock *lock) {
    while (atomic_exchange_explicit(&lock->held, 1, memory_order_acquire))
        sched_yield();
}

static inline void dsm_lock_give(struct dsm_lock *lock) {
    atomic_store_explicit(&lock->held, 0, memory_order_release);
}

/* ---- job.c: the job as this process sees it ---- */

/* The figures of dsm_counters_get, as they are counted. */
struct dsm_figures {
    atomic_uint_fast64_t messages, bytes_sent, bytes_far, bytes_received;
    atomic_uint_fast64_t faults, collects, distributes;
    atomic_uint_fast64_t wait_nanoseconds;
};

/* What dsm_activity_get says, as it is counted. */
struct dsm_doing {
    atomic_uint_fast64_t steps, asked;
    atomic_int peer;
};

/* Set before or by dsm_start, read by all rooms. */
struct dsm_job {
    bool started;               /* from dsm_start to dsm_finish */
    bool guest;                 /* dsm_guest */
    bool sharing;               /* dsm_share_pages: ranks of one host share pages */
    bool one_copy;              /* ... and have one copy of what they only read */
    bool keep_addresses;        /* dsm_keep_addresses */
    unsigned torture;           /* dsm_torture: the seed, 0 = none */
    size_t budget;              /* dsm_budget: bytes per rank, 0 = none */
    bool evict;                 /* dsm_budget: for tests, all goes at once */
    atomic_bool forked;         /* this is a child of the process that called dsm_start */
    atomic_int failing;         /* somebody has begun to end the job */
    void (*end)(int status);    /* ends all ranks; NULL before dsm_start */
    void (*at_fail)(int);       /* dsm_at_fail, NULL: nobody is told */
    struct dsm_figures figures; /* since the start */
    struct dsm_doing doing;     /* now */
};

extern struct dsm_job dsm_job;

/* Rank 0 of 1 before dsm_start. */
extern struct dsm_world dsm_world;

/* The job has not begun, or has ended: there is nobody to ask. */
bool dsm_is_over(void);

/* As dsm_fail, for a transport: a module calls it by its world. */
void dsm_transport_failed(int status, const char *format, ...);

/* Context of this thread as dsm_set_context left it. */
struct dsm_context {
    const char *where;
    long row, column;
};
const struct dsm_context *dsm_context_get(void);

/* Ends the job with the report of an access to array memory that is not here. */
_Noreturn void dsm_fault_report(const char *address, bool write, const char *what);

/* ---- clib.c: the C library's allocator, and system calls, whatever is wrapped ---- */

void *dsm_clib_malloc(size_t bytes);
void *dsm_clib_calloc(size_t count, size_t bytes);
void *dsm_clib_realloc(void *memory, size_t bytes);
void dsm_clib_free(void *memory);
int dsm_clib_memalign(void **memory, size_t alignment, size_t bytes);
size_t dsm_clib_usable(void *memory);

/* Anonymous zeroed memory; the same unreadable and at that address or not at all; a file to read.
 * NULL with errno on failure. */
void *dsm_clib_map(size_t bytes);
void *dsm_clib_map_at(void *address, size_t bytes);
void *dsm_clib_map_file(int file, size_t bytes);
void dsm_clib_unmap(void *memory, size_t bytes);
/* Unreadable, in place of what is mapped there: pages of `file`, and nobody else's empty pages. */
bool dsm_clib_map_shared(void *address, size_t bytes, int file);
bool dsm_clib_map_private(void *address, size_t bytes,
                          int file); /* usable; writes are not shared */
bool dsm_clib_map_over(void *address, size_t bytes);
bool dsm_clib_advise(void *low, size_t bytes, int advice);
bool dsm_clib_remap(void *from, size_t bytes, int flags, void *to);
long dsm_clib_read(int file, void *memory, size_t bytes);
long dsm_clib_write(int file, const void *memory, size_t bytes);
long dsm_clib_pwrite(int file, const void *memory, size_t bytes, long at);
long dsm_clib_pread(int file, void *memory, size_t bytes, long at);
int dsm_clib_sigaction(int number, const struct sigaction *action, struct sigaction *before);

/* Protection of whole pages: false with errno on failure; failure ends the job. */
bool dsm_clib_protect(const void *low, const void *high, int protection);

/* ---- ranges.c ---- */

/* Sorts n of them; those with fewer than `gap` bytes in between, or that overlap, become one, empty
 * ones go. Returns how many there are then. */
int dsm_ranges_join(int n, struct dsm_range *ranges, size_t gap);

#endif
