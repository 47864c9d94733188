#ifndef ORRERY_SCHEDULER_STANDALONE_KEYS_H
#define ORRERY_SCHEDULER_STANDALONE_KEYS_H
/* ---- loops by keys: which block an iteration is in ------------------------------------------- */

/* A dim of the grid: keys [low, high] in an order, cut into parts of equal work. */
struct orrery_dim {
    long low, high, distinct, parts;
    long *counts;            /* iterations per key */
    unsigned short *part_of; /* per key */
    long first;              /* part p is baton first + p; -1: parts stay with rows */
    long slots;              /* places that parts go round, at least as many as rows */
};

/* What is known of the iterations of a loop, as long as they are the same. */
struct orrery_inspection {
    long count;                          /* iterations */
    long line;                           /* bytes of what an iteration has in `lines` */
    char *lines;                         /* per iteration: keys, weight, record; 0: let go */
    struct orrery_dim dims[ORRERY_DIMS]; /* how each dim is cut */
    long rows, columns, clocks;          /* of the grid */
    long batons, held;                   /* parts that travel; of those a block needs so many */
    long *starts;                        /* block b has the records [starts[b], starts[b + 1]) */
    char *records;                       /* in the blocks' order */
    unsigned *turns;                     /* per block and baton: how many blocks have it before */
    unsigned *visits;                    /* per baton: how many blocks have it */
    long laps; /* times that a run goes round the grid; each time a block runs its share */
#if WITH_LEVELS
    unsigned long *needs;         /* levels: the rows that a block waits for; 0: there are batons */
    struct orrery_touches listed; /* ... what iterations touch, one after the other, */
    long *firsts;                 /* ... and where each begins */
#endif
    struct orrery_span *spans; /* what was read; 0: `lines` are compared */
    char **copies;             /* ... as it was, */
    char *inputs;              /* ... and the environment */
};

/* The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static unsigned long orrery_mix(unsigned long x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A random permutation of [0, n), point by point: a Feistel network of six rounds, walked until the
 * value is inside (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002). */
