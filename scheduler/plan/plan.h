/*
 * The plan: a partitioned schedule as data (docs/plan.md). Decides everything, prints nothing.
 */
#ifndef ORRERY_SCHEDULER_PLAN_H
#define ORRERY_SCHEDULER_PLAN_H

#include "analyzer/analyzer.h"
#include "scheduler/base/kind.h"

#include <stdint.h>

/* The most dims that a grid has, and the most keys: two of them share a tournament's first dim. */
#define PLAN_DIMS 4
#define PLAN_KEYS (PLAN_DIMS + 1)

enum placement {
    PLACE_RESIDENT,
    PLACE_ROTATING,
    PLACE_REPLICATED,
    PLACE_ALIGNED,
    PLACE_PRIVATE, /* reductions: one copy per row of the grid, folded in row order; scratch arrays:
                      one per worker */
    PLACE_SERVED,  /* relaxed and buffered arrays: each rank has a part, and of the others what its
                      next iterations touch; small ones, and on one rank, as PLACE_PRIVATE */
    PLACE_UNPLACED /* threads of one rank only: no partition known; several ranks are refused */
};

/* `dim`: index in analysis.dims it is cut along, -1 when not cut.
 * `shape`: the row shape used, or NULL. */
struct plan_array {
    struct object *object;
    enum placement placement;
    int dim;
    const struct row_shape *shape;
    const char *why; /* UNPLACED: what stands in the way */
};

/*
 * What a list of touched elements tells two conflicting iterations by: when they touch one element
 * of `object`, their subscripts of dimension `sub` are equal. `own`: no two iterations touch one; it
 * is listed since several ranks tell each other what they have changed.
 */
struct plan_touch {
    struct object *object;
    int sub;
    bool own;
};

/*
 * Wavefront: the loop's body is a row of parts, and every execution of one of them has a position.
 * LOOP:        a loop inside; each of its iterations is at direction * variable + skew * i + shift,
 *              where i = 0, 1, ... counts the iterations of the planned loop.
 * STATEMENT:   anything else, executed as a whole at the position that the first (`at_end`: the
 *              last) value of the variable of `loop` has, with a shift of its own.
 * DECLARATION: of locals whose values any number of evaluations leave alone; has no position.
 */
enum wave_kind { WAVE_LOOP, WAVE_STATEMENT, WAVE_DECLARATION };

struct wave_part {
    enum wave_kind kind;
    struct stmt *stmt;
    const struct inner_loop *loop;
    bool at_end;
    long shift;
};

/*
 * `carries`: an iteration of a loop inside needs a floating-point number that one before it made.
 * `leaves`: the first statement that may end an iteration early, NULL in a plan: no wavefront then.
 */
struct plan_wave {
    long direction, skew;
    bool carries;
    const struct stmt *leaves;
    int nparts;
    struct wave_part *parts;
};

/*
 * Pipeline: the loop's body is a row of parts, its statements, and a stage runs those that are its
 * own in the loop's order. PIPE_EVERYWHERE: a declaration that every stage makes for itself.
 * PIPE_LATE: while stages are assigned, a part that runs late.
 * `cost`: nanoseconds of an iteration, counted.
 */
enum { PIPE_EVERYWHERE = -1, PIPE_LATE = -2, PIPE_STAGES = 16 };

/* Slots per stage that are under way where parts run late (runtime/schedule/blocks.h). */
enum { PIPE_AHEAD_LATE = 2 };

struct pipe_part {
    struct stmt *stmt;
    int stage;
    double cost;
};

/*
 * A variable that statements of more than one part touch. `carried`: it is declared outside of the
 * loop and keeps its value from one iteration to the next; then `home` is the stage that writes it.
 * Else each iteration has its own. Bit s of `touched` (`written`): a part of stage s reads or
 * writes (may write) it. What a stage has made of it goes on to the last stage that touches it in
 * the iteration's slot.
 */
struct pipe_value {
    struct variable *var;
    bool carried;
    int home;
    unsigned touched, written;
};

/* Parts that run late (pipe_delay.c): in the row of stage `row`, when an iteration's slot has come
 * back from the last stage `age` times. Their stage is the number of stages and that of the group.
 */
