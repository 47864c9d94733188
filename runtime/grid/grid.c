#include "runtime/grid/grid.h"

#include "runtime/schedule/blocks.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"
#include "runtime/base/memory.h"

enum {
    LEAST_ROWS = 64,       /* one dim only */
    ROWS_RELAXED = 16,     /* what more rows change at once is merged in larger sums */
    ROWS_RELAXED_FEW = 2,  /* ... where merges of more take longer than the iterations */
    MOST_PARTS = 4096,     /* chosen by us; a table or ORRERY_GRID may ask for more */
    LEAST_ITERATIONS = 16, /* per block */
    MOST_VISITS = 4,       /* of a block in a pass: more make no program learn faster */
    VISIT_ITERATIONS = 64, /* ... the least of one */
    MOST_COPIES = 64 << 20 /* bytes of all rows' reductions together */
};

const char *orrery_dim_name(const struct orrery_loop *loop, int d) {
    for (int k = 0; k < loop->nkeys; ++k)
        if (loop->keys[k].dim == d)
            return loop->keys[k].name;
    return "its rows";
}

long orrery_dim_range(const struct orrery_dim *dim) {
    return dim->low > dim->high ? 0 : dim->high - dim->low + 1;
}

bool orrery_dim_has(const struct orrery_dim *dim, long i) {
    if (dim->apart)
        return i % dim->apart == 0;
    return !dim->present || (dim->present[i / 64] >> (i % 64) & 1);
}

static bool in_pairs(const struct orrery_loop *loop, int d) {
    return loop->strategy == ORRERY_TOURNAMENT && d == 0;
}

/* What the table or the environment says; 0 = nothing. */
static long fixed_parts(const struct orrery_loop *loop, int d) {
    const struct orrery_tunables *env = orrery_env();
    long said = loop->grid[d] ? loop->grid[d] : d == 0 ? env->rows : env->columns;
    return in_pairs(loop, d) ? 2 * said : said;
}

void orrery_grid_choose(const struct orrery_loop *loop, long count, const long *bytes,
                        struct orrery_dim *dims) {
    struct orrery_cut cut = {.strategy = loop->strategy,
                             .ndims = loop->ndims,
                             .nkeys = loop->nkeys,
                             .device = loop->kernel != NULL,
                             .count = count};
    long parts[ORRERY_DIMS];
    for (int d = 0; d < loop->ndims; ++d) {
        cut.said[d] = fixed_parts(loop, d);
        cut.bytes[d] = bytes[d];
        cut.distinct[d] = dims[d].distinct;
    }
    orrery_cut_choose(&cut, parts);
    for (int d = 0; d < (orrery_is_chained(loop->strategy) ? loop->ndims : 1); ++d)
        dims[d].parts = parts[d];
}

bool orrery_loop_merges(const struct orrery_loop *loop) {
    for (int j = 0; j < loop->nreductions; ++j)
        if (orrery_is_merged(&loop->reductions[j]))
            return true;
    return false;
}

/* Bits do not depend on ranks, and on several of them a device goes round once. */
static long visits_on_device(const struct orrery_loop *loop) {
    long said = orrery_env()->visits;
    if (said > 1 && dsm_ranks() > 1)
        dsm_refuse(
            1,
            "%s:%d: ORRERY_VISITS=%ld: on several ranks with a device each a pass goes round "
            "the grid once; unset it, or use one rank",
            loop->file, loop->line, said);
    return said ? said : 1;
}

long orrery_grid_visits(const struct orrery_loop *loop, long count,
                        const struct orrery_blocks *blocks) {
    bool rotates = loop->strategy == ORRERY_ROTATION || loop->strategy == ORRERY_TOURNAMENT;
    long all = blocks->rows * blocks->columns, said = orrery_env()->visits;
    if (!loop->unordered || !rotates || orrery_loop_merges(loop) || all == 1)
        return 1;
    if (loop->kernel)
        return visits_on_device(loop);
    return said ? said : orrery_clamp(count / (all * VISIT_ITERATIONS), 1, MOST_VISITS);
}

