/*
 * The same work on another grid: the measured blocks are tiles of a density, which is cut anew;
 * what the rows of smaller or larger blocks miss in a cache is added or taken away.
 */
#include "scheduler/cost/cost.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 1 << 26, LINE = 64 };

/* A second-level cache, as runtime/execute/grid.c assumes it; a line of a row that is new to a
 * block, and how much of that one costs that was pushed out: as measured with rows of 512 bytes
 * (docs/measurements.md). */
static const double cache_bytes = 1 << 20, line_seconds = 2e-9, again = 0.6;

/* ---- density ------------------------------------------------------------------------------------
 */

/*
 * Seconds in [0, x) x [0, y) of the unit square, the measured blocks being tiles of it: `sums` has
 * (rows + 1) x (columns + 1) corners.
 */
struct density {
    long rows, columns;
    double *sums;
};

static double corner(const struct density *density, double x, double y) {
    double row = x * (double)density->rows, column = y * (double)density->columns;
    long i = (long)fmin(row, (double)density->rows - 1),
         j = (long)fmin(column, (double)density->columns - 1);
    double u = row - (double)i, v = column - (double)j;
    const double *at = density->sums + i * (density->columns + 1) + j,
                 *below = at + density->columns + 1;
    return (1 - u) * ((1 - v) * at[0] + v * at[1]) + u * ((1 - v) * below[0] + v * below[1]);
}

static struct density density_of(struct arena *arena, const struct cost_loop *loop) {
    struct density density = {loop->rows, loop->columns, NULL};
    size_t corners = (size_t)(loop->rows + 1) * (size_t)(loop->columns + 1);
    density.sums = arena_alloc(arena, corners * sizeof *density.sums);
    memset(density.sums, 0, corners * sizeof *density.sums);
    for (long i = 0; i < loop->nsteps; ++i) {
        const struct cost_step *step = &loop->steps[i];
        long column = step->nbatons ? step->batons[0] : 0;
        density.sums[(step->row + 1) * (loop->columns + 1) + column + 1] += step->seconds;
    }
    for (long i = 1; i <= loop->rows; ++i)
        for (long j = 1; j <= loop->columns; ++j) {
            double *at = &density.sums[i * (loop->columns + 1) + j];
            at[0] += at[-1] + at[-loop->columns - 1] - at[-loop->columns - 2];
        }
    return density;
}

static double tile(const struct density *density, long row, long rows, long column, long columns) {
    double x0 = (double)row / (double)rows, x1 = (double)(row + 1) / (double)rows;
    double y0 = (double)column / (double)columns, y1 = (double)(column + 1) / (double)columns;
    double seconds = corner(density, x1, y1) - corner(density, x0, y1) - corner(density, x1, y0) +
                     corner(density, x0, y0);
    return seconds > 0 ? seconds : 0;
}

/* ---- cache --------------------------------------------------------------------------------------
 */

static double iterations_of(const struct cost_loop *loop) {
    double count = 0;
    for (long i = 0; i < loop->nsteps; ++i)
        count += loop->steps[i].iterations;
    return count;
}

static double dim_bytes(const struct cost_loop *loop, int dim) {
    double bytes = 0;
    for (int i = 0; i < loop->narrays; ++i)
        bytes += loop->arrays[i].dim == dim ? loop->arrays[i].bytes : 0;
    return bytes;
}

/*
 * Seconds of a pass over `count` iterations that wait for cache lines: every block brings in its
 * rows once, and of blocks that do not fit every iteration its own in part.
 */
static double misses(const struct cost_loop *loop, double count, long rows, long columns) {
    double parts[2] = {(double)rows, (double)columns}, blocks = parts[0] * parts[1];
    double whole = 0, block = 0, first = 0, each = 0;
    for (int d = 0; d < 2; ++d) {
        double bytes = dim_bytes(loop, d), keys = loop->keys[d];
        if (keys < 1)
            continue;
        double lines = bytes / keys / LINE;
        whole += bytes;
        block += bytes / parts[d];
        each += lines;
        first += lines * fmin(keys / parts[d], count / blocks);
    }
    if (whole <= cache_bytes)
        return 0;
    double spilt = block > cache_bytes ? 1 - cache_bytes / block : 0;
    return line_seconds * (blocks * first + again * count * each * spilt);
}

