/*
 * The end of orrery_run.h: what emitted text calls around the loops of a region, and the words that
 * stand in front of it and behind. Included by that header alone.
 */
#ifndef ORRERY_BODY_H
#define ORRERY_BODY_H

#pragma GCC system_header

#include "orrery_lanes.h"

/*
 * A name that tells what to do when it is not found. Position-dependent objects have it as the first
 * relocation of all, since a linker that makes a PIE complains of that one and stops; it stands in
 * front of the functions.
 */
#if defined(__PIC__) || defined(__code_model_large__) || defined(__code_model_medium__)
#define ORRERY_NEEDS_US                                                                            \
    __asm__(".pushsection .data.rel.orrery,\"aw\"\n\t.balign 8\n\t"                                \
            ".dc.a orrery_cc_has_to_link_this\n\t.popsection");
#else
#define ORRERY_NEEDS_US                                                                            \
    __asm__(".pushsection .text\n\t.balign 8\n\t.long orrery_cc_has_to_link_this\n\t.popsection");
#endif

/*
 * Once in each file that Orrery made: a note by which links know its object (cli/cc/object.c). No
 * option makes a compiler drop it. Objects of link-time optimization have no sections yet: they
 * have the symbol.
 */
#define ORRERY_OBJECT                                                                              \
    ORRERY_NEEDS_US                                                                                \
    __asm__(".pushsection .note.orrery,\"\",%note\n\t.balign 4\n\t.long 7, 4, 1\n\t"               \
            ".asciz \"Orrery\"\n\t.balign 4\n\t.long 1\n\t.popsection");                           \
    extern const char orrery_object __attribute__((__weak__, __visibility__("hidden")));           \
    const char orrery_object __attribute__((__used__)) = 1;

/* ---- checkpoint points of loops over passes (docs/checkpoints.md) ---------------------------- */

/* Static data of ours: no part of what a checkpoint saves. */
#define ORRERY_OURS __attribute__((__section__("orrery_data")))
#define ORRERY_CKPT_POINTS __attribute__((__section__("orrery_ckpt_points"), __used__))

/*
 * A loop over passes. `why`: it cannot be saved, and there are no calls for it; else 0. `entries`:
 * how often it has been entered; `entry`: the runtime's.
 */
struct orrery_ckpt_point {
    const char *file;
    int line;
    const char *function, *why;
    long entries;
    void *entry;
};

/*
 * A variable that is in scope at a head, or a copy of it. `pointers`: of a type that may hold some.
 * `direct`: it is the variable itself.
 */
struct orrery_live {
    const char *name;
    void *address;
    unsigned long size;
    int pointers, direct;
};

/* Set when checkpoint points are to be told. */
extern int orrery_ckpt_points_wanted;

/* `pass`: a variable of ours that is 0 when the loop is entered. Not 0: orrery_ckpt_point_reached
 * has to be called, with the passes of loops in it done. */
int orrery_ckpt_point_due(struct orrery_ckpt_point *ckpt_point, long *pass);

/* Saves, restores. What is behind `live` may be something else afterwards.
 * `frame`: of the function. */
void orrery_ckpt_point_reached(struct orrery_ckpt_point *ckpt_point, long *pass, const void *frame,
                               const struct orrery_live *live, int nlive);

/* Widens `reach` by the positions of a part of one iteration. */
static __inline__ void orrery_reach_add(struct orrery_reach *reach, long low, long high) {
    if (low < reach->low)
        reach->low = low;
    if (high > reach->high)
        reach->high = high;
    if (high - low + 1 > reach->widest)
        reach->widest = high - low + 1;
}

/* Where a loop from `first` by `step` comes to at
 * or behind `from`, in the direction of the step. */
static __inline__ __attribute__((__always_inline__)) long orrery_enter(long first, long step,
                                                                       long from) {
    long behind = step > 0 ? from - first : first - from, pace = step > 0 ? step : -step;
    return behind <= 0 ? first : first + (behind + pace - 1) / pace * step;
}

static __inline__ __attribute__((__always_inline__)) long orrery_sooner(long a, long b, long step) {
    return (step > 0) == (a < b) ? a : b;
}

/* Of reduction j, which is merged. */
static __inline__ const struct orrery_merging *orrery_merging_of(const struct orrery_loop *loop,
                                                                 int j) {
    int i = 0;
    while (i < loop->nmergings && loop->mergings[i].reduction != j)
        ++i;
    return &loop->mergings[i];
}

