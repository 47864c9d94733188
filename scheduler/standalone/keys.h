#ifndef ORRERY_SCHEDULER_STANDALONE_KEYS_H
#define ORRERY_SCHEDULER_STANDALONE_KEYS_H
/* ---- loops by keys: which block an iteration is in ------------------------------------------- */

/* A dim of the grid: keys [low, high] in an order, cut into parts of equal work. */
struct orrery_dim {
    long low, high, distinct, parts;
    long *counts;            /* iterations per key */
    unsigned short *part_of; /* per key */
#if WITH_ROWS
    int moves;       /* its rows stand in their parts' order while the loop runs */
    unsigned *order; /* ... which is this one: place -> key - low */
#endif
};

/* What is known of the iterations of a loop, as long as they are the same. */
struct orrery_inspection {
    long count;                          /* iterations */
    long line;                           /* bytes of what an iteration has in `lines` */
    char *lines;                         /* per iteration: keys, weight, record; 0: let go */
    struct orrery_dim dims[ORRERY_DIMS]; /* how each dim is cut */
    struct orrery_blocks grid;           /* which blocks there are */
    long *starts;                        /* block b has the records [starts[b], starts[b + 1]) */
    char *records;                       /* in the blocks' order */
    unsigned *turns;                     /* per block and baton: how many blocks have it before */
    unsigned *visits;                    /* per baton: how many blocks have it */
#if WITH_LEVELS
    unsigned long *needs;         /* levels: the rows that a block waits for; 0: there are batons */
    struct orrery_touches listed; /* ... what iterations touch, one after the other, */
    long *firsts;                 /* ... and where each begins */
#endif
    struct orrery_span *spans; /* what was read; 0: `lines` are compared */
    char **copies;             /* ... as it was, */
    char *inputs;              /* ... and the environment */
};

static long orrery_range_of(const struct orrery_dim *dim) {
    return dim->low > dim->high ? 0 : dim->high - dim->low + 1;
}

/* ---- looking at iterations ---- */

/* One walk over all iterations, each thread over some of the `stretches`. */
struct orrery_walk {
    const struct orrery_loop *loop;       /* whose they are */
    const void *env;                      /* what it captured */
    struct orrery_inspection *inspection; /* what is found out */
    long stretches;                       /* of iterations */
    long *ends;                           /* per stretch and dim: the least key and the greatest */
    struct orrery_span *spans;            /* per stretch and name */
    long *tally;      /* per stretch and block: iterations, then where the next record goes */
    unsigned *blocks; /* per iteration: its block */
    int changed;      /* something is not as it was */
#if WITH_ROWS
    unsigned *places[ORRERY_DIMS]; /* per key of a dim whose rows move: where the row stands */
#endif
};

static long *orrery_keys_in(const struct orrery_walk *walk, long i) {
    return (long *)(void *)(walk->inspection->lines + (unsigned long)(i * walk->inspection->line));
}

static void orrery_line_fill(const struct orrery_walk *walk, long i, long *line,
                             struct orrery_span *spans) {
    int n = walk->loop->nkeys;
    for (int k = 0; k < n; ++k)
        line[k] = ORRERY_NO_KEY;
    line[n] = 1;
#if WITH_WEIGHTS
    if (walk->loop->weigh)
        line[n] = walk->loop->weigh(walk->env, i, spans);
#endif
    walk->loop->gather(walk->env, i, line + n + 1, line, spans);
}

static void orrery_stretch_look(const struct orrery_walk *walk, long s) {
    const struct orrery_loop *loop = walk->loop;
    long count = walk->inspection->count, *ends = walk->ends + 2 * ORRERY_DIMS * s;
    struct orrery_span *spans = loop->nspans ? walk->spans + s * loop->nspans : 0;
    for (int n = 0; n < loop->nspans; ++n)
        spans[n] = (struct orrery_span){(const char *)-1, 0};
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        ends[2 * d] = __LONG_MAX__;
        ends[2 * d + 1] = -__LONG_MAX__ - 1;
    }
    for (long i = orrery_share(count, s, walk->stretches);
         i < orrery_share(count, s + 1, walk->stretches); ++i) {
        long *keys = orrery_keys_in(walk, i);
        orrery_line_fill(walk, i, keys, spans);
        for (int k = 0; k < loop->nkeys; ++k) {
            long *end = ends + 2 * loop->dims[k];
            if (keys[k] == ORRERY_NO_KEY)
                continue;
            end[0] = keys[k] < end[0] ? keys[k] : end[0];
            end[1] = keys[k] > end[1] ? keys[k] : end[1];
        }
    }
}