long orrery_grid_rows(const struct orrery_loop *loop, long count, long bytes, bool few) {
    long said = fixed_parts(loop, 0);
    if (said)
        return orrery_clamp(said, 1, count);
    long most = bytes > 0 ? orrery_clamp(MOST_COPIES / bytes, 1, MOST_PARTS) : MOST_PARTS;
    long rows = loop->kernel ? orrery_clamp(count / LEAST_ITERATIONS, LEAST_ROWS, MOST_PARTS)
                             : orrery_parts_by_count(count, 1);
    rows = few                        ? ROWS_RELAXED_FEW
           : orrery_loop_merges(loop) ? ROWS_RELAXED
           : rows > LEAST_ROWS        ? rows
                                      : LEAST_ROWS;
    return orrery_clamp(rows, 1, count < most ? count : most);
}

void orrery_grid_wave(const struct orrery_loop *loop, long count, const struct orrery_reach *reach,
                      long *rows, long *width) {
    long length = reach->high < reach->low ? 1 : reach->high - reach->low + 1;
    const long said[] = {fixed_parts(loop, 0), fixed_parts(loop, 1)};
    orrery_parts_wave(count, length, reach->widest, loop->height, loop->width, said, rows, width);
}

long orrery_grid_pipe(const struct orrery_loop *loop, long count) {
    return orrery_parts_pipe(count, loop->stages, loop->stage_costs, (long)loop->slot_size,
                             fixed_parts(loop, 1));
}

static uint32_t *order_of_keys(const struct orrery_dim *dim, bool shuffled, uint64_t seed) {
    long range = orrery_dim_range(dim);
    uint32_t *order = dsm_own_alloc((size_t)(range > 0 ? range : 1) * sizeof *order);
    struct orrery_permutation permutation;
    orrery_permutation_start(&permutation, (uint64_t)range, seed);
    for (long i = 0; i < range; ++i)
        order[i] =
            (uint32_t)(shuffled ? orrery_permutation_at(&permutation, (uint64_t)i) : (uint64_t)i);
    return order;
}

static long total_of(const struct orrery_dim *dim) {
    long total = 0;
    for (long v = 0; v < orrery_dim_range(dim); ++v)
        total += dim->counts[v];
    return total;
}

/*
 * Walks the order once. A part is closed when it has its share of what is left, or when the keys
 * left are needed to give every later part one. Keys with no iterations stay in the part they fall
 * in.
 */
static void cut(struct orrery_dim *dim, const uint32_t *order, long *cuts) {
    long range = orrery_dim_range(dim), left = total_of(dim), keys = dim->distinct;
    long part = 0, in_part = 0, target = left / dim->parts;
    cuts[0] = 0;
    for (long i = 0; i < range; ++i) {
        long n = dim->counts[order[i]];
        bool full = in_part > 0 && n > 0 && in_part + n / 2 >= target;
        bool needed = in_part > 0 && n > 0 && keys <= dim->parts - part - 1;
        if ((full || needed) && part + 1 < dim->parts) {
            cuts[++part] = i;
            left -= in_part;
            in_part = 0;
            target = left / (dim->parts - part);
        }
        in_part += n;
        keys -= n > 0;
        dim->part_of[order[i]] = (uint16_t)part;
    }
    while (part < dim->parts)
        cuts[++part] = range;
}

static uint32_t *inverse_of(const uint32_t *order, long range) {
    uint32_t *place = dsm_own_alloc((size_t)(range > 0 ? range : 1) * sizeof *place);
    for (long i = 0; i < range; ++i)
        place[order[i]] = (uint32_t)i;
    return place;
}

void orrery_dim_cut(struct orrery_dim *dim, bool shuffled, uint64_t seed, bool places) {
    long range = orrery_dim_range(dim);
    uint32_t *order = order_of_keys(dim, shuffled, seed);
    long *cuts = dsm_own_alloc((size_t)(dim->parts + 1) * sizeof *cuts);
    dim->part_of = dsm_own_alloc((size_t)(range > 0 ? range : 1) * sizeof *dim->part_of);
    cut(dim, order, cuts);
    if (places) {
        dim->order = dsm_ranks() == 1 ? order : NULL;
        dim->place = inverse_of(order, range);
        dim->cuts = cuts;
    } else {
        dsm_own_free(cuts);
    }
    if (!dim->order)
        dsm_own_free(order);
    orrery_memory_free(dim->counts);
    dim->counts = NULL;
}

void orrery_dim_free(struct orrery_dim *dim) {
    orrery_memory_free(dim->counts);
    orrery_memory_free(dim->present);
    dsm_own_free(dim->part_of);
    dsm_own_free(dim->order);
    dsm_own_free(dim->place);
    dsm_own_free(dim->cuts);
    *dim = (struct orrery_dim){.high = -1};
}
