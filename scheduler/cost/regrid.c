/*
 * The same work on another grid: the measured blocks are tiles of a density, which is cut anew;
 * what the rows of smaller or larger blocks miss in a cache is added or taken away.
 */
#include "runtime/schedule/blocks.h"
#include "scheduler/cost/cost.h"

#include <math.h>
#include <string.h>

/* Blocks, and clocks of all rows:
 * with three keys most of these are empty on a grid of many rows. */
enum { MOST_STEPS = 1 << 24, LINE = 64 };

/* A second-level cache, as runtime/grid/grid.c assumes it; a line of a row that is new to a
 * block, and how much of that one costs that was pushed out: as measured with rows of 512 bytes
 * (docs/measurements.md). */
static const double cache_bytes = 1 << 20, line_seconds = 2e-9, again = 0.6;

static struct orrery_blocks grid_of(const struct cost_loop *loop, const long *parts) {
    return orrery_blocks_make(strategy_executor(loop->strategy), loop->ndims, parts);
}

static bool in_pairs(const struct orrery_blocks *grid) {
    return grid->strategy == ORRERY_TOURNAMENT;
}

/* The parts that a measured step's batons stand for, as orrery_block_of has them. */
static void parts_of(const struct orrery_blocks *grid, const struct cost_step *step, long *parts) {
    int n = 0, pairs = in_pairs(grid);
    parts[0] = step->row;
    for (int d = grid->ndims - 1; d > 0; --d, ++n)
        parts[d + pairs] = step->batons[n] - grid->first[d];
    for (int k = 0; pairs && k < 2; ++k)
        parts[k] = step->batons[n + k] - grid->first[0];
}

/* ---- density --------------------------------------------------------------------------------- */

/* What blocks have, by their number on the new grid. */
struct amounts {
    double *seconds, *iterations;
};

/* Of `parts` parts number `part` reaches from the new part *first to *last, of `made`. */
static void reach(long part, long parts, long made, long *first, long *last) {
    *first = part * made / parts;
    *last = ((part + 1) * made - 1) / parts;
}

/* The share of part `part` that lies in new part `j`. */
static double share_in(long part, long parts, long made, long j) {
    double low = fmax((double)part / (double)parts, (double)j / (double)made);
    double high = fmin((double)(part + 1) / (double)parts, (double)(j + 1) / (double)made);
    return high > low ? (high - low) * (double)parts : 0;
}

/* Assigns what one measured block has, key after key; `cell`: new parts of the keys before
 * `key`. */
static void assignment(const struct orrery_blocks *from, const struct orrery_blocks *to,
                       const long *parts, long *cell, int key, struct cost_step what,
                       const struct amounts *amounts) {
    int d = key - in_pairs(from) > 0 ? key - in_pairs(from) : 0;
    if (key == from->ndims + in_pairs(from)) {
        long block = orrery_block_of(to, cell);
        amounts->seconds[block] += what.seconds;
        amounts->iterations[block] += what.iterations;
        return;
    }
    long first, last;
    reach(parts[key], from->parts[d], to->parts[d], &first, &last);
    for (cell[key] = first; cell[key] <= last; ++cell[key]) {
        double share = share_in(parts[key], from->parts[d], to->parts[d], cell[key]);
        struct cost_step part = {.seconds = share * what.seconds,
                                 .iterations = share * what.iterations};
        if (share > 0)
            assignment(from, to, parts, cell, key + 1, part, amounts);
    }
}

static struct amounts amounts_of(struct arena *arena, const struct cost_loop *loop,
                                 const struct orrery_blocks *to) {
    struct orrery_blocks from = grid_of(loop, loop->parts);
    size_t n = (size_t)(to->rows * to->columns) * sizeof(double);
    struct amounts amounts = {arena_alloc(arena, n), arena_alloc(arena, n)};
    for (long i = 0; i < loop->nsteps; ++i) {
        long parts[ORRERY_KEYS], cell[ORRERY_KEYS];
        parts_of(&from, &loop->steps[i], parts);
        assignment(&from, to, parts, cell, 0, loop->steps[i], &amounts);
    }
    return amounts;
}

/* ---- cache ----------------------------------------------------------------------------------- */

static double dim_bytes(const struct cost_loop *loop, int dim) {
    double bytes = 0;
    for (int i = 0; i < loop->narrays; ++i)
        bytes += loop->arrays[i].dim == dim ? loop->arrays[i].bytes : 0;
    return bytes;
}

/*
 * Seconds of a pass over `count` iterations that wait for cache lines: every block brings in its
 * rows once, and of blocks that do not fit every iteration its own in part. Of pairs a block and an
 * iteration have two rows each.
 */
static double misses(const struct cost_loop *loop, double count, const struct orrery_blocks *grid) {
    double blocks = (double)grid->rows * (double)grid->columns;
    double whole = 0, block = 0, first = 0, each = 0;
    for (int d = 0; d < grid->ndims; ++d) {
        double bytes = dim_bytes(loop, d), keys = loop->keys[d], parts = (double)grid->parts[d];
        double times = d == 0 && in_pairs(grid) ? 2 : 1;
        if (keys < 1)
            continue;
        double lines = bytes / keys / LINE;
        whole += bytes;
        block += times * bytes / parts;
        each += times * lines;
        first += times * lines * fmin(keys / parts, count / blocks);
    }
    if (whole <= cache_bytes)
        return 0;
    double spilt = block > cache_bytes ? 1 - cache_bytes / block : 0;
    return line_seconds * (blocks * first + again * count * each * spilt);
}

