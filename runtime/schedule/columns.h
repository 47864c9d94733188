#ifndef ORRERY_RUNTIME_SCHEDULE_COLUMNS_H
#define ORRERY_RUNTIME_SCHEDULE_COLUMNS_H
/* ---- levels -> columns and rows of a grid ---------------------------------------------------- */

/* Iterations with their levels, from 1, and what they cost: one, and one per element that they
 * touch. Once columns are made, `level` is the column. */
struct orrery_leveled {
    long count, nlevels;
    unsigned *level, *cost, *row;
};

/* One level, or some narrow ones in a row. `blocks`: it is cut into; `done`: cost of the iterations
 * placed so far. */
struct orrery_column {
    long iterations, cost, blocks, done;
    int wide;
};

/* Narrow levels next to each other become one column: there the loop's order is kept by one row.
 * `columns`, `column_of`: zeros, nlevels + 1 of them. Returns how many columns there are. */
static inline long orrery_columns_make(struct orrery_leveled *leveled,
                                       struct orrery_column *columns, unsigned *column_of) {
    long n = 0;
    for (long i = 0; i < leveled->count; ++i) {
        columns[leveled->level[i]].iterations += 1;
        columns[leveled->level[i]].cost += leveled->cost[i];
    }
    for (long l = 1; l <= leveled->nlevels; ++l) {
        struct orrery_column level = columns[l];
        level.wide = level.iterations >= 4 && level.cost >= 256;
        if (level.wide || n == 0 || columns[n - 1].wide) {
            columns[n++] = level;
        } else {
            columns[n - 1].iterations += level.iterations;
            columns[n - 1].cost += level.cost;
        }
        column_of[l] = (unsigned)(n - 1);
    }
    for (long i = 0; i < leveled->count; ++i)
        leveled->level[i] = column_of[leveled->level[i]];
    return n;
}

static inline long orrery_columns_rows(const struct orrery_column *columns, long n, long most) {
    long cost = 0, wide = 0, rows = 1;
    for (long c = 0; c < n; ++c) {
        cost += columns[c].wide ? columns[c].cost : 0;
        wide += columns[c].wide;
    }
    while (wide && rows < most && rows * 2 * 64 <= cost / wide)
        rows *= 2;
    return rows;
}

/* The blocks of a column stand at equal distances, so that every stretch of rows has its share. */
static inline void orrery_columns_cut(struct orrery_leveled *leveled, struct orrery_column *columns,
                                      long ncolumns, long rows) {
    for (long c = 0; c < ncolumns; ++c)
        columns[c].blocks = orrery_clamp(columns[c].wide ? columns[c].cost / 64 : 1, 1, rows);
    for (long i = 0; i < leveled->count; ++i) {
        struct orrery_column *column = &columns[leveled->level[i]];
        long block = (long)((__int128)column->done * column->blocks / column->cost);
        leveled->row[i] = (unsigned)(block * rows / column->blocks);
        column->done += leveled->cost[i];
    }
}

/* The bit of a row in a set of them: with more than 64, rows share. */
static inline int orrery_levels_bit(long rows, long row) {
    return rows <= 64 ? (int)row : (int)(row * 64 / rows);
}

#endif
