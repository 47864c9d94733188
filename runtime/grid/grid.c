#include "runtime/grid/grid.h"

#include "runtime/schedule/blocks.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/grid/grid_cost.h"

#include <math.h>

enum {
    HALF_CACHE = 512 << 10,  /* half of a second-level cache of 1 MiB */
    LEAST_PARTS = 16,        /* rows and columns, where the data allow */
    LEAST_PARTS_3 = 8,       /* with three keys and more */
    LEAST_WAVE = 64,         /* ordered rotation: columns; the last worker waits for one each */
    LEAST_ROWS = 64,         /* one dim only */
    ROWS_RELAXED = 16,       /* what more rows change at once is merged in larger sums */
    LEAST_DEVICE = 2048,     /* on a device: a row per warp, columns as many */
    MOST_PARTS = 4096,       /* chosen by us; a table or ORRERY_GRID may ask for more */
    LEAST_ITERATIONS = 16,   /* per block */
    LEAST_ITERATIONS_3 = 64, /* with three keys and more: a block waits for more batons */
    MOST_ITERATIONS = 16384, /* per block */
    MOST_VISITS = 4,         /* of a block in a pass: more make no program learn faster */
    VISIT_ITERATIONS = 64,   /* ... the least of one */
    WAVE_COLUMNS = 16,       /* wavefront: the least of one iteration's positions */
    WAVE_ROWS = 48,          /* wavefront: the least, where there are as many iterations */
    LEAST_POINTS = 256,      /* wavefront: in a block, when it likes to be as large */
    PIPE_COLUMNS = 32,       /* pipeline: per stage the least, where there are as many iterations */
    PIPE_ITERATIONS = 256,   /* pipeline: in a block at most */
    PIPE_BYTES = 256 << 10,  /* pipeline: of all slots together, where an iteration leaves room */
    PIPE_NANOSECONDS = 40000, /* pipeline: a block of the slowest stage, where there are enough */
    MOST_COPIES = 64 << 20    /* bytes of all rows' reductions together */
};

/* The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void orrery_permutation_start(struct orrery_permutation *permutation, uint64_t n, uint64_t seed) {
    permutation->n = n;
    permutation->half = 1;
    while (permutation->half < 32 && (uint64_t)1 << (2 * permutation->half) < n)
        ++permutation->half;
    permutation->mask = ((uint64_t)1 << permutation->half) - 1;
    for (uint64_t i = 0; i < 6; ++i)
        permutation->keys[i] = mix(mix(seed + 1) + 0x9e3779b97f4a7c15u * (i + 1));
}

uint64_t orrery_permutation_at(const struct orrery_permutation *permutation, uint64_t i) {
    do {
        uint64_t left = i >> permutation->half, right = i & permutation->mask;
        for (int round = 0; round < 6; ++round) {
            uint64_t next = left ^ (mix(right + permutation->keys[round]) & permutation->mask);
            left = right;
            right = next;
        }
        i = left << permutation->half | right;
    } while (i >= permutation->n);
    return i;
}

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

static long clamp(long value, long low, long high) {
    return value > high ? high : value < low ? low : value;
}

static long power_of_two(double least) {
    long power = 1;
    while ((double)power < least && power < MOST_PARTS)
        power *= 2;
    return power;
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

/* Blocks neither tiny nor so large that few workers find work. */
static long parts_by_count(long count, int ways) {
    double blocks = (double)count / MOST_ITERATIONS;
    return power_of_two(ways == 1 ? blocks : ways == 2 ? sqrt(blocks) : pow(blocks, 1.0 / ways));
}

/* `ways`: of how many parts a block joins the rows. */
static long auto_parts(const struct orrery_dim *dim, long count, long bytes, int ways) {
    double room = (double)HALF_CACHE / ways;
    long by_bytes = power_of_two((double)bytes * (double)dim->distinct / room);
    long by_count = parts_by_count(count, ways);
    long parts = by_bytes > by_count ? by_bytes : by_count;
    long least = ways == 1 ? LEAST_ROWS : ways == 2 ? LEAST_PARTS : LEAST_PARTS_3;
    return parts > least ? parts : least;
}

/* No more than there are keys; two for a pair. */
static long sensible_parts(const struct orrery_loop *loop, int d, const struct orrery_dim *dim,
                           long parts) {
    long most = dim->distinct > 0 ? dim->distinct : 1;
    if (!in_pairs(loop, d))
        return clamp(parts, 1, most);
    return 2 * clamp((parts + 1) / 2, 1, (most + 1) / 2);
}

static double blocks_total(const struct orrery_loop *loop, const long *parts) {
    double total = 1;
    for (int d = 0; d < loop->ndims; ++d)
        total *=
            in_pairs(loop, d) ? (double)(parts[d] / 2) * (double)(parts[d] - 1) : (double)parts[d];
    return total;
}

/* The dim to make coarser: of those that may be, the one with most parts; -1: none. */
static int finest(const struct orrery_loop *loop, const long *parts) {
    int best = -1;
    for (int d = 0; d < loop->ndims; ++d)
        if (!fixed_parts(loop, d) && parts[d] > (in_pairs(loop, d) ? 2 : 1) &&
            (best < 0 || parts[d] > parts[best]))
            best = d;
    return best;
}

/* Parts of the dims that nobody has said, by what they cost. At least so many that blocks are not
 * so large that few workers find work; in a wave the last worker waits for a column each. */
