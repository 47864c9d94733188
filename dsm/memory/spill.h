/*
 * Spilled memory: large blocks that stand in a rank's file (docs/dsm-protocol.md, "Spilled
 * memory"). spill.c has the blocks, spill_keep.c their chunks, which are open or closed.
 */
#ifndef ORRERY_DSM_MEMORY_SPILL_H
#define ORRERY_DSM_MEMORY_SPILL_H

#include "dsm/base/base.h"

#include <sys/types.h>

/* Blocks from here on are spilled. */
#define DSM_SPILL_LEAST (1UL << 20)

struct dsm_spilled;

/* What opens and is evicted at once. */
struct dsm_spill_chunk {
    struct dsm_spilled *block;
    struct dsm_spill_chunk *older, *newer; /* of those that are open, in the order of opening */
    unsigned short uses;                   /* blocks of a loop that need it now */
    unsigned short held; /* calls of the kernel and messages that have its address: it must stay */
    bool open;           /* its pages are as `wanted` says; else unreadable, and none is here */
};

/* A block. Its file is everybody's; [offset, offset + bytes) of it is the block's. */
struct dsm_spilled {
    struct dsm_spilled *next;       /* the one behind it in the file */
    char *base;                     /* where it is mapped; NULL: not any more */
    size_t bytes;                   /* whole pages */
    off_t offset;                   /* in the file */
    long count;                     /* of chunks; the last one may be shorter */
    struct dsm_spill_chunk *chunks; /* in the order of their addresses */
    unsigned char *wanted;          /* per page: its protection where its chunk is open */
    int busy;                       /* chunks of it that are being written: it must stay */
    bool reserved;                  /* of the reservation's address space, to which it goes back */
    bool sparse;                    /* room on the disk is taken later */
};

/* What the threads and the blocks share. */
struct dsm_spill {
    bool on;                   /* dsm_spill_start has been called, and this is no child */
    bool evict;                /* for tests: the least budget */
    int file;                  /* unlinked */
    size_t budget;             /* bytes of spilled memory that may be here */
    size_t chunk;              /* bytes of a chunk */
    struct dsm_lock lock;      /* of the list, and all chunks */
    struct dsm_spilled *first; /* of all blocks, as they stand in the file */
    char folder[512];          /* for messages */
};
extern struct dsm_spill dsm_spill;

/* Who has the lock gets no signal, whose handler might touch what is closed. */
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

/* The block with this address, with the lock held; NULL if none. Where it stands in the file, or -1. */
struct dsm_spilled *dsm_spill_block(const void *address);
off_t dsm_spill_offset(const char *address);

/* Other addresses of the same pages, which count as long as they are there, and their end, when they
 * are in the file. */
char *dsm_spill_twin(const char *low, size_t bytes);
void dsm_spill_twin_end(const char *low, char *twin, size_t bytes);

/* spill_keep.c: chooses the size of chunks, starts the threads; with the lock held: no chunk of a block
 * that has been unmapped is here. */
void dsm_spill_keep(void);
void dsm_spill_forget(struct dsm_spilled *block);

/* A fault: true when the page was in a closed chunk, or may be touched so, and can be now. */
bool dsm_spill_touch(const char *address, bool write);

/* The protection of pages, spilled or not; of those in closed chunks once they are open. */
bool dsm_spill_protect(const char *low, const char *high, int protection);
/* Is [low, high) in a block? Then *has: all its pages have those bits of `mask` that are `bits`. */
bool dsm_spill_wants(const char *low, const char *high, int mask, int bits, bool *has);

/* The kernel, or a message, is about to touch memory, which stays here until dsm_spill_let: so many
 * bytes of it, at most about `most`; 0: it is not spilled. Beyond the budget if need be. */
size_t dsm_spill_hold(const void *memory, size_t bytes, size_t most);
void dsm_spill_let(const void *memory, size_t held);

/* The fault handler: the file could not be read, or this is a child that has no copy. */
void dsm_spill_fault(const char *address, bool lost);

#endif
