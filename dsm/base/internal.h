/* What the files of the dsm share:
 * locks, the C library's own allocator, waiting, blocks of memory. */
#ifndef ORRERY_DSM_INTERNAL_H
#define ORRERY_DSM_INTERNAL_H

#include "dsm/dsm.h"
#include "dsm/transport/transport.h"

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

/* ---- life.c ---- */

/* Transport of this job; rank 0 of 1 on "self" before dsm_start. */
extern const struct dsm_transport *dsm_transport;
extern struct dsm_world dsm_world;

/* Context of this thread as dsm_set_context left it. */
struct dsm_context {
    const char *where;
    long row, column;
};
const struct dsm_context *dsm_context_get(void);

/* Adds to the figures of dsm_counters_get. */
struct dsm_figures {
    atomic_uint_fast64_t messages, bytes_sent, bytes_far, bytes_received, faults, collects,
        distributes;
    atomic_uint_fast64_t wait_nanoseconds;
};
extern struct dsm_figures dsm_figures;

/* The job has not begun, or has ended: there is nobody to ask. */
bool dsm_is_over(void);

/* Whether ranks of one host share pages (dsm_share_pages). */
extern bool dsm_sharing;

/* ---- message.c ---- */

/* A message under way; `done`, if not NULL, runs once in the thread that sees the end. */
struct dsm_request {
    void *handle;
    void (*done)(struct dsm_request *request);
    struct dsm_array *array;
    int part;
    struct dsm_rows rows;
    char *buffer;
};

