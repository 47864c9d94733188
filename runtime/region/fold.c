#include "runtime/region/fold.h"

#include "dsm/dsm.h"
#include "runtime/base/memory.h"
#include "runtime/threads/workers.h"

#include <stdint.h>
#include <string.h>
#include <tgmath.h>

/* Folds n elements: to[i] = to[i] op from[i]. */
typedef void fold_function(enum orrery_op op, void *to, const void *from, size_t n);

/* One operator: orrery_reductions.def explains the columns. */
struct operator{
    enum orrery_op base;
    enum { ZERO, ONE, ONES, LEAST, MOST, TARGET } identity;
    int takes, traits;
};

enum { INTEGERS = 1, FLOATS = 2, ROUNDED = 1, ELEMENTS = 2, DEVICE = 4 };

#define OPERATOR(NAME, base, lanes, word, title, spelled, call, takes, identity, traits, ...)      \
    [ORRERY_##NAME] = {ORRERY_##base, identity, takes, traits},

static const struct operator operators[] = { ORRERY_REDUCTIONS(OPERATOR) };

/* ---- element types --------------------------------------------------------------------------- */

/* Of any type: <tgmath.h>. */
#define ORRERY_LIBM(function) function
#define FOLD(op, expression)                                                                       \
    case op:                                                                                       \
        for (size_t i = 0; i < n; ++i) {                                                           \
            const number a = x[i], b = y[i];                                                       \
            (void)b;                                                                               \
            x[i] = (number)(expression);                                                           \
        }                                                                                          \
        return;
#define FOLD_INTEGERS(NAME, base, lanes, word, title, spelled, call, takes, identity, traits,      \
                      ties, integer, floating)                                                     \
    FOLD(ORRERY_##NAME, integer)
#define FOLD_FLOATS(NAME, base, lanes, word, title, spelled, call, takes, identity, traits, ties,  \
                    integer, floating)                                                             \
    FOLD(ORRERY_##NAME, floating)

/* `unsigned_type`: what arithmetic is done in, so that it wraps. */
#define FOLD_FUNCTION(suffix, type, unsigned_type, row)                                            \
    static void fold_##suffix(enum orrery_op op, void *to, const void *from, size_t n) {           \
        typedef type number;                                                                       \
        typedef unsigned_type wide __attribute__((unused));                                        \
        number *x = to;                                                                            \
        const number *y = from;                                                                    \
        switch (op) {                                                                              \
            ORRERY_REDUCTIONS(row)                                                                 \
        default:                                                                                   \
            return;                                                                                \
        }                                                                                          \
    }

FOLD_FUNCTION(i8, int8_t, uint32_t, FOLD_INTEGERS)
FOLD_FUNCTION(u8, uint8_t, uint32_t, FOLD_INTEGERS)
FOLD_FUNCTION(i16, int16_t, uint32_t, FOLD_INTEGERS)
FOLD_FUNCTION(u16, uint16_t, uint32_t, FOLD_INTEGERS)
FOLD_FUNCTION(i32, int32_t, uint32_t, FOLD_INTEGERS)
FOLD_FUNCTION(u32, uint32_t, uint32_t, FOLD_INTEGERS)
FOLD_FUNCTION(i64, int64_t, uint64_t, FOLD_INTEGERS)
FOLD_FUNCTION(u64, uint64_t, uint64_t, FOLD_INTEGERS)
FOLD_FUNCTION(f32, float, uint32_t, FOLD_FLOATS)
FOLD_FUNCTION(f64, double, uint64_t, FOLD_FLOATS)
FOLD_FUNCTION(f80, long double, uint64_t, FOLD_FLOATS)

/* One element type: its folds, what it is (INTEGERS or FLOATS), and its identities. */
struct element {
    size_t size;
    fold_function *fold;
    int is;
    const void *least, *most, *zero, *one, *ones;
};