/* The size of a copy that has at least one element. */
static __inline__ long orrery_at_least(long bytes, long least) {
    return bytes > least ? bytes : least;
}

/* Asks for the first lines of a row of `bytes` bytes that a later iteration will write. */
static __inline__ __attribute__((__always_inline__)) void orrery_prefetch(const char *row,
                                                                          long bytes) {
    __builtin_prefetch(row, 1);
    if (bytes > 64)
        __builtin_prefetch(row + 64, 1);
    if (bytes > 128) {
        __builtin_prefetch(row + 128, 1);
        __builtin_prefetch(row + 192, 1);
    }
    if (bytes > 256) {
        __builtin_prefetch(row + 256, 1);
        __builtin_prefetch(row + 320, 1);
        __builtin_prefetch(row + 384, 1);
        __builtin_prefetch(row + 448, 1);
    }
}

/* The same of what a later iteration reads. */
static __inline__ __attribute__((__always_inline__)) void orrery_ask(const char *row) {
    __builtin_prefetch(row);
    __builtin_prefetch(row + 64);
}

/*
 * Groups of iterations that conflict in nothing are run interleaved: worth it where sums may not be
 * reassociated, since then each waits for its own last addition.
 */
#if defined(__OPTIMIZE__) && !defined(__FAST_MATH__) && !defined(ORRERY_NO_JAM)
#define ORRERY_JAM 1
#endif

/*
 * The last statement of a body. gcc 12 takes `p[i].x -= p[2 * i + 2].y` for a function without
 * effect (its induction variables have lost what `p` points to) and drops the call; not when it
 * holds this.
 */
#define ORRERY_BODY_DONE(block) __asm__ volatile("" : : "r"(block) : "memory")

/*
 * Warnings around emitted functions. BODY: those that only the rewriting raises (the body's own are
 * the user's to see); QUIET: what would be said twice, too.
 */
/* clang-format off */
#define ORRERY_BODY_BEGIN                                                                          \
    _Pragma("GCC diagnostic push")                                                                 \
    _Pragma("GCC diagnostic ignored \"-Wpragmas\"")                                                \
    _Pragma("GCC diagnostic ignored \"-Wunknown-warning-option\"")                                 \
    _Pragma("GCC diagnostic ignored \"-Wc++-compat\"")                                             \
    _Pragma("GCC diagnostic ignored \"-Wunused-variable\"")                                        \
    _Pragma("GCC diagnostic ignored \"-Wunused-but-set-variable\"")                                \
    _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"")                                       \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"")                                                 \
    _Pragma("GCC diagnostic ignored \"-Wuninitialized\"")                                          \
    _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")                                    \
    _Pragma("GCC diagnostic ignored \"-Wdeclaration-after-statement\"")
#define ORRERY_CKPT_POINT_BEGIN                                                                          \
    _Pragma("GCC diagnostic push")                                                                 \
    _Pragma("GCC diagnostic ignored \"-Wpragmas\"")                                                \
    _Pragma("GCC diagnostic ignored \"-Wunknown-warning-option\"")                                 \
    _Pragma("GCC diagnostic ignored \"-Wuninitialized\"")                                          \
    _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")                                    \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"")                                                 \
    _Pragma("GCC diagnostic ignored \"-Wcast-qual\"")                                              \
    _Pragma("GCC diagnostic ignored \"-Wsizeof-array-argument\"")                                  \
    _Pragma("GCC diagnostic ignored \"-Wdeclaration-after-statement\"")
#define ORRERY_CKPT_POINT_END _Pragma("GCC diagnostic pop")
#define ORRERY_ENV_BEGIN                                                                           \
    _Pragma("GCC diagnostic push")                                                                 \
    _Pragma("GCC diagnostic ignored \"-Wpragmas\"")                                                \
    _Pragma("GCC diagnostic ignored \"-Wunknown-warning-option\"")                                 \
    _Pragma("GCC diagnostic ignored \"-Wuninitialized\"")                                          \
    _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
