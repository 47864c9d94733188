#ifndef ORRERY_SCHEDULER_STANDALONE_TYPES_H
#define ORRERY_SCHEDULER_STANDALONE_TYPES_H
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

/* A piece of work for the body. */
struct orrery_block {
    const void *env;           /* what the loop captured */
    void *records;             /* of loops by keys, of which it takes */
    long begin, end;           /* iterations, or records, [begin, end) */
    void *const *accumulators; /* the row's copy of reduction j */
    long row, column, clock;   /* which block of the grid, and when */
#if WITH_MERGE
    void *const *snapshots; /* of merged reduction j: the target as it was at the last merge */
    _Bool *const *marks;    /* ... lines that the body writes */
#endif
#if WITH_WAVE
    long from, to; /* positions inside of the iterations */
#endif
#if WITH_PIPE
    void *slots; /* one for each iteration: what stages hand on */
#endif
};

/* An array, and the dim of the grid that cuts it; -1: none. */
struct orrery_array {
    const char *name;
    int dim;
#if WITH_ROWS
    long base_offset; /* in the environment, of the pointer to it; -1: it has none */
    int written;
#endif
};

/* Where an array's rows are, in bytes; 0: not known. */
struct orrery_shape {
    char *base;                     /* 0, as `table`: this run does not use the array */
    long row_offset, row_stride;    /* from base to row 0, and from row to row */
    long pieces;                    /* of a row */
    long piece_bytes, piece_stride; /* of a piece; from one to the next */
    char **table;                   /* row v begins where its entry v + table_offset says; or 0 */
    long table_offset, table_step;  /* entries; from one to the next, 0: side by side */
    long tables, inner;             /* 2: entries lead to tables of so many entries */
    long inner_at, inner_step;      /* to the first of these, and from one to the next */
    unsigned long extent;           /* of the whole object, from base */
    unsigned long reach;            /* what the loop surely touches all of */
    long said,
        in_front; /* `extent` is the user's word; what lies in front of base may be touched */
};

#if WITH_SUMS
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
    ORRERY_CARRIED, /* of a pipeline: one stage's */
    ORRERY_RELAXED, /* merged: a copy that starts as the target */
    ORRERY_BUFFERED /* merged: a copy of zeros, whose sums a function of the file gets */
};

/* What is folded: every row of blocks has a copy, folded into the target in the rows' order. */
struct orrery_reduction {
    const char *name;                  /* for messages */
    enum orrery_how how;               /* copies become the result */
    const struct orrery_fold *fold;    /* ORRERY_FOLD */
    unsigned long size;                /* of an element */
    long target_offset;                /* in the environment, of the pointer to the target */
    int array;                         /* its shape; -1: a number */
    int nfields;                       /* of `fields` */
    const struct orrery_field *fields; /* of a structure; of a choice the one that is compared */
    int stage;                         /* of a pipeline: whose value counts */
    int in_front;                      /* blocks may touch elements in front of the target */
};
#endif
#if WITH_MERGE

struct orrery_changes;
struct orrery_merged;

/* What depends on the type of a merged array. */
struct orrery_merging_kind {
    void (*find)(const char *copy, const char *snapshot, long low, long high,
                 struct orrery_changes *changes);
    void (*add)(struct orrery_merged *merged, const struct orrery_changes *changes);
    void (*finish)(struct orrery_merged *merged);
    /* all at once, for 64 bytes of every row's copy; 0: not these numbers */
    void (*line)(struct orrery_merged *merged, long rows, long line, int judges);
};

/* Of what several rows changed: the sum of the changes, their mean, or the mean times a gain. */
enum orrery_rule { ORRERY_RULE_ADD, ORRERY_RULE_AVERAGE, ORRERY_RULE_SCALE };

struct orrery_merging {
    int reduction, marked; /* its number; the body says which lines it writes */
    enum orrery_rule rule;
    const struct orrery_merging_kind *kind;
    void (*apply)(void *element, const void *update, long i); /* 0: relaxed */
};
#endif
#if WITH_GUARDS

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
#if WITH_INTERVALS

struct orrery_intervals {
    int set;
    void (*add)(struct orrery_intervals *intervals, long low, long high);
};
#endif
#if WITH_KEYS || WITH_WEIGHTS

