/*
 * One run of a loop on one rank, and what is kept between runs. docs/runtime.md explains the
 * execution model; the fields follow it.
 */
#ifndef ORRERY_RUNTIME_REGION_H
#define ORRERY_RUNTIME_REGION_H

#include "runtime/grid/turns.h"
#include "runtime/inspect/inspect.h"
#include "runtime/orrery_run.h"
#include "runtime/region/fold.h"
#include "runtime/region/stats.h"
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"

#include <stdint.h>
#include <stdlib.h>

/* What the intervals of a loop were read from when they were last found to hold (intervals.h).
 * `spans`: all memory read since they were forgotten. */
struct orrery_intervals_seen {
    bool known;
    long count;
    char *inputs;
    struct orrery_span *spans;
    struct dsm_watch *watch;
};

/* How the rows of a loop without keys are cut by what its iterations cost, and what that was read
 * from (weights.h). `version` counts the cuts that were different. */
struct orrery_weights {
    long count, rows, version;
    char *inputs;
    struct dsm_watch *watch;
    long *cuts;
};

/* A wavefront's first position, and the positions of a column. */
struct orrery_wave {
    long low, width;
};

struct orrery_panels;
struct orrery_transfer;
struct orrery_local;
struct orrery_merge;
struct orrery_serve;
struct orrery_kept;
struct orrery_hot_run;
struct orrery_on_device;
struct orrery_sharing;

/*
 * One run of a loop on one rank, `passes` times in a row with nothing of the program in between. A
 * row goes on to its next pass without waiting for others, but for its batons. Set by the driver or
 * by share/region.c, and orrery_region_prepare; lives for the run.
 */
struct orrery_region {
    struct orrery_loop *loop; /* what runs */
    const char *where;        /* its place, for messages */
    const char *envs;         /* an environment per pass, one behind the other */
    long passes, count;       /* passes; iterations of each */

    struct orrery_blocks blocks; /* its grid */
    long row_low, row_high;      /* this rank's rows of the blocks */
    long last_row;               /* of all ranks': orrery_last_row */
    const long *starts; /* block (s, t) is packed positions [starts[i], starts[i + 1]) - starts[0],
                         * i = (s - row_low) * columns + t; NULL: a row is a range of iterations */
    const long *cuts;   /* then row s is [cuts[s], cuts[s + 1]); NULL: the share s of `count` */
    struct orrery_wave wave; /* wavefronts */
    void *records;           /* packed, in block order; NULL: none are */
    const long *order;       /* the original index of each; NULL: not wanted */
    bool replay;             /* runs the serial text in this order */

    char *slots;        /* pipelines: what stages hand on; NULL else */
    size_t slots_bytes; /* ... per range of iterations */
    long slots_rounds;  /* ... ranges that a baton has room for */

    const struct orrery_turns *turns; /* NULL: rows do not depend on one another */
    const uint64_t *needs;            /* levels: the rows that block i waits for; NULL else */
    struct orrery_flag *flags; /* visits done, by baton; of levels columns done, by worker; of
                                     * wavefronts, by row */
    unsigned turn;             /* what the flags count from */

    struct orrery_copies *copies; /* of the reductions */
    struct orrery_merge *merge;   /* relaxed and buffered arrays; NULL: none */
    long phase;                   /* merges done in this pass */
    void (*merged)(const struct orrery_region *region); /* rank 0, behind a merge that others of the
                                                         * region follow; NULL: nobody looks */
    struct orrery_serve *serve; /* several ranks, and arrays are served; NULL else */

    const struct orrery_spills *spills;   /* the arrays are spilled; NULL else */
    struct orrery_transfer *transfer;     /* batons of other ranks; NULL with one rank */
    struct orrery_exchange *exchange;     /* levels on several ranks; NULL else */
    long column, pass;                    /* ... what runs now */
    struct orrery_panels *panels;         /* a wavefront on several ranks; NULL else */
    const struct orrery_sharing *resting; /* torture: what no running block needs cannot be
                                           * touched; NULL else */
    void (*rest)(const struct orrery_region *region, long row, long column,
                 bool begins); /* ... when a block begins and when it has ended */

    struct orrery_hot_run *hot;      /* copies of hot rows; NULL: none have any */
    struct orrery_kept *kept;        /* what passes fold to, of a run that verifies; NULL else */
    struct orrery_loop_stats *stats; /* the loop's */
    double busy;                     /* seconds of all workers in this rank's blocks */
    double entered, copied; /* seconds: when the last worker began; that copying rows took */
};

