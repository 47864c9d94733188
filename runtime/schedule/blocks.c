#include "runtime/schedule/blocks.h"

static bool in_pairs(const struct orrery_blocks *blocks) {
    return blocks->strategy == ORRERY_TOURNAMENT;
}

static long wrap(long value, long n) {
    value %= n;
    return value < 0 ? value + n : value;
}

struct orrery_blocks orrery_blocks_make(enum orrery_strategy strategy, int ndims,
                                        const long *parts) {
    if (strategy == ORRERY_PIPELINE)
        return orrery_blocks_of_pipe(parts[0], parts[1]);
    struct orrery_blocks blocks = {.strategy = strategy, .ndims = ndims, .visits = 1};
    bool pairs = strategy == ORRERY_TOURNAMENT, ordered = strategy == ORRERY_ORDERED_ROTATION;
    bool chained = pairs || ordered || strategy == ORRERY_ROTATION;
    blocks.rows = pairs ? parts[0] / 2 : parts[0];
    blocks.columns = blocks.clocks = pairs ? parts[0] - 1 : 1;
    blocks.held = pairs ? ndims + 1 : chained ? ndims - 1 : 0;
    for (int d = 0; d < ndims; ++d) {
        bool travels = pairs || (chained && d > 0);
        blocks.parts[d] = parts[d];
        blocks.first[d] = travels ? blocks.batons : -1;
        blocks.batons += travels ? parts[d] : 0;
        blocks.slots[d] = parts[d] > blocks.rows || ordered ? parts[d] : blocks.rows;
        blocks.columns *= d > 0 ? parts[d] : 1;
        blocks.clocks *= d > 0 ? blocks.slots[d] : 1;
    }
    return blocks;
}

static struct orrery_blocks blocks_in_order(enum orrery_strategy strategy, long rows,
                                            long columns) {
    return (struct orrery_blocks){.strategy = strategy,
                                  .ndims = 2,
                                  .visits = 1,
                                  .parts = {rows, columns},
                                  .rows = rows,
                                  .columns = columns,
                                  .clocks = columns};
}

struct orrery_blocks orrery_blocks_of_levels(long rows, long columns) {
    return blocks_in_order(ORRERY_LEVELS, rows, columns);
}

struct orrery_blocks orrery_blocks_of_wave(long rows, long columns) {
    return blocks_in_order(ORRERY_WAVEFRONT, rows, columns);
}

/* One that is worked on and others that wait, in front of each stage: a worker that the system puts
 * aside for a while does not stop the others at once. */
struct orrery_blocks orrery_blocks_of_pipe(long stages, long columns) {
    struct orrery_blocks blocks = blocks_in_order(ORRERY_PIPELINE, stages, columns);
    blocks.held = 1;
    blocks.first[0] = -1;
    blocks.slots[0] = stages;
    blocks.slots[1] = columns;
    long ahead = ORRERY_PIPE_AHEAD * stages;
    blocks.batons = ahead < columns ? ahead : columns;
    return blocks;
}

struct orrery_blocks orrery_blocks_of_late_pipe(long stages, long columns, long age) {
    long ahead = ORRERY_PIPE_LATE * stages;
    struct orrery_blocks blocks = orrery_blocks_of_pipe(stages, columns + age * ahead);
    blocks.batons = ahead;
    blocks.drained = age * ahead;
    return blocks;
}

bool orrery_blocks_same(const struct orrery_blocks *a, const struct orrery_blocks *b) {
    bool same = a->strategy == b->strategy && a->ndims == b->ndims && a->visits == b->visits;
    for (int d = 0; same && d < a->ndims; ++d)
        same = a->parts[d] == b->parts[d];
    return same;
}

/* ---- pairs ----------------------------------------------------------------------------------- */
/* The circle method. Of the 2S parts the last keeps its seat at row 0, the others sit in a
 * circle; in round h part h is the fixed one's guest, and h - i meets h + i at row i. From
 * round to round every part goes on by one row. */

