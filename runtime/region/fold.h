/*
 * Reductions: each grid row has its own copy, set to the identity, folded into the target in row
 * order. Same bits for any number of workers and ranks.
 */
#ifndef ORRERY_RUNTIME_FOLD_H
#define ORRERY_RUNTIME_FOLD_H

#include "runtime/orrery_run.h"

#include <stdbool.h>
#include <stddef.h>

/* The copies of reductions of rows [row_low, row_high). Arrays: per reduction. */
struct orrery_copies {
    const struct orrery_loop *loop; /* whose reductions these are */
    long row_low, row_high;         /* rows of the grid that have copies here */
    long last_row;                  /* the row of the last block: its ORRERY_LAST is kept */
    size_t *bytes;                  /* of one copy */
    size_t *stride;                 /* from one to the next */
    size_t *front;                  /* bytes in front of each copy, which stay as they are reset */
    long *slots;   /* copies: one per row of what is folded and in wavefronts, else one per worker;
                     * of ORRERY_LAST a last one, of `last_row` alone; 0 of what is merged */
    char **memory; /* the first copy's */
    void **pointers; /* per row, one pointer per reduction, as blocks want them */
    char **starts;   /* what a copy starts as when that is the target (of ORRERY_LAST the kept one),
                      * or a merged one's snapshot, NULL when it is served; else NULL */
    bool serves;     /* arrays are served */
};

/* Reduction j is one that regions of several ranks may serve (docs/served.md). */
static inline bool orrery_can_be_served(const struct orrery_loop *loop, int j) {
    const struct orrery_reduction *what = &loop->reductions[j];
    return loop->served && orrery_is_merged(what) && orrery_merging_of(loop, j)->touched >= 0 &&
           ORRERY_MARKED % what->size == 0;
}

/* Folds numbers, but not to the bits that another order would give: sums of floating-point ones. */
bool orrery_is_rounded(const struct orrery_reduction *reduction);

/* A copy, or of a merged one the snapshot, starts as what the target holds when the region does. */
bool orrery_starts_as_target(const struct orrery_reduction *reduction);

/* Folded in row order when the region ends. */
bool orrery_is_folded(const struct orrery_reduction *reduction);

/* ORRERY_LAST and ORRERY_PRIVATE. */
bool orrery_is_scratch(const struct orrery_reduction *reduction);

/* Makes copies for the rows, or keeps those there are when they fit. bytes: per reduction.
 * `serves`: what can be served needs none. */
void orrery_copies_make(struct orrery_copies *copies, const struct orrery_loop *loop, long row_low,
                        long row_high, long last_row, const size_t *bytes, const size_t *front,
                        bool serves);

/* Ends the program when a block changed what is in front of a copy of the rows here. */
void orrery_copies_check(const struct orrery_copies *copies);

/* Folds what blocks changed in front of the copies of number j into what lies in front of `target`:
 * one rank, in row order. */
void orrery_copies_fold_front(const struct orrery_copies *copies, int j, void *target);

/* Sets the copies of row `row` to the identities, or starts. Local, any worker. */
void orrery_copies_reset(struct orrery_copies *copies, long row);

/* Overwrites the scratch space that row `row` uses: no block may read what it did not write. */
void orrery_copies_spoil(struct orrery_copies *copies, long row);

void *const *orrery_copies_of(const struct orrery_copies *copies, long row);

/* The copy of ORRERY_LAST number j that `last_row` has for itself. */
char *orrery_copies_last(const struct orrery_copies *copies, int j);

/* All rows have `shared` for their copy of number j, until copies are made again. */
void orrery_copies_unite(struct orrery_copies *copies, int j, void *shared);

/*
 * Folds rows [row_low, row_high) of `memory` (stride apart) into `target`, all workers taking part
 * where it is large. Not of ORRERY_LAST and ORRERY_PRIVATE.
 */
void orrery_fold(const struct orrery_loop *loop, int reduction, const char *memory, size_t stride,
                 size_t bytes, long row_low, long row_high, void *target);

void orrery_copies_free(struct orrery_copies *copies);

#endif
