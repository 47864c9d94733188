/*
 * What emitted text and the runtime promise each other: one static table per loop and one call.
 * This header, the one at its end and the list of reductions include nothing else and define only
 * names that start with orrery_ or ORRERY_, so that they can stand in front of any C file (C99 and
 * later).
 */
#ifndef ORRERY_RUN_H
#define ORRERY_RUN_H

/* Nothing here is for the user's warning options (-pedantic -std=c89, -Wpadded). */
#pragma GCC system_header

/* As wide as the runtime's, whatever the user's flags say (-fshort-enums). */
#define ORRERY_NUMBER __attribute__((__mode__(__SI__)))

#include "../include/orrery_reductions.def" /* in the tree, and where it is installed */

/* The operators are numbered in the order of their rows. */
#define ORRERY_RUN_ABI (3000 + ORRERY_OPERATORS)

/* The value of a key whose guards do not hold: the iteration touches no row through it. */
#define ORRERY_NO_KEY (-0x7fffffffffffffffL - 1)

/* The most dims that a grid has, and keys: two of a tournament's share a dim. */
#define ORRERY_DIMS 4
#define ORRERY_KEYS 5

/* The most stages of a pipeline. */
#define ORRERY_STAGES 16

enum ORRERY_NUMBER orrery_strategy {
    ORRERY_INDEPENDENT, /* and reduction: ranges of the loop variable */
    ORRERY_PARTITION_1D,
    ORRERY_ROTATION,   /* dim 0 stays, the parts of all others travel */
    ORRERY_TOURNAMENT, /* keys 0 and 1 share dim 0, whose parts meet in pairs; all parts travel */
    ORRERY_ORDERED_ROTATION, /* as a rotation of two dims, in the loop's order: column by column,
                              rows rising; levels where the keys do not come so */
    ORRERY_LEVELS,    /* iterations that touch one element in the loop's order: touches() tells */
    ORRERY_WAVEFRONT, /* rows are ranges of iterations, columns ranges of positions inside of them:
                       block (s, t) after (s - 1, t) and (s, t - 1) */
    ORRERY_PIPELINE   /* rows are stages of the body, columns ranges of iterations: block (s, t)
                       after (s - 1, t) and (s, t - 1) */
};

enum ORRERY_NUMBER orrery_placement {
    ORRERY_RESIDENT,     /* rows live with the grid row that their key's part is */
    ORRERY_ROTATING,     /* rows travel with the part that their key is in */
    ORRERY_REPLICATED,   /* read only, whole on every rank */
    ORRERY_BY_ITERATION, /* not cut by a dim: iteration i touches row i only, of its shape */
    ORRERY_UNPLACED,     /* in one rank only; several ranks: an error that names it */
    ORRERY_ALIGNED       /* block() does not touch it (its values are in the records, or it is a
                          reduction's target): in the list for guards only */
};

/* What folds: a row each of orrery_reductions.def, then what does not. */
enum ORRERY_NUMBER orrery_op {
#define ORRERY_NAME_OF(NAME, ...) ORRERY_##NAME,
    ORRERY_REDUCTIONS(ORRERY_NAME_OF)
#undef ORRERY_NAME_OF
        ORRERY_OPERATORS,           /* how many operators there are */
    ORRERY_LAST = ORRERY_OPERATORS, /* the value after the last iteration in plan order (of private
                                       variables) */
    ORRERY_FIELDS,  /* the elements are structures: each of their fields by its own operation */
    ORRERY_PRIVATE, /* scratch space: a copy per worker, nothing is kept of it */
    ORRERY_CHOOSE_FIRST, /* a structure of what is set together (see orrery_reduction) */
    ORRERY_CHOOSE_LAST,
    ORRERY_RELAXED,  /* a copy that starts as the target; what rows changed is merged into it */
    ORRERY_BUFFERED, /* a copy of zeros, for what is added; `apply` gets the sums */
    ORRERY_CARRIED   /* pipelines: a copy that starts as the target, any type, by size; the target
                        becomes that of row `stage` */
};