/* What every iteration takes, times as much as on the measured grid. */
static double slower_on(const struct cost_loop *loop, const struct orrery_blocks *grid) {
    struct orrery_blocks measured = grid_of(loop, loop->parts);
    double count = cost_loop_iterations(loop), work = cost_loop_seconds(loop);
    if (work <= 0)
        return 1;
    double more = misses(loop, count, grid) - misses(loop, count, &measured);
    return fmax(1 + more / work, 0.5);
}

/* ---- the grid -------------------------------------------------------------------------------- */

bool cost_loop_has_grids(const struct cost_loop *loop) {
    if (loop->ndims == 0 || cost_loop_is_levels(loop) || cost_loop_is_wave(loop) ||
        cost_loop_is_pipe(loop))
        return false;
    struct orrery_blocks grid = grid_of(loop, loop->parts);
    int held = loop->nbatons ? grid.held : 0;
    bool good = grid.rows == loop->rows && grid.columns == loop->columns &&
                (loop->nbatons == 0 ? grid.ndims == 1 : grid.batons == loop->nbatons);
    for (long i = 0; good && i < loop->nsteps; ++i) {
        long parts[ORRERY_KEYS];
        good = loop->steps[i].nbatons == held;
        if (good)
            parts_of(&grid, &loop->steps[i], parts);
        for (int k = 0; good && k < grid.ndims + in_pairs(&grid); ++k) {
            int d = k - in_pairs(&grid) > 0 ? k - in_pairs(&grid) : 0;
            good = parts[k] >= 0 && parts[k] < grid.parts[d];
        }
    }
    return good;
}

long cost_loop_across(const struct cost_loop *loop) {
    long most = 1;
    for (int d = 1; d < loop->ndims; ++d)
        most = loop->parts[d] > most ? loop->parts[d] : most;
    return most;
}

static void steps_make(struct arena *arena, struct cost_loop *made,
                       const struct orrery_blocks *grid, const struct amounts *amounts,
                       double slower) {
    int held = grid->held;
    size_t blocks = (size_t)(grid->rows * grid->columns);
    long *batons = arena_alloc(arena, (blocks + 1) * (size_t)(held + 1) * sizeof *batons);
    made->steps = arena_alloc(arena, (blocks + 1) * sizeof *made->steps);
    made->nsteps = 0;
    for (long clock = 0; clock < grid->clocks; ++clock)
        for (long row = 0; row < grid->rows; ++row) {
            long column = orrery_column_at(grid, row, clock);
            if (column < 0)
                continue;
            long block = row * grid->columns + column;
            orrery_batons_of(grid, row, column, batons);
            made->steps[made->nsteps++] =
                (struct cost_step){.row = row,
                                   .seconds = slower * amounts->seconds[block],
                                   .nbatons = held,
                                   .batons = batons,
                                   .iterations = amounts->iterations[block]};
            batons += held;
        }
}

/* What travels of each dim, in as many pieces as it has parts now. */
static void batons_make(struct arena *arena, const struct cost_loop *loop,
                        const struct orrery_blocks *grid, struct cost_loop *made) {
    struct orrery_blocks from = grid_of(loop, loop->parts);
    made->nbatons = loop->nbatons ? grid->batons : 0;
    made->touched = NULL;
    made->baton_bytes = arena_alloc(arena, (size_t)(grid->batons + 1) * sizeof(double));
    made->baton_messages = arena_alloc(arena, (size_t)(grid->batons + 1) * sizeof(double));
    for (int d = 0; d < grid->ndims && made->nbatons; ++d) {
        double bytes = 0;
        for (long p = 0; from.first[d] >= 0 && p < from.parts[d]; ++p)
            bytes += loop->baton_bytes[from.first[d] + p];
        for (long p = 0; grid->first[d] >= 0 && p < grid->parts[d]; ++p) {
            made->baton_bytes[grid->first[d] + p] = bytes / (double)grid->parts[d];
            made->baton_messages[grid->first[d] + p] = loop->baton_messages[from.first[d]];
        }
    }
}

bool cost_loop_regrid(struct arena *arena, const struct cost_loop *loop, long rows, long across,
                      struct cost_loop *made) {
    if (!cost_loop_has_grids(loop) || rows < 1 || across < 1)
        return false;
    bool pairs = strategy_executor(loop->strategy) == ORRERY_TOURNAMENT;
    long parts[COST_DIMS] = {pairs ? 2 * rows : rows};
    double blocks = (double)rows * (double)(pairs ? 2 * rows - 1 : 1);
    for (int d = 1; d < loop->ndims; ++d) {
        parts[d] = across == cost_loop_across(loop) ? loop->parts[d] : across;
        blocks *= (double)parts[d];
    }
    if (blocks > MOST_STEPS)
        return false;
    struct orrery_blocks grid = grid_of(loop, parts);
    if ((double)grid.clocks * (double)rows > MOST_STEPS)
        return false;
    struct amounts amounts = amounts_of(arena, loop, &grid);
    *made = *loop;
    memcpy(made->parts, parts, sizeof parts);
    made->rows = grid.rows;
    made->columns = grid.columns;
    made->copies_bytes = loop->copies_bytes / (double)loop->rows * (double)rows;
    batons_make(arena, loop, &grid, made);
    steps_make(arena, made, &grid, &amounts, slower_on(loop, &grid));
    return true;
}
