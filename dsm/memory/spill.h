/*
 * Spilled memory: large blocks that stand in a rank's file (docs/dsm-protocol.md, "Spilled
 * memory"). spill.c has the blocks, spill_keep.c the thread that keeps the budget.
 */
#ifndef ORRERY_DSM_MEMORY_SPILL_H
#define ORRERY_DSM_MEMORY_SPILL_H

#include "dsm/base/base.h"

#include <sys/types.h>

/* Blocks from here on are spilled; what is evicted at once: no less than what the kernel keeps
 * together, a huge page at most. */
#define DSM_SPILL_LEAST (1UL << 20)
#define DSM_SPILL_CHUNK (2UL << 20)

/* A block. Its file is everybody's; [offset, offset + bytes) of it is the block's. */
struct dsm_spilled {
    struct dsm_spilled *next; /* the one behind it in the file */
    char *base;               /* where it is mapped */
    size_t bytes;             /* whole pages */
    off_t offset;             /* in the file */
    long chunks;              /* of DSM_SPILL_CHUNK; the last one may be shorter */
    atomic_uchar *uses;       /* per chunk: blocks of a loop that need it now, up to 255 */
    atomic_int busy;          /* evictions of it under way: it must stay */
    bool going;               /* being freed: no more evictions */
    bool reserved;            /* of the reservation's address space, to which it goes back */
    bool sparse;              /* room on the disk is taken later */
};

/* What the keeper and the blocks share. */
struct dsm_spill {
    bool on;                   /* dsm_spill_start has been called, and this is no child */
    bool evict;                /* for tests: everything goes at once */
    int file;                  /* unlinked */
    size_t budget;             /* bytes of spilled memory that may be here */
    struct dsm_lock lock;      /* of the list, the hand and the queue */
    struct dsm_spilled *first; /* of all blocks, as they stand in the file */
    struct dsm_spilled *hand;  /* the next chunk that is looked at; NULL: the first of all */
    long hand_chunk;           /* ... of that block */
    char folder[512];          /* for messages */
};
extern struct dsm_spill dsm_spill;

/* A thread that has the lock is not stopped (spill_keep.c). */
void dsm_spill_lock(void);
void dsm_spill_unlock(void);

/*
 * Zeros, of at least DSM_SPILL_LEAST bytes, aligned; NULL: nothing is spilled, or less. No room on
 * the disk ends the job. free: false, and nothing happens, for other memory.
 */
void *dsm_spill_alloc(size_t bytes, size_t alignment);
bool dsm_spill_free(void *memory);
bool dsm_spill_has(const void *address);

/*
 * Sparse blocks, zeros: room on the disk is taken for stretches of whole pages, which must not be
 * written before, and given up; then they are zeros again. A view stands where it is said, in pages
 * that are unreadable before and after; dsm_spill_free ends both.
 */
char *dsm_spill_sparse(size_t bytes);
void dsm_spill_view(char *view, size_t bytes);
void dsm_spill_take(const char *low, size_t bytes);
void dsm_spill_give(char *low, size_t bytes);

/* A large block of the global heap, one rank (dsm_keep_addresses): its pages, which are zeros, are
 * the file's. dsm_spill_free makes them unreadable. */
static inline bool dsm_spills_heap(size_t bytes) {
    return dsm_spill.on && dsm_world.ranks == 1 && bytes >= DSM_SPILL_LEAST;
}
void dsm_spill_block_at(char *base, size_t bytes);

/* The block with this address, with the lock held; NULL if none. */
struct dsm_spilled *dsm_spill_block(const void *address);

static inline size_t dsm_spill_chunk_bytes(const struct dsm_spilled *block, long chunk) {
    size_t from = (size_t)chunk * DSM_SPILL_CHUNK;
    return block->bytes - from < DSM_SPILL_CHUNK ? block->bytes - from : DSM_SPILL_CHUNK;
}

/* Other addresses of the same pages, and their end, when they are in the file. */
char *dsm_spill_twin(const char *low, size_t bytes);
void dsm_spill_twin_end(const char *low, char *twin, size_t bytes);

/* spill_keep.c: starts the threads; writes what is in the file's cache; a block goes, with the lock
 * held. */
void dsm_spill_keep(void);
void dsm_spill_write(off_t offset, size_t bytes);
void dsm_spill_forget(const struct dsm_spilled *block);

/* The fault handler: the file could not be read, or this is a child that has no copy. */
void dsm_spill_fault(const char *address, bool lost);

#endif