static unsigned long orrery_permuted(unsigned long i, unsigned long n, unsigned long seed) {
    int half = 1;
    while (half < 32 && 1ul << (2 * half) < n)
        ++half;
    do {
        unsigned long mask = (1ul << half) - 1, left = i >> half, right = i & mask;
        for (unsigned long round = 1; round <= 6; ++round) {
            unsigned long key = orrery_mix(orrery_mix(seed + 1) + 0x9e3779b97f4a7c15u * round);
            unsigned long next = left ^ (orrery_mix(right + key) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

static long orrery_range_of(const struct orrery_dim *dim) {
    return dim->low > dim->high ? 0 : dim->high - dim->low + 1;
}

/* ---- looking at iterations ---- */

/* One walk over all iterations, each thread over some of the `stretches`. */
struct orrery_walk {
    const struct orrery_loop *loop;
    const void *env;
    struct orrery_inspection *inspection;
    long stretches;
    long *ends;                /* per stretch and dim: the least key and the greatest */
    struct orrery_span *spans; /* per stretch and name */
    long *tally; /* per stretch and block: iterations, then where the next record goes */
    int changed;
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

static int orrery_in_pairs(const struct orrery_loop *loop, int d) {
    return loop->strategy == ORRERY_TOURNAMENT && d == 0;
}

static int orrery_is_chained(const struct orrery_loop *loop) {
    return loop->strategy == ORRERY_ROTATION || loop->strategy == ORRERY_TOURNAMENT ||
           loop->strategy == ORRERY_ORDERED_ROTATION;
}

/* No more parts than keys; two for a pair. */
static long orrery_sensible(const struct orrery_loop *loop, int d, const struct orrery_dim *dim,
                            long parts) {
    long most = dim->distinct > 0 ? dim->distinct : 1;
    if (!orrery_in_pairs(loop, d))
        return orrery_clamp(parts, 1, most);
    return 2 * orrery_clamp((parts + 1) / 2, 1, (most + 1) / 2);
}

static long orrery_said(const struct orrery_loop *loop, int d) {
    return orrery_in_pairs(loop, d) ? 2 * loop->grid[d] : loop->grid[d];
}

static long orrery_power_of_two(double least) {
    long power = 1;
    while ((double)power < least && power < 4096)
        power *= 2;
    return power;
}

/* A block's parameters fill about half of a cache of 1 MiB. */
static long orrery_parts_by_bytes(const struct orrery_dim *dim, long count, long bytes, int ways) {
    long by_bytes =
        orrery_power_of_two((double)bytes * (double)dim->distinct / ((double)(512 << 10) / ways));
    long by_count = orrery_parts_by_count(count, ways);
    long parts = by_bytes > by_count ? by_bytes : by_count;
    long least = ways == 1 ? 64 : ways == 2 ? 16 : 8;
    return parts > least ? parts : least;
}

/* Nanoseconds beside the iterations themselves, on a machine that is always the same: blocks are
 * handed over, bring in the rows of their keys, and some again when they do not fit a cache. */
static double orrery_grid_cost(const struct orrery_loop *loop, double count, const double *bytes,
                               const double *keys, const long *parts) {
    const double cache = 1 << 20, line = 64, hand_over = 250, new_line = 2, again = 0.6;
    double blocks = 1, whole = 0, block = 0, first = 0, each = 0;
    for (int d = 0; d < loop->ndims; ++d)
        blocks *= (double)parts[d];
    for (int d = 0; d < loop->ndims; ++d) {
        double lines = bytes[d] / line, own = keys[d] / (double)parts[d];
        whole += keys[d] * bytes[d];
        block += own * bytes[d];
        each += lines;
        first += lines * (own < count / blocks ? own : count / blocks);
    }
    double cost = blocks * hand_over;
    if (whole <= cache)
        return cost;
    double spilt = block > cache ? 1 - cache / block : 0;
    return cost + new_line * (blocks * first + again * count * each * spilt);
}

static double orrery_blocks_in(const struct orrery_loop *loop, const long *parts) {
    double blocks = 1;
    for (int d = 0; d < loop->ndims; ++d)
        blocks *= orrery_in_pairs(loop, d) ? (double)(parts[d] / 2) * (double)(parts[d] - 1)
                                           : (double)parts[d];
    return blocks;
}

/* The parts that cost least, each least[d] times a power of two; of those within a hundredth the
 * fewest blocks. */
static void orrery_cheapest(const struct orrery_loop *loop, double count, const double *bytes,
                            const double *keys, const long *least, const long *most, long *parts) {
    long now[ORRERY_DIMS];
    memcpy(now, least, sizeof now);
    memcpy(parts, least, (unsigned long)loop->ndims * sizeof *parts);
    double best = orrery_grid_cost(loop, count, bytes, keys, parts);
    for (int d = loop->ndims - 1; d >= 0;) {
        if (2 * now[d] > most[d]) {
            now[d] = least[d];
            --d;
            continue;
        }
        now[d] *= 2;
        d = loop->ndims - 1;
        double cost = orrery_grid_cost(loop, count, bytes, keys, now);
        int fewer = orrery_blocks_in(loop, now) < orrery_blocks_in(loop, parts);
        if (cost < (fewer ? 1.01 : 0.99) * best) {
            best = cost;
            memcpy(parts, now, (unsigned long)loop->ndims * sizeof *parts);
        }
    }
}

static void orrery_choose_by_cost(const struct orrery_loop *loop, long count, const long *bytes,
                                  const struct orrery_dim *dims, long *parts) {
    double wide[ORRERY_DIMS], keys[ORRERY_DIMS];
    long least[ORRERY_DIMS] = {0}, most[ORRERY_DIMS],
         by_count = orrery_parts_by_count(count, loop->ndims);
    for (int d = 0; d < loop->ndims; ++d) {
        int wave = d > 0 && loop->strategy == ORRERY_ORDERED_ROTATION;
        long said = orrery_said(loop, d), few = loop->ndims > 2 ? 8 : 16;
        few = wave ? 64 : few > by_count ? few : by_count;
        keys[d] = (double)dims[d].distinct;
        wide[d] = (double)bytes[d];
        least[d] = orrery_sensible(loop, d, &dims[d], said ? said : few);
        most[d] = said ? least[d] : orrery_sensible(loop, d, &dims[d], 4096);
    }
    orrery_cheapest(loop, (double)count, wide, keys, least, most, parts);
}

/* The dim to make coarser: of those that may be, the one with most parts; -1: none. */
static int orrery_finest(const struct orrery_loop *loop, const long *parts) {
    int best = -1;
    for (int d = 0; d < loop->ndims; ++d)
        if (!orrery_said(loop, d) && parts[d] > (orrery_in_pairs(loop, d) ? 2 : 1) &&
            (best < 0 || parts[d] > parts[best]))
            best = d;
    return best;
}

/* `bytes`: parameters reached per key of a dim. */
static void orrery_grid_choose(const struct orrery_loop *loop, long count, const long *bytes,
                               struct orrery_dim *dims) {
    long parts[ORRERY_DIMS], said = orrery_said(loop, 0);
    double least = loop->nkeys > 2 ? 64 : 16;
    if (!orrery_is_chained(loop)) {
        long by =
            orrery_clamp(orrery_parts_by_bytes(&dims[0], count, bytes[0], 1), 1, count / 16 + 1);
        dims[0].parts = orrery_sensible(loop, 0, &dims[0], said ? said : by);
        return;
    }
    for (int d = 0; d < loop->ndims; ++d) {
        said = orrery_said(loop, d);
        parts[d] = orrery_sensible(
            loop, d, &dims[d],
            said ? said : orrery_parts_by_bytes(&dims[d], count, bytes[d], loop->nkeys));
    }
    if (loop->strategy != ORRERY_TOURNAMENT)
        orrery_choose_by_cost(loop, count, bytes, dims, parts);
    for (int d; orrery_blocks_in(loop, parts) * least > (double)count &&
                (d = orrery_finest(loop, parts)) >= 0;)
        parts[d] = orrery_in_pairs(loop, d) ? 2 * ((parts[d] / 2 + 1) / 2) : (parts[d] + 1) / 2;
    for (int d = 0; d < loop->ndims; ++d)
        dims[d].parts = parts[d];
}

/* Walks the order of the keys once. A part is closed when it has its share of what is left, or when
 * the keys left are needed to give every later part one. */
static void orrery_dim_cut(struct orrery_dim *dim, int shuffled, unsigned long seed) {
    long range = orrery_range_of(dim), left = 0, keys = dim->distinct, part = 0, in_part = 0;
    dim->part_of = orrery_allocate((unsigned long)range, sizeof *dim->part_of);
    for (long v = 0; v < range; ++v)
        left += dim->counts[v];
    long target = left / dim->parts;
    for (long i = 0; i < range; ++i) {
        long v = shuffled ? (long)orrery_permuted((unsigned long)i, (unsigned long)range, seed) : i;
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
    }
}

/* ---- the order of blocks ---- */

static long orrery_wrap(long value, long n) {
    value %= n;
    return value < 0 ? value + n : value;
}

static void orrery_blocks_make(const struct orrery_loop *loop, struct orrery_inspection *in) {
    int pairs = loop->strategy == ORRERY_TOURNAMENT, chained = orrery_is_chained(loop);
    struct orrery_dim *dims = in->dims;
    in->rows = pairs ? dims[0].parts / 2 : dims[0].parts;
    in->columns = in->clocks = pairs ? dims[0].parts - 1 : 1;
    in->held = pairs ? loop->ndims + 1 : chained ? loop->ndims - 1 : 0;
    in->batons = 0;
    for (int d = 0; d < loop->ndims; ++d) {
        int travels = pairs || (chained && d > 0);
        int all = dims[d].parts > in->rows || loop->strategy == ORRERY_ORDERED_ROTATION;
        dims[d].first = travels ? in->batons : -1;
        dims[d].slots = all ? dims[d].parts : in->rows;
        in->batons += travels ? dims[d].parts : 0;
        in->columns *= d > 0 ? dims[d].parts : 1;
        in->clocks *= d > 0 ? dims[d].slots : 1;
    }
}

/* Pairs meet by the circle method: the last part keeps its seat at row 0, the others sit in a
 * circle; in round h part h is the fixed one's guest, and h - i meets h + i at row i. */
static long orrery_round_of(const struct orrery_inspection *in, long a, long b, long *row) {
    long circle = in->dims[0].parts - 1;
    if (a == b)
        b = a == circle ? 0 : orrery_wrap(-a, circle);
    if (a == b)
        b = circle;
    if (a == circle || b == circle) {
        *row = 0;
        return a == circle ? b : a;
    }
    long round = orrery_wrap((a + b) * ((circle + 1) / 2), circle);
    long up = orrery_wrap(a - round, circle), down = orrery_wrap(round - a, circle);
    *row = up < down ? up : down;
    return round;
}

/* With more rows than parts some places are empty, and parts stand at equal distances. */
static long orrery_part_in(const struct orrery_inspection *in, int d, long slot) {
    long parts = in->dims[d].parts;
    if (parts >= in->rows)
        return slot;
    long part = (slot * parts + in->rows - 1) / in->rows;
    return part < parts && part * in->rows / parts == slot ? part : -1;
}

/* The column of a row at a clock, a number with a digit per dim; -1: none. */
static long orrery_column_at(const struct orrery_loop *loop, const struct orrery_inspection *in,
                             long row, long clock) {
    long column = 0, scale = 1;
    if (loop->strategy == ORRERY_ORDERED_ROTATION)
        return clock;
    if (in->batons == 0)
        return 0;
    for (int d = loop->ndims - 1; d > 0; --d) {
        long above = clock / in->dims[d].slots;
        long part = orrery_part_in(in, d, orrery_wrap(row + clock - above, in->dims[d].slots));
        if (part < 0)
            return -1;
        column += scale * part;
        scale *= in->dims[d].parts;
        clock = above;
    }
    return column + scale * clock;
}

/* The parts that travel and that a block needs. */
static void orrery_batons_of(const struct orrery_loop *loop, const struct orrery_inspection *in,
                             long row, long column, long *batons) {
    long circle = in->dims[0].parts - 1;
    int n = 0;
    for (int d = loop->ndims - 1; d > 0; --d) {
        if (in->dims[d].first >= 0)
            batons[n++] = in->dims[d].first + column % in->dims[d].parts;
        column /= in->dims[d].parts;
    }
    if (loop->strategy == ORRERY_TOURNAMENT) {
        batons[n++] = in->dims[0].first + orrery_wrap(column - row, circle);
        batons[n++] = in->dims[0].first + (row == 0 ? circle : orrery_wrap(row + column, circle));
    }
}

/* An iteration that touches no row through a dim may stand anywhere along it. */
static long orrery_block_of(const struct orrery_walk *walk, const long *keys, long i) {
    const struct orrery_inspection *in = walk->inspection;
    long parts[ORRERY_KEYS];
    int pairs = walk->loop->strategy == ORRERY_TOURNAMENT;
    for (int k = 0; k < walk->loop->nkeys; ++k) {
        const struct orrery_dim *dim = &in->dims[walk->loop->dims[k]];
        parts[k] = dim->parts == 1            ? 0
                   : keys[k] == ORRERY_NO_KEY ? i % dim->parts
                                              : dim->part_of[keys[k] - dim->low];
    }
    long row = parts[0], column = pairs ? orrery_round_of(in, parts[0], parts[1], &row) : 0;
    for (int d = 1; d < walk->loop->ndims; ++d)
        column = column * in->dims[d].parts + parts[d + pairs];
    return row * in->columns + column;
}

/* ---- records in the order of their blocks ---- */

static void orrery_tally_job(void *data, int worker, int workers) {
    const struct orrery_walk *walk = data;
    const struct orrery_inspection *in = walk->inspection;
    for (long s = worker; s < walk->stretches; s += workers)
        for (long i = orrery_share(in->count, s, walk->stretches);
             i < orrery_share(in->count, s + 1, walk->stretches); ++i)
            ++walk->tally[s * in->rows * in->columns +
                          orrery_block_of(walk, orrery_keys_in(walk, i), i)];
}

static void orrery_pack_job(void *data, int worker, int workers) {
    const struct orrery_walk *walk = data;
    const struct orrery_inspection *in = walk->inspection;
    unsigned long size = walk->loop->record_size;
    for (long s = worker; s < walk->stretches; s += workers)
        for (long i = orrery_share(in->count, s, walk->stretches);
             i < orrery_share(in->count, s + 1, walk->stretches); ++i) {
            const long *keys = orrery_keys_in(walk, i);
            long block = s * in->rows * in->columns + orrery_block_of(walk, keys, i);
            memcpy(in->records + (unsigned long)walk->tally[block]++ * size,
                   keys + walk->loop->nkeys + 1, size);
        }
}

/* Blocks one after the other, inside a block the stretches in their order, which is the loop's. */
static void orrery_starts_make(struct orrery_walk *walk) {
    struct orrery_inspection *in = walk->inspection;
    long blocks = in->rows * in->columns, place = 0;
    walk->tally = orrery_allocate((unsigned long)(walk->stretches * blocks), sizeof(long));
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
    (free)(walk->tally);
}

/* Whose turn it is, clock by clock and row by row. */
static void orrery_turns_make(const struct orrery_loop *loop, struct orrery_inspection *in) {
    unsigned *visits = in->visits = orrery_allocate((unsigned long)in->batons + 1, sizeof *visits);
    in->turns =
        orrery_allocate((unsigned long)(in->rows * in->columns * in->held) + 1, sizeof *visits);
    for (long clock = 0; clock < in->clocks && in->batons; ++clock)
        for (long row = 0; row < in->rows; ++row) {
            long batons[ORRERY_KEYS + 1], column = orrery_column_at(loop, in, row, clock);
            if (column < 0)
                continue;
            orrery_batons_of(loop, in, row, column, batons);
            for (long i = 0; i < in->held; ++i)
                in->turns[(row * in->columns + column) * in->held + i] = visits[batons[i]]++;
        }
}

static void orrery_inspection_free(struct orrery_inspection *in, int nspans) {
    if (!in)
        return;
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        (free)(in->dims[d].counts);
        (free)(in->dims[d].part_of);
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
            (range >= 0xffffffffu || (range >= 1ul << 33 && range / 64 > (unsigned long)in->count)))
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
    if (!loop->unordered || !turns || merges || in->rows * in->columns == 1)
        return 1;
    return orrery_clamp(in->count / (in->rows * in->columns * 64), 1, 4);
}

static void orrery_blocks_by_key(struct orrery_walk *walk, const struct orrery_shape *shapes) {
    struct orrery_inspection *in = walk->inspection;
    const struct orrery_loop *loop = walk->loop;
    long bytes[ORRERY_DIMS];
    orrery_bytes_per_key(loop, shapes, in->dims, bytes);
    orrery_grid_choose(loop, in->count, bytes, in->dims);
    orrery_blocks_make(loop, in);
    in->laps = orrery_laps_of(loop, in);
    for (int d = 0; d < loop->ndims; ++d)
        orrery_dim_cut(&in->dims[d], loop->unordered,
                       2 * loop->seed + (unsigned long)d % 2 + ((unsigned long)d / 2 << 32));
    orrery_starts_make(walk);
    orrery_turns_make(loop, in);
}

#endif