/*
 * What a rank keeps of a loop between its runs. A loop that is run on several inputs in turn has a
 * state for each of the last few: `head` is the first of them, `other` the next, `slot` counts
 * them, `used` says when it last ran; table->state is the one that runs. `stats` are the loop's,
 * `blocks` those of this state's last run. `ranges`: instead of an inspection's dims in a loop
 * without keys. `shapes`: narrays, then one per array reduction. `flat`: of each shape the rows
 * behind its table of tables (tables_nested.c). `checked`: the shapes the guards
 * were checked with. `refused`: one failed then. `starved`: of a head, there was no memory once.
 * `sharing`: several ranks only. `serves`: this region's large relaxed and buffered arrays are
 * served, by what `serve` keeps.
 */
enum { ORRERY_ROWS_UNLIKE = -1 };

/* The rows behind a table of tables, as pointers of ours. */
struct orrery_flat {
    char **rows;               /* the pointers, and a NULL behind the last */
    long count, room;          /* of `rows`: how many, the NULL included, and how many fit */
    long outer;                /* entries of the outer table */
    char **firsts;             /* each of them as it was */
    long *begins;              /* and the first of the rows it led to; behind the last, all */
    struct orrery_shape shape; /* from which they were gathered, as the loop told it */
    unsigned long epoch;       /* dsm_find_epoch() then */
    bool known;                /* all blocks were found */
    struct dsm_watch *watch;   /* on the pointers; NULL: none */
    int same, alarms;          /* since they were gathered: looks at them, watches begun */
    atomic_bool holds;         /* while a region begins: a look found what it was */
    bool untouched;            /* ... the watch says so */
};

/*
 * What a rank keeps of a loop between its runs. A loop that runs on several inputs in turn has a
 * state for each of the last few.
 */
struct orrery_state {
    struct orrery_loop *loop;          /* its table */
    struct orrery_state *next;         /* of all loops, in order of their first run */
    struct orrery_state *head, *other; /* the loop's first state, its next one */
    int slot;                          /* counts them */
    unsigned long used;                /* when it last ran */
    char *where;                       /* the loop's place */

    struct orrery_inspection *inspection;  /* loops with keys; NULL: not made yet */
    struct orrery_dim ranges[ORRERY_DIMS]; /* instead of its dims in a loop without keys */
    struct orrery_packed packed;           /* the records */
    struct orrery_blocks blocks;           /* of the last run */

    int nshapes;                      /* arrays, then one per array reduction */
    struct orrery_shape *shapes;      /* of this run */
    struct orrery_shape *checked;     /* that the guards were checked with */
    struct orrery_flat *flat;         /* per shape the rows behind its table of tables */
    long *row_bytes;                  /* per array, by the last look at tables */
    struct dsm_watch *tables;         /* on the pointers; NULL: none */
    struct orrery_pointers *pointers; /* what they were; NULL: none */
    bool moved;                       /* addresses are others than in the last region */
    bool refused;                     /* a guard failed then */
    bool in_vain;                     /* by levels, and no two iterations could run at once */
    long rests, rested, tried; /* then: runs as written to come, of how many iterations; as many as
                                * there were the last time */
    char *overlap; /* in words, where that guard looked at addresses alone; NULL: it did not */
    unsigned long epoch;                    /* dsm_find_epoch() of this region */
    unsigned long lent;                     /* dsm_lent_epoch() when addresses were looked at */
    unsigned long overlap_epoch;            /* of that in which `overlap` was found */
    bool starved;                           /* of a head: there was no memory once */
    struct orrery_intervals_seen intervals; /* of the last look */
    struct orrery_weights weights;          /* what iterations cost beside others */

    struct orrery_copies copies; /* of reductions, one per row */
    size_t *bytes, *front;       /* per reduction: of a copy, and in front of it */
    struct orrery_turns *turns;  /* NULL: no batons */
    struct orrery_flag *flags;   /* per baton, worker or row: how far it is */
    long nflags;                 /* of `flags` */
    unsigned turn;               /* what they count from */
    char *slots;                 /* pipelines */
    size_t slots_room;           /* bytes of `slots` */

    struct orrery_sharing *sharing;  /* several ranks; NULL: not run yet, as what follows */
    struct orrery_local *local;      /* copies in partition order */
    struct orrery_merge *merge;      /* relaxed and buffered arrays */
    bool serves;                     /* this region's large ones are served */
    struct orrery_serve *serve;      /* ... by this */
    struct orrery_on_device *device; /* what is on the device */
    char **before;                   /* of a run that verifies: what targets held */
    struct orrery_profile profile;   /* figures for `orrery simulate` */
    struct orrery_loop_stats *stats; /* one for all states of the loop */
};

