/*
 * Inspection: which block an iteration belongs to, and the packed records in block order. Done by
 * all workers; the result is kept until what the gather read changes.
 */
#ifndef ORRERY_RUNTIME_INSPECT_H
#define ORRERY_RUNTIME_INSPECT_H

#include "dsm/dsm.h"
#include "runtime/grid/grid.h"
#include "runtime/orrery_run.h"
#include "runtime/schedule/blocks.h"

/* What is known about the iterations of one loop with keys. */
struct orrery_inspection {
    long count;              /* iterations of the loop */
    void *inputs;            /* the bytes of the environment that the gather reads, as they were */
    struct dsm_watch *watch; /* on the memory it read */
    int nspans;              /* of `spans` */
    struct dsm_range *spans; /* that memory */
    struct orrery_dim dims[ORRERY_DIMS]; /* how each dim of the grid is cut */
    struct orrery_blocks blocks;         /* the grid that comes of it */
    long *starts; /* block b holds the packed positions [starts[b], starts[b + 1]) */
    long *tally;  /* iterations of each block in each worker's share, workers * blocks */
    void
        *numbers; /* the block of each iteration from `first` on, until they are packed: of 16 bits,
                    * or, where there are more blocks than that, 32; NULL: not kept */
    struct orrery_counter *counter; /* until dims have their counts; NULL else */
    bool relabel[ORRERY_DIMS];      /* key fields of this dim hold low + place instead of the key */
    struct orrery_levels *levels;   /* in place of keys that are cut; NULL else */
    long first, last; /* iterations that this rank looks at, and `tally` tells of: all, */
    struct orrery_remote *remote; /* unless other ranks have what theirs read; NULL else */
};

/* The key fields of some dim are relabelled. */
static inline bool orrery_inspection_relabels(const struct orrery_inspection *inspection) {
    bool any = false;
    for (int d = 0; d < ORRERY_DIMS; ++d)
        any |= inspection->relabel[d];
    return any;
}

/* Packed records of some consecutive grid rows; `order`: the original index of each, or NULL. */
struct orrery_packed {
    char *records;
    long *order;
    size_t mapped, order_mapped;
    long count;
};

/* Called when the range of keys is known and before anything is made of them. True: order, place
 * and cuts of the dims are kept. */
typedef bool orrery_keys_check(void *data, struct orrery_inspection *inspection);

/*
 * Looks at all iterations. slot: of the loop's state, as other ranks know it. bytes: as for
 * orrery_grid_choose, read after the check, which may set them. places: keep order, place and cuts
 * of the dims. The caller sets relabel afterwards, then packs. *out is set at once, so that what
 * there is can be freed when a check refuses.
 */
void orrery_inspect(const struct orrery_loop *loop, int slot, const void *env, long count,
                    const long *bytes, orrery_keys_check *check, void *data,
                    struct orrery_inspection **out);

/* True when the inspection was made of these inputs, whatever stands behind them now. */
bool orrery_inspection_is_of(const struct orrery_inspection *inspection,
                             const struct orrery_loop *loop, const void *env, long count);

/* True when the inspection still says what a new one would. */
bool orrery_inspection_holds(const struct orrery_inspection *inspection,
                             const struct orrery_loop *loop, const void *env, long count);

/*
 * Behind a region before which the inspection held, with nothing of the program in between: what the loop
 * wrote itself is no change. The gather reads nothing that its loop writes, but both may lie in one
 * structure (`token[i].word`, `token[i].topic`), and watches see pages.
 */
void orrery_inspection_ran(struct orrery_inspection *inspection);

/* Packs the records of grid rows [low, high) in block order, original order inside a block. */
void orrery_inspection_pack(const struct orrery_inspection *inspection,
                            const struct orrery_loop *loop, const void *env, long low, long high,
                            bool with_order, struct orrery_packed *out);

/* No more records are packed soon: the numbers of blocks are made again when they are needed. */
void orrery_inspection_packed(struct orrery_inspection *inspection);

/* Per block, how many of this rank's iterations it has. */
void orrery_inspection_own(const struct orrery_inspection *inspection, long *counts);

/* Rank 0: looks at all iterations again, which were looked at where they are; the blocks stay. */
void orrery_inspection_home(struct orrery_inspection *inspection, const struct orrery_loop *loop,
                            const void *env);

/*
 * A rank's part of an inspection that rank 0 makes: dims, blocks and relabel are told by rank 0.
 * orrery_part_new: the ranges of the keys of iterations [first, last), and what they read behind
 * each name, in `spans`; NULL, and nothing is read, where `may_read` says no to any of that. Loops
 * that are direct. orrery_part_counts: `counts` of the dims, whose low and high are set.
 * orrery_part_blocks: `tally`, when the dims' part_of and blocks are set.
 */
typedef bool orrery_may_read(void *data, const char *low, const char *high);
struct orrery_inspection *orrery_part_new(const struct orrery_loop *loop, const void *env,
                                          long count, long first, long last,
                                          orrery_may_read *may_read, void *data,
                                          struct orrery_span *spans);
void orrery_part_counts(struct orrery_inspection *inspection, const struct orrery_loop *loop,
                        const void *env);
void orrery_part_blocks(struct orrery_inspection *inspection, const struct orrery_loop *loop,
                        const void *env);

/* The original index of every packed position. */
void orrery_inspection_order(const struct orrery_inspection *inspection,
                             const struct orrery_loop *loop, const void *env, long *order);

/* Which ranks touch the rows of a dim, in this rank's iterations: masks[d] (NULL: not asked), by
 * place (with one rank by key - low), gets the bits of the ranks whose rows of the grid have an
 * iteration with that key. They are 0 before. */
void orrery_inspection_touches(const struct orrery_inspection *inspection,
                               const struct orrery_loop *loop, const void *env,
                               int (*rank_of)(long row, long rows), uint64_t **masks);

void orrery_packed_free(struct orrery_packed *packed);
void orrery_inspection_free(struct orrery_inspection *inspection);

/* The first iteration one of whose keys of dim d is `value`,
 * and which key: *k. -1: there is none. */
long orrery_key_find(const struct orrery_loop *loop, const void *env, long count, int d, long value,
                     int *k);

/* The grid row that iteration i stands in, whose keys are these. */
long orrery_inspection_row_of(const struct orrery_inspection *inspection,
                              const struct orrery_loop *loop, const long *keys, long i);

/* The grid row that iteration i stands in. */
long orrery_inspection_row(const struct orrery_inspection *inspection,
                           const struct orrery_loop *loop, const void *env, long i);

#endif
