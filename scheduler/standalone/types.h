/* ---- what the loops of this file tell of themselves ------------------------------------------ */

#define ORRERY_NO_KEY (-0x7fffffffffffffffL - 1) /* the iteration has none */
enum { ORRERY_DIMS = 4, ORRERY_KEYS = 5, ORRERY_STAGES = 16 };

/* The order in which blocks of iterations may run. */
enum orrery_strategy {
    ORRERY_INDEPENDENT,      /* any */
    ORRERY_PARTITION_1D,     /* any: an iteration is in the block of its key */
    ORRERY_ROTATION,         /* no two at once of one row or one part of another key */
    ORRERY_TOURNAMENT,       /* the same where both keys number one array */
    ORRERY_ORDERED_ROTATION, /* (s, t) after (s - 1, t) and (s, t - 1) */
    ORRERY_LEVELS,           /* what touches one element in the loop's order */
    ORRERY_WAVEFRONT,        /* (s, t) after (s - 1, t) and (s, t - 1) */
    ORRERY_PIPELINE          /* rows are stages of the body: the same */
};

/* A piece of work for the body: iterations [begin, end), or records, and the sums of its row. */
struct orrery_block {
    const void *env;
    void *records;
    long begin, end;
    void *const *accumulators;
    long row, column, clock;
#if ORRERY_WITH_WAVE
    long from, to; /* positions inside of the iterations */
#endif
#if ORRERY_WITH_PIPE
    void *slots; /* one for each iteration: what stages hand on */
#endif
};

/* An array, and the dim of the grid that cuts it; -1: none. */
struct orrery_array {
    const char *name;
    int dim;
};

/* Where an array's rows are: row v begins at base + row_offset + v * row_stride, or where entry v +
 * table_offset of `table` says. In bytes; 0: not known. */
struct orrery_shape {
    char *base;
    long row_offset, row_stride, pieces, piece_bytes, piece_stride;
    char **table;
    long table_offset, table_step, tables, inner, inner_at, inner_step;
    unsigned long extent, reach;
    long said, in_front;
};

#if ORRERY_WITH_SUMS
/* One operator on one type. */
struct orrery_fold {
    void (*fold)(void *to, const void *from, long n);
    const void *identity;
    unsigned long size;
    int starts; /* a copy starts as: 0: the identity, 1: the target, 2: as that of a number, 3: as
                 * that where it is no number */
};

/* `count` numbers in a structure, `step` bytes apart. */
struct orrery_field {
    const struct orrery_fold *fold;
    long offset, step, count;
};

enum orrery_how {
    ORRERY_FOLD,
    ORRERY_FIELDS,       /* each field of a structure by its own operator */
    ORRERY_CHOOSE_FIRST, /* what is set together; of equal ones the first */
    ORRERY_CHOOSE_LAST,
    ORRERY_LAST,    /* the last iteration's value */
    ORRERY_PRIVATE, /* scratch space */
    ORRERY_CARRIED  /* of a pipeline: one stage's */
};

/* What is folded: every row of blocks has a copy, folded into the target in the rows' order. */
struct orrery_reduction {
    const char *name;
    enum orrery_how how;
    const struct orrery_fold *fold;
    unsigned long size;
    long target_offset; /* in the environment, of the pointer to the target */
    int array;          /* its shape; -1: a number */
    int nfields;
    const struct orrery_field *fields;
    int stage, in_front;
};
#endif
#if ORRERY_WITH_GUARDS

/* What has to hold before a loop may run in parallel. */
enum orrery_guard_kind {
    ORRERY_NO_OVERLAP,
    ORRERY_ROWS_DISJOINT,
    ORRERY_KEY_RANGE,
    ORRERY_CONDITION,
    ORRERY_APART,
    ORRERY_TABLES,
    ORRERY_MONOTONE,
    ORRERY_INJECTIVE,
    ORRERY_EMPTY
};

struct orrery_guard {
    enum orrery_guard_kind kind;
    int a, b; /* arrays */
    const char *text;
    int (*holds)(const void *env);
};
#endif
#if ORRERY_WITH_INTERVALS

struct orrery_intervals {
    int set;
    void (*add)(struct orrery_intervals *intervals, long low, long high);
};
#endif
#if ORRERY_WITH_KEYS || ORRERY_WITH_WEIGHTS

/* Memory that was read behind one name. */
struct orrery_span {
    const char *low, *high;
};

static inline void orrery_touch(struct orrery_span *span, const void *address, unsigned long bytes) {
    const char *low = address;
    span->low = low < span->low ? low : span->low;
    span->high = low + bytes > span->high ? low + bytes : span->high;
}

/* A field of the environment. */
struct orrery_input {
    unsigned offset, size;
};
#endif
#if ORRERY_WITH_LEVELS

/* What an iteration touches: element `unit` of an object. */
struct orrery_touch {
    long unit;
    int object, written;
};

struct orrery_touches {
    long count, room;
    struct orrery_touch *items;
};
#endif
#if ORRERY_WITH_WAVE

/* Positions of iterations: low to high, and the most of one iteration. */
struct orrery_reach {
    long low, high, widest;
};
#endif

struct orrery_state;

/* One loop. */
struct orrery_loop {
    const char *file;
    int line;
    enum orrery_strategy strategy;
    int unordered;
    int ndims, nkeys;
    int dims[ORRERY_KEYS];  /* of key k */
    long grid[ORRERY_DIMS]; /* rows, and parts of the other dims; 0: by the data */
    unsigned long env_size, record_size;
    void (*block)(const struct orrery_block *block);
    void (*shapes)(const void *env, struct orrery_shape *out);
    int narrays;
    const struct orrery_array *arrays;
    int nshapes;
#if ORRERY_WITH_SUMS
    int nreductions;
    const struct orrery_reduction *reductions;
#endif
#if ORRERY_WITH_GUARDS
    int nguards;
    const struct orrery_guard *guards;
    int (*holds_at)(const void *env, long i, int guard);
#endif
#if ORRERY_WITH_INTERVALS
    void (*intervals)(const void *env, long i, int guard, struct orrery_intervals *out);
#endif
    long lower_offset, step;
#if ORRERY_WITH_KEYS
    int by_key;
    unsigned long seed; /* of the order of keys */
    void (*gather)(const void *env, long i, void *record, long *keys, struct orrery_span *spans);
    int nspans; /* all that is read for keys and records lies in so many arrays; 0: not known */
    int ninputs;
    const struct orrery_input *inputs; /* what is read of the environment */
#endif
#if ORRERY_WITH_WEIGHTS
    long (*weigh)(const void *env, long i, struct orrery_span *spans);
#endif
#if ORRERY_WITH_LEVELS
    int ntouched;
    void (*touches)(const void *env, long i, struct orrery_touches *list, struct orrery_span *spans);
#endif
#if ORRERY_WITH_WAVE
    void (*reach)(const void *env, long begin, long end, struct orrery_reach *out);
    long height, width;
#endif
#if ORRERY_WITH_PIPE
    unsigned long slot_size;
    int stages;
    double stage_costs[ORRERY_STAGES];
#endif
    struct orrery_state *state; /* what is kept from run to run */
};