enum ORRERY_NUMBER orrery_type {
    ORRERY_I8,
    ORRERY_U8,
    ORRERY_I16,
    ORRERY_U16,
    ORRERY_I32,
    ORRERY_U32,
    ORRERY_I64,
    ORRERY_U64,
    ORRERY_F32,
    ORRERY_F64,
    ORRERY_F80,
    ORRERY_BYTES /* ORRERY_LAST and ORRERY_PRIVATE only: any type, by size */
};

/*
 * A key, as the report names it, and the dim of the grid that is cut by it. In a loop without keys
 * the one "key" is the loop variable.
 */
struct orrery_key {
    const char *name;
    int dim;
};

/*
 * An array of the loop. `dim`: of the grid, along which it is cut; 0 = space, -1 = not cut.
 * `base_offset`: where in the environment its base pointer stands, so that another base may be
 * handed to the body; -1 when the body reaches it in another way (then it stays at its address on
 * every rank). `written`: some iteration writes it. `where`: "file:line" of its first access.
 * `varying`: offsets and lengths of what in each of its elements differs from run to run, pointers
 * and gaps, ended by -1; NULL: there is none. A length below 0: of the byte there the bits of -length
 * do not differ.
 */
struct orrery_array {
    const char *name;
    enum orrery_placement placement;
    int dim;
    long base_offset;
    int written;
    unsigned long element_size;
    const char *where;
    const long *varying;
};

/*
 * Where an array's rows are, filled in by the emitted `shapes` function at every start of the
 * region. Row v starts at base + row_offset + v * row_stride, or at table[v + table_offset]; with a
 * table and a row_stride piece q of row v is at table[q + table_offset] + row_offset + v *
 * row_stride. Lengths are bytes.
 */
struct orrery_shape {
    char *base;                  /* 0, as the table: this run does not use the array */
    long row_offset, row_stride; /* from base to row 0, and from row to row */
    long pieces; /* of a row. Of a table of an array that is not cut: its rows are what so many
                  * entries lead to, 0 = all */
    long piece_bytes, piece_stride; /* of a piece; from one to the next */
    char **table;                   /* or 0 */
    long table_offset, table_step;  /* entries; from one to the next, 0: side by side */
    long tables, inner;        /* 2: the table's entries lead to tables, of which the first `inner`
                           * entries count, 0 = all */
    long inner_at, inner_step; /* bytes to the first of these, and from one to the next, 0: side by
                                * side */
    unsigned long extent;      /* from base, of the whole object where the type tells, 0 = ask the
                           * allocator */
    unsigned long reach;       /* what the loop surely touches all of, for what it does not know */
    long said;                 /* `extent` is the user's word, not the type's */
    long in_front;             /* the loop may touch what lies in front of base */
};

/* `count` numbers, `step` bytes apart, from byte `offset` of a structure. */
struct orrery_field {
    enum orrery_op op;
    enum orrery_type type;
    unsigned long size;
    long offset, step, count;
};

/*
 * An array of the file that `apply` of a buffered one touches at the same index: `pointer` to where
 * its base stands, or 0 and `base`. `size`: of an element.
 */
struct orrery_beside {
    const char *name;
    char *const *pointer;
    const char *base;
    unsigned long size;
};

/*
 * A reduction. Each grid row has its own copy, set to the identity at the start (MIN and MAX of
 * integer scalars: to the target; floating-point ones to the target where that is no number) and
 * folded into the target in row order.
 * ORRERY_CHOOSE_...: the structure begins with a long, the clock at which it was last set (in
 * ordered loops that go by keys the iteration) + 1, 0: not at all. A copy starts as the target
 * does; the target becomes the copy whose field (one, ORRERY_MIN or ORRERY_MAX) is best, of equal
 * ones, or without a field, the first or the last one in plan order: by clock or iteration, then by
 * row.
 */