/* What every iteration takes, times as much as on the measured grid. */
static double slower_on(const struct cost_loop *loop, long rows, long columns) {
    double count = iterations_of(loop), work = 0;
    for (long i = 0; i < loop->nsteps; ++i)
        work += loop->steps[i].seconds;
    if (work <= 0)
        return 1;
    double more =
        misses(loop, count, rows, columns) - misses(loop, count, loop->rows, loop->columns);
    return fmax(1 + more / work, 0.5);
}

/* ---- the grid -----------------------------------------------------------------------------------
 */

bool cost_loop_has_grids(const struct cost_loop *loop) {
    if ((loop->nbatons != 0 && loop->nbatons != loop->columns) || cost_loop_is_levels(loop) ||
        cost_loop_is_wave(loop) || cost_loop_is_pipe(loop))
        return false;
    for (long i = 0; i < loop->nsteps; ++i)
        if (loop->steps[i].nbatons != (loop->nbatons ? 1 : 0) ||
            (loop->steps[i].nbatons && loop->steps[i].batons[0] >= loop->columns))
            return false;
    return loop->nbatons || loop->columns == 1;
}

/* The column of a row at a clock, -1: none. With more rows than columns the columns stand at equal
 * distances in as many slots as there are rows (docs/runtime.md, "Clocks"). */
static long column_at(const struct cost_loop *loop, long row, long clock) {
    if (cost_loop_is_ordered(loop))
        return clock - row < loop->columns ? clock - row : -1;
    if (loop->columns >= loop->rows)
        return (row + clock) % loop->columns;
    long slot = (row + clock) % loop->rows;
    long column = (slot * loop->columns + loop->rows - 1) / loop->rows;
    return column < loop->columns && column * loop->rows / loop->columns == slot ? column : -1;
}

static void steps_make(struct cost_loop *made, const struct density *density, double slower,
                       double each, const long *batons) {
    long most = made->columns > made->rows ? made->columns : made->rows;
    long clocks = cost_loop_is_ordered(made) ? made->rows + made->columns - 1
                  : made->nbatons            ? most
                                             : 1;
    for (long clock = 0; clock < clocks; ++clock)
        for (long row = 0; row < made->rows; ++row) {
            long column = made->nbatons ? column_at(made, row, clock) : 0;
            if (column < 0)
                continue;
            double seconds = slower * tile(density, row, made->rows, column, made->columns);
            made->steps[made->nsteps++] = (struct cost_step){.row = row,
                                                             .seconds = seconds,
                                                             .nbatons = made->nbatons ? 1 : 0,
                                                             .batons = &batons[column],
                                                             .iterations = seconds * each};
        }
}

bool cost_loop_recut(struct arena *arena, const struct cost_loop *loop, long rows, long columns,
                     struct cost_loop *made) {
    if (loop->nbatons == 0)
        columns = 1;
    if (!cost_loop_has_grids(loop) || rows < 1 || columns < 1 || rows * columns > MOST_STEPS)
        return false;
    struct density density = density_of(arena, loop);
    double slower = slower_on(loop, rows, columns), bytes = 0, work = 0;
    *made = *loop;
    made->rows = rows;
    made->columns = columns;
    made->nbatons = loop->nbatons ? columns : 0;
    made->copies_bytes = loop->copies_bytes / (double)loop->rows * (double)rows;
    made->nsteps = 0;
    made->steps = arena_alloc(arena, (size_t)(rows * columns + 1) * sizeof *made->steps);
    made->baton_bytes = arena_alloc(arena, (size_t)(columns + 1) * sizeof *made->baton_bytes);
    made->baton_messages = arena_alloc(arena, (size_t)(columns + 1) * sizeof(double));
    long *batons = arena_alloc(arena, (size_t)(columns + 1) * sizeof *batons);
    for (long i = 0; i < loop->nbatons; ++i)
        bytes += loop->baton_bytes[i];
    for (long i = 0; i < loop->nsteps; ++i)
        work += loop->steps[i].seconds;
    for (long j = 0; j < columns; ++j) {
        batons[j] = j;
        made->baton_bytes[j] = bytes / (double)columns;
        made->baton_messages[j] = loop->nbatons ? loop->baton_messages[0] : 0;
    }
    steps_make(made, &density, slower, work > 0 ? iterations_of(loop) / work / slower : 0, batons);
    return true;
}
