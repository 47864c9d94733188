/* Levels -> columns and rows of a grid. */
#include "runtime/inspect/levels.h"

#include "dsm/dsm.h"
#include "runtime/base/memory.h"

#include <stdbool.h>

/*
 * What makes a level wide enough for several workers: cost is one per iteration and one per element
 * it touches. A block of a wide level has at least LEAST_BLOCK of it.
 */
enum { WIDE_COST = 256, WIDE_ITERATIONS = 4, LEAST_BLOCK = 64 };

/* One level, or column. `blocks`: it is cut into; `done`: cost of the iterations placed so far. */
struct column {
    long iterations, cost, blocks, done;
    bool wide;
};

static struct column *levels_measure(const struct orrery_leveled *leveled) {
    struct column *levels = orrery_memory_aligned((size_t)(leveled->nlevels + 1) * sizeof *levels);
    for (long i = 0; i < leveled->count; ++i) {
        levels[leveled->level[i]].iterations += 1;
        levels[leveled->level[i]].cost += leveled->cost[i];
    }
    return levels;
}

/* Narrow levels next to each other become one column: there the loop's order is kept by one row. */
static struct column *columns_make(struct orrery_leveled *leveled, long *ncolumns) {
    struct column *levels = levels_measure(leveled);
    uint32_t *column_of = orrery_memory_aligned((size_t)(leveled->nlevels + 1) * sizeof *column_of);
    long n = 0;
    for (long l = 1; l <= leveled->nlevels; ++l) {
        struct column level = levels[l];
        level.wide = level.iterations >= WIDE_ITERATIONS && level.cost >= WIDE_COST;
        if (level.wide || n == 0 || levels[n - 1].wide) {
            levels[n++] = level;
        } else {
            levels[n - 1].iterations += level.iterations;
            levels[n - 1].cost += level.cost;
        }
        column_of[l] = (uint32_t)(n - 1);
    }
    for (long i = 0; i < leveled->count; ++i)
        leveled->level[i] = column_of[leveled->level[i]];
    orrery_memory_free(column_of);
    *ncolumns = n;
    return levels;
}

static long rows_by_cost(const struct column *columns, long n, long most) {
    long cost = 0, wide = 0, rows = 1;
    for (long c = 0; c < n; ++c) {
        cost += columns[c].wide ? columns[c].cost : 0;
        wide += columns[c].wide;
    }
    while (wide && rows < most && rows * 2 * LEAST_BLOCK <= cost / wide)
        rows *= 2;
    return rows;
}

/* The blocks of a column stand at equal distances, so that every stretch of rows has its share. */
static void rows_give(struct orrery_leveled *leveled, struct column *columns, long ncolumns,
                      long rows) {
    for (long c = 0; c < ncolumns; ++c) {
        long blocks = columns[c].wide ? columns[c].cost / LEAST_BLOCK : 1;
        columns[c].blocks = blocks < 1 ? 1 : blocks > rows ? rows : blocks;
    }
    for (long i = 0; i < leveled->count; ++i) {
        struct column *column = &columns[leveled->level[i]];
        long block = (long)((__int128)column->done * column->blocks / column->cost);
        leveled->row[i] = (uint32_t)(block * rows / column->blocks);
        column->done += leveled->cost[i];
    }
}

static long block_of(const struct orrery_leveled *leveled, const struct orrery_levels *levels,
                     long i) {
    return (long)leveled->row[i] * levels->columns + leveled->level[i];
}

/* A stable counting sort by block. */
static void places_give(const struct orrery_leveled *leveled, struct orrery_levels *levels) {
    long blocks = levels->rows * levels->columns;
    levels->starts = orrery_memory_aligned((size_t)(blocks + 2) * sizeof *levels->starts);
    levels->order = orrery_memory_aligned((size_t)(leveled->count + 1) * sizeof *levels->order);
    levels->needs = orrery_memory_aligned((size_t)(blocks + 1) * sizeof *levels->needs);
    for (long i = 0; i < leveled->count; ++i)
        ++levels->starts[block_of(leveled, levels, i) + 2];
    for (long b = 2; b <= blocks; ++b)
        levels->starts[b] += levels->starts[b - 1];
    for (long i = 0; i < leveled->count; ++i)
        levels->order[levels->starts[block_of(leveled, levels, i) + 1]++] = i;
}

struct orrery_levels *orrery_levels_grid(struct orrery_leveled *leveled, long rows, long most) {
    struct orrery_levels *levels = dsm_own_alloc(sizeof *levels);
    *levels = (struct orrery_levels){0};
    struct column *columns = columns_make(leveled, &levels->columns);
    levels->rows = rows ? rows : rows_by_cost(columns, levels->columns, most);
    rows_give(leveled, columns, levels->columns, levels->rows);
    orrery_memory_free(columns);
    places_give(leveled, levels);
    return levels;
}