struct orrery_reduction {
    const char *name;      /* as the program calls it */
    enum orrery_op op;     /* how values are folded */
    enum orrery_type type; /* of one value */
    unsigned long size;    /* bytes of one element */
    long target_offset; /* where in the environment the pointer to the target stands: a scalar, or
                         * an array's element 0 */
    int array;          /* its shape: after the `narrays` ordinary ones; -1: a scalar */
    int nfields;        /* of `fields`, 0: `op` folds all of it */
    const struct orrery_field *fields; /* ORRERY_FIELDS: what is folded. A copy starts with the
                                        * target's values elsewhere, which are not written back */
    int stage;                         /* of a pipeline: who has it */
    int in_front;        /* blocks may touch elements in front of the target; the run fails when one
                   * changes what lies there */
    const long *varying; /* of an element, as an array's; 0: there is none */
};

/* What a merge makes of a relaxed element that several rows changed: the snapshot and the sum of
 * the changes; or their mean; or the mean times a gain from 1 to their number, which follows from
 * the signs of the sums before (merge_type.c). Whole numbers: ADD alone. */
enum ORRERY_NUMBER orrery_rule { ORRERY_RULE_ADD, ORRERY_RULE_AVERAGE, ORRERY_RULE_SCALE };

/*
 * More of reduction number `reduction`, ORRERY_RELAXED or ORRERY_BUFFERED. `marked`: the body marks
 * what it writes. `apply`: calls the user's function for element i (at most `apply_most`) and the
 * sum of its updates; it touches `besides`, too. `touched`: its number in what touches() lists, so
 * that it can be served (docs/served.md); -1: it cannot. `rule`: of a relaxed one.
 */
struct orrery_merging {
    int reduction, marked;
    void (*apply)(void *element, const void *update, long i);
    long apply_most;
    int nbesides;
    const struct orrery_beside *besides;
    int touched;
    enum orrery_rule rule;
};

/* Relaxed or buffered (docs/relaxed.md). */
static __inline__ int orrery_is_merged(const struct orrery_reduction *reduction) {
    return reduction->op == ORRERY_RELAXED || reduction->op == ORRERY_BUFFERED;
}

/*
 * A key inside the packed record: the runtime may overwrite it by the row's place in the
 * partitioned order (relabelling). Several fields may hold the same key with different constants:
 * the field's value is key + constant.
 */
struct orrery_key_field {
    int key;
    unsigned offset, size;
    int is_signed;
    long constant;
};

/*
 * Addresses [low, high) that the gather read from one input: its result is kept until they change.
 * The runtime starts a span with low at the top of the address space and high 0; the gather widens
 * it. Everything it reads that is not in `inputs` below must be touched, a global pointer read by
 * name included.
 */
struct orrery_span {
    const char *low, *high;
};

static __inline__ void orrery_touch(struct orrery_span *span, const void *address,
                                    unsigned long bytes) {
    const char *low = (const char *)address;
    if (low < span->low)
        span->low = low;
    if (low + bytes > span->high)
        span->high = low + bytes;
}

/*
 * What an iteration touches: element `unit` of object `object` (by the order of the table's list).
 * Elements of one object that are not the same have different units. The runtime makes room.
 */
struct orrery_touch {
    long unit;
    int object, written;
};

/* Where the elements of such an object are: element `unit` is the `stride` bytes from base + origin
 * + unit * stride on, as far as array number `array` of the loop goes; with `table` those from
 * origin on behind entry `unit` of the table at base, whose entries are `table` bytes apart; stride
 * 0: as many as each of its allocations has. base 0: not in one piece. */
struct orrery_unit {
    char *base;
    int array, table;
    long origin, stride;
};

struct orrery_touches {
    long count, room;
    struct orrery_touch *items;
    void (*grow)(struct orrery_touches *touches);
};

