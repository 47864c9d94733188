/*
 * Inspection: which block an iteration belongs to, and the packed records in block order. Done by
 * all workers; the result is kept until what the gather read changes.
 */
#ifndef ORRERY_RUNTIME_INSPECT_H
#define ORRERY_RUNTIME_INSPECT_H

#include "dsm/dsm.h"
#include "runtime/execute/blocks.h"
#include "runtime/execute/grid.h"
#include "runtime/orrery_run.h"

/*
 * What is known about the iterations of one loop with keys. `inputs`: the bytes of the environment
 * that the gather reads, as they were. `watch`: on the memory it read. `starts`: block b holds the
 * packed positions [starts[b], starts[b + 1]). `tally`: iterations
 * of each block in each worker's share, workers * blocks. `relabel[d]`: the key fields of dim d
 * hold low + place instead of the key. `levels`: in place of keys that are cut; NULL else.
 */
struct orrery_inspection {
    long count;
    void *inputs;
    struct dsm_watch *watch;
    int nspans;
    struct dsm_range *spans;
    struct orrery_dim dims[ORRERY_DIMS];
    struct orrery_blocks blocks;
    long *starts;
    long *tally;
    bool relabel[ORRERY_DIMS];
    struct orrery_levels *levels;
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
 * Looks at all iterations. bytes: as for orrery_grid_choose, read after the check, which may set
 * them. places: keep order, place and cuts of the dims. The caller sets relabel afterwards, then
 * packs.
 */
struct orrery_inspection *orrery_inspect(const struct orrery_loop *loop, const void *env,
                                         long count, const long *bytes, orrery_keys_check *check,
                                         void *data);

/* True when the inspection was made of these inputs, whatever stands behind them now. */
bool orrery_inspection_is_of(const struct orrery_inspection *inspection,
                             const struct orrery_loop *loop, const void *env, long count);

/* True when the inspection still says what a new one would. */
bool orrery_inspection_holds(const struct orrery_inspection *inspection,
                             const struct orrery_loop *loop, const void *env, long count);

/* Packs the records of grid rows [low, high) in block order, original order inside a block. */
void orrery_inspection_pack(const struct orrery_inspection *inspection,
                            const struct orrery_loop *loop, const void *env, long low, long high,
                            bool with_order, struct orrery_packed *out);

/* The original index of every packed position. */
void orrery_inspection_order(const struct orrery_inspection *inspection,
                             const struct orrery_loop *loop, const void *env, long *order);

/* Which ranks touch the rows of a dim: masks[d] (NULL: not asked), by place (with one rank by key -
 * low), gets the bits of the
 * ranks whose rows of the grid have an iteration with that key. They are 0 before. */
void orrery_inspection_touches(const struct orrery_inspection *inspection,
                               const struct orrery_loop *loop, const void *env,
                               int (*rank_of)(long row, long rows), uint64_t **masks);

void orrery_packed_free(struct orrery_packed *packed);
void orrery_inspection_free(struct orrery_inspection *inspection);

/* The first iteration one of whose keys of dim d is `value`, and which key: *k. -1: there is none.
 */
long orrery_key_find(const struct orrery_loop *loop, const void *env, long count, int d, long value,
                     int *k);

/* The grid row that iteration i stands in, whose keys are these. */
long orrery_inspection_row_of(const struct orrery_inspection *inspection,
                              const struct orrery_loop *loop, const long *keys, long i);

/* The grid row that iteration i stands in. */
long orrery_inspection_row(const struct orrery_inspection *inspection,
                           const struct orrery_loop *loop, const void *env, long i);

#endif