static void choose_by_cost(const struct orrery_loop *loop, long count, const long *bytes,
                           const struct orrery_dim *dims, long *parts) {
    struct orrery_grid_task task = {.ndims = loop->ndims, .count = (double)count};
    long by_count = parts_by_count(count, loop->ndims);
    for (int d = 0; d < loop->ndims; ++d) {
        bool wave = d > 0 && loop->strategy == ORRERY_ORDERED_ROTATION;
        long said = fixed_parts(loop, d), least = loop->ndims > 2 ? LEAST_PARTS_3 : LEAST_PARTS;
        least = wave ? LEAST_WAVE : least > by_count ? least : by_count;
        least = said ? said : least;
        task.keys[d] = (double)dims[d].distinct;
        task.bytes[d] = (double)bytes[d];
        task.least[d] = sensible_parts(loop, d, &dims[d], least);
        task.most[d] = said ? task.least[d] : sensible_parts(loop, d, &dims[d], MOST_PARTS);
    }
    orrery_grid_cheapest(&task, parts);
}

static bool goes_by_cost(const struct orrery_loop *loop) {
    return !loop->kernel && loop->strategy != ORRERY_TOURNAMENT;
}

static void choose_chained(const struct orrery_loop *loop, long count, const long *bytes,
                           struct orrery_dim *dims) {
    int ways = loop->nkeys, d;
    double least = ways > 2 ? LEAST_ITERATIONS_3 : LEAST_ITERATIONS;
    long parts[ORRERY_DIMS];
    for (d = 0; d < loop->ndims; ++d) {
        long said = fixed_parts(loop, d);
        long wanted = said ? said : auto_parts(&dims[d], count, bytes[d], ways);
        if (!said && loop->kernel && wanted < LEAST_DEVICE)
            wanted = LEAST_DEVICE;
        parts[d] = sensible_parts(loop, d, &dims[d], wanted);
    }
    if (goes_by_cost(loop))
        choose_by_cost(loop, count, bytes, dims, parts);
    while (blocks_total(loop, parts) * least > (double)count && (d = finest(loop, parts)) >= 0)
        parts[d] = in_pairs(loop, d) ? 2 * ((parts[d] / 2 + 1) / 2) : (parts[d] + 1) / 2;
    for (d = 0; d < loop->ndims; ++d)
        dims[d].parts = parts[d];
}

void orrery_grid_choose(const struct orrery_loop *loop, long count, const long *bytes,
                        struct orrery_dim *dims) {
    if (loop->strategy == ORRERY_ROTATION || loop->strategy == ORRERY_TOURNAMENT ||
        loop->strategy == ORRERY_ORDERED_ROTATION) {
        choose_chained(loop, count, bytes, dims);
        return;
    }
    long parts = fixed_parts(loop, 0);
    if (!parts && loop->kernel)
        parts = clamp(MOST_PARTS, 1, count / LEAST_ITERATIONS + 1);
    else if (!parts)
        parts = clamp(auto_parts(&dims[0], count, bytes[0], 1), 1, count / LEAST_ITERATIONS + 1);
    dims[0].parts = sensible_parts(loop, 0, &dims[0], parts);
}

static bool merges(const struct orrery_loop *loop) {
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
    if (!loop->unordered || !rotates || merges(loop) || all == 1)
        return 1;
    if (loop->kernel)
        return visits_on_device(loop);
    return said ? said : clamp(count / (all * VISIT_ITERATIONS), 1, MOST_VISITS);
}

long orrery_grid_rows(const struct orrery_loop *loop, long count, long bytes) {
    long said = fixed_parts(loop, 0);
    if (said)
        return clamp(said, 1, count);
    long most = bytes > 0 ? clamp(MOST_COPIES / bytes, 1, MOST_PARTS) : MOST_PARTS;
    long rows = loop->kernel ? clamp(count / LEAST_ITERATIONS, LEAST_ROWS, MOST_PARTS)
                             : parts_by_count(count, 1);
    rows = merges(loop) ? ROWS_RELAXED : rows > LEAST_ROWS ? rows : LEAST_ROWS;
    return clamp(rows, 1, count < most ? count : most);
}

void orrery_grid_wave(const struct orrery_loop *loop, long count, const struct orrery_reach *reach,
                      long *rows, long *width) {
    long length = reach->high < reach->low ? 1 : reach->high - reach->low + 1;
    long columns = fixed_parts(loop, 1), said = fixed_parts(loop, 0);
    long high = clamp(loop->height, 1, count / WAVE_ROWS + 1);
    long least = clamp(loop->height * loop->width, 1, LEAST_POINTS) / high;
    long most = clamp(reach->widest / WAVE_COLUMNS, least > 1 ? least : 1, length);
    *width = columns ? (length + columns - 1) / columns
                     : clamp(loop->width, least > 1 ? least : 1, most);
    *rows = clamp(said ? said : count / high, 1, count < MOST_PARTS ? count : MOST_PARTS);
}

/* Blocks long enough to be worth handing on, of slots that stay in the cache. */
static long pipe_block(const struct orrery_loop *loop, long count) {
    double slowest = 1;
    for (int s = 0; s < loop->stages; ++s)
        slowest = loop->stage_costs[s] > slowest ? loop->stage_costs[s] : slowest;
    long by_bytes = PIPE_BYTES / (ORRERY_PIPE_AHEAD * loop->stages * (long)loop->slot_size) + 1;
    long by_time = (long)(PIPE_NANOSECONDS / slowest) + 1;
    long by_count = count / (PIPE_COLUMNS * (long)loop->stages) + 1;
    long most = by_bytes < PIPE_ITERATIONS ? by_bytes : PIPE_ITERATIONS;
    most = by_count < most ? by_count : most;
    return by_time < most ? by_time : most;
}

long orrery_grid_pipe(const struct orrery_loop *loop, long count) {
    long said = fixed_parts(loop, 1);
    long columns = said ? said : (count + pipe_block(loop, count) - 1) / pipe_block(loop, count);
    return clamp(columns, 1, count < 1 ? 1 : count < 65536 ? count : 65536);
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