#define ORRERY_QUIET_BEGIN                                                                         \
    ORRERY_BODY_BEGIN                                                                              \
    _Pragma("GCC diagnostic ignored \"-Wpedantic\"")                                               \
    _Pragma("GCC diagnostic ignored \"-Wpadded\"")                                                 \
    _Pragma("GCC diagnostic ignored \"-Wunused-value\"")                                           \
    _Pragma("GCC diagnostic ignored \"-Wunused-function\"")                                        \
    _Pragma("GCC diagnostic ignored \"-Wunused-label\"")                                           \
    _Pragma("GCC diagnostic ignored \"-Wsign-compare\"")                                           \
    _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"")                                        \
    _Pragma("GCC diagnostic ignored \"-Wconversion\"")                                             \
    _Pragma("GCC diagnostic ignored \"-Wfloat-conversion\"")                                       \
    _Pragma("GCC diagnostic ignored \"-Wdouble-promotion\"")                                       \
    _Pragma("GCC diagnostic ignored \"-Wcast-qual\"")                                              \
    _Pragma("GCC diagnostic ignored \"-Wcast-align\"")                                             \
    _Pragma("GCC diagnostic ignored \"-Wparentheses\"")                                            \
    _Pragma("GCC diagnostic ignored \"-Wempty-body\"")                                             \
    _Pragma("GCC diagnostic ignored \"-Wtype-limits\"")                                            \
    _Pragma("GCC diagnostic ignored \"-Wimplicit-fallthrough\"")                                   \
    _Pragma("GCC diagnostic ignored \"-Wmisleading-indentation\"")                                 \
    _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")                             \
    _Pragma("GCC diagnostic ignored \"-Wpointer-sign\"")                                           \
    _Pragma("GCC diagnostic ignored \"-Warray-bounds\"")                                           \
    _Pragma("GCC diagnostic ignored \"-Wfloat-equal\"")                                            \
    _Pragma("GCC diagnostic ignored \"-Wbad-function-cast\"")                                      \
    _Pragma("GCC diagnostic ignored \"-Wstrict-overflow\"")                                        \
    _Pragma("GCC diagnostic ignored \"-Wswitch\"")                                                 \
    _Pragma("GCC diagnostic ignored \"-Wswitch-default\"")                                         \
    _Pragma("GCC diagnostic ignored \"-Wswitch-enum\"")                                            \
    _Pragma("GCC diagnostic ignored \"-Wformat\"")                                                 \
    _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"")                                      \
    _Pragma("GCC diagnostic ignored \"-Wvla\"")                                                    \
    _Pragma("GCC diagnostic ignored \"-Wlong-long\"")                                              \
    _Pragma("GCC diagnostic ignored \"-Wpedantic\"")                                               \
    _Pragma("GCC diagnostic ignored \"-Wpadded\"")                                                 \
    _Pragma("GCC diagnostic ignored \"-Wundef\"")                                                  \
    _Pragma("GCC diagnostic ignored \"-Wunused-macros\"")                                          \
    _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")                                \
    _Pragma("GCC diagnostic ignored \"-Wnull-dereference\"")                                       \
    _Pragma("GCC diagnostic ignored \"-Wlogical-op\"")                                             \
    _Pragma("GCC diagnostic ignored \"-Wlogical-not-parentheses\"")                                \
    _Pragma("GCC diagnostic ignored \"-Wduplicated-branches\"")                                    \
    _Pragma("GCC diagnostic ignored \"-Wduplicated-cond\"")                                        \
    _Pragma("GCC diagnostic ignored \"-Wtautological-compare\"")                                   \
    _Pragma("GCC diagnostic ignored \"-Wint-in-bool-context\"")                                    \
    _Pragma("GCC diagnostic ignored \"-Wunsafe-buffer-usage\"")                                    \
    _Pragma("GCC diagnostic ignored \"-Wsequence-point\"")                                         \
    _Pragma("GCC diagnostic ignored \"-Wunsequenced\"")
/* clang-format on */
#define ORRERY_WARNINGS_END _Pragma("GCC diagnostic pop")

/*
 * Runs the loop over `count` iterations (count <= 0: nothing). Called by emitted text on rank 0
 * only; blocks until every array that serial code may read is valid or protected. Returns 0; 1 when
 * a guard failed and allow_fallback is set (nothing was run). Every other failure ends the job with
 * a message.
 */
int orrery_run(struct orrery_loop *loop, void *env, long count);

/*
 * Passes that flow into each other. orrery_run_later is orrery_run, except that the pass may be run
 * later: up to then it holds a copy of *env, and with it the user's word (the analysis proved it)
 * that nothing in between looks at what the loop writes or changes what it reads.
 * orrery_passes_end runs what was put off; `keep`: the folds of the last pass go to the targets of
 * its environment, which still exist. The other passes' folds are not wanted by anyone. So is every
 * pass that was put off run by the next call that cannot join it.
 */
int orrery_run_later(struct orrery_loop *loop, void *env, long count);
void orrery_passes_end(struct orrery_loop *loop, int keep);

