/* Levels -> columns and rows of a grid. */
#include "runtime/inspect/levels.h"

#include "dsm/dsm.h"
#include "runtime/base/memory.h"

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
    size_t room = (size_t)(leveled->nlevels + 1);
    struct orrery_column *columns = orrery_memory_aligned(room * sizeof *columns);
    unsigned *column_of = orrery_memory_aligned(room * sizeof *column_of);
    levels->columns = orrery_columns_make(leveled, columns, column_of);
    levels->rows = rows ? rows : orrery_columns_rows(columns, levels->columns, most);
    orrery_columns_cut(leveled, columns, levels->columns, levels->rows);
    orrery_memory_free(column_of);
    orrery_memory_free(columns);
    places_give(leveled, levels);
    return levels;
}
