#ifndef ORRERY_SCHEDULER_STANDALONE_CHECKS_H
#define ORRERY_SCHEDULER_STANDALONE_CHECKS_H
/* ---- what has to hold of the data ------------------------------------------------------------ */

/* The keys or values of the loop's variable that a dim has. */
struct orrery_values {
    long low, high;
    const long *counts; /* per key, 0: it does not occur; 0: all do */
};

static int orrery_is_there(const struct orrery_shape *shape) {
    return shape->base || shape->table;
}

/* From the base on; 0: not known. */
static unsigned long orrery_extent(const struct orrery_shape *shape) {
#if WITH_MEMORY
    char *base;
    unsigned long bytes;
    if (!shape->extent && shape->base && orrery_find(shape->base, &base, &bytes))
        return (unsigned long)(base + bytes - shape->base);
#endif
    return shape->extent ? shape->extent : shape->base ? shape->reach : 0;
}
#if WITH_GUARDS

/* Addresses [low, high). */
struct orrery_stretch {
    const char *low, *high;
};

static struct orrery_stretch orrery_row_stretch(const struct orrery_shape *shape, long v) {
    const char *at = shape->base + shape->row_offset + v * shape->row_stride;
    long length = (shape->pieces - 1) * shape->piece_stride + shape->piece_bytes;
    return (struct orrery_stretch){at, length > 0 ? at + length : (const char *)-1};
}

/* All that the loop can reach of an array; 0: not known. */
static int orrery_stretch_of(const struct orrery_loop *loop, int a,
                             const struct orrery_shape *shape, const struct orrery_values *dims,
                             struct orrery_stretch *out) {
    int d = loop->arrays[a].dim;
    unsigned long extent = orrery_extent(shape);
    *out = (struct orrery_stretch){shape->base, shape->base + extent};
    if (d >= 0) {
        struct orrery_stretch first = orrery_row_stretch(shape, dims[d].low);
        struct orrery_stretch last = orrery_row_stretch(shape, dims[d].high);
        out->low = first.low < last.low ? first.low : last.low;
        out->high = first.high > last.high ? first.high : last.high;
        return 1;
    }
#if WITH_MEMORY
    char *base;
    unsigned long bytes;
    if (shape->in_front && orrery_find(shape->base, &base, &bytes))
        out->low = base;
    else
#endif
        if (shape->in_front)
        return 0;
    return extent > 0;
}

/* Arrays of structures whose fields lie in each other's gaps. */
static int orrery_interleaved(const struct orrery_shape *a, const struct orrery_shape *b) {
    long stride = a->row_stride;
    if (stride != b->row_stride || stride <= 0 || a->pieces != 1 || b->pieces != 1)
        return 0;
    long gap = ((b->base + b->row_offset) - (a->base + a->row_offset)) % stride;
    gap = gap < 0 ? gap + stride : gap;
    return gap >= a->piece_bytes && gap + b->piece_bytes <= stride;
}

/* One is not known in size: it is enough that it begins outside of the other's allocation. */
static int orrery_begins_outside(const struct orrery_shape *unknown,
                                 const struct orrery_stretch *known) {
#if WITH_MEMORY
    char *base;
    unsigned long bytes;
    if (orrery_find(known->low, &base, &bytes))
        return unknown->base + 64 < base || unknown->base >= base + bytes;
#endif
    (void)unknown;
    (void)known;
    return 0;
}

#if WITH_TABLES

/* Rows behind a table of pointers: how many bytes row v has from there on; 0: not known. */
static unsigned long orrery_row_length(const struct orrery_shape *shape, const char *row) {
    char *base;
    unsigned long bytes;
    if (shape->piece_bytes > 0)
        return (unsigned long)((shape->pieces - 1) * shape->piece_stride + shape->piece_bytes);
    return row && orrery_find(row, &base, &bytes) ? (unsigned long)(base + bytes - row) : 0;
}

static char *orrery_entry(const struct orrery_shape *shape, long i) {
    long step = shape->table_step ? shape->table_step : (long)sizeof(char *);
    return *(char **)(void *)((char *)shape->table + i * step);
}

/* A row whose length is not known may reach anywhere. */
static struct orrery_stretch orrery_table_row(const struct orrery_shape *shape, const char *row) {
    unsigned long length = orrery_row_length(shape, row);
    return (struct orrery_stretch){row, length ? row + length : (const char *)-1};
}