static __inline__ void orrery_touched(struct orrery_touches *touches, int object, long unit,
                                      int written) {
    if (touches->count == touches->room)
        touches->grow(touches);
    touches->items[touches->count].unit = unit;
    touches->items[touches->count].object = object;
    touches->items[touches->count++].written = written;
}

/*
 * A field of the environment that the gather (or the guards of its keys) reads: the inspection is
 * kept while these bytes stay as they were. Scalars that only the body reads (a learning rate) are
 * no inputs.
 */
struct orrery_input {
    unsigned offset, size;
};

/* A global variable whose bytes the body needs on every rank. */
struct orrery_global {
    const char *name;
    void *address;
    unsigned long size;
};

/* A fact checked before the region runs and whenever what it reads has changed. */
enum ORRERY_NUMBER orrery_guard_kind {
    ORRERY_NO_OVERLAP,
    ORRERY_ROWS_DISJOINT,
    ORRERY_KEY_RANGE,
    ORRERY_CONDITION, /* holds(env) is not 0 */
    ORRERY_APART,     /* what different iterations interval does not meet */
    ORRERY_TABLES,    /* intervals of set 0 all lie on one side of those of set 1 */
    ORRERY_MONOTONE,  /* intervals are (place, value): values do not fall from place to place */
    ORRERY_INJECTIVE, /* and: no value stands at two places */
    ORRERY_EMPTY      /* nothing is claimed */
};

/*
 * Where an iteration's intervals go: intervals [low, high], none when low > high. What was read to
 * make them is touched in `spans`.
 */
struct orrery_intervals {
    struct orrery_span *spans;
    int set;
    void (*add)(struct orrery_intervals *intervals, long low, long high);
};

struct orrery_guard {
    enum orrery_guard_kind kind;
    int a, b; /* indices of arrays */
    const char *text;
    int assumed;                   /* the user's word: checked by `orrery verify` only */
    int (*holds)(const void *env); /* ORRERY_CONDITION: evaluates it; else 0 */
    /* ORRERY_CONDITION: writes the values that it depends on; else, or when there are none, 0 */
    void (*show)(const void *env, char *text, unsigned long size);
};

/* snprintf, without <stdio.h>. */
void orrery_format(char *text, unsigned long size, const char *format, ...);

struct orrery_served;

/* One piece of work handed to an emitted function. */
struct orrery_block {
    const void *env;   /* what the loop captured */
    void *records;     /* block(): packed ones (by key), of which it takes */
    const long *order; /* serial(): the original index per position; 0: positions are indices */
    long begin, end;   /* iterations [begin, end); index i: the loop variable is lower + i * step */
    void *const *accumulators; /* the row's private copy of reduction j */
    long row, column, clock;   /* which block of the grid, and when */
    long from, to;             /* wavefronts: positions [from, to). serial() does not look */
    void *const *snapshots;    /* of merged reduction j: the target as it was at the last merge */
    _Bool *const *marks;       /* of the same: one per ORRERY_MARKED bytes */
    void *slots;               /* of a pipeline: one for each of its iterations */
    const struct orrery_served *served; /* of merged ones, for served() */
    int is_far; /* merged ones are no longer near the core when iterations touch them */
};

/* Positions of some iterations of a wavefront: low to high, and the most of one iteration. */
struct orrery_reach {
    long low, high, widest;
};

/*
 * What some iterations of a wavefront touch, add(): `count` elements of `size` bytes, `step` bytes
 * apart, from `first` on, of array number `array`. row(): where a row behind a table is, 0:
 * nowhere. part(): between which values of its variable, or at which position, the next part of an
 * iteration is. bent(): what the iterations in between say is no straight line, for the condition
 * of a loop inside compares a number below zero as an unsigned one. all(): the memory that the
 * address is in. The runtime says where they go.
 */