static void orrery_look_job(void *data, int worker, int workers) {
    const struct orrery_walk *walk = data;
    for (long s = worker; s < walk->stretches; s += workers)
        orrery_stretch_look(walk, s);
}

#if WITH_LEVELS

static void orrery_touched(struct orrery_touches *list, int object, long unit, int written) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->items = (realloc)(list->items, (unsigned long)list->room * sizeof *list->items);
        if (!list->items)
            orrery_die("no memory for a parallel loop");
    }
    list->items[list->count++] = (struct orrery_touch){unit, object, written};
}

/* Does iteration i touch what it did? */
static int orrery_touches_same(const struct orrery_walk *walk, long i,
                               struct orrery_touches *list) {
    const struct orrery_inspection *in = walk->inspection;
    list->count = 0;
    walk->loop->touches(walk->env, i, list, 0);
    return list->count == in->firsts[i + 1] - in->firsts[i] &&
           (!list->count || memcmp(list->items, in->listed.items + in->firsts[i],
                                   (unsigned long)list->count * sizeof *list->items) == 0);
}
#endif

/* Is all as it was? */
static void orrery_same_job(void *data, int worker, int workers) {
    struct orrery_walk *walk = data;
    const struct orrery_inspection *inspection = walk->inspection;
    long *line = orrery_allocate(1, (unsigned long)inspection->line + 64);
    long end = orrery_share(inspection->count, worker + 1, workers);
#if WITH_LEVELS
    struct orrery_touches list = {0, 0, 0};
#endif
    for (long i = orrery_share(inspection->count, worker, workers); i < end; ++i) {
        orrery_line_fill(walk, i, line, 0);
        int same = memcmp(line, orrery_keys_in(walk, i), (unsigned long)inspection->line) == 0;
#if WITH_LEVELS
        same = same && (!inspection->needs || orrery_touches_same(walk, i, &list));
#endif
        if (!same) {
            __atomic_store_n(&walk->changed, 1, __ATOMIC_RELAXED);
            break;
        }
    }
#if WITH_LEVELS
    (free)(list.items);
#endif
    (free)(line);
}

static void orrery_count_job(void *data, int worker, int workers) {
    const struct orrery_walk *walk = data;
    const struct orrery_inspection *inspection = walk->inspection;
    int n = walk->loop->nkeys;
    long end = orrery_share(inspection->count, worker + 1, workers);
    for (long i = orrery_share(inspection->count, worker, workers); i < end; ++i) {
        const long *keys = orrery_keys_in(walk, i);
        for (int k = 0; k < n; ++k) {
            const struct orrery_dim *dim = &inspection->dims[walk->loop->dims[k]];
            if (keys[k] != ORRERY_NO_KEY)
                __atomic_fetch_add(&dim->counts[keys[k] - dim->low], keys[n], __ATOMIC_RELAXED);
        }
    }
}

/* ---- the grid ---- */

/* `bytes`: parameters reached per key of a dim. */
static void orrery_grid_choose(const struct orrery_loop *loop, struct orrery_inspection *in,
                               const long *bytes) {
    struct orrery_cut cut = {
        .strategy = loop->strategy, .ndims = loop->ndims, .nkeys = loop->nkeys, .count = in->count};
    long parts[ORRERY_DIMS] = {1, 1, 1, 1};
    for (int d = 0; d < loop->ndims; ++d) {
        cut.said[d] = orrery_cut_in_pairs(&cut, d) ? 2 * loop->grid[d] : loop->grid[d];
        cut.bytes[d] = bytes[d];
        cut.distinct[d] = in->dims[d].distinct;
    }
    orrery_cut_choose(&cut, parts);
    for (int d = 0; d < loop->ndims; ++d)
        in->dims[d].parts = parts[d];
    in->grid = orrery_blocks_by_keys(loop->strategy, loop->ndims, parts);
}

