#ifndef ORRERY_RUNTIME_SCHEDULE_ROTATION_H
#define ORRERY_RUNTIME_SCHEDULE_ROTATION_H
/* ---- the grid of loops by keys --------------------------------------------------------------- */

/* A random permutation of [0, n) by seed, evaluated point by point: a balanced Feistel network of
 * six rounds over the next power of four, walked until the value is inside (Black and Rogaway,
 * "Ciphers with arbitrary finite domains", 2002). */
struct orrery_permutation {
    unsigned long n, mask;
    int half;
    unsigned long keys[6];
};

/* The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static inline unsigned long orrery_mix(unsigned long x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline void orrery_permutation_start(struct orrery_permutation *permutation, unsigned long n,
                                            unsigned long seed) {
    permutation->n = n;
    permutation->half = 1;
    while (permutation->half < 32 && 1ul << (2 * permutation->half) < n)
        ++permutation->half;
    permutation->mask = (1ul << permutation->half) - 1;
    for (unsigned long i = 0; i < 6; ++i)
        permutation->keys[i] = orrery_mix(orrery_mix(seed + 1) + 0x9e3779b97f4a7c15u * (i + 1));
}

static inline unsigned long orrery_permutation_at(const struct orrery_permutation *permutation,
                                                  unsigned long i) {
    do {
        unsigned long left = i >> permutation->half, right = i & permutation->mask;
        for (int round = 0; round < 6; ++round) {
            unsigned long next =
                left ^ (orrery_mix(right + permutation->keys[round]) & permutation->mask);
            left = right;
            right = next;
        }
        i = left << permutation->half | right;
    } while (i >= permutation->n);
    return i;
}

/* ---- how many parts ---- */

/* What decides on the parts of a loop's dims: the data alone, never the number of workers. */
struct orrery_cut {
    enum orrery_strategy strategy; /* of the loop */
    int ndims, nkeys;              /* of the grid; of the loop */
    int device;                    /* it runs on one: a row per warp, columns as many */
    long count;                    /* iterations */
    long said[ORRERY_DIMS];        /* parts that somebody asks for; 0: nobody does */
    long bytes[ORRERY_DIMS];       /* parameters reached per key */
    long distinct[ORRERY_DIMS];    /* keys that occur */
};

/*
 * `count` iterations, each of which touches a row of `bytes[d]` bytes of every dim d, of
 * `keys[d]` rows that there are. Dim d may have from least[d] to most[d] parts.
 */
struct orrery_grid_task {
    int ndims;
    double count;
    double keys[ORRERY_DIMS], bytes[ORRERY_DIMS];
    long least[ORRERY_DIMS], most[ORRERY_DIMS];
};

/*
 * Nanoseconds that all workers together need for a pass beside the iterations themselves, on a
 * machine that is always the same: every block is handed over, brings in the rows of its keys, and
 * some of them again when they do not fit a cache. A cache of 1 MiB, lines of 64 bytes; a block's
 * hand-over, a line that is new to a block, and how much of that one costs that the block has pushed
 * out. Measured (docs/measurements.md); scheduler/cost/regrid.c predicts by the same numbers.
 */
static inline double orrery_grid_cost(const struct orrery_grid_task *task, const long *parts) {
    const double cache = 1 << 20, line = 64, hand_over = 250, new_line = 2, again = 0.6;
    double blocks = 1, whole = 0, block = 0, first = 0, each = 0;
    for (int d = 0; d < task->ndims; ++d)
        blocks *= (double)parts[d];
    for (int d = 0; d < task->ndims; ++d) {
        double lines = task->bytes[d] / line, keys = task->keys[d] / (double)parts[d];
        whole += task->keys[d] * task->bytes[d];
        block += keys * task->bytes[d];
        each += lines;
        first += lines * (keys < task->count / blocks ? keys : task->count / blocks);
    }
    double cost = blocks * hand_over;
    if (whole <= cache)
        return cost;
    double spilt = block > cache ? 1 - cache / block : 0;
    return cost + new_line * (blocks * first + again * task->count * each * spilt);
}