/* A body's minimum or maximum met a NaN that its form does not pass by: ends the job.
 * orrery_nan_late: the run comes to its end, and the loop runs serially from where it began; that
 * is said when `fallback` (as a loop's allow_fallback) wants it. */
void orrery_nan_stop(const char *where, const char *name);
void orrery_nan_late(const char *where, const char *name, int fallback);

/*
 * A nest of rows as one space of records (docs/transform.md): rank 0, where the loop stands,
 * outside of every region. orrery_records_begin: a list for this place of the text, to be filled
 * anew. orrery_records_more: its argument. orrery_records_row: the next row that has records: the
 * outer counter, and the inner one from `low` up to before `high`; orrery_records_down: from `high`
 * down to before `low`; orrery_records_link: with that value of the inner one, alone.
 * orrery_records_endless: a row goes on behind its end, which ends the job.
 * orrery_records_end: how many
 * records there are; then orrery_records_counter has what each counter (0: outer, 1: inner) is in
 * every record, as numbers of so many bytes (4 or 8), up to the next list of this place that is not
 * the same.
 */
void *orrery_records_begin(const void *site);
int orrery_records_more(int more);
void orrery_records_row(void *list, long outer, long low, long high);
void orrery_records_down(void *list, long outer, long high, long low);
void orrery_records_link(void *list, long outer, long at);
void orrery_records_endless(void);
long orrery_records_end(void *list, int outer_bytes, int inner_bytes);
const void *orrery_records_counter(const void *list, int which);

/* Alike: an array with an element of `bytes` bytes for each of `count` rows, zero at first and then
 * what the loops left there, up to the next call of this place for another count. */
void *orrery_records_values(const void *site, long count, long bytes);

/*
 * Rows that end with a mark (docs/transform.md): rank 0, where the loop stands. orrery_ends_begin:
 * a list for this place of the text, to be filled anew; orrery_ends_row: how many entries the next
 * row has; orrery_ends_end: the numbers of all rows, up to the next list of this place.
 */
void *orrery_ends_begin(const void *site);
void orrery_ends_row(void *list, long count);
const long *orrery_ends_end(void *list);

/*
 * What a loop prints (docs/transform.md). orrery_output_begin, orrery_output_end: rank 0, where the
 * loop stands; the latter writes the pieces of this place to their streams, in the order of the
 * iterations. orrery_output_print: any worker, in iteration `iteration`, or the loop's own text,
 * which writes at once; as fprintf, without a result, and fflush where there is no text. `stream`: NULL: stdout.
 */
/* orrery_output_ends: in front of a loop that may end the program. */
/* orrery_output_at: any worker, in front of an iteration in which functions print, or which may end
 * the program: of what they do, it is this loop's and this iteration's. `name`: its variable's. `in_order`: no
 * iteration may see what later ones do, so those behind an end need not begin. */
void *orrery_output_begin(const void *site);
void orrery_output_ends(void *out);
void orrery_output_at(void *out, long iteration, const char *name, int in_order);
void orrery_output_say(const void *stream, const char *format, ...)
    __attribute__((__format__(__printf__, 2, 3)));
/* orrery_output_inside: `at`, a subscript of `count` elements; where it is none, the iteration is left:
 * it is behind one that ends the program. */
long orrery_output_inside(long at, long count);
/* orrery_output_leave: in front of a jump that leaves the loop. Of a block: the region is over, and
 * the loop begins again as it is written. */
void orrery_output_leave(void);
void orrery_output_exit(int status) __attribute__((__noreturn__));
void orrery_output_abort(void) __attribute__((__noreturn__));
void orrery_output_print(void *out, long iteration, const void *stream, const char *format, ...)
    __attribute__((__format__(__printf__, 4, 5)));
void orrery_output_bytes(void *out, long iteration, const void *stream, const void *data,
                         __SIZE_TYPE__ size, __SIZE_TYPE__ count); /* the same as fwrite */
void orrery_output_end(void *out);

/*
 * Sums into rows behind a table of pointers, and scratch space there. orrery_rows_open: the rows of
 * `table` (its first `count` entries, 0 = all of its allocation), each `step` bytes from the next,
 * with the pointer at byte `at`, as one piece, `stride` bytes each; `step` 0: entries are pointers
 * to structures which have it there. Rank 0, where the loop stands. `inner` >= 0: the table's entries lead to tables, of which the
 * first `inner` entries count, 0 = all; then `count` is that of all rows, `pitch` per inner table
 * (rows that are not there included), else `pitch` is 0. `need`: bytes of each row that no other
 * may share. No `table`: no rows. `fallback` (as a loop's allow_fallback): where the rows are not
 * known, or share bytes that they may not, `flat` is NULL and the loop has to run serially; 0: the
 * job ends. orrery_rows_close gives the rows back when the region `ran`. orrery_rows_table: a table
 * that leads into a copy of that piece; one per thread and slot.
 */