/* Ends the job: what rank `from` has sent is not what it must be; the text says what it is. */
_Noreturn void dsm_malformed(int from, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct dsm_request *dsm_message_send(enum dsm_channel channel, int rank, int tag, const void *data,
                                     size_t bytes);
struct dsm_request *dsm_message_receive(enum dsm_channel channel, int rank, int tag, void *data,
                                        size_t bytes);

/*
 * Waiting: spin, yield, then sleep about an eighth of the time waited so far, at most
 * `longest_nap` nanoseconds, five times that after a second. Zero but for longest_nap at the start.
 */
struct dsm_patience {
    long longest_nap;
    unsigned rounds;
    int64_t begin;
};
void dsm_patience_pause(struct dsm_patience *patience);
int64_t dsm_clock(void); /* nanoseconds, monotonic */

/* All ranks, once the world is known. With the seed of a torture as if they were on hosts at
 * random.
 */
void dsm_broadcast_start(unsigned torture);

/* ---- command.c ---- */

enum dsm_own_command {
    DSM_OP_FINISH = -1,
    DSM_OP_COLLECT = -2,
    DSM_OP_FORGET = -3,
    DSM_OP_FETCH = -4,
    DSM_OP_ASK = -5
};

/* Ranks above 0: posts the receive of the first command. */
void dsm_command_start(void);
/* Rank 0: tells the others to leave dsm_serve; the others: have they been told? waits for it. */
void dsm_command_finish(void);
/* Rank 0: one of the dsm's own commands. */
void dsm_command_own(enum dsm_own_command op, const void *payload, size_t bytes);
/* Is this the thread of a rank above 0 that serves? While it waits it goes on serving collects. */
bool dsm_command_serves_here(void);
/* Ranks above 0: serves a collect, a fetch or a question that has arrived, leaves other commands
 * for dsm_serve. */
void dsm_command_poll(void);

/* ---- blocks of memory: who allocated what ---- */

enum dsm_block_kind {
    DSM_BLOCK_HEAP,    /* global heap */
    DSM_BLOCK_LIBRARY, /* the C library's, through our hooks */
    DSM_BLOCK_MAPPED,  /* mmap through our hooks: writable, of nobody else, no file's */
    DSM_BLOCK_SHARED,  /* mmap through our hooks: may change by other ways than this mapping */
    DSM_BLOCK_STATIC,  /* a variable of the program */
    DSM_BLOCK_CONSTANT /* cannot change: the program's own constants, mapped zeros */
};

/* `own_pages`: nothing else lies on its first and last page. */
struct dsm_block {
    char *base;
    size_t bytes;
    enum dsm_block_kind kind;
    bool own_pages;
};

bool dsm_block_find(const void *address, struct dsm_block *block);

/* registry.c: the C library's blocks and mappings. Lock-free; safe before dsm_start. */
void dsm_registry_add(void *base, size_t bytes);
void dsm_registry_remove(void *base);
void dsm_registry_map(void *base, size_t bytes, enum dsm_block_kind kind);
void dsm_registry_unmap(void *base, size_t bytes);
bool dsm_registry_find(const void *address, struct dsm_block *block);

/* strange.c: what dsm_heap_strange finds. `change`: 1, or -1 when it is gone. */
void dsm_strange_library(const void *base, int change);
void dsm_strange_map(const void *base);
void dsm_strange_unmap(const void *base);

/* statics.c: variables of the program by its symbol table. */
bool dsm_static_find(const void *address, struct dsm_block *block);
/* Is the address in a segment of the program, and the program at a fixed address? */
bool dsm_static_shared(const void *address);
/* Is the address in memory of the program that is never written after its start? */
bool dsm_static_constant(const void *address);

/* ---- the C library's allocator, and system calls, whatever is wrapped (clib.c) ---- */

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
void dsm_protect(const void *low, const void *high, int protection);

/* ---- heap.c, reservation.c: the global heap, several ranks only ---- */

/* The reservation; low == NULL: none. Views come from the upper half. */
struct dsm_reservation {
    char *low, *middle, *high;
};
extern struct dsm_reservation dsm_reservation;

static inline bool dsm_in_heap(const void *address) {
    const char *at = address;
    return at >= dsm_reservation.low && at < dsm_reservation.middle;
}

static inline bool dsm_in_views(const void *address) {
    const char *at = address;
    return at >= dsm_reservation.middle && at < dsm_reservation.high;
}

/* Collective. The same range on every rank, or the job ends. */
void dsm_reservation_start(void);

/* NULL with errno ENOMEM. Any thread, rank 0. `alignment`: a power of two. */
void *dsm_heap_alloc(size_t bytes, size_t alignment);
void *dsm_heap_alloc_zeroed(size_t bytes);
void *dsm_heap_realloc(void *memory, size_t bytes);
void dsm_heap_free(void *memory);
bool dsm_heap_find(const void *address, struct dsm_block *block);
/* The stretch of readable heap memory that begins at or after low: false when none before high. */
bool dsm_heap_stretch(char *low, char *high, char **begin, char **end);
/* NULL or what is broken in the heap's own structures. */
const char *dsm_heap_check(void);
/* Rank 0: takes some of the ranges that were given up since; the others: gives them up too. */
int dsm_heap_forgotten(struct dsm_range *ranges, int most);
/* Rank 0 keeps the pages, the others are to give them up. */
void dsm_heap_keep(const struct dsm_range *pages);
void dsm_heap_forget(const struct dsm_range *ranges, int count);

/* view.c: address space for views. Collective. Whole pages, a guard page after each. */
char *dsm_view_alloc(size_t bytes);
void dsm_view_free(char *view, size_t bytes);

/*
 * shared.c. Collective among the ranks of a host: their pages [view, view + bytes), unreadable,
 * become one memory. False, and nothing changed, where that is not possible or not wanted (then on
 * all of them).
 */
bool dsm_shared_map(char *view, size_t bytes);
/* Unreadable memory of this rank alone, as before. */
void dsm_shared_unmap(char *view, size_t bytes);
/* Is `rank` on this host? */
bool dsm_shared_with(int rank);

/* ---- guard.c: what stands between user memory and those who touch it ---- */

/* How many watches and protected homes there are: 0 = the hooks have nothing to do. */
extern atomic_int dsm_guarded;

/* The kernel is about to read (or write) this memory. */
void dsm_guard_touch(const void *address, size_t bytes, bool write);
/* The block is about to be freed; about to be resized or moved; was just handed out. */
void dsm_guard_free(const void *address, size_t bytes);
void dsm_guard_move(const void *address, size_t bytes);
void dsm_guard_new(const void *address, size_t bytes);

/* ---- watch.c ---- */

/* Marks the watches that have a byte in [low, high) and opens their pages. */
void dsm_watch_hit(const char *low, const char *high);
/* A write fault: true when a watch had the page. Signal-safe. */
bool dsm_watch_fault(const char *address);
/* Pages that are no debt any more: readable where a watch needs them so, else writable. */
void dsm_watch_reopen(char *low, char *high);

/* ---- home.c ---- */

enum dsm_touch { DSM_TOUCH_READ, DSM_TOUCH_MOVE, DSM_TOUCH_FREE };
void dsm_home_touch(const char *low, const char *high, enum dsm_touch how);
/* The same without debts. */
void dsm_homes_touch(const char *low, const char *high, enum dsm_touch how);
/* A fault: true when it was a protected home page, which is valid now. */
bool dsm_home_fault(const char *address, bool write);

/* Rank 0: every owed home is valid again. */
void dsm_homes_collect(void);

/* ---- debt.c ---- */

void dsm_debt_touch(const char *low, const char *high, enum dsm_touch how);
/* A fault: true when something was owed there, which is paid now. */
bool dsm_debt_fault(const char *address);
/* The first stretch of [low, high) that is owed; empty, at high: there is none. Signal-safe. */
struct dsm_range dsm_debt_next(const char *low, const char *high);

/* ---- placed.c ---- */

/* Rank 0 wants bytes that `rank` has. */
struct dsm_fetch {
    int rank;
    struct dsm_range bytes;
};
void dsm_place_serve(const struct dsm_fetch *fetch);

/* ---- ask.c ---- */

void dsm_ask_serve(const void *question, size_t bytes);

/* ---- fault.c ---- */

void dsm_fault_start(void);
/* The program's own handler of a fault signal: kept as the one that gets what is not ours. False
 * for other signals. */
bool dsm_fault_chain(int number, const struct sigaction *action, struct sigaction *before);
/* The memory map as the kernel has it. True when every page of [low, high) is mapped with
 * `protection`. Signal-safe. */
bool dsm_memory_has(const char *low, const char *high, int protection);
/* ... with none at all. */
bool dsm_memory_sealed(const char *low, const char *high);
/* Ends the job with the report of an access to array memory that is not here. */
_Noreturn void dsm_fault_report(const char *address, bool write, const char *what);

#endif
