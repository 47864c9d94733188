/* What heap.c and heap_image.c know of the global heap: spans of small blocks. Callers hold the
 * lock.
 */
#ifndef ORRERY_DSM_SPANS_H
#define ORRERY_DSM_SPANS_H

#include "dsm/memory/runs.h"

#include <pthread.h>

#define HEAP_CLASSES 40

/* Blocks of one size. */
struct span {
    struct run *run;              /* its memory */
    int class;                    /* of the size */
    unsigned blocks, free;        /* how many, how many of them are free */
    unsigned hint;                /* no block below it is free */
    uint64_t *taken;              /* a bit per block */
    uint16_t *slack;              /* per block: bytes that were not asked for */
    struct span *previous, *next; /* spans of the class with a free block */
    bool listed;                  /* it is among these */
};

#define FORGOTTEN_MOST 4096

struct heap {
    pthread_mutex_t lock;             /* of all of it, and of the runs */
    struct span *spans[HEAP_CLASSES]; /* by class: spans that have a free block */
    int nforgotten;
    struct dsm_range forgotten[FORGOTTEN_MOST]; /* given up here; the others have them still */
};
extern struct heap dsm_heap;

size_t heap_class_bytes(int class);
void heap_span_list(struct span *span);
bool heap_pages_commit(char *low, size_t bytes);
void heap_pages_drop(char *low, size_t bytes);
/* ... of a large block, which may be spilled. */
bool heap_block_commit(const struct run *run);

#endif