enum ORRERY_NUMBER orrery_touch_kind {
    ORRERY_READ,
    ORRERY_MAYBE_READ, /* where conditions hold that are not said */
    ORRERY_WRITTEN,
    ORRERY_MAYBE_WRITTEN,
    ORRERY_READ_BEHIND, /* whatever the loop writes there it has written before */
    ORRERY_MAYBE_READ_BEHIND
};
struct orrery_sections {
    void (*add)(struct orrery_sections *sections, int array, const char *first, long step,
                long count, unsigned long size, int how);
    const char *(*row)(struct orrery_sections *sections, int array, long row);
    void (*part)(struct orrery_sections *sections, long low, long high);
    void (*bent)(struct orrery_sections *sections);
    void (*all)(struct orrery_sections *sections, int array, const char *address, int how);
};

static __inline__ void orrery_section(struct orrery_sections *sections, int array, const char *base,
                                      long offset, long step, long count, unsigned long size,
                                      int how) {
    if (base)
        sections->add(sections, array, base + offset, step, count, size, how);
}

/* The body says which lines of its copy it writes, when the table says that it is `marked`: a byte
 * per line behind `marks`, and in front of it, going down, one per ORRERY_MARKED lines. NULL: it
 * works on the program's array. */
#define ORRERY_MARKED 64

static __inline__ __attribute__((__always_inline__)) void *
orrery_mark(void *address, const char *base, _Bool *marks) {
    if (marks) {
        unsigned long line = (unsigned long)((const char *)address - base) / ORRERY_MARKED;
        marks[line] = 1;
        marks[-1 - (long)(line / ORRERY_MARKED)] = 1;
    }
    return address;
}

/* Where the update of an element of a snapshot is collected, `shift` bytes behind it. */
static __inline__ __attribute__((__always_inline__)) void *orrery_update(const void *address,
                                                                         long shift) {
    return (void *)((__UINTPTR_TYPE__)address + (__UINTPTR_TYPE__)shift);
}

/*
 * A served array as a chunk of a row's iterations has it (docs/served.md). `home`: the address that
 * the body takes for element 0; nothing need be there. The ORRERY_MARKED bytes at home + n *
 * ORRERY_MARKED stand in line slots[n] of `lines`, which are what is read; `shift` bytes behind
 * them is what is written, whose first line is at `copy`, with its `marks`.
 */
struct orrery_served {
    const char *home;
    const unsigned *slots;
    char *lines;
    long shift;
    const char *copy;
    _Bool *marks;
};

static __inline__ __attribute__((__always_inline__)) void *
orrery_served_at(const void *address, const struct orrery_served *served) {
    unsigned long at = (__UINTPTR_TYPE__)address - (__UINTPTR_TYPE__)served->home;
    return served->lines + (unsigned long)served->slots[at / ORRERY_MARKED] * ORRERY_MARKED +
           at % ORRERY_MARKED;
}

/* A buffered one's update. */
static __inline__ __attribute__((__always_inline__)) void *
orrery_served_update(const void *address, const struct orrery_served *served) {
    void *at = orrery_update(orrery_served_at(address, served), served->shift);
    return orrery_mark(at, served->copy, served->marks);
}

/* A relaxed one is read where it is written. */
static __inline__ __attribute__((__always_inline__)) void *
orrery_served_write(const void *address, const struct orrery_served *served) {
    return orrery_mark(orrery_served_at(address, served), served->copy, served->marks);
}

/* Sums that may be reordered need not come out the same in two bodies of one loop. */
#ifndef __FAST_MATH__
#define ORRERY_SERVE 1
#endif

struct orrery_kernel;

/* `count` keys in a record, of `size` bytes each, that lead to rows of touched object `touched`,
 * which has copies of some (relax(hot)). */
struct orrery_hot_field {
    int touched;
    unsigned offset, size;
    int count, is_signed;
};

/*
 * The static table of one loop.
 * gather(env, i, record, keys, spans): evaluates iteration index i (0-based): nkeys keys and
 * the record; widens spans. record, spans, or keys, may be 0. Only called when by_key. gathers: the
 * same of iterations in a row; records and spans are not asked for together. shapes(env, out):
 * fills narrays shapes, then one per array reduction. block: the body with its loads replaced by the
 * record's fields. serial: the unmodified body.
 */