#define INTEGER(suffix, type, low, high)                                                           \
    {sizeof(type),        fold_##suffix,    INTEGERS,         &(const type){low},                  \
     &(const type){high}, &(const type){0}, &(const type){1}, &(const type){(type) - 1}}

/* Minus zero is the identity of the floating-point sum: it leaves minus zero as it is. */
#define FLOATING(suffix, type)                                                                     \
    {sizeof(type),                                                                                 \
     fold_##suffix,                                                                                \
     FLOATS,                                                                                       \
     &(const type){-(type)INFINITY},                                                               \
     &(const type){(type)INFINITY},                                                                \
     &(const type){-(type)0.0},                                                                    \
     &(const type){1},                                                                             \
     NULL}

static const struct element elements[] = {
    [ORRERY_I8] = INTEGER(i8, int8_t, INT8_MIN, INT8_MAX),
    [ORRERY_U8] = INTEGER(u8, uint8_t, 0, UINT8_MAX),
    [ORRERY_I16] = INTEGER(i16, int16_t, INT16_MIN, INT16_MAX),
    [ORRERY_U16] = INTEGER(u16, uint16_t, 0, UINT16_MAX),
    [ORRERY_I32] = INTEGER(i32, int32_t, INT32_MIN, INT32_MAX),
    [ORRERY_U32] = INTEGER(u32, uint32_t, 0, UINT32_MAX),
    [ORRERY_I64] = INTEGER(i64, int64_t, INT64_MIN, INT64_MAX),
    [ORRERY_U64] = INTEGER(u64, uint64_t, 0, UINT64_MAX),
    [ORRERY_F32] = FLOATING(f32, float),
    [ORRERY_F64] = FLOATING(f64, double),
    [ORRERY_F80] = FLOATING(f80, long double),
};

/* SPOILT: of floating-point numbers all bytes of a NaN. */
enum { LARGE = 1 << 16, LINE = 64, SPOILT = 0xff };

static const void *identity_of(enum orrery_op op, enum orrery_type type) {
    const struct element *element = &elements[type];
    switch (op < ORRERY_OPERATORS ? operators[op].identity : ZERO) {
    case ONE:
        return element->one;
    case ONES:
        return element->ones;
    case LEAST:
        return element->least;
    case MOST:
        return element->most;
    default:
        return element->zero;
    }
}

static bool is_known(enum orrery_op op, enum orrery_type type, unsigned long size) {
    return op < ORRERY_OPERATORS && type < ORRERY_BYTES && elements[type].size == size &&
           operators[op].takes & elements[type].is;
}

static bool is_extreme(enum orrery_op op) {
    return op < ORRERY_OPERATORS &&
           (operators[op].base == ORRERY_MIN || operators[op].base == ORRERY_MAX);
}

static bool is_floating_extreme(enum orrery_op op, enum orrery_type type) {
    return is_extreme(op) && type < ORRERY_BYTES && elements[type].is == FLOATS;
}

bool orrery_is_rounded(const struct orrery_reduction *reduction) {
    return reduction->op < ORRERY_OPERATORS && reduction->type < ORRERY_BYTES &&
           elements[reduction->type].is == FLOATS && operators[reduction->op].traits & ROUNDED;
}

static bool is_choice(const struct orrery_reduction *reduction) {
    return reduction->op == ORRERY_CHOOSE_FIRST || reduction->op == ORRERY_CHOOSE_LAST;
}

/* A fold that neither the table nor we know would be silently wrong. */
static void reduction_check(const struct orrery_loop *loop,
                            const struct orrery_reduction *reduction) {
    bool known = orrery_is_scratch(reduction) || reduction->op == ORRERY_FIELDS ||
                 reduction->op == ORRERY_CARRIED || is_choice(reduction) ||
                 is_known(orrery_is_merged(reduction) ? ORRERY_ADD : reduction->op, reduction->type,
                          reduction->size);
    for (int f = 0; f < reduction->nfields; ++f) {
        const struct orrery_field *field = &reduction->fields[f];
        known = known && is_known(field->op, field->type, field->size);
    }
    if (!known)
        dsm_fail(1, "%s:%d: the table's reduction of %s has no such operation on its type",
                 loop->file, loop->line, reduction->name);
}