static inline double orrery_grid_blocks(const struct orrery_grid_task *task, const long *parts) {
    double blocks = 1;
    for (int d = 0; d < task->ndims; ++d)
        blocks *= (double)parts[d];
    return blocks;
}

/* The next choice, like a number whose digits double; 0: that was the last. */
static inline int orrery_grid_advance(const struct orrery_grid_task *task, long *parts) {
    for (int d = task->ndims - 1; d >= 0; --d) {
        if (2 * parts[d] <= task->most[d]) {
            parts[d] *= 2;
            return 1;
        }
        parts[d] = task->least[d];
    }
    return 0;
}

/* The numbers of parts, each least[d] times a power of two and at most most[d], that cost least; of
 * those within a hundredth the fewest blocks. */
static inline void orrery_grid_cheapest(const struct orrery_grid_task *task, long *parts) {
    long now[ORRERY_DIMS] = {0};
    for (int d = 0; d < task->ndims; ++d)
        now[d] = parts[d] = task->least[d];
    double best = orrery_grid_cost(task, parts);
    while (orrery_grid_advance(task, now)) {
        double cost = orrery_grid_cost(task, now);
        int fewer = orrery_grid_blocks(task, now) < orrery_grid_blocks(task, parts);
        if (cost < (fewer ? 1.01 : 0.99) * best) {
            best = cost;
            for (int d = 0; d < task->ndims; ++d)
                parts[d] = now[d];
        }
    }
}

static inline int orrery_cut_in_pairs(const struct orrery_cut *cut, int d) {
    return cut->strategy == ORRERY_TOURNAMENT && d == 0;
}

/* No more than there are keys; two for a pair. */
static inline long orrery_cut_sensible(const struct orrery_cut *cut, int d, long parts) {
    long most = cut->distinct[d] > 0 ? cut->distinct[d] : 1;
    if (!orrery_cut_in_pairs(cut, d))
        return orrery_clamp(parts, 1, most);
    return 2 * orrery_clamp((parts + 1) / 2, 1, (most + 1) / 2);
}

/* The rows of a block's keys fill half of a cache of 1 MiB. `ways`: of how many parts a block joins
 * the rows. */
static inline long orrery_cut_by_bytes(const struct orrery_cut *cut, int d, int ways) {
    double room = (double)(512 << 10) / ways;
    long by_bytes = orrery_power_of_two((double)cut->bytes[d] * (double)cut->distinct[d] / room);
    long by_count = orrery_parts_by_count(cut->count, ways);
    long parts = by_bytes > by_count ? by_bytes : by_count;
    long least = ways == 1 ? 64 : ways == 2 ? 16 : 8;
    return parts > least ? parts : least;
}

static inline double orrery_cut_blocks(const struct orrery_cut *cut, const long *parts) {
    double total = 1;
    for (int d = 0; d < cut->ndims; ++d)
        total *= orrery_cut_in_pairs(cut, d) ? (double)(parts[d] / 2) * (double)(parts[d] - 1)
                                             : (double)parts[d];
    return total;
}

/* The dim to make coarser: of those that may be, the one with most parts; -1: none. */
static inline int orrery_cut_finest(const struct orrery_cut *cut, const long *parts) {
    int best = -1;
    for (int d = 0; d < cut->ndims; ++d)
        if (!cut->said[d] && parts[d] > (orrery_cut_in_pairs(cut, d) ? 2 : 1) &&
            (best < 0 || parts[d] > parts[best]))
            best = d;
    return best;
}

/* Parts of the dims that nobody has said, by what they cost. At least so many that blocks are not
 * so large that few workers find work; in a wave the last worker waits for a column each. */