/* Times that the region goes round the grid: lap p * visits + v is visit v of pass p. */
static inline long orrery_laps(const struct orrery_region *region) {
    return region->passes * region->blocks.visits;
}

/* The environment of a pass. */
static inline const void *orrery_env_of(const struct orrery_region *region, long pass) {
    return region->envs + (size_t)pass * region->loop->env_size;
}

/* Where row `row` of a loop without keys begins, of `rows`. */
static inline long orrery_row_begin(const long *cuts, long count, long row, long rows) {
    return cuts ? cuts[row] : orrery_share(count, row, rows);
}

/* The state of the loop on this rank that is in use; the one of a slot, which is used from here on.
 * Made at the first call. */
struct orrery_state *orrery_state_of(struct orrery_loop *loop);
enum { ORRERY_STATES = 4 };
struct orrery_state *orrery_state_at(struct orrery_loop *loop, int slot);

/* All states of this rank, in order of their first run. */
struct orrery_state *orrery_states(void);

/* Fills in region from the state: copies, turns.
 * The blocks and the rank's rows are the caller's. */
void orrery_region_prepare(struct orrery_region *region, struct orrery_state *state, long count);

/* False when this thread may not run the loop now, which would corrupt the model or hang: the loop
 * runs serially, or if it may not the program ends. Before anything else that a call of the program
 * does. */
bool orrery_call_check(const struct orrery_loop *loop);

/* What is wrong is the program's affair, and its loop may not run serially either: leaves the
 * thread's orrery_try, or ends the program. Before anything has changed. */