void orrery_copies_free(struct orrery_copies *copies) {
    for (int j = 0; copies->memory && j < copies->loop->nreductions; ++j) {
        orrery_memory_free(copies->memory[j] ? copies->memory[j] - copies->front[j] : NULL);
        dsm_own_free(copies->starts[j]);
    }
    dsm_own_free(copies->memory);
    dsm_own_free(copies->starts);
    dsm_own_free(copies->bytes);
    dsm_own_free(copies->stride);
    dsm_own_free(copies->front);
    dsm_own_free(copies->slots);
    dsm_own_free(copies->pointers);
    *copies = (struct orrery_copies){0};
}

static bool fits(const struct orrery_copies *copies, const struct orrery_loop *loop, long row_low,
                 long row_high, long last_row, const size_t *bytes, const size_t *front,
                 bool serves) {
    return copies->loop == loop && copies->serves == serves && copies->row_low == row_low &&
           copies->row_high == row_high && copies->last_row == last_row &&
           memcmp(copies->bytes, bytes, (size_t)loop->nreductions * sizeof *bytes) == 0 &&
           memcmp(copies->front, front, (size_t)loop->nreductions * sizeof *front) == 0;
}

bool orrery_starts_as_target(const struct orrery_reduction *reduction) {
    enum orrery_op op = reduction->op;
    if (op >= ORRERY_OPERATORS)
        return op != ORRERY_PRIVATE;
    return operators[op].identity == TARGET || is_floating_extreme(op, reduction->type) ||
           (is_extreme(op) && reduction->array < 0);
}

bool orrery_is_folded(const struct orrery_reduction *reduction) {
    return !orrery_is_scratch(reduction) && !orrery_is_merged(reduction);
}

bool orrery_is_scratch(const struct orrery_reduction *reduction) {
    return reduction->op == ORRERY_LAST || reduction->op == ORRERY_PRIVATE;
}

/* The worker whose row it is (clocks.c). */
static long worker_of(const struct orrery_copies *copies, long row) {
    return orrery_share_of(row - copies->row_low, copies->row_high - copies->row_low,
                           orrery_workers_count());
}

/* Wavefronts and panels deal rows to workers in turn (clocks.c, panels_run.c): a copy per row. */
static bool is_by_row(const struct orrery_copies *copies,
                      const struct orrery_reduction *reduction) {
    return orrery_is_folded(reduction) || copies->loop->reach || copies->loop->sections;
}

/* Where row `row` finds its copy: by row, or one per worker; another for the row whose value is
 * kept. */
static long slot_of(const struct orrery_copies *copies, int j, long row) {
    const struct orrery_reduction *reduction = &copies->loop->reductions[j];
    if (reduction->op == ORRERY_LAST && row == copies->last_row)
        return copies->slots[j] - 1;
    return is_by_row(copies, reduction) ? row - copies->row_low : worker_of(copies, row);
}

static void copy_make(struct orrery_copies *copies, int j, size_t bytes, size_t front) {
    const struct orrery_reduction *reduction = &copies->loop->reductions[j];
    long rows = copies->row_high - copies->row_low;
    reduction_check(copies->loop, reduction);
    copies->bytes[j] = bytes;
    copies->front[j] = front;
    copies->stride[j] = front + (bytes + LINE - 1) / LINE * LINE;
    copies->slots[j] = (is_by_row(copies, reduction) ? rows : orrery_workers_count()) +
                       (reduction->op == ORRERY_LAST);
    if (orrery_is_merged(reduction))
        copies->slots[j] = 0;
    copies->memory[j] =
        orrery_memory_aligned((size_t)copies->slots[j] * copies->stride[j] + front) + front;
    bool served = copies->serves && orrery_can_be_served(copies->loop, j);
    copies->starts[j] = orrery_starts_as_target(reduction) && !served ? dsm_own_alloc(bytes) : NULL;
    for (long row = copies->row_low; row < copies->row_high && copies->slots[j]; ++row)
        copies->pointers[(row - copies->row_low) * copies->loop->nreductions + j] =
            copies->memory[j] + (size_t)slot_of(copies, j, row) * copies->stride[j];
}