static inline void orrery_cut_by_cost(const struct orrery_cut *cut, long *parts) {
    struct orrery_grid_task task = {.ndims = cut->ndims, .count = (double)cut->count};
    long by_count = orrery_parts_by_count(cut->count, cut->ndims);
    for (int d = 0; d < cut->ndims; ++d) {
        int wave = d > 0 && cut->strategy == ORRERY_ORDERED_ROTATION;
        long said = cut->said[d], least = cut->ndims > 2 ? 8 : 16;
        least = wave ? 64 : least > by_count ? least : by_count;
        task.keys[d] = (double)cut->distinct[d];
        task.bytes[d] = (double)cut->bytes[d];
        task.least[d] = orrery_cut_sensible(cut, d, said ? said : least);
        task.most[d] = said ? task.least[d] : orrery_cut_sensible(cut, d, 4096);
    }
    orrery_grid_cheapest(&task, parts);
}

/* Blocks that wait for each other's parts have so many iterations at least. */
static inline void orrery_cut_chained(const struct orrery_cut *cut, long *parts) {
    double least = cut->nkeys <= 2 ? 16 : cut->device ? 8 : 64;
    for (int d = 0; d < cut->ndims; ++d) {
        long wanted = cut->said[d] ? cut->said[d] : orrery_cut_by_bytes(cut, d, cut->nkeys);
        /* Short rows are worked on faster than they are handed over. */
        long warps = cut->bytes[d] > 1024 ? 2048 : 1024;
        if (!cut->said[d] && cut->device && wanted < warps)
            wanted = warps;
        parts[d] = orrery_cut_sensible(cut, d, wanted);
    }
    if (!cut->device && cut->strategy != ORRERY_TOURNAMENT)
        orrery_cut_by_cost(cut, parts);
    for (int d; orrery_cut_blocks(cut, parts) * least > (double)cut->count &&
                (d = orrery_cut_finest(cut, parts)) >= 0;)
        parts[d] = orrery_cut_in_pairs(cut, d) ? 2 * ((parts[d] / 2 + 1) / 2) : (parts[d] + 1) / 2;
}

static inline int orrery_is_chained(enum orrery_strategy strategy) {
    return strategy == ORRERY_ROTATION || strategy == ORRERY_TOURNAMENT ||
           strategy == ORRERY_ORDERED_ROTATION;
}

static inline void orrery_cut_choose(const struct orrery_cut *cut, long *parts) {
    if (orrery_is_chained(cut->strategy)) {
        orrery_cut_chained(cut, parts);
        return;
    }
    long many = cut->device ? 4096 : orrery_cut_by_bytes(cut, 0, 1);
    long wanted = cut->said[0] ? cut->said[0] : orrery_clamp(many, 1, cut->count / 16 + 1);
    parts[0] = orrery_cut_sensible(cut, 0, wanted);
}

/* ---- which blocks there are ---- */

/* The grid of a loop. Block (row, column): rows are what workers and ranks own. */
struct orrery_blocks {
    enum orrery_strategy strategy; /* which says the order of blocks */
    int ndims;                     /* of `parts` */
    int held;                      /* batons of each block */
    long parts[ORRERY_DIMS];       /* of dim d */
    long first[ORRERY_DIMS]; /* part p of dim d is baton first[d] + p; < 0: parts stay with rows */
    long slots[ORRERY_DIMS]; /* of dim d: places that its parts go round, at least the rows */
    long rows, columns;      /* columns: blocks of a row */
    long clocks;             /* of a visit; some may be empty */
    long visits;             /* times that a pass goes round the grid; each visit of a block is its
                              * share of the iterations, in their order */
    long batons;             /* parts that travel; 0: rows do not depend on one another */
    long drained;            /* the last columns of a pipeline, without iterations of their own */
};

static inline long orrery_wrap(long value, long n) {
    value %= n;
    return value < 0 ? value + n : value;
}