/* Walks the order of the keys once. A part is closed when it has its share of what is left, or when
 * the keys left are needed to give every later part one. */
static void orrery_dim_cut(struct orrery_dim *dim, int shuffled, unsigned long seed) {
    long range = orrery_range_of(dim), left = 0, keys = dim->distinct, part = 0, in_part = 0;
    dim->part_of = orrery_allocate((unsigned long)range, sizeof *dim->part_of);
    for (long v = 0; v < range; ++v)
        left += dim->counts[v];
    long target = left / dim->parts;
    struct orrery_permutation order;
    orrery_permutation_start(&order, (unsigned long)range, seed);
#if WITH_ROWS
    dim->order = dim->moves ? orrery_allocate((unsigned long)range + 1, sizeof *dim->order) : 0;
#endif
    for (long i = 0; i < range; ++i) {
        long v = shuffled ? (long)orrery_permutation_at(&order, (unsigned long)i) : i;
        long n = dim->counts[v];
        int full = in_part > 0 && n > 0 && in_part + n / 2 >= target;
        int needed = in_part > 0 && n > 0 && keys <= dim->parts - part - 1;
        if ((full || needed) && part + 1 < dim->parts) {
            ++part;
            left -= in_part;
            in_part = 0;
            target = left / (dim->parts - part);
        }
        in_part += n;
        keys -= n > 0;
        dim->part_of[v] = (unsigned short)part;
#if WITH_ROWS
        if (dim->moves)
            dim->order[i] = (unsigned)v;
#endif
    }
}

/* An iteration that touches no row through a dim may stand anywhere along it. */
static long orrery_block_at(const struct orrery_walk *walk, const long *keys, long i) {
    const struct orrery_inspection *in = walk->inspection;
    long parts[ORRERY_KEYS];
    for (int k = 0; k < walk->loop->nkeys; ++k) {
        const struct orrery_dim *dim = &in->dims[walk->loop->dims[k]];
        parts[k] = dim->parts == 1            ? 0
                   : keys[k] == ORRERY_NO_KEY ? i % dim->parts
                                              : dim->part_of[keys[k] - dim->low];
    }
    return orrery_block_of(&in->grid, parts);
}

/* ---- records in the order of their blocks ---- */

static void orrery_tally_job(void *data, int worker, int workers) {
    const struct orrery_walk *walk = data;
    const struct orrery_inspection *in = walk->inspection;
    for (long s = worker; s < walk->stretches; s += workers)
        for (long i = orrery_share(in->count, s, walk->stretches);
             i < orrery_share(in->count, s + 1, walk->stretches); ++i) {
            long block = orrery_block_at(walk, orrery_keys_in(walk, i), i);
            walk->blocks[i] = (unsigned)block;
            ++walk->tally[s * in->grid.rows * in->grid.columns + block];
        }
}

#if WITH_ROWS
/* Where the rows of dims that move will stand. */
static void orrery_places_make(struct orrery_walk *walk) {
    for (int d = 0; d < walk->loop->ndims; ++d) {
        const struct orrery_dim *dim = &walk->inspection->dims[d];
        long range = dim->moves ? orrery_range_of(dim) : 0;
        walk->places[d] = orrery_allocate((unsigned long)range, sizeof *walk->places[d]);
        for (long place = 0; place < range; ++place)
            walk->places[d][dim->order[place]] = (unsigned)place;
    }
}

static void orrery_field_write(char *field, unsigned size, long value) {
    signed char narrow = (signed char)value;
    short half = (short)value;
    int word = (int)value;
    const void *from = size == 1   ? (const void *)&narrow
                       : size == 2 ? (const void *)&half
                       : size == 4 ? (const void *)&word
                                   : (const void *)&value;
    memcpy(field, from, size);
}

