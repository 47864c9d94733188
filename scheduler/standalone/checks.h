#ifndef ORRERY_SCHEDULER_STANDALONE_CHECKS_H
#define ORRERY_SCHEDULER_STANDALONE_CHECKS_H
/* ---- what has to hold of the data ------------------------------------------------------------ */

/* What is kept of a loop from one run to the next. */
struct orrery_state {
    struct orrery_shape *shapes; /* of this run: of arrays, then of reductions into arrays */
#if WITH_TABLES
    struct orrery_rows_seen *rows; /* per array */
#endif
#if WITH_SUMS
    struct orrery_copies *copies; /* per reduction */
#if WITH_MERGE
    struct orrery_merge *merge; /* its memory is kept from run to run */
#endif
#endif
#if WITH_KEYS
    struct orrery_inspection *inspection; /* what is known of the keys; 0: nothing */
    int by_lines;                         /* what it reads is changed around what it needs */
#endif
#if WITH_ROWS
    struct orrery_moved *moved; /* per array */
    char *moved_env;            /* what bodies get while rows are moved */
#endif
#if WITH_PIPE
    char *slots;              /* what stages hand on */
    unsigned long slots_room; /* bytes of these */
#endif
};

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

/* Of an array: the rows that the keys select, or all that the table has. It is found out anew where
 * the table, or what a row's length follows from, is not as it was. */
struct orrery_rows_seen {
    struct orrery_shape shape;   /* as it was */
    long run;                    /* of any loop: it was asked in this one */
    unsigned long memory;        /* allocations and releases so far */
    long entries, room;          /* of `at` */
    struct orrery_stretch *at;   /* rows, as the table has them; 0: not selected */
    long count;                  /* of `rows`; -1: not known */
    struct orrery_stretch *rows; /* by address */
    long turn;                   /* rises when they change */
    int apart;                   /* no two of them overlap */
    int with, without;           /* another array, and whether its rows overlap these, */
    long mine, others;           /* ... of which turns */
};

static void orrery_rows_reserve(struct orrery_rows_seen *seen, long count) {
    if (count <= seen->room)
        return;
    (free)(seen->at);
    (free)(seen->rows);
    seen->room = count;
    seen->entries = -1;
    seen->count = 0;
    seen->at = orrery_allocate((unsigned long)count, sizeof *seen->at);
    seen->rows = orrery_allocate((unsigned long)count, sizeof *seen->rows);
}

static long orrery_rows_from(const struct orrery_rows_seen *seen, const char *address) {
    long low = 0, high = seen->count > 0 ? seen->count : 0;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (seen->rows[middle].low < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Has memory in which a row begins come or gone? `*number`: changes so far. */
static int orrery_rows_moved(const struct orrery_rows_seen *seen, unsigned long *number) {
    orrery_memory_lock();
    *number = orrery_memory.number;
    int moved = *number - seen->memory > 64;
    for (unsigned long n = seen->memory; n < *number && !moved; ++n) {
        struct orrery_place place = orrery_memory.changes[n % 64];
        long at = orrery_rows_from(seen, place.at);
        moved = at < seen->count && seen->rows[at].low < place.at + place.bytes;
    }
    orrery_memory_unlock();
    return moved;
}

/* The table's entries; 0: as they were, and so are the rows' lengths. */
static int orrery_rows_read(struct orrery_rows_seen *seen, const struct orrery_shape *shape,
                            const struct orrery_values *dim, long count) {
    unsigned long memory;
    int moved = orrery_rows_moved(seen, &memory);
    int changed = count != seen->entries || memcmp(&seen->shape, shape, sizeof *shape) != 0;
    int lengths = changed || (shape->piece_bytes <= 0 && moved);
    for (long i = 0; i < count; ++i) {
        struct orrery_stretch row = {0, 0};
        if (!dim || !dim->counts || dim->counts[i])
            row.low = orrery_entry(shape, dim ? dim->low + i + shape->table_offset : i);
        if (row.low && dim)
            row.low += shape->row_offset;
        if (!lengths && row.low == seen->at[i].low)
            continue;
        row = row.low ? orrery_table_row(shape, row.low) : row;
        changed |= row.low != seen->at[i].low || row.high != seen->at[i].high;
        seen->at[i] = row;
    }
    seen->entries = count;
    seen->memory = memory;
    seen->shape = *shape;
    return changed;
}

static long orrery_runs; /* of loops, so far */

static struct orrery_rows_seen *orrery_rows_listed(const struct orrery_loop *loop, int a,
                                                   const struct orrery_shape *shape,
                                                   const struct orrery_values *dims) {
    static long turns;
    struct orrery_rows_seen *seen = &loop->state->rows[a];
    int d = loop->arrays[a].dim;
    long count = d < 0 ? 1 : dims[d].high - dims[d].low + 1;
    char *base;
    unsigned long bytes;
    if (seen->run == orrery_runs)
        return seen;
    seen->run = orrery_runs;
    int known = d >= 0 || !shape->table || orrery_find((char *)shape->table, &base, &bytes);
    if (shape->table && d < 0 && known)
        count = (base + bytes - (char *)shape->table) /
                (shape->table_step ? shape->table_step : (long)sizeof(char *));
    orrery_rows_reserve(seen, count < 1 ? 1 : count);
    if (!shape->table || !known || shape->tables > 1) {
        seen->entries = -1;
        seen->count =
            known && !shape->table && orrery_stretch_of(loop, a, shape, dims, seen->rows) ? 1 : -1;
        seen->turn = ++turns;
        seen->apart = 1;
        return seen;
    }
    if (!orrery_rows_read(seen, shape, d < 0 ? 0 : &dims[d], count))
        return seen;
    seen->turn = ++turns;
    seen->count = 0;
    for (long i = 0; i < count; ++i)
        if (seen->at[i].low)
            seen->rows[seen->count++] = seen->at[i];
    qsort(seen->rows, (unsigned long)seen->count, sizeof *seen->rows, orrery_by_address);
    seen->apart = 1;
    for (long i = 1; i < seen->count; ++i)
        seen->apart &= seen->rows[i].low >= seen->rows[i - 1].high;
    return seen;
}

static int orrery_tables_apart(const struct orrery_loop *loop, int a, int b,
                               const struct orrery_shape *shapes,
                               const struct orrery_values *dims) {
    long i = 0, j = 0;
    struct orrery_rows_seen *x = orrery_rows_listed(loop, a, &shapes[a], dims);
    const struct orrery_rows_seen *y = orrery_rows_listed(loop, b, &shapes[b], dims);
    if (x->with == b && x->mine == x->turn && x->others == y->turn)
        return x->without;
    while (i < x->count && j < y->count &&
           (x->rows[i].high <= y->rows[j].low || y->rows[j].high <= x->rows[i].low))
        if (x->rows[i].high <= y->rows[j].low)
            ++i;
        else
            ++j;
    x->with = b;
    x->mine = x->turn;
    x->others = y->turn;
    x->without = x->count >= 0 && y->count >= 0 && (i >= x->count || j >= y->count);
    return x->without;
}

static int orrery_rows_apart(const struct orrery_loop *loop, int a,
                             const struct orrery_shape *shape, const struct orrery_values *dims) {
    const struct orrery_rows_seen *seen = orrery_rows_listed(loop, a, shape, dims);
    return seen->count >= 0 && seen->apart;
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