static int orrery_by_address(const void *a, const void *b) {
    const struct orrery_stretch *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* The rows that the keys select, or all that the table has; by address, owned by the caller. *n: -1:
 * not known. */
static struct orrery_stretch *orrery_rows_listed(const struct orrery_loop *loop, int a,
                                                 const struct orrery_shape *shape,
                                                 const struct orrery_values *dims, long *n) {
    int d = loop->arrays[a].dim;
    long count = d < 0 ? 0 : dims[d].high - dims[d].low + 1, step = (long)sizeof(char *);
    char *base;
    unsigned long bytes;
    int known = d >= 0 || !shape->table || orrery_find((char *)shape->table, &base, &bytes);
    if (shape->table && d < 0 && known)
        count =
            (base + bytes - (char *)shape->table) / (shape->table_step ? shape->table_step : step);
    if (count < 1)
        count = 1;
    struct orrery_stretch *rows = orrery_allocate((unsigned long)count, sizeof *rows);
    *n = 0;
    if (!known || shape->tables > 1)
        *n = -1;
    else if (!shape->table)
        *n = orrery_stretch_of(loop, a, shape, dims, rows) ? 1 : -1;
    for (long i = 0; i < count && *n >= 0 && shape->table; ++i) {
        long v = d < 0 ? i : dims[d].low + i + shape->table_offset;
        const char *row =
            d < 0 || !dims[d].counts || dims[d].counts[i] ? orrery_entry(shape, v) : 0;
        if (row)
            rows[(*n)++] = orrery_table_row(shape, row + (d < 0 ? 0 : shape->row_offset));
    }
    if (*n > 1)
        qsort(rows, (unsigned long)*n, sizeof *rows, orrery_by_address);
    return rows;
}

static int orrery_tables_apart(const struct orrery_loop *loop, int a, int b,
                               const struct orrery_shape *shapes,
                               const struct orrery_values *dims) {
    long n, m, i = 0, j = 0;
    struct orrery_stretch *x = orrery_rows_listed(loop, a, &shapes[a], dims, &n);
    struct orrery_stretch *y = orrery_rows_listed(loop, b, &shapes[b], dims, &m);
    while (i < n && j < m && (x[i].high <= y[j].low || y[j].high <= x[i].low))
        if (x[i].high <= y[j].low)
            ++i;
        else
            ++j;
    int apart = n >= 0 && m >= 0 && (i >= n || j >= m);
    (free)(x);
    (free)(y);
    return apart;
}

static int orrery_rows_apart(const struct orrery_loop *loop, int a,
                             const struct orrery_shape *shape, const struct orrery_values *dims) {
    long n;
    struct orrery_stretch *rows = orrery_rows_listed(loop, a, shape, dims, &n);
    int apart = n >= 0;
    for (long i = 1; i < n; ++i)
        apart &= rows[i].low >= rows[i - 1].high;
    (free)(rows);
    return apart;
}
#endif

static int orrery_no_overlap(const struct orrery_loop *loop, int a, int b,
                             const struct orrery_shape *shapes, const struct orrery_values *dims) {
    struct orrery_stretch x, y;
    int d = loop->arrays[a].dim, e = loop->arrays[b].dim;
    if ((d >= 0 && dims[d].low > dims[d].high) || (e >= 0 && dims[e].low > dims[e].high))
        return 1;
#if WITH_TABLES
    if (shapes[a].table || shapes[b].table)
        return orrery_tables_apart(loop, a, b, shapes, dims);
#endif
    int knows_a = orrery_stretch_of(loop, a, &shapes[a], dims, &x);
    int knows_b = orrery_stretch_of(loop, b, &shapes[b], dims, &y);
    if (knows_a && knows_b)
        return x.high <= y.low || y.high <= x.low || orrery_interleaved(&shapes[a], &shapes[b]);
    return (knows_a && orrery_begins_outside(&shapes[b], &x)) ||
           (knows_b && orrery_begins_outside(&shapes[a], &y));
}

static int orrery_rows_disjoint(const struct orrery_shape *shape, const struct orrery_values *dim) {
    long span = (shape->pieces - 1) * shape->piece_stride + shape->piece_bytes;
    long stride = labs(shape->row_stride);
    if (shape->table)
        return 0;
    if (stride >= span)
        return 1;
    return shape->pieces > 1 && stride >= shape->piece_bytes && dim &&
           (__int128)(dim->high - dim->low) * stride + shape->piece_bytes <= shape->piece_stride;
}

/* The columns that the keys select lie inside one line of the matrix. */
static int orrery_inside_piece(const struct orrery_shape *shape, const struct orrery_values *dim) {
    if (dim && dim->low > dim->high)
        return 1;
    if (!dim || shape->table || shape->pieces < 2 || shape->piece_stride <= 0)
        return 0;
    long first = shape->row_offset + dim->low * shape->row_stride, stride = shape->piece_stride;
    long last = shape->row_offset + dim->high * shape->row_stride + shape->piece_bytes - 1;
    return first / stride - (first % stride < 0) == last / stride - (last % stride < 0);
}

/* A guard that speaks of single iterations. */
struct orrery_asked {
    const struct orrery_loop *loop;
    const void *env;
    long count;
    int guard, bad;
};

static void orrery_ask_job(void *data, int worker, int workers) {
    struct orrery_asked *asked = data;
    long end = orrery_share(asked->count, worker + 1, workers);
    for (long i = orrery_share(asked->count, worker, workers); i < end; ++i)
        if (!asked->loop->holds_at(asked->env, i, asked->guard)) {
            __atomic_store_n(&asked->bad, 1, __ATOMIC_RELAXED);
            return;
        }
}

static int orrery_all_hold(const struct orrery_loop *loop, int guard, const void *env, long count) {
    struct orrery_asked asked = {loop, env, count, guard, 0};
    orrery_team(orrery_ask_job, &asked);
    return !asked.bad;
}
#if WITH_INTERVALS

/* What iterations touch. */
struct orrery_seen {
    struct orrery_intervals intervals; /* first: what the loop calls */
    struct orrery_access_interval *list;
    long count, room, iteration;
    long low[2], high[2]; /* of each set */
    int any;
};

static void orrery_seen_add(struct orrery_intervals *intervals, long low, long high) {
    struct orrery_seen *seen = (struct orrery_seen *)intervals;
    int set = intervals->set;
    if (low > high)
        seen->any |= 2;
    else
        seen->any |= 1;
    if (low <= high && low < seen->low[set])
        seen->low[set] = low;
    if (low <= high && high > seen->high[set])
        seen->high[set] = high;
    if (seen->count == seen->room) {
        seen->room = seen->room ? 2 * seen->room : 1024;
        struct orrery_access_interval *more =
            (realloc)(seen->list, (unsigned long)seen->room * sizeof *more);
        if (!more)
            orrery_die("no memory to check a parallel loop");
        seen->list = more;
    }
    seen->list[seen->count++] = (struct orrery_access_interval){low, high, seen->iteration};
}

static void orrery_seen_sort(struct orrery_seen *seen, int (*order)(const void *, const void *)) {
    int sorted = 1;
    for (long i = 1; i < seen->count && sorted; ++i)
        sorted = order(&seen->list[i - 1], &seen->list[i]) <= 0;
    if (!sorted)
        qsort(seen->list, (unsigned long)seen->count, sizeof *seen->list, order);
}

static int orrery_intervals_hold(const struct orrery_loop *loop, int guard, const void *env,
                                 long count) {
    enum orrery_guard_kind kind = loop->guards[guard].kind;
    struct orrery_seen seen = {.intervals = {0, orrery_seen_add}};
    for (int set = 0; set < 2; ++set) {
        seen.low[set] = __LONG_MAX__;
        seen.high[set] = -__LONG_MAX__;
    }
    for (long i = 0; i < count; ++i) {
        seen.iteration = i;
        seen.intervals.set = 0;
        loop->intervals(env, i, guard, &seen.intervals);
    }
    struct orrery_access_pair bad;
    orrery_seen_sort(&seen, kind == ORRERY_INJECTIVE ? orrery_by_high : orrery_by_low);
    int holds = kind == ORRERY_APART       ? !orrery_find_meeting(seen.list, seen.count, &bad)
                : kind == ORRERY_MONOTONE  ? !orrery_find_fall(seen.list, seen.count, &bad)
                : kind == ORRERY_INJECTIVE ? !orrery_find_twice(seen.list, seen.count, &bad)
                : kind == ORRERY_EMPTY     ? !(seen.any & 1)
                                       : seen.high[0] < seen.low[1] || seen.high[1] < seen.low[0];
    (free)(seen.list);
    return holds;
}
#endif

static int orrery_guard_holds(const struct orrery_loop *loop, int g, const void *env, long count,
                              const struct orrery_shape *shapes, const struct orrery_values *dims) {
    const struct orrery_guard *guard = &loop->guards[g];
    const struct orrery_shape *a = guard->a < 0 ? 0 : &shapes[guard->a];
    const struct orrery_values *dim =
        guard->a < 0 || loop->arrays[guard->a].dim < 0 ? 0 : &dims[loop->arrays[guard->a].dim];
    if (guard->kind == ORRERY_CONDITION)
        return guard->holds(env);
    if ((a && !orrery_is_there(a)) || (guard->b >= 0 && !orrery_is_there(&shapes[guard->b])))
        return 1;
    if (guard->kind == ORRERY_NO_OVERLAP)
        return orrery_no_overlap(loop, guard->a, guard->b, shapes, dims);
#if WITH_TABLES
    if (guard->kind == ORRERY_ROWS_DISJOINT && a->table)
        return orrery_rows_apart(loop, guard->a, a, dims);
#endif
    if (guard->kind == ORRERY_ROWS_DISJOINT)
        return orrery_rows_disjoint(a, dim);
    if (guard->kind == ORRERY_KEY_RANGE)
        return loop->holds_at ? orrery_all_hold(loop, g, env, count) : orrery_inside_piece(a, dim);
#if WITH_INTERVALS
    return orrery_intervals_hold(loop, g, env, count);
#else
    return 0;
#endif
}
#endif

/* Said once of each loop and reason. */
static int orrery_serially(const struct orrery_loop *loop, const char *why) {
    static const struct orrery_loop *last;
    if (last != loop)
        fprintf(stderr, "%s:%d: the loop runs serially on these data: not known to hold: %s\n",
                loop->file, loop->line, why);
    last = loop;
    return 1;
}

#endif