/* A record numbers rows that moved by their places. */
static void orrery_record_renumber(const struct orrery_walk *walk, char *record, const long *keys) {
    for (int f = 0; f < walk->loop->nkey_fields; ++f) {
        const struct orrery_key_field *field = &walk->loop->key_fields[f];
        int d = walk->loop->dims[field->key];
        const struct orrery_dim *dim = &walk->inspection->dims[d];
        long key = keys[field->key];
        if (dim->moves && key != ORRERY_NO_KEY)
            orrery_field_write(record + field->offset, field->size,
                               dim->low + (long)walk->places[d][key - dim->low] + field->constant);
    }
}

#endif
static void orrery_pack_job(void *data, int worker, int workers) {
    const struct orrery_walk *walk = data;
    const struct orrery_inspection *in = walk->inspection;
    unsigned long size = walk->loop->record_size;
    for (long s = worker; s < walk->stretches; s += workers)
        for (long i = orrery_share(in->count, s, walk->stretches);
             i < orrery_share(in->count, s + 1, walk->stretches); ++i) {
            const long *keys = orrery_keys_in(walk, i);
            long block = s * in->grid.rows * in->grid.columns + (long)walk->blocks[i];
            char *record = in->records + (unsigned long)walk->tally[block]++ * size;
            memcpy(record, keys + walk->loop->nkeys + 1, size);
#if WITH_ROWS
            orrery_record_renumber(walk, record, keys);
#endif
        }
}

/* Blocks one after the other, inside a block the stretches in their order, which is the loop's. */
static void orrery_starts_make(struct orrery_walk *walk) {
    struct orrery_inspection *in = walk->inspection;
#if WITH_ROWS
    orrery_places_make(walk);
#endif
    long blocks = in->grid.rows * in->grid.columns, place = 0;
    walk->tally = orrery_allocate((unsigned long)(walk->stretches * blocks), sizeof(long));
    walk->blocks = orrery_allocate((unsigned long)in->count + 1, sizeof *walk->blocks);
    in->starts = orrery_allocate((unsigned long)blocks + 1, sizeof(long));
    orrery_team(orrery_tally_job, walk);
    for (long b = 0; b < blocks; ++b) {
        in->starts[b] = place;
        for (long s = 0; s < walk->stretches; ++s) {
            long n = walk->tally[s * blocks + b];
            walk->tally[s * blocks + b] = place;
            place += n;
        }
    }
    in->starts[blocks] = place;
    in->records = orrery_allocate((unsigned long)in->count + 1, walk->loop->record_size + 1);
    orrery_team(orrery_pack_job, walk);
    (free)(walk->blocks);
    (free)(walk->tally);
#if WITH_ROWS
    for (int d = 0; d < ORRERY_DIMS; ++d)
        (free)(walk->places[d]);
#endif
}

/* Whose turn it is, clock by clock and row by row. */
static void orrery_turns_make(struct orrery_inspection *in) {
    unsigned *visits = in->visits =
        orrery_allocate((unsigned long)in->grid.batons + 1, sizeof *visits);
    in->turns = orrery_allocate(
        (unsigned long)(in->grid.rows * in->grid.columns * in->grid.held) + 1, sizeof *visits);
    for (long clock = 0; clock < in->grid.clocks && in->grid.batons; ++clock)
        for (long row = 0; row < in->grid.rows; ++row) {
            long batons[ORRERY_KEYS], column = orrery_column_at(&in->grid, row, clock);
            if (column < 0)
                continue;
            orrery_batons_of(&in->grid, row, column, batons);
            for (long i = 0; i < in->grid.held; ++i)
                in->turns[(row * in->grid.columns + column) * in->grid.held + i] =
                    visits[batons[i]]++;
        }
}

static void orrery_inspection_free(struct orrery_inspection *in, int nspans) {
    if (!in)
        return;
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        (free)(in->dims[d].counts);
        (free)(in->dims[d].part_of);
#if WITH_ROWS
        (free)(in->dims[d].order);
#endif
    }
    for (int s = 0; in->copies && s < nspans; ++s)
        (free)(in->copies[s]);
    (free)(in->copies);
    (free)(in->spans);
    (free)(in->inputs);
    (free)(in->lines);
    (free)(in->starts);
    (free)(in->records);
    (free)(in->turns);
    (free)(in->visits);