struct pipe_late {
    int row, age;
};

/* The arrays that relax() names. */
struct pipe_relaxed {
    int count;
    const struct object **items;
};

struct plan_pipe {
    int nparts;                         /* of the body, in the order of the text */
    struct pipe_part *parts;            /* ... */
    int nvalues;                        /* variables that several parts touch */
    struct pipe_value *values;          /* ... */
    int nstages, nlate;                 /* nlate: of `late` */
    double costs[PIPE_STAGES];          /* of an iteration in each stage, late parts included */
    struct pipe_late late[PIPE_STAGES]; /* rows of the parts that run late, by group */
    struct pipe_relaxed relaxed;        /* arrays that relax() names */
};

/* The plan of one loop. */
struct plan {
    struct analysis *analysis; /* what it was made of */
    enum strategy strategy;    /* how it runs in parallel */
    /* `space`, `partner`, `times`: indices in analysis.dims, -1 when unused. The grid's first dim
     * is cut by space, and in a tournament by its partner, too (the two keys of one table); the
     * others by `times`, the heaviest first. */
    int space, partner, ntimes, times[PLAN_DIMS - 1];
    /* numbers of rows and of the parts of each other dim, 0 = chosen when the data is known
     * (orrery_run: from sizes, never from the worker count); a tournament's table has two parts per
     * row */
    long grid[PLAN_DIMS];
    uint64_t seed; /* of the key order */
    /* `by_key`: iterations are gathered into packed records in block order (keys); else blocks are
     * ranges of the loop variable. `gpu`: the loop runs on a device (plan_target). */
    bool by_key, gpu;
    /* independent, without rows that could be cut: several ranks have of every array what their
     * iterations touch (sections.c) */
    bool by_sections;
    int narrays;               /* where arrays lie */
    struct plan_array *arrays; /* ... */
    int ntouches;              /* of `touches` */
    /* levels, every object whose conflicts a run has to look at (plan_levels), and without keys
     * every array that may be served (plan_serve); an ordered rotation has them, too, since its run
     * takes levels where keys do not come in the loop's order */
    struct plan_touch *touches;
    /* wavefront only; the grid's rows are ranges of iterations, its columns ranges of positions */
    struct plan_wave *wave;
    /* pipeline only; the grid's rows are stages, its columns ranges of iterations */
    struct plan_pipe *pipe;
    const char *code;                 /* the verdict's reason: ORR1xxx, or ORR2xxx and ORR3xxx */
    const char *message;              /* in words */
    const char *fix;                  /* the edit that would lift a refusal, or NULL */
    struct range where;               /* the words to blame */
    const struct dependence *culprit; /* the dependence that forbids a parallel plan, or NULL */
    bool not_outlined; /* the verdict is of the text: the plan carries all dependences */
    int nobstacles;    /* of `obstacles` */
    struct plan_obstacle *obstacles; /* of a serial plan, its verdict first (obstacles.h) */
    const struct loop *within; /* the loop around that runs in parallel in its place, or NULL */
    const char *bytes_moved;   /* C text: bytes that rotate per pass, NULL when nothing does */
    const char
        *bytes_per_rank; /* C text, of wavefronts: what each of `ranks` ranks has of arrays */
    bool from_file;      /* the user's plan file says it */
    double predicted;    /* of a chosen parallel plan: seconds of a pass */
    const char *assumed; /* what they assume */
    int nrejected;       /* the other legal plans (candidates.c) */
    struct plan_rejected *rejected; /* ... */
    const struct plan_best *best;   /* of one that was measured as it is, else NULL */
};

/* Ranks and threads that were not chosen, and how many times as long a pass takes on them, on the
 * best grid for them. */
struct plan_run {
    long ranks, threads;
    double ratio;
};

enum { PLAN_RUNS = 4 };

/* What a measured loop should run on. */
struct plan_best {
    long ranks, threads; /* threads: per rank */
    long grid[2];        /* rows, and parts of every other dim */
    long before[2];      /* the grid that was measured */
    /* `ratio`: times as long on the grid that was measured, which is `before` */
    double seconds, ratio;
    int tried;                       /* grids that were simulated */
    int nruns;                       /* of `runs` */
    struct plan_run runs[PLAN_RUNS]; /* the next best ranks and threads */
    bool fixed;                      /* the user said the grid */
};