/* Memory that was read behind one name. */
struct orrery_span {
    const char *low, *high;
};

static inline void orrery_touch(struct orrery_span *span, const void *address,
                                unsigned long bytes) {
    const char *low = address;
    span->low = low < span->low ? low : span->low;
    span->high = low + bytes > span->high ? low + bytes : span->high;
}

/* A field of the environment. */
struct orrery_input {
    unsigned offset, size;
};
#endif
#if WITH_ROWS

/* A field of records that numbers rows: key + constant. */
struct orrery_key_field {
    int key;
    unsigned offset, size;
    int is_signed;
    long constant;
};
#endif
#if WITH_LEVELS

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
#if WITH_WAVE

/* Positions of iterations: low to high, and the most of one iteration. */
struct orrery_reach {
    long low, high, widest;
};
#endif

struct orrery_state;

/* One loop. */
struct orrery_loop {
    const char *file;              /* the user's */
    int line;                      /* of its header */
    enum orrery_strategy strategy; /* the order of blocks */
    int unordered;                 /* conflicting iterations may come in any order */
    int ndims, nkeys;              /* of the grid; of `dims` */
    int dims[ORRERY_KEYS];         /* which dim key k cuts */
    long grid[ORRERY_DIMS];        /* rows, and parts of the other dims; 0: by the data */
    unsigned long env_size;        /* bytes */
    unsigned long record_size;     /* bytes; 0: no records */
    void (*block)(const struct orrery_block *block);              /* runs the body */
    void (*shapes)(const void *env, struct orrery_shape *shapes); /* fills in all of them */
    int narrays;                                                  /* of `arrays` */
    const struct orrery_array *arrays;                            /* that the loop touches */
    int nshapes; /* of arrays, then of reductions into arrays */
#if WITH_SUMS
    int nreductions;                           /* of `reductions` */
    const struct orrery_reduction *reductions; /* what is folded, set last, or scratch space */
#endif
#if WITH_MERGE
    int nmergings;                         /* of `mergings` */
    const struct orrery_merging *mergings; /* relaxed and buffered reductions */
    long sync_steps, sync_iterations; /* when they are merged besides at the end; 0: not said */
#endif
#if WITH_GUARDS
    int nguards;                                         /* of `guards` */
    const struct orrery_guard *guards;                   /* what has to hold */
    int (*holds_at)(const void *env, long i, int guard); /* asks it of iteration i */
#endif
#if WITH_INTERVALS
    /* what iteration i touches */
    void (*intervals)(const void *env, long i, int guard, struct orrery_intervals *out);
#endif
    long lower_offset, step; /* in env, of the variable's first value; by how much it moves */
#if WITH_KEYS
    int by_key;         /* iterations are cut by keys, in records */
    unsigned long seed; /* of the order of keys */
    /* fills in iteration i's record and keys; 0: not wanted */
    void (*gather)(const void *env, long i, void *record, long *keys, struct orrery_span *spans);
    int nspans;  /* all that is read for keys and records lies in so many arrays; 0: not known */
    int ninputs; /* of `inputs` */
    const struct orrery_input *inputs; /* what is read of the environment */
#endif
#if WITH_ROWS
    int nkey_fields;                           /* of `key_fields`; 0: rows stay where they are */
    const struct orrery_key_field *key_fields; /* where records number rows */
#endif
#if WITH_WEIGHTS
    /* what iteration i costs beside others; 0: all the same */
    long (*weigh)(const void *env, long i, struct orrery_span *spans);
#endif
#if WITH_LEVELS
    int ntouched; /* objects through which iterations conflict */
    /* lists what iteration i touches of them */
    void (*touches)(const void *env, long i, struct orrery_touches *list,
                    struct orrery_span *spans);
#endif
#if WITH_WAVE
    /* the positions of iterations [begin, end) */
    void (*reach)(const void *env, long begin, long end, struct orrery_reach *out);
    long height, width; /* of a good block */
#endif
#if WITH_PIPE
    unsigned long slot_size;           /* of what stages hand on of an iteration */
    int stages;                        /* of `stage_costs` */
    double stage_costs[ORRERY_STAGES]; /* nanoseconds */
#endif
    struct orrery_state *state; /* what is kept from run to run */
#if WITH_READINESS
    int written; /* it was said that the loop runs as it is written */
#endif
};

#endif