#if WITH_LEVELS
    (free)(in->needs);
    (free)(in->firsts);
    (free)(in->listed.items);
#endif
    (free)(in);
}

/* The keys that there are. */
static void orrery_look(struct orrery_walk *walk) {
    struct orrery_inspection *in = walk->inspection;
    int nspans = walk->loop->nspans;
    walk->ends = orrery_allocate((unsigned long)(walk->stretches * 2 * ORRERY_DIMS), sizeof(long));
    walk->spans = orrery_allocate((unsigned long)(walk->stretches * nspans) + 1, sizeof *in->spans);
    orrery_team(orrery_look_job, walk);
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        in->dims[d] =
            (struct orrery_dim){.low = __LONG_MAX__, .high = -__LONG_MAX__ - 1, .parts = 1};
        for (long s = 0; s < walk->stretches; ++s) {
            const long *end = walk->ends + 2 * (s * ORRERY_DIMS + d);
            in->dims[d].low = end[0] < in->dims[d].low ? end[0] : in->dims[d].low;
            in->dims[d].high = end[1] > in->dims[d].high ? end[1] : in->dims[d].high;
        }
    }
    for (int n = 0; n < nspans; ++n) {
        if (!in->spans)
            in->spans = orrery_allocate((unsigned long)nspans, sizeof *in->spans);
        in->spans[n] = walk->spans[n];
        for (long s = 1; s < walk->stretches; ++s)
            if (walk->spans[s * nspans + n].high)
                orrery_touch(&in->spans[n], walk->spans[s * nspans + n].low,
                             (unsigned long)(walk->spans[s * nspans + n].high -
                                             walk->spans[s * nspans + n].low));
    }
    (free)(walk->spans);
    (free)(walk->ends);
}

/* 0: they are too far apart for a table. */
static int orrery_count_keys(struct orrery_walk *walk) {
    struct orrery_inspection *in = walk->inspection;
    for (int d = 0; d < walk->loop->ndims; ++d) {
        struct orrery_dim *dim = &in->dims[d];
        unsigned long range = (unsigned long)dim->high - (unsigned long)dim->low;
        if (dim->low <= dim->high &&
            (range >= 0xffffffffu ||
             (range >= 1ul << 24 && range / 1024 > (unsigned long)in->count)))
            return 0;
        dim->counts = orrery_allocate((unsigned long)orrery_range_of(dim) + 1, sizeof(long));
    }
    orrery_team(orrery_count_job, walk);
    for (int d = 0; d < walk->loop->ndims; ++d)
        for (long v = 0; v < orrery_range_of(&in->dims[d]); ++v)
            in->dims[d].distinct += in->dims[d].counts[v] > 0;
    return 1;
}

/* Parameters that are reached per key of each dim, in bytes. */
static void orrery_bytes_per_key(const struct orrery_loop *loop, const struct orrery_shape *shapes,
                                 const struct orrery_dim *dims, long *bytes) {
    memset(bytes, 0, ORRERY_DIMS * sizeof *bytes);
    for (int a = 0; a < loop->narrays; ++a) {
        int d = loop->arrays[a].dim;
        if (d >= 0 && orrery_is_there(&shapes[a]) && dims[d].low <= dims[d].high)
            bytes[d] += shapes[a].pieces * shapes[a].piece_bytes;
#if WITH_TABLES
        if (d >= 0 && shapes[a].table && !shapes[a].piece_bytes && dims[d].low <= dims[d].high)
            bytes[d] += (long)orrery_row_length(
                &shapes[a], orrery_entry(&shapes[a], dims[d].low + shapes[a].table_offset) +
                                shapes[a].row_offset);
#endif
    }
}

/* As often as leaves a block enough to do, where the order is free: a row that follows the iterations
 * of one block for long forgets the others. */