static long round_of(const struct orrery_blocks *blocks, long a, long b, long *row) {
    long circle = blocks->parts[0] - 1;
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

void orrery_pair_of(const struct orrery_blocks *blocks, long row, long round, long pair[2]) {
    long circle = blocks->parts[0] - 1;
    pair[0] = pair[1] = row;
    if (!in_pairs(blocks))
        return;
    pair[0] = wrap(round - row, circle);
    pair[1] = row == 0 ? circle : wrap(round + row, circle);
}

/* ---- dims that rotate ------------------------------------------------------------------------ */
/* With more rows than parts some slots are empty: the parts stand at equal distances, so that
 * every stretch of rows has its share of the work. */

static long slot_of(const struct orrery_blocks *blocks, int d, long part) {
    return blocks->parts[d] < blocks->rows ? part * blocks->rows / blocks->parts[d] : part;
}

static long part_in(const struct orrery_blocks *blocks, int d, long slot) {
    if (blocks->parts[d] >= blocks->rows)
        return slot;
    long part = (slot * blocks->parts[d] + blocks->rows - 1) / blocks->rows;
    return part < blocks->parts[d] && slot_of(blocks, d, part) == slot ? part : -1;
}

/* The clock is a number with one digit per dim, the last dim's turns fastest. Each digit lags by
 * one whenever those above it advance: a modular Gray code, so that one dim moves per clock. */
long orrery_column_at(const struct orrery_blocks *blocks, long row, long clock) {
    if (blocks->strategy == ORRERY_LEVELS || blocks->strategy == ORRERY_WAVEFRONT ||
        blocks->strategy == ORRERY_PIPELINE || blocks->strategy == ORRERY_ORDERED_ROTATION)
        return clock;
    if (blocks->batons == 0)
        return 0;
    long column = 0, scale = 1;
    for (int d = blocks->ndims - 1; d > 0; --d) {
        long above = clock / blocks->slots[d];
        long part = part_in(blocks, d, wrap(row + clock - above, blocks->slots[d]));
        if (part < 0)
            return -1;
        column += scale * part;
        scale *= blocks->parts[d];
        clock = above;
    }
    return column + scale * clock;
}

/* ---- numbers ---- */

long orrery_block_of(const struct orrery_blocks *blocks, const long *parts) {
    long row = parts[0], column = 0;
    bool pairs = in_pairs(blocks);
    if (pairs)
        column = round_of(blocks, parts[0], parts[1], &row);
    for (int d = 1; d < blocks->ndims; ++d)
        column = column * blocks->parts[d] + parts[d + pairs];
    return row * blocks->columns + column;
}

void orrery_batons_of(const struct orrery_blocks *blocks, long row, long column,
                      long batons[ORRERY_KEYS]) {
    int n = 0;
    if (blocks->strategy == ORRERY_PIPELINE) {
        batons[0] = column % blocks->batons;
        return;
    }
    for (int d = blocks->ndims - 1; d > 0; --d) {
        if (blocks->first[d] >= 0)
            batons[n++] = blocks->first[d] + column % blocks->parts[d];
        column /= blocks->parts[d];
    }
    if (in_pairs(blocks)) {
        long pair[2];
        orrery_pair_of(blocks, row, column, pair);
        batons[n++] = blocks->first[0] + pair[0];
        batons[n++] = blocks->first[0] + pair[1];
    }
}

void orrery_blocks_walk(const struct orrery_blocks *blocks, orrery_block_visit *visit, void *data) {
    long batons[ORRERY_KEYS];
    for (long clock = 0; clock < blocks->clocks; ++clock)
        for (long row = 0; row < blocks->rows; ++row) {
            long column = orrery_column_at(blocks, row, clock);
            if (column < 0)
                continue;
            orrery_batons_of(blocks, row, column, batons);
            visit(data, row, column, clock, batons);
        }
}