struct orrery_loop {
    int abi;                       /* ORRERY_RUN_ABI of the emitting orrery-cc */
    const char *file;              /* the user's */
    int line;                      /* of the loop's header */
    const char *function;          /* that it stood in */
    enum orrery_strategy strategy; /* the plan's */
    int by_key;                    /* iterations are cut by keys, in records */
    int unordered;                 /* conflicting iterations may come in any order, one at a time */
    int ndims, nkeys;              /* of the grid; of `keys` */
    struct orrery_key keys[ORRERY_KEYS]; /* which dim is cut by what */
    long grid[ORRERY_DIMS]; /* rows, then the parts of every other dim; 0 = from the data. A
                             tournament's dim 0 has two parts per row */
    unsigned long seed;     /* of the key order */
    unsigned long env_size, record_size;       /* bytes; 0: no records */
    int narrays;                               /* of `arrays` */
    const struct orrery_array *arrays;         /* objects that the loop touches */
    int nreductions;                           /* of `reductions` */
    const struct orrery_reduction *reductions; /* what is folded, set last, or scratch space */
    int nkey_fields;                           /* of `key_fields` */
    const struct orrery_key_field *key_fields; /* keys inside of the record */
    int nspans;                                /* that gather and the others widen */
    int nglobals;                              /* of `globals` */
    const struct orrery_global *globals;       /* variables of the file that the body reads */
    int nguards;                               /* of `guards` */
    const struct orrery_guard *guards;         /* facts that the plan relies on */
    /* Floating-point contraction or -ffast-math was on: replay cannot be bit-equal. */
    int contraction;
    int allow_fallback; /* run serially when a check fails, 1: and say so; 2: nobody asked */
    int relabel_ok;     /* the keys' fields may be renumbered: every use of them as a row index is a
                         replaced site, and reaches only arrays that are cut */
    /* by_key: fills iteration i's record and keys; either may be 0 */
    void (*gather)(const void *env, long i, void *record, long *keys, struct orrery_span *spans);
    /* by_key: gather() of iterations i .. i + n - 1 (ORRERY_GATHERS): record_size bytes and nkeys keys
     * of each, one after the other */
    void (*gathers)(const void *env, long i, long n, void *records, long *keys,
                    struct orrery_span *spans);
    /* fills a shape per array, then per array reduction */
    void (*shapes)(const void *env, struct orrery_shape *out);
    void (*block)(const struct orrery_block *block); /* runs iterations from their records */
    /* runs iterations of the user's text, in any order */
    void (*serial)(const struct orrery_block *block);
    void *state; /* the runtime's, starts 0 (the table is not const for this) */
    /* Fields of env that gather reads. inputs == 0: not known, so the whole env but the reductions'
     * targets and the arrays' bases is compared. */
    int ninputs;                       /* of `inputs` */
    const struct orrery_input *inputs; /* these fields */
    /* Loops that are not by_key: the space dim's value (the loop variable) of iteration i is
     * *(long *)(env + lower_offset) + i * step. step 0: not known (several ranks refuse arrays that
     * are cut). */
    long lower_offset, step;
    /* Evaluates guard g, an ORRERY_KEY_RANGE, for iteration i (as gather does); asked for every
     * iteration when keys have changed, so gather touches what it reads, too. 0: only the columns
     * of a matrix (pieces > 1, cut along the key's dim) can be checked, any other such guard
     * fails. */
    int (*holds_at)(const void *env, long i, int g);
    /* The intervals of iteration i for guard g, one of the kinds from ORRERY_APART on. What it
     * reads of env is in `inputs`, whatever else it reads it touches. 0: there are none. */
    void (*intervals)(const void *env, long i, int g, struct orrery_intervals *out);
    /* Levels, and served arrays. touches(env, i, list, spans): appends to the list what iteration i
     * touches of the `ntouched` objects through which iterations conflict, or that are served;
     * widens spans (may be 0). Evaluates what the body reads on the way, never more. */
    int ntouched;               /* of `touched` */
    const char *const *touched; /* the objects' names, then 0 */
    /* ... lists them */
    void (*touches)(const void *env, long i, struct orrery_touches *list,
                    struct orrery_span *spans);
    /* Wavefronts only. reach(env, begin, end, out): the positions of iterations [begin, end), none
     * when low > high. `height`, `width`: a good block's iterations and positions. */
    void (*reach)(const void *env, long begin, long end, struct orrery_reach *out);
    long height, width; /* of that block */
    /* Wavefronts whose arrays can be divided among ranks, and independent loops whose arrays cannot
     * be cut, else 0. sections(env, begin, end, from, to, out): what iterations [begin, end) read and write at the positions [from, to) of the
     * arrays that are ORRERY_RESIDENT and have no dim: no more than that is written, no less of it
     * read. A straight line in all iterations, so that the first and the last tell of all, unless
     * one of the two says bent(). */
    void (*sections)(const void *env, long begin, long end, long from, long to,
                     struct orrery_sections *out);
    /* When merged arrays are merged besides at the end: after so many clocks (loops of one clock:
     * in so many parts), or about so many iterations of a row. 0: not said. */
    long sync_steps, sync_iterations;
    int nmergings;                         /* of `mergings` */
    const struct orrery_merging *mergings; /* of relaxed and buffered reductions */
    /* One unit per touched object; of a served one `origin` and `stride` alone. */
    void (*units)(const void *env, struct orrery_unit *units);
    /* orrery_run_later: the fields of env that do not
     * change between passes that flow into each other. */
    int nsteady;                       /* of `steady` */
    const struct orrery_input *steady; /* these fields */
    /* The loop runs on a device, by this kernel (orrery_device.h), in place of block(). 0: on
     * workers. kernel_layout: of the environment and the record; the kernel's own has to be the
     * same. */
    const struct orrery_kernel *kernel;
    unsigned long kernel_layout; /* a hash */
    /* What iteration i costs beside others, at least 1: made of the lengths of its loops inside.
     * Widens spans (may be 0); what it reads of env is in `inputs`. 0: all cost the same. */
    long (*weigh)(const void *env, long i, struct orrery_span *spans);
    /* Pipelines only. slot_size: of what travels with an iteration from stage to stage. `stages`:
     * how many, and nanoseconds of an iteration in each, as counted: more than 0. */
    unsigned long slot_size;
    int stages; /* of `stage_costs` */
    /* Per array: the row of the grid that touches it alone, -1:
     * none; whether late statements change it. */
    const int *homes, *delayed;
    double stage_costs[ORRERY_STAGES]; /* nanoseconds, per stage */
    /* Groups of statements that run late: by row, when a slot has come back so many times. Block
     * (stages + g, t) is group g's of range t. */
    int nlate;
    struct {
        int row, age;
    } late[ORRERY_STAGES]; /* per group */
    /* Served arrays: block(), for served ones. 0: none can be. */
    void (*served)(const struct orrery_block *block);
    /* What holds an address that the body has made when the loop ends: where arrays stand elsewhere
     * for the loop it means nothing behind it. 0: nothing does. */
    const char *addresses;
    /* A comparison of addresses that only holds where both are the program's own; bit a % 64 of
     * compared_arrays: one may be of array a. 0: there is none. */
    const char *compared;
    unsigned long compared_arrays; /* bits */
    /* Memory that the body reaches by pointers that it reads, and of which no array is known: several
     * ranks are an error that names it. 0: there is none. */
    const char *unplaced;
    /* gather() without a record and keys reads no memory: it only says where they are. */
    int direct;
    /* relax(hot): per touched object the bytes of a floating-point number of its rows, 0: it has no
     * copies. 0: none has. */
    const int *hot;
    int nhot_fields;                           /* of `hot_fields` */
    const struct orrery_hot_field *hot_fields; /* keys inside of the record */
    /* A body may meet what only the serial loop can do (orrery_nan_stop, orrery_output_leave): then
     * the loop begins again. What it has changed but for reductions it writes again. */
    int reruns;
    /* The runtime's, start 0, of loops that nobody marked: how often the loop may run serially
     * without being asked for while its work is at most `skip_work` nanoseconds; its trials. Of
     * marked loops with `reruns`: how often yet, and how often the last time. */
    long skips, skip_work;
    void *trials; /* times of both ways, NULL: none yet */
    int written;  /* the runtime's, starts 0: it has been said that one worker runs the loop */
    /* `serial` does what the user's text does only where the guards hold. 2: that text stands behind
     * the call, for a run that returns 1. */
    int reworded;
};

