/* Windows: what a rank knows of one, and where owners keep chunks (docs/dsm-protocol.md, "Windows"). */
#ifndef ORRERY_DSM_ARRAYS_WINDOW_DEPOT_H
#define ORRERY_DSM_ARRAYS_WINDOW_DEPOT_H

#include "dsm/base/base.h"

enum { DSM_CHUNK_ZERO, DSM_CHUNK_AWAY, DSM_CHUNK_CLEAN, DSM_CHUNK_DIRTY };

/* One block. Chunk c belongs to rank c modulo the ranks, which has it when rank 0 does not. */
struct dsm_window {
    struct dsm_window *next; /* of all that this rank knows, the newest first */
    int number;              /* the same on all ranks; never given again */
    size_t bytes, chunk;     /* of the block's pages, of a chunk but the last */
    long writes;             /* rank 0: grows where it may have been written to */
    size_t used;             /* rank 0: of the block itself */
    long count;              /* of chunks */
    size_t home;             /* while an array has it: where its first row is */
    char *low;               /* rank 0: the block; the others: NULL */
    unsigned char *states;   /* rank 0, per chunk: DSM_CHUNK_... */
    uint16_t *holds;         /* rank 0, per chunk: calls that need it here */
    struct dsm_array *lent;  /* rank 0: the array whose stores have all of it, or NULL */
    bool closed;             /* rank 0: the whole block is here, for good */
    size_t npeeked;          /* rank 0: pages, as the next says */
    unsigned char *peeked; /* rank 0, a bit per page: a copy of what the stores have is here; NULL:
                              * nobody may have one (window_peek.c) */
    char *depot;         /* this rank's chunks, one behind the other; rank 0 has one if it spills */
    unsigned char *held; /* per chunk of the depot: it has bytes, and counts against the budget */
};

static inline int dsm_window_owner(long c) {
    return (int)(c % dsm_world.ranks);
}

/* The bytes that a chunk has; where they are in the block, else in the depot; where its owner keeps
 * them. */
size_t dsm_window_length(const struct dsm_window *window, long c);
char *dsm_window_memory(const struct dsm_window *window, long c);
char *dsm_window_owned(const struct dsm_window *window, long c);

/* window_depot.c: a depot for all chunks of this rank's; room for one, of which it has none; the chunk
 * is not there any more; nor is the depot; the block has other bytes. How many bytes more, or less,
 * count against the budget: what is spilled does not. */
void dsm_window_depot(struct dsm_window *window);
size_t dsm_window_depot_take(struct dsm_window *window, long c);
size_t dsm_window_depot_give(struct dsm_window *window, long c);
size_t dsm_window_depot_end(struct dsm_window *window);
long dsm_window_depot_resize(struct dsm_window *window, size_t bytes);
/* Does the chunk leave the block on rank 0? */
static inline bool dsm_window_leaves(const struct dsm_window *window, long c) {
    return c % dsm_world.ranks != 0 || window->depot;
}

#endif