/* `parts` of the dims; an even number of them in the pairs of a tournament. */
static inline struct orrery_blocks orrery_blocks_by_keys(enum orrery_strategy strategy, int ndims,
                                                         const long *parts) {
    struct orrery_blocks blocks = {.strategy = strategy, .ndims = ndims, .visits = 1};
    int pairs = strategy == ORRERY_TOURNAMENT, chained = orrery_is_chained(strategy);
    blocks.rows = pairs ? parts[0] / 2 : parts[0];
    blocks.columns = blocks.clocks = pairs ? parts[0] - 1 : 1;
    blocks.held = pairs ? ndims + 1 : chained ? ndims - 1 : 0;
    for (int d = 0; d < ndims; ++d) {
        int travels = pairs || (chained && d > 0);
        int all = parts[d] > blocks.rows || strategy == ORRERY_ORDERED_ROTATION;
        blocks.parts[d] = parts[d];
        blocks.first[d] = travels ? blocks.batons : -1;
        blocks.batons += travels ? parts[d] : 0;
        blocks.slots[d] = all ? parts[d] : blocks.rows;
        blocks.columns *= d > 0 ? parts[d] : 1;
        blocks.clocks *= d > 0 ? blocks.slots[d] : 1;
    }
    return blocks;
}

/* The circle method. Of the 2S parts the last keeps its seat at row 0, the others sit in a
 * circle; in round h part h is the fixed one's guest, and h - i meets h + i at row i. From
 * round to round every part goes on by one row. */
static inline long orrery_round_of(const struct orrery_blocks *blocks, long a, long b, long *row) {
    long circle = blocks->parts[0] - 1;
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

/* The parts of dim 0 that the block joins; both the row's in a rotation. */
static inline void orrery_pair_of(const struct orrery_blocks *blocks, long row, long round,
                                  long pair[2]) {
    long circle = blocks->parts[0] - 1;
    pair[0] = pair[1] = row;
    if (blocks->strategy != ORRERY_TOURNAMENT)
        return;
    pair[0] = orrery_wrap(round - row, circle);
    pair[1] = row == 0 ? circle : orrery_wrap(round + row, circle);
}

/* The block of an iteration whose keys are in these parts (one entry per key), as a number: row *
 * columns + column. */
static inline long orrery_block_of(const struct orrery_blocks *blocks, const long *parts) {
    int pairs = blocks->strategy == ORRERY_TOURNAMENT;
    long row = parts[0], column = pairs ? orrery_round_of(blocks, parts[0], parts[1], &row) : 0;
    for (int d = 1; d < blocks->ndims; ++d)
        column = column * blocks->parts[d] + parts[d + pairs];
    return row * blocks->columns + column;
}

/* With more rows than parts some slots are empty: the parts stand at equal distances, so that
 * every stretch of rows has its share of the work. -1: nothing is there. */
static inline long orrery_part_at(const struct orrery_blocks *blocks, int d, long slot) {
    long parts = blocks->parts[d];
    if (parts >= blocks->rows)
        return slot;
    long part = (slot * parts + blocks->rows - 1) / blocks->rows;
    return part < parts && part * blocks->rows / parts == slot ? part : -1;
}

/* Column of `row` at `clock`; -1: none. The clock is a number with one digit per dim, the last
 * dim's turns fastest. Each digit lags by one whenever those above it advance: a modular Gray code,
 * so that one dim moves per clock. */
static inline long orrery_column_at(const struct orrery_blocks *blocks, long row, long clock) {
    if (blocks->strategy == ORRERY_LEVELS || blocks->strategy == ORRERY_WAVEFRONT ||
        blocks->strategy == ORRERY_PIPELINE || blocks->strategy == ORRERY_ORDERED_ROTATION)
        return clock;
    if (blocks->batons == 0)
        return 0;
    long column = 0, scale = 1;
    for (int d = blocks->ndims - 1; d > 0; --d) {
        long above = clock / blocks->slots[d];
        long part = orrery_part_at(blocks, d, orrery_wrap(row + clock - above, blocks->slots[d]));
        if (part < 0)
            return -1;
        column += scale * part;
        scale *= blocks->parts[d];
        clock = above;
    }
    return column + scale * clock;
}

/* The batons of a block, `held` of them. */
static inline void orrery_batons_of(const struct orrery_blocks *blocks, long row, long column,
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
    if (blocks->strategy == ORRERY_TOURNAMENT) {
        long pair[2];
        orrery_pair_of(blocks, row, column, pair);
        batons[n++] = blocks->first[0] + pair[0];
        batons[n++] = blocks->first[0] + pair[1];
    }
}

#endif
