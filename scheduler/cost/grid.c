#include "scheduler/cost/grid.h"

#include <string.h>

static long wrap(long value, long n) {
    value %= n;
    return value < 0 ? value + n : value;
}

struct cost_grid cost_grid_of(const struct cost_loop *loop, const long *parts) {
    struct cost_grid grid = {.pairs = strcmp(loop->strategy, "tournament") == 0,
                             .ordered = cost_loop_is_ordered(loop),
                             .ndims = loop->ndims};
    grid.rows = grid.pairs ? parts[0] / 2 : parts[0];
    grid.columns = grid.clocks = grid.pairs ? parts[0] - 1 : 1;
    for (int d = 0; d < grid.ndims; ++d) {
        bool travels = grid.pairs || d > 0;
        grid.parts[d] = parts[d];
        grid.first[d] = travels ? grid.batons : -1;
        grid.batons += travels ? parts[d] : 0;
        grid.slots[d] = parts[d] > grid.rows || grid.ordered ? parts[d] : grid.rows;
        grid.columns *= d > 0 ? parts[d] : 1;
        grid.clocks *= d > 0 ? grid.slots[d] : 1;
    }
    return grid;
}

/* ---- pairs: the circle method; the last part keeps its seat at row 0 ---- */

static long round_of(const struct cost_grid *grid, long a, long b, long *row) {
    long circle = grid->parts[0] - 1;
    if (a == b)
        b = a == circle ? 0 : wrap(-a, circle);
    if (a == b)
        b = circle;
    if (a == circle || b == circle) {
        *row = 0;
        return a == circle ? b : a;
    }
    long round = wrap((a + b) * ((circle + 1) / 2), circle);
    long up = wrap(a - round, circle), down = wrap(round - a, circle);
    *row = up < down ? up : down;
    return round;
}

/* ---- clocks ---------------------------------------------------------------------------------- */
/* A number with one digit per dim, each of which lags by one whenever those above it advance. */

static long part_in(const struct cost_grid *grid, int d, long slot) {
    if (grid->parts[d] >= grid->rows)
        return slot;
    long part = (slot * grid->parts[d] + grid->rows - 1) / grid->rows;
    return part < grid->parts[d] && part * grid->rows / grid->parts[d] == slot ? part : -1;
}

long cost_grid_column(const struct cost_grid *grid, long row, long clock) {
    if (grid->ordered || grid->batons == 0)
        return grid->batons == 0 ? 0 : clock;
    long column = 0, scale = 1;
    for (int d = grid->ndims - 1; d > 0; --d) {
        long above = clock / grid->slots[d];
        long part = part_in(grid, d, wrap(row + clock - above, grid->slots[d]));
        if (part < 0)
            return -1;
        column += scale * part;
        scale *= grid->parts[d];
        clock = above;
    }
    return column + scale * clock;
}

/* ---- numbers ---- */

int cost_grid_batons(const struct cost_grid *grid, long row, long column, long *batons) {
    int n = 0;
    for (int d = grid->ndims - 1; d > 0; --d) {
        batons[n++] = grid->first[d] + column % grid->parts[d];
        column /= grid->parts[d];
    }
    if (grid->pairs) {
        long circle = grid->parts[0] - 1;
        batons[n++] = grid->first[0] + wrap(column - row, circle);
        batons[n++] = grid->first[0] + (row == 0 ? circle : wrap(column + row, circle));
    }
    return n;
}

long cost_grid_block(const struct cost_grid *grid, const long *parts) {
    long row = parts[0], column = 0;
    if (grid->pairs)
        column = round_of(grid, parts[0], parts[1], &row);
    for (int d = 1; d < grid->ndims; ++d)
        column = column * grid->parts[d] + parts[d + grid->pairs];
    return row * grid->columns + column;
}

void cost_grid_parts(const struct cost_grid *grid, const struct cost_step *step, long *parts) {
    int n = 0;
    parts[0] = step->row;
    for (int d = grid->ndims - 1; d > 0; --d, ++n)
        parts[d + grid->pairs] = step->batons[n] - grid->first[d];
    for (int k = 0; grid->pairs && k < 2; ++k)
        parts[k] = step->batons[n + k] - grid->first[0];
}