/* A legal plan that was not chosen: in words, how many times as long it takes, why. */
struct plan_rejected {
    struct plan plan;
    const char *words, *because;
    double ratio;
};

/* requires: analysis. Chooses among the legal plans; never NULL (STRATEGY_SERIAL is a plan too). */
struct plan *plan_choose(struct analysis *analysis);

/* The same by what was measured of the loop (a profile's), for this cluster; NULL: nothing, and two
 * nodes of four cores. `without`: a bit for each strategy that is not
 * proposed; a serial plan has no reason then. */
struct cost_loop;
struct cost_cluster;
struct plan *plan_choose_by(struct analysis *analysis, const struct cost_loop *measured,
                            const struct cost_cluster *cluster, unsigned without);

/* Says where the loop runs: where its target clause says, else on a device when it is marked and
 * `gpu` is set. */
void plan_target(struct plan *plan, bool gpu);

/*
 * Proves that no two blocks that may run together conflict, for the grid's symbolic size. Returns
 * NULL when the plan is legal, else the reason with the violated vector in words (arena text).
 */
const char *plan_check(const struct plan *plan);

/* The same with both accesses, where two of them conflict; NULL where something else is wrong. */
struct plan_violation {
    const char *words;
    const struct access *source, *sink;
};
struct plan_violation plan_violation(const struct plan *plan);

/* How `object` is listed in a plan by levels, or NULL. */
const struct plan_touch *plan_touch_of(const struct plan *plan, const struct object *object);

/*
 * The loops inside (indices in facts->inner, outermost first) over which the values of subscript
 * `sub` of the access have to be listed, one iteration at a time. Returns how many, -1 when it is
 * not known before the loop runs which they are.
 */
int plan_touch_loops(const struct loop_facts *facts, const struct access *access, int sub,
                     int *loops);

/* Rows of the object that many iterations change have copies (relax(hot)). */
bool plan_is_hot(const struct plan *plan, const struct object *object);

/* The array is served; some array is. Served ones become copies, since they cannot be listed; a
 * plan file that asks for it is refused from then on. */
bool plan_is_served(const struct plan *plan, const struct object *object);
bool plan_serves(const struct plan *plan);
void plan_unserve(struct plan *plan);

/* The row of a pipeline's grid that makes all accesses to the object, -1: several do, or none. */
int plan_pipe_home(const struct plan *plan, const struct object *object);

/* Statements of a pipeline that run late change the object. */
bool plan_pipe_delays(const struct plan *plan, const struct object *object);

/* Numbers that the plan's grid has. */
int plan_grid_numbers(const struct plan *plan);

/* A run may take levels for it. */
bool plan_is_listed(const struct plan *plan);

/* The run may choose the order of iterations that conflict: by levels it keeps the loop's. */
bool plan_may_reorder(const struct plan *plan);

/* The keys that blocks are made by, as indices in analysis.dims: space, its partner, times. Returns
 * how many, 0 when blocks are ranges of iterations. */
int plan_keys(const struct plan *plan, int keys[PLAN_KEYS]);

/* Which dim of the grid a dim of the analysis is, -1: none. */
int plan_grid_dim(const struct plan *plan, int dim);
const char *placement_name(enum placement placement);

/* --dump=plan */
void plan_dump(const struct plan *plan, void *stream);

/* ---- plan files (file.c, file_read.c): JSON, schema "orrery-plan/1" -------------------------- */

/* Writes the plans of one unit as a plan file. Returns 0, or -1 with errno. */
int plan_file_write(const char *path, const struct unit *unit, int nplans, struct plan **plans);

/*
 * Reads `path` and replaces the matching plans by what it says (loops are matched by function,
 * order and a hash of their tokens, so comments and blank lines do not matter). Malformed files,
 * loops that the source does not have (ORR92xx), plans that plan_check refuses (ORR9210, with the
 * vector) are errors in `diags`. The plan file becomes one of the unit's files, so that messages
 * can point into it.
 */
int plan_file_read(const char *path, struct unit *unit, int nplans, struct plan **plans,
                   struct diag_list *diags);

#endif