enum { ORRERY_ROWS_SLOTS = 16 };
/* Rows behind a table of pointers, as one piece. */
struct orrery_rows {
    char **table;             /* the program's; 0: no rows */
    char **rows;              /* per row: where the program has it */
    char *flat;               /* the piece; 0: the loop has to run serially */
    long count, pitch;        /* rows; per inner table, else 0 */
    long stride, *bytes;      /* of a row here; there */
    int ran;                  /* set by the caller: the region ran, the rows go back */
    int fallback;             /* as a loop's allow_fallback */
    int refused;              /* it was said that they cannot be copied */
    const char *name, *where; /* the array, and the place in the text, for messages */
    struct orrery_rows *next; /* of those that are open */
};
struct orrery_rows orrery_rows_open(void *table, long count, long inner, long step, long at,
                                    long need, unsigned long element, const char *name,
                                    const char *where, int fallback);
void orrery_rows_close(struct orrery_rows *rows);
void *orrery_rows_table(int slot, void *copy, long count, long pitch, long stride);

static __inline__ unsigned long orrery_rows_bytes(long count, long stride) {
    return (unsigned long)(count + 1) * (unsigned long)stride;
}

/*
 * An execution of a loop that nobody marked, which is timed when `timed` is set: the runtime's
 * figures of executions of about this size. `work`: nanoseconds that it was expected to take
 * serially; `begin`: seconds.
 */
struct orrery_trial {
    struct orrery_loop *loop;
    void *timed;
    double work, begin;
};

/*
 * 1 when the loop shall be run in parallel now, 0 serially: as it was faster before, for about
 * `nanoseconds` of estimated serial work; always 0 where this thread may not start a region. Both
 * ways end with orrery_worth_end, on the same trial. May be called anywhere. Cold: where the host
 * compiler takes calls beside a loop for frequent ones, it keeps what the loop needs in memory.
 */
__attribute__((__cold__)) int orrery_worth_asked(struct orrery_loop *loop,
                                                 struct orrery_trial *trial, double nanoseconds);
__attribute__((__cold__)) void orrery_worth_took(const struct orrery_trial *trial);

/*
 * Of a loop that was cut into blocks. 1: its blocks shall run now, all in parallel; 0, 2: the loop
 * as it was written. `site`: the same for all executions of one place of the text; `nanoseconds`:
 * what the loop is expected to take. A way that is not 0 ends with orrery_blocks_end, with nothing
 * between but the loop. May be called anywhere.
 */
int orrery_blocks_begin(const char *site, const char *file, int line, double nanoseconds);
void orrery_blocks_end(int way);

/* Loops that are known to be short are not asked for each time. */
static __inline__ int orrery_worth(struct orrery_loop *loop, struct orrery_trial *trial,
                                   double nanoseconds) {
    long skips = __atomic_load_n(&loop->skips, __ATOMIC_RELAXED);
    trial->timed = 0;
    if (skips > 0 && nanoseconds <= (double)__atomic_load_n(&loop->skip_work, __ATOMIC_RELAXED)) {
        __atomic_store_n(&loop->skips, skips - 1, __ATOMIC_RELAXED);
        return 0;
    }
    return orrery_worth_asked(loop, trial, nanoseconds);
}

static __inline__ void orrery_worth_end(const struct orrery_trial *trial) {
    if (trial->timed)
        orrery_worth_took(trial);
}

/* 1 when the memory [at, at + bytes) is there, so that it can be read without harm. */
int orrery_readable(const volatile void *at, unsigned long bytes);

/* Says that the loop runs as it was written, since such memory is not there; 0. Of loops that
 * nobody marked it says nothing. */
int orrery_not_ready(const struct orrery_loop *loop);

/* Says once that the loop runs as it was written since `why`, a condition of its text, is true; 0. */
int orrery_as_written(struct orrery_loop *loop, const char *why);

/* No parallel loop is running that this one would be inside of. */
int orrery_is_outermost(void);

/* Nothing sees what iterations behind the one that ends the program have stored. */
int orrery_output_unseen(void);

#endif
