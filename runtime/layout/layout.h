/*
 * Several ranks: how the arrays of one loop are cut and where their parts live. Made from rank 0's
 * inspection, the same on every rank.
 */
#ifndef ORRERY_RUNTIME_LAYOUT_H
#define ORRERY_RUNTIME_LAYOUT_H

#include "runtime/layout/owners.h"
#include "runtime/region/region.h"

#include "dsm/dsm.h"

/* A dim as every rank knows it. */
struct orrery_layout_dim {
    long low, range; /* keys low .. low + range - 1 */
    long parts;      /* how many the dim is cut into */
    long distinct;   /* keys that occur */
    long apart;      /* every one so far apart, from low on; 0: `present` says */
    int mirrored;    /* part p belongs to grid row parts - 1 - p: the loop variable falls */
    int has_order, has_present; /* whether these are there, for who is told */
    uint32_t *order;            /* place -> key - low; NULL = natural */
    long *cuts;                 /* parts + 1 places */
    uint64_t *present;          /* one bit per key; NULL = all */
    enum dsm_mode mode;         /* of its arrays */
};

/*
 * The layouts of a loop: one per dim of the grid, and one of iterations, whose "keys" are their
 * indices and whose parts are the grid's rows.
 */
enum { ORRERY_ITERATIONS = ORRERY_DIMS, ORRERY_LAYOUTS };

/* The layout that array a is cut by, -1: it is not cut. */
static inline int orrery_layout_of(const struct orrery_loop *loop, int a) {
    bool own = loop->arrays[a].placement == ORRERY_BY_ITERATION;
    return own ? ORRERY_ITERATIONS : loop->arrays[a].dim;
}

/* Only read, behind a table, and its rows are of different lengths: every rank has all of them. The
 * shapes are those of this run. */
bool orrery_layout_is_whole(const struct orrery_state *state, int a);

/* The pointers to the rows of array a stand in structures that the loop changes, and which are cut as
 * the rows are: who has a structure has its pointers. The shapes are those of this run. */
bool orrery_layout_table_comes(const struct orrery_state *state, int a);

/* Rank 0: the dims of the region. The layout owns copies. */
void orrery_layout_dims(const struct orrery_state *state, const void *env,
                        const struct orrery_region *region,
                        struct orrery_layout_dim dims[ORRERY_LAYOUTS]);

/* Collective: rank 0's dims on every rank. */
void orrery_layout_share(struct orrery_layout_dim dims[ORRERY_LAYOUTS]);
void orrery_layout_free(struct orrery_layout_dim dims[ORRERY_LAYOUTS]);

/*
 * The rows of array a can stand elsewhere, in another order, while a region runs. Not when the loop
 * has an array that is not cut: its rows may be addressed by the very keys that would be
 * relabelled.
 */
bool orrery_layout_can_view(const struct orrery_loop *loop, int a,
                            const struct orrery_shape *shape);

/* The key fields of dim d can hold the labels low .. high, as they hold keys. */
bool orrery_layout_labels_fit(const struct orrery_loop *loop, int d, long low, long high);

/* Rank 0: view or in place, for each dim; an array that allows neither ends the job with a message
 * that names it and the way out. */
void orrery_layout_modes(const struct orrery_state *state,
                         struct orrery_layout_dim dims[ORRERY_LAYOUTS]);

/* Collective: array a of the loop, cut along its dim; the region's blocks and turns are known. */
struct dsm_array *orrery_layout_array(const struct orrery_state *state, int a,
                                      const struct orrery_region *region,
                                      const struct orrery_layout_dim *dim);

/*
 * Arrays whose rows are told apart by intervals (layout_intervals.c): the guard that says so, or
 * -1. Rank 0: the dim of one, a part per grid row, with its mode.
 */
int orrery_layout_claimed(const struct orrery_loop *loop, int a);
void orrery_layout_intervals(const struct orrery_state *state, int a, const void *env,
                             const struct orrery_region *region, struct orrery_layout_dim *dim);
void orrery_layout_mode(const struct orrery_state *state, int a, struct orrery_layout_dim *dim);

/* Collective, and the end, of one dim. */
void orrery_layout_dim_share(struct orrery_layout_dim *dim);
void orrery_layout_dim_free(struct orrery_layout_dim *dim);

/* The base that bodies on this rank get for a view. */
char *orrery_layout_base(const struct orrery_shape *shape, const struct orrery_layout_dim *dim,
                         const struct dsm_array *array);

/* Rank 0: may one of the array's rows lie in the range? Of rows behind pointers all are looked at;
 * of others it is assumed. */
bool orrery_layout_has(const struct orrery_shape *shape, const struct orrery_layout_dim *dim,
                       struct dsm_range range);

/* Rank 0: addresses [low, high) that hold all of the array's rows. */
struct dsm_range orrery_layout_home(const struct orrery_shape *shape,
                                    const struct orrery_layout_dim *dim);

#endif