static long orrery_laps_of(const struct orrery_loop *loop, const struct orrery_inspection *in) {
    int turns = loop->strategy == ORRERY_ROTATION || loop->strategy == ORRERY_TOURNAMENT;
    int merges = 0;
#if WITH_MERGE
    merges = loop->nmergings;
#endif
    if (!loop->unordered || !turns || merges || in->grid.rows * in->grid.columns == 1)
        return 1;
    return orrery_clamp(in->count / (in->grid.rows * in->grid.columns * 64), 1, 4);
}

#if WITH_ROWS

/* Rows are copied whole, of which the loop might touch parts: the first and the last must be there. */
static int orrery_rows_are_there(const struct orrery_shape *shape, const struct orrery_dim *dim) {
    __int128 begin = (__int128)dim->low * shape->row_stride + shape->row_offset;
    __int128 end = (__int128)(dim->high + 1) * shape->row_stride + shape->row_offset;
    return begin >= 0 && end <= (__int128)orrery_extent(shape);
}

static int orrery_rows_can_move(const struct orrery_array *array, const struct orrery_shape *shape,
                                const struct orrery_dim *dim) {
    return array->base_offset >= 0 && orrery_rows_are_there(shape, dim) && !shape->table &&
           shape->pieces == 1 && shape->row_stride == shape->piece_bytes && shape->piece_bytes > 0;
}

/* Fields that hold keys can hold places: another key of the dim may be of another width. */
static int orrery_places_fit(const struct orrery_loop *loop, int d, const struct orrery_dim *dim) {
    for (int f = 0; f < loop->nkey_fields; ++f) {
        const struct orrery_key_field *field = &loop->key_fields[f];
        unsigned bits = 8 * field->size - (field->is_signed != 0);
        if (loop->dims[field->key] != d || bits >= 63)
            continue;
        long most = (1L << bits) - 1, least = field->is_signed ? -most - 1 : 0;
        if ((__int128)dim->low + field->constant < least ||
            (__int128)dim->high + field->constant > most)
            return 0;
    }
    return loop->nkey_fields > 0;
}

/*
 * Neighbouring rows are of different parts, so of different threads. Where they share lines of the
 * cache these travel between cores with every write. So rows are copied into the order of parts while
 * the loop runs, where each is used often enough to pay for it.
 */
static int orrery_rows_should_move(const struct orrery_loop *loop,
                                   const struct orrery_inspection *in,
                                   const struct orrery_shape *shapes, int d) {
    const struct orrery_dim *dim = &in->dims[d];
    int torn = 0;
    for (int a = 0; a < loop->narrays; ++a) {
        const struct orrery_shape *shape = &shapes[a];
        if (loop->arrays[a].dim != d || !orrery_is_there(shape))
            continue;
        if (!orrery_rows_can_move(&loop->arrays[a], shape, dim))
            return 0;
        torn |= loop->arrays[a].written &&
                (shape->row_stride % 64 ||
                 ((unsigned long)shape->base + (unsigned long)shape->row_offset) % 64);
    }
    return torn && loop->unordered && orrery_threads() > 1 &&
           in->count / 4 >= orrery_range_of(dim) && orrery_places_fit(loop, d, dim);
}
#endif

static void orrery_blocks_by_key(struct orrery_walk *walk, const struct orrery_shape *shapes) {
    struct orrery_inspection *in = walk->inspection;
    const struct orrery_loop *loop = walk->loop;
    long bytes[ORRERY_DIMS];
    orrery_bytes_per_key(loop, shapes, in->dims, bytes);
    orrery_grid_choose(loop, in, bytes);
    in->grid.visits = orrery_laps_of(loop, in);
#if WITH_ROWS
    for (int d = 0; d < loop->ndims; ++d)
        in->dims[d].moves = orrery_rows_should_move(loop, in, shapes, d);
#endif
    for (int d = 0; d < loop->ndims; ++d)
        orrery_dim_cut(&in->dims[d], loop->unordered,
                       2 * loop->seed + (unsigned long)d % 2 + ((unsigned long)d / 2 << 32));
    orrery_starts_make(walk);
    orrery_turns_make(in);
}

#endif