_Noreturn void orrery_fail(const struct orrery_loop *loop, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Is this the thread that runs main? */
bool orrery_call_is_main(void);

/*
 * Rank 0, behind orrery_call_check: what has to hold before the loop may run with this
 * environment: keys, guards; inspects where nothing that still holds is known. NULL: a guard failed
 * and the loop allows a fallback. `*inspected`: seconds that went into inspecting. The caller's
 * context is kept (context.h) until orrery_context_end. May refuse (dsm_refuse).
 */
struct orrery_state *orrery_region_open(struct orrery_loop *loop, const void *env, long count,
                                        double *inspected);

/* A run that returns 1 has the loop run as the user wrote it, which `serial` is not. */
static inline bool orrery_has_own_words(const struct orrery_loop *loop) {
    return loop->reworded == 2;
}

/* Jumps of its text leave the loop (scheduler/transform/output.c). */
static inline bool orrery_may_be_left(const struct orrery_loop *loop) {
    return loop->reruns && !loop->allow_fallback;
}

/*
 * Rank 0: runs `passes` passes in a row, an environment for each; the reductions of the last one go
 * to its targets. `begin`: when it all began, `inspected`: seconds since that went into inspecting.
 * False: a body met what only the serial loop can do, and all is as it was (loops with `reruns`).
 * May refuse up to where it changes the program's memory.
 */
bool orrery_region_execute(struct orrery_state *state, const char *envs, long passes, long count,
                           double begin, double inspected);

/* Behind a refusal: no region is open any more. */
void orrery_region_close(void);

/* Runs this rank's rows of the region, all workers. */
void orrery_region_run(struct orrery_region *region, struct orrery_state *state);

/* The same without a trace or turns' accounting (clocks.c). */
void orrery_clocks_run(struct orrery_region *region);

/* The dims of the region about to run or just run. Rank 0. */
const struct orrery_dim *orrery_dims_of(const struct orrery_state *state);

/* Rows of the grid of a loop without keys. */
long orrery_rows_of(const struct orrery_state *state, long count);

/* Address of reduction j's target. Rank 0. */
void *orrery_target_of(const struct orrery_loop *loop, int j, const void *env);

/* The row of the last block that has an iteration, in the order of the clocks: values of its last
 * iteration are those used after the loop. Rank 0. */
long orrery_last_row(const struct orrery_state *state, const struct orrery_blocks *blocks);

/* ---- sizes (guards.c, tables.c) -------------------------------------------------------------- */

/* Bytes that block rows of `shape` take. */
static inline long orrery_row_bytes(const struct orrery_shape *shape) {
    return shape->pieces * shape->piece_bytes;
}

/* The array is there: a null pointer is one that this run does not use. */
static inline bool orrery_shape_exists(const struct orrery_shape *shape) {
    return shape->base || shape->table;
}

/* The table leads to the pieces of rows, not to rows. */
static inline bool orrery_shape_by_pieces(const struct orrery_shape *shape) {
    return shape->table && shape->row_stride;
}

static inline long orrery_table_step(const struct orrery_shape *shape) {
    return shape->table_step ? shape->table_step : (long)sizeof(char *);
}

/* Where pointer i of the table stands. */
static inline char **orrery_table_entry(const struct orrery_shape *shape, long i) {
    return (char **)((uintptr_t)shape->table + (uintptr_t)i * (uintptr_t)orrery_table_step(shape));
}

/* Address of the first byte of row v, and of its piece q. */
char *orrery_row_address(const struct orrery_shape *shape, long v);
char *orrery_piece_address(const struct orrery_shape *shape, long v, long q);

/* Bytes that row v may have: the shape's,
 * or what its allocation holds from there on; 0 = unknown. */
size_t orrery_row_length(const struct orrery_shape *shape, long v);

/* ---- rows behind tables (tables.c, tables_nested.c, merge/rows.c) ---------------------------- */

/*
 * What a table that is not cut leads to: *rows (owned by the caller), each to the end of its
 * allocation; one whose end is not known reaches to the top of the address space. Returns how many.
 */
long orrery_table_rows(const struct orrery_shape *shape, struct dsm_range **rows);

/* Puts one table in place of a table of tables, the same as long as it holds the same. `epoch`: of
 * dsm_find, as the region starts. */
void orrery_tables_flatten(struct orrery_state *state, unsigned long epoch);

/* Entries of a table that is not cut; -1: not known. */
long orrery_table_entries(const struct orrery_shape *shape);

/* A table of pieces has no more of them than it has entries. */
void orrery_tables_trim(struct orrery_shape *shape);

/* Bytes from the first to the last key's piece on a line of a table of pieces; line q of them, as
 * far as it is in the line's allocation. A line that is not there is empty. */
static inline size_t orrery_piece_reach(const struct orrery_shape *shape,
                                        const struct orrery_dim *dim) {
    return (size_t)(dim->high - dim->low) * (size_t)labs(shape->row_stride) +
           (size_t)shape->piece_bytes;
}
struct dsm_range orrery_piece_stretch(const struct orrery_shape *shape,
                                      const struct orrery_dim *dim, long q);

/* The pointers that lead to `range` rows from `low` on, or to their pieces. */
struct dsm_range orrery_table_range(const struct orrery_shape *shape, long low, long range);

/* The tables hold what they held when they were last looked at. */
bool orrery_tables_hold(const struct orrery_state *state);

/* Looks at the tables: lengths of rows, a watch on the pointers. */
void orrery_tables_look(struct orrery_state *state, const struct orrery_dim *dims);

/* Fills in the lengths of rows found by the last look. */
void orrery_tables_fill(struct orrery_state *state);

/* orrery_rows_open (orrery_body.h), no pass being put off any more (rows.c). */
struct orrery_rows orrery_rows_make(void *table, long count, long inner, long step, long at,
                                    long need, unsigned long element, const char *name,
                                    const char *where, int fallback);

/* The rows of orrery_rows_open that stand at `flat`, when a region has folded into them: sums
 * beyond the end of a row stop it (orrery_context_stop) or, where it may not run serially, the
 * program. */
void orrery_rows_check(const void *flat);

/* ---- guards ---------------------------------------------------------------------------------- */

/* Bytes from the shape's base to the end of its object, 0 when that cannot be known. */
size_t orrery_shape_extent(const struct orrery_shape *shape);

/* Bytes of reduction j's target; ends the job when it cannot be known. */
/* Bytes of the array in front of the target that blocks may touch, rounded up to whole lines. */
size_t orrery_reduction_front(const struct orrery_loop *loop, int j,
                              const struct orrery_shape *shapes);
size_t orrery_reduction_bytes(const struct orrery_loop *loop, int j,
                              const struct orrery_shape *shapes);

/*
 * Guards, over the keys that occur; without `changed` (keys, addresses) only those that read what
 * nobody watches.
 * Returns 0, or 1 when one failed and the loop allows a fallback.
 */
int orrery_guards_check(const struct orrery_loop *loop, const void *env, long count, bool changed,
                        const struct orrery_shape *shapes, const struct orrery_dim *dims);

/* Ends the job when a key points outside of its array. */
void orrery_bounds_check(const struct orrery_loop *loop, const void *env, long count,
                         const struct orrery_shape *shapes, const struct orrery_dim *dims);

#endif