void orrery_copies_make(struct orrery_copies *copies, const struct orrery_loop *loop, long row_low,
                        long row_high, long last_row, const size_t *bytes, const size_t *front,
                        bool serves) {
    if (fits(copies, loop, row_low, row_high, last_row, bytes, front, serves))
        return;
    orrery_copies_free(copies);
    size_t n = (size_t)loop->nreductions + 1, rows = (size_t)(row_high - row_low) + 1;
    copies->loop = loop;
    copies->serves = serves;
    copies->row_low = row_low;
    copies->row_high = row_high;
    copies->last_row = last_row;
    copies->bytes = dsm_own_alloc(n * sizeof *copies->bytes);
    copies->stride = dsm_own_alloc(n * sizeof *copies->stride);
    copies->slots = dsm_own_alloc(n * sizeof *copies->slots);
    copies->memory = dsm_own_alloc(n * sizeof *copies->memory);
    copies->starts = dsm_own_alloc(n * sizeof *copies->starts);
    copies->front = dsm_own_alloc(n * sizeof *copies->front);
    copies->pointers = dsm_own_alloc(n * rows * sizeof *copies->pointers);
    for (int j = 0; j < loop->nreductions; ++j)
        copy_make(copies, j, bytes[j], front[j]);
}

/* As many whole elements as there is room for;
 * what stands already is copied, twice as much each time. */
static void fill(char *to, size_t bytes, const void *element, size_t size) {
    size_t whole = bytes / size * size;
    if (whole)
        memcpy(to, element, size);
    for (size_t done = size; done < whole; done *= 2)
        memcpy(to + done, to, done < whole - done ? done : whole - done);
}

static bool is_nan(enum orrery_type type, const char *value) {
    long double wide;
    double full;
    float half;
    switch (type) {
    case ORRERY_F32:
        memcpy(&half, value, sizeof half);
        return isnan(half);
    case ORRERY_F64:
        memcpy(&full, value, sizeof full);
        return isnan(full);
    default:
        memcpy(&wide, value, sizeof wide);
        return isnan(wide);
    }
}

/*
 * A minimum of floating-point numbers begins as what the target holds where that is none, which
 * decides what becomes of it; else as if nothing had come yet: the target takes part in the fold,
 * once.
 */
static void begin_extreme(char *value, enum orrery_op op, enum orrery_type type, size_t size) {
    if (!is_nan(type, value))
        memcpy(value, identity_of(op, type), size);
}

/* `all`: those, too, that the target has a say in. */
static void fill_fields(char *copy, size_t bytes, const struct orrery_reduction *reduction,
                        bool all) {
    for (size_t at = 0; at + reduction->size <= bytes; at += reduction->size)
        for (int f = 0; f < reduction->nfields; ++f) {
            const struct orrery_field *field = &reduction->fields[f];
            const void *identity = identity_of(field->op, field->type);
            bool extreme = !all && is_floating_extreme(field->op, field->type);
            for (long i = 0; i < field->count; ++i) {
                char *value = copy + at + field->offset + i * field->step;
                if (extreme)
                    begin_extreme(value, field->op, field->type, field->size);
                else
                    memcpy(value, identity, field->size);
            }
        }
}

static bool is_kept(const struct orrery_copies *copies, int j, long row) {
    return copies->loop->reductions[j].op == ORRERY_LAST && row == copies->last_row;
}

/* What stands in front of a copy: nothing that a fold would take. */
static void front_fill(const struct orrery_reduction *reduction, char *front, size_t bytes) {
    memset(front, 0, bytes);
    if (reduction->op == ORRERY_FIELDS)
        fill_fields(front, bytes, reduction, true);
    else
        fill(front, bytes, identity_of(reduction->op, reduction->type), reduction->size);
}

