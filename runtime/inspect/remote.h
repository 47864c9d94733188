/*
 * Inspection of iterations whose data other ranks have (docs/runtime.md, "Inspection where the data
 * are"): rank 0 asks, each rank looks at those that read what lies there, rank 0 adds up.
 */
#ifndef ORRERY_RUNTIME_REMOTE_H
#define ORRERY_RUNTIME_REMOTE_H

#include "runtime/inspect/inspect.h"

#include <stdbool.h>
#include <stddef.h>

/* The most pieces of memory that a rank is told it has. */
enum { ORRERY_REMOTE_RANGES = 64 };

/* The command; the environment follows. */
struct orrery_remote_head {
    struct orrery_loop *loop;
    int slot;
    long count;
};

/* What a rank is told of its part, and what it finds. */
struct orrery_remote_task {
    long first, last;
    int nranges;
    struct dsm_range ranges[ORRERY_REMOTE_RANGES];
};
struct orrery_remote_found {
    int may;
    long low[ORRERY_DIMS], high[ORRERY_DIMS];
};

/* Rank 0: which iterations are whose, and the others have been told to look at theirs. */
struct orrery_remote;

/* NULL: rank 0 has to look at all of them. */
struct orrery_remote *orrery_remote_begin(const struct orrery_loop *loop, int slot, const void *env,
                                          long count);
void orrery_remote_free(struct orrery_remote *remote);

/* The first iteration of a rank. */
long orrery_remote_first(const struct orrery_remote *remote, int rank);

/* The others' keys, by dim, and what they read widen these. False: it is over, some rank has not
 * what its iterations read. */
bool orrery_remote_ranges(struct orrery_remote *remote, const struct orrery_loop *loop, long *low,
                          long *high, struct orrery_span *spans);

/* In their place: the loop does not run. */
void orrery_remote_stop(const struct orrery_remote *remote);

/* The ranges of keys are told; then the others' counts of dim d are added, dims rising. */
void orrery_remote_dims(const struct orrery_remote *remote,
                        const struct orrery_inspection *inspection);
void orrery_remote_counts(const struct orrery_remote *remote, int d, long *counts, long range);

/* Parts and blocks are told; then the others' iterations per block are added. */
void orrery_remote_blocks(const struct orrery_remote *remote,
                          const struct orrery_inspection *inspection);
void orrery_remote_blocks_add(const struct orrery_remote *remote, long *counts, long blocks);

/* Do the ranks still have what their iterations read, as it was? */
bool orrery_remote_holds(const struct orrery_remote *remote);

/* Ranks above 0: does as rank 0 asks (share/remote_part.c). */
void orrery_remote_serve(const void *payload, size_t bytes);

#endif