/*
 * Defines NAME, the `gathers` of a loop whose gather() is GATHER: a loop for each set of what is
 * asked for, so that the compiler leaves the rest out; spans are widened in registers.
 */
#define ORRERY_GATHERS(NAME, GATHER, RECORD, NKEYS, NSPANS)                                        \
    static void NAME(const void *__restrict__ orrery_e, long orrery_i, long orrery_n,              \
                     void *__restrict__ orrery_p, long *__restrict__ orrery_k,                     \
                     struct orrery_span *__restrict__ orrery_s) {                                  \
        RECORD *__restrict__ orrery_r = (RECORD *)orrery_p;                                        \
        long orrery_a;                                                                             \
        if (orrery_s) {                                                                            \
            struct {                                                                               \
                struct orrery_span spans[(NSPANS) + 1];                                            \
            } orrery_own;                                                                          \
            __builtin_memcpy(&orrery_own, orrery_s, (NSPANS) * sizeof *orrery_s);                  \
            if (orrery_k)                                                                          \
                for (orrery_a = 0; orrery_a < orrery_n; ++orrery_a)                                \
                    GATHER(orrery_e, orrery_i + orrery_a, 0, orrery_k + orrery_a * (NKEYS),        \
                           orrery_own.spans);                                                      \
            else                                                                                   \
                for (orrery_a = 0; orrery_a < orrery_n; ++orrery_a)                                \
                    GATHER(orrery_e, orrery_i + orrery_a, 0, 0, orrery_own.spans);                 \
            __builtin_memcpy(orrery_s, &orrery_own, (NSPANS) * sizeof *orrery_s);                  \
        } else if (orrery_k && !orrery_r) {                                                        \
            for (orrery_a = 0; orrery_a < orrery_n; ++orrery_a)                                    \
                GATHER(orrery_e, orrery_i + orrery_a, 0, orrery_k + orrery_a * (NKEYS), 0);        \
        } else if (orrery_k) {                                                                     \
            for (orrery_a = 0; orrery_a < orrery_n; ++orrery_a)                                    \
                GATHER(orrery_e, orrery_i + orrery_a, orrery_r + orrery_a,                         \
                       orrery_k + orrery_a * (NKEYS), 0);                                          \
        } else {                                                                                   \
            for (orrery_a = 0; orrery_a < orrery_n; ++orrery_a)                                    \
                GATHER(orrery_e, orrery_i + orrery_a, orrery_r + orrery_a, 0, 0);                  \
        }                                                                                          \
    }

/* `each` per iteration from low to high, or nothing;
 * never so much that sums of weights overflow. */
static __inline__ long orrery_weight(long low, long high, long step, long each) {
    unsigned long most = 1UL << 30, trips = 0;
    if (high >= low)
        trips = ((unsigned long)high - (unsigned long)low) / (unsigned long)step + 1;
    trips = trips < most ? trips : most;
    return (long)trips * (each < 1024 ? each : 1024);
}

#include "orrery_body.h"

#endif