void orrery_copies_check(const struct orrery_copies *copies) {
    const struct orrery_loop *loop = copies->loop;
    for (int j = 0; j < loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &loop->reductions[j];
        size_t bytes = copies->front[j] / reduction->size * reduction->size;
        char *fresh = bytes ? dsm_own_alloc(bytes) : NULL;
        if (bytes)
            front_fill(reduction, fresh, bytes);
        for (long row = copies->row_low; row < copies->row_high && bytes; ++row) {
            const char *copy = orrery_copies_of(copies, row)[j];
            if (memcmp(copy - bytes, fresh, bytes) != 0)
                dsm_fail(1,
                         "%s:%d: the loop changes elements in front of what %s points to, of which "
                         "its copies have none; let %s point to the first element that the loop "
                         "uses",
                         loop->file, loop->line, reduction->name, reduction->name);
        }
        dsm_own_free(fresh);
    }
}

void orrery_copies_reset(struct orrery_copies *copies, long row) {
    for (int j = 0; j < copies->loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &copies->loop->reductions[j];
        char *copy = copies->pointers[(row - copies->row_low) * copies->loop->nreductions + j];
        size_t front = copies->front[j] / reduction->size * reduction->size;
        if (front)
            front_fill(reduction, copy - front, front);
        bool folded = orrery_is_folded(reduction);
        if (orrery_starts_as_target(reduction) && (folded || is_kept(copies, j, row)))
            memcpy(copy, copies->starts[j], copies->bytes[j]);
        else if (folded)
            fill(copy, copies->bytes[j], identity_of(reduction->op, reduction->type),
                 reduction->size);
        if (reduction->op == ORRERY_FIELDS)
            fill_fields(copy, copies->bytes[j], reduction, false);
        if (folded && is_floating_extreme(reduction->op, reduction->type))
            for (size_t at = 0; at + reduction->size <= copies->bytes[j]; at += reduction->size)
                begin_extreme(copy + at, reduction->op, reduction->type, reduction->size);
    }
}

void orrery_copies_spoil(struct orrery_copies *copies, long row) {
    for (int j = 0; j < copies->loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &copies->loop->reductions[j];
        char *copy = copies->pointers[(row - copies->row_low) * copies->loop->nreductions + j];
        if (orrery_is_scratch(reduction) && reduction->array >= 0 && !is_kept(copies, j, row))
            memset(copy, SPOILT, copies->bytes[j]);
    }
}

char *orrery_copies_last(const struct orrery_copies *copies, int j) {
    return copies->memory[j] + (size_t)(copies->slots[j] - 1) * copies->stride[j];
}

void orrery_copies_unite(struct orrery_copies *copies, int j, void *shared) {
    for (long row = copies->row_low; row < copies->row_high; ++row)
        copies->pointers[(row - copies->row_low) * copies->loop->nreductions + j] = shared;
}

void *const *orrery_copies_of(const struct orrery_copies *copies, long row) {
    return copies->pointers + (row - copies->row_low) * copies->loop->nreductions;
}

/* A large fold: every worker folds its range of elements over all rows. */
struct fold_job {
    const struct orrery_reduction *what; /* the loop's own words of it */
    /* bytes of an element, of a row's copy, from one copy to the next */
    size_t size, bytes, stride;
    long row_low, row_high; /* rows that are folded */
    const char *memory;     /* their copies, row_low's first */
    char *target;           /* which they are folded into, in row order */
    int workers;            /* threads that each take a range of elements */
};

static void fold_fields(const struct orrery_reduction *what, char *to, const char *from, size_t n) {
    for (size_t at = 0; at < n * what->size; at += what->size)
        for (int f = 0; f < what->nfields; ++f) {
            const struct orrery_field *field = &what->fields[f];
            fold_function *fold = elements[field->type].fold;
            for (long i = 0; i < field->count; ++i) {
                size_t place = at + (size_t)(field->offset + i * field->step);
                fold(field->op, to + place, from + place, 1);
            }
        }
}

