/* Whose memory is where: blocks of the program, the global heap, views. */
#ifndef ORRERY_DSM_MEMORY_MEMORY_H
#define ORRERY_DSM_MEMORY_MEMORY_H

#include "dsm/base/base.h"

/* ---- blocks of memory: who allocated what ---------------------------------------------------- */

enum dsm_block_kind {
    DSM_BLOCK_HEAP,    /* global heap */
    DSM_BLOCK_LIBRARY, /* the C library's, through our hooks */
    DSM_BLOCK_MAPPED,  /* mmap through our hooks: writable, of nobody else, no file's */
    DSM_BLOCK_SHARED,  /* mmap through our hooks: may change by other ways than this mapping */
    DSM_BLOCK_STATIC,  /* a variable of the program */
    DSM_BLOCK_LENT,    /* dsm_lend: of a process whose calls we do not see */
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
/* The epoch ends: blocks are not what they were. */
void dsm_registry_doubt(void);
bool dsm_registry_find(const void *address, struct dsm_block *block);
/* Is [low, high) full of the C library's blocks, with room for no other between them? */
bool dsm_registry_filled(const char *low, const char *high);

/* lent.c: one of the blocks that are lent. */
bool dsm_lent_find(const void *address, struct dsm_block *block);

/* foreign.c: what dsm_heap_foreign finds. `change`: 1, or -1 when it is gone. */
void dsm_foreign_library(const void *base, int change);
void dsm_foreign_map(const void *base);
void dsm_foreign_unmap(const void *base);

/* statics.c: variables of the program by its symbol table. */
bool dsm_static_find(const void *address, struct dsm_block *block);
/* Is the address in a segment of the program, and the program at a fixed address? */
bool dsm_static_shared(const void *address);
/* Is the address in memory of the program that is never written after its start? */
bool dsm_static_constant(const void *address);

/* ---- heap.c, reservation.c: the global heap, several ranks only ------------------------------ */

/* The reservation; low == NULL: none. Views come from the upper half. */
struct dsm_reservation {
    char *low, *middle, *high;
    uint64_t *committed; /* ranks above 0: a bit per page of the heap, it is usable here */
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
/* The same where it stands; NULL: there is no room, and nothing has happened. */
void *dsm_heap_resize(void *memory, size_t bytes);
void dsm_heap_free(void *memory);
bool dsm_heap_find(const void *address, struct dsm_block *block);
/* The stretch of readable heap memory that begins at or after low: false when none before high. */
bool dsm_heap_stretch(char *low, char *high, char **begin, char **end);
/* Rank 0: takes some of the ranges that were given up since; the others: gives them up too. */
int dsm_heap_forgotten(struct dsm_range *ranges, int most);
/* Rank 0 keeps the pages, the others are to give them up. */
void dsm_heap_keep(const struct dsm_range *pages);
void dsm_heap_forget(const struct dsm_range *ranges, int count);
/* ... as a command of the dsm (messages.h). */
bool dsm_heap_forget_serve(const void *ranges, size_t bytes);

/* view.c: address space for views. Collective. Whole pages, a guard page after each. */
char *dsm_view_alloc(size_t bytes);
void dsm_view_free(char *view, size_t bytes);
/* Whole pages of a view are about to be used; hold nothing of use. */
void dsm_view_take(const char *low, size_t bytes);
void dsm_view_give(char *low, size_t bytes);

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

/* How a rank of the host finds another's memory file; `process` 0: there is none. */
struct dsm_offer {
    long process, file;
    uint64_t device, inode;
};

/* A file without a name of so many bytes, -1: there is none, or it is not wanted. */
struct dsm_offer dsm_offer_make(int *file, bool wanted, size_t bytes);
/* The file as this rank sees it, or -1: other process numbers, or not allowed. */
int dsm_offer_take(const struct dsm_offer *offer);

/* one_copy.c, ranks above 0: whole pages [low, high), whose bytes nobody needs, are this rank's own
 * and unreadable, if any of them stand in a file that ranks share; else false. */
bool dsm_one_copy_drop(char *low, char *high);

/* heap_image.c: the heap becomes that of an image, which it is, under its watches and arrays. */
bool dsm_image_is(const void *image, size_t bytes);
void dsm_image_put(const void *image);

/* ---- map.c: the memory map as the kernel has it. Signal-safe. -------------------------------- */

/* True when every page of [low, high) is mapped with `protection`; with none at all. Spilled pages
 * count as they are once they are here. */
bool dsm_memory_has(const char *low, const char *high, int protection);
bool dsm_memory_sealed(const char *low, const char *high);

/* Of whole pages, spilled or not; ends the job where that fails. */
void dsm_protect(const void *low, const void *high, int protection);

#endif
