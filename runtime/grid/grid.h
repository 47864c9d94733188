/*
 * The logical grid: how many rows and columns, and which key goes to which. All of it is decided by
 * the data, the table and the seed, never by the number of workers or ranks.
 */
#ifndef ORRERY_RUNTIME_GRID_H
#define ORRERY_RUNTIME_GRID_H

#include "runtime/orrery_run.h"

#include <stdbool.h>
#include <stdint.h>

/* One dim cut into parts. */
struct orrery_dim {
    long low, high;    /* the keys seen; low > high: none */
    long *counts;      /* iterations per key, by key - low, until the dim is cut; then NULL */
    uint64_t *present; /* one bit per key of the range; NULL = all occur, or, */
    long apart;        /* when this is not 0, every one so far apart, from low on */
    long distinct;     /* keys that occur */
    long parts;        /* how many the dim is cut into */
    uint16_t *part_of; /* the part of a key, by key - low */
    uint32_t *order;   /* place -> key - low, for every key of the range, the parts one after the
                        * other; one rank only */
    uint32_t *place;   /* its inverse; where the dim has places, as the next one */
    long *cuts;        /* parts + 1 places */
};

/* Some array or variable of the loop is relaxed or buffered. */
bool orrery_loop_merges(const struct orrery_loop *loop);

/* The dim's name, for messages: of the first key that is cut along it. */
const char *orrery_dim_name(const struct orrery_loop *loop, int d);

/* Keys in the dim's range. */
long orrery_dim_range(const struct orrery_dim *dim);

/* The key low + i occurs. */
bool orrery_dim_has(const struct orrery_dim *dim, long i);

/*
 * Chooses the number of parts of all dims: what the table says, else ORRERY_GRID (rows, and the
 * parts of every other dim), else from `bytes[d]` (parameters reached per key of dim d, all arrays
 * together) and `count` iterations. Never more parts than distinct keys, but a tournament has two.
 */
void orrery_grid_choose(const struct orrery_loop *loop, long count, const long *bytes,
                        struct orrery_dim *dims);

/*
 * Rows of a wavefront over `count` iterations with these positions, and the width of its columns:
 * what the table or ORRERY_GRID says, else blocks as the table likes them, as long as workers find
 * enough of them.
 */
void orrery_grid_wave(const struct orrery_loop *loop, long count, const struct orrery_reach *reach,
                      long *rows, long *width);

/* Ranges of iterations of a pipeline: what the table or ORRERY_GRID says, else by what an iteration
 * costs and what its slot takes. */
long orrery_grid_pipe(const struct orrery_loop *loop, long count);

struct orrery_blocks;

/* How often a pass over `count` iterations goes round the grid: what ORRERY_VISITS says, else as often
 * as leaves a visit enough to do, where their order is free. A row's iterations of one column in one
 * go let the column forget the other rows: learning takes more passes (docs/runtime.md). */
long orrery_grid_visits(const struct orrery_loop *loop, long count,
                        const struct orrery_blocks *blocks);

/* Rows of a loop without keys, given the bytes of one row's reductions; `few`: more than a few cost
 * more than they save. */
long orrery_grid_rows(const struct orrery_loop *loop, long count, long bytes, bool few);

/* Places are numbers of 32 bits: so many keys a dim's range can have. */
#define ORRERY_MOST_PLACES ((long)UINT32_MAX)

/*
 * Puts the keys in a random order (unordered loops) and cuts it so that parts carry equal work.
 * Sets part_of, and with `places` also order, place and cuts.
 */
void orrery_dim_cut(struct orrery_dim *dim, bool shuffled, uint64_t seed, bool places);

void orrery_dim_free(struct orrery_dim *dim);

#endif