static bool is_better(const struct orrery_field *field, const char *a, const char *than) {
    _Alignas(long double) char least[sizeof(long double)];
    memcpy(least, than, field->size);
    elements[field->type].fold(field->op, least, a, 1);
    return memcmp(least, than, field->size) != 0;
}

/* Both were set, at clocks `to` (0: not by an iteration) and `from`, and are equally good. */
static bool comes_first(enum orrery_op op, long to, long from) {
    return op == ORRERY_CHOOSE_FIRST ? from < to : from >= to;
}

/* What an iteration has set was better than what was there before. */
static void fold_argmin(const struct orrery_reduction *what, char *to, const char *from) {
    const struct orrery_field *field = what->nfields ? what->fields : NULL;
    long at, was;
    memcpy(&at, from, sizeof at);
    memcpy(&was, to, sizeof was);
    bool better = field && is_better(field, from + field->offset, to + field->offset);
    bool worse = field && is_better(field, to + field->offset, from + field->offset);
    if (at > 0 && (was == 0 || better || (!worse && comes_first(what->op, was, at))))
        memcpy(to, from, what->size);
}

static void fold_range(const struct fold_job *job, size_t low, size_t high) {
    for (long row = job->row_low; row < job->row_high; ++row) {
        char *to = job->target + low * job->size;
        const char *from =
            job->memory + (size_t)(row - job->row_low) * job->stride + low * job->size;
        if (is_choice(job->what))
            fold_argmin(job->what, to, from);
        else if (job->what->op == ORRERY_FIELDS)
            fold_fields(job->what, to, from, high - low);
        else
            elements[job->what->type].fold(job->what->op, to, from, high - low);
    }
}

static void fold_share(void *data, int worker) {
    const struct fold_job *job = data;
    long n = (long)(job->bytes / job->size);
    fold_range(job, (size_t)orrery_share(n, worker, job->workers),
               (size_t)orrery_share(n, worker + 1, job->workers));
}

void orrery_fold(const struct orrery_loop *loop, int reduction, const char *memory, size_t stride,
                 size_t bytes, long row_low, long row_high, void *target) {
    const struct orrery_reduction *what = &loop->reductions[reduction];
    if (what->op == ORRERY_CARRIED) {
        if (what->stage >= row_low && what->stage < row_high)
            memcpy(target, memory + (size_t)(what->stage - row_low) * stride, bytes);
        return;
    }
    struct fold_job job = {
        what, what->size, bytes, stride, row_low, row_high, memory, target, orrery_workers_count()};
    if (bytes * (size_t)(row_high - row_low) < LARGE)
        fold_range(&job, 0, bytes / what->size);
    else
        orrery_workers_run(fold_share, &job);
}

/* Elements that no block changed are not touched: something else may lie there. */
static void front_row_fold(const struct fold_job *job, const char *copy, const char *fresh,
                           size_t bytes) {
    for (size_t at = bytes; at > 0; at -= job->size) {
        struct fold_job one = *job;
        if (memcmp(copy - at, fresh + bytes - at, job->size) == 0)
            continue;
        one.memory = copy - at;
        one.target = job->target - at;
        fold_range(&one, 0, 1);
    }
}

void orrery_copies_fold_front(const struct orrery_copies *copies, int j, void *target) {
    const struct orrery_reduction *what = &copies->loop->reductions[j];
    size_t bytes = copies->front[j] / what->size * what->size;
    if (!bytes)
        return;
    char *fresh = dsm_own_alloc(bytes);
    front_fill(what, fresh, bytes);
    struct fold_job job = {.what = what, .size = what->size, .target = target, .row_high = 1};
    for (long row = copies->row_low; row < copies->row_high; ++row)
        front_row_fold(&job, orrery_copies_of(copies, row)[j], fresh, bytes);
    dsm_own_free(fresh);
}
