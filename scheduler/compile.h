/*
 * The compile side as one function: text -> plans. What `analyze`, `plan`, `report` and `emit`
 * share.
 */
#ifndef ORRERY_SCHEDULER_COMPILE_H
#define ORRERY_SCHEDULER_COMPILE_H

#include "analyzer/analyzer.h"
#include "scheduler/cost/cost.h"
#include "scheduler/emit/emit.h"
#include "scheduler/transform/transform.h"

/* A C file, with the user's compiler flags, unfiltered. */
struct compile_file {
    const char *name;      /* as the user named it, or absolute */
    const char *text;      /* its content when it does not come from the file, else NULL */
    const char *directory; /* where its name and flags count from; NULL: the current folder */
    int nflags;
    const char *const *flags;
};

struct compile_request {
    struct compile_file file;         /* the one to compile */
    const char *include;              /* the folder of orrery.h, NULL: none */
    bool all;                         /* unmarked loops too */
    bool brief;                       /* of unmarked loops that stay serial no more is kept */
    bool transform;                   /* their nests in better orders (transform.h) */
    struct transform_planted planted; /* errors that `transform` makes */
    bool keep_rows;             /* nests of rows do not become loops over records (records.h) */
    bool transform_only;        /* nothing is done behind that: `unit` has the text */
    bool allow_fallback;        /* the serial loop is kept for guards that fail at run time */
    enum standalone standalone; /* what the text's threads are made by, without our library */
    bool gpu;                   /* marked loops run on a device where they say nothing else */
    const char *plan_file;      /* plans to use instead of the chosen ones, or NULL */
    const struct cost_profile *profile; /* what was measured of the loops, or NULL */
    const struct cost_cluster *cluster; /* what is planned for, NULL: as plan_choose_by says */
    int nothers; /* files that may define functions which this one calls; it may be one of them */
    struct compile_file (*other)(const void *data, int index); /* NULL without others */
    const void *data;                                          /* for `other` */
    int neffects;                                              /* how many of them */
    const char *const *effects; /* files of effects (effects.h) of functions that are not seen */
    /* tests of `orrery verify --accesses`: names of objects, NULL. `drop`: no read of it is told to
     * the dependence analysis, so that verdicts come out wrong; `change`: its vectors are made
     * wrong once the plan is chosen. */
    const char *drop, *change;
};

/* A marked nest that would run better as records, but for what stands in the way. */
struct records_hindrance;
struct compile_nest {
    struct range header;                  /* of its outer loop */
    int nhindrances;                      /* of `hindrances` */
    struct records_hindrance *hindrances; /* ... */
};

struct compilation {
    struct arena *arena;        /* of everything below */
    struct unit *unit;          /* NULL: nothing could be parsed */
    struct unit *written;       /* what the user wrote: `unit`, unless nests were transformed */
    struct diag_list said;      /* of `written`: which (ORR1701) */
    struct diag_list diags;     /* errors, warnings and remarks, in the order they were found */
    bool takes_short;           /* unmarked loops that are known to be too short, too */
    int nnests;                 /* of `nests` */
    struct compile_nest *nests; /* ... */
    int nplans;                 /* 0 when the input has errors (diags.nerrors) */
    struct plan **plans;        /* in the order of the text: the marked loops', or all loops' */
    int noutlines;              /* nplans, once there are outlines */
    const struct outline **outlines; /* by plan, NULL where it is serial */
    int noutermost;                  /* of `outermost` and `cut` */
    struct plan **outermost;         /* those that the emitter carries out together (outermost.c) */
    const struct outline **cut;      /* their outlines */
};

/* One loop on its way to a plan, and to an outline by it. */
struct compile_loop {
    const struct compile_request *request;
    struct unit *unit;
    struct loop *loop;
    struct analysis *analysis;
    struct plan *plan;
    const struct outline *outline; /* NULL: the plan is serial */
    unsigned refused;              /* a bit for each strategy by which it cannot be cut out */
};

/* Everything, in its order. What is wrong with the input is in `diags`. */
void compile_unit(struct compilation *c, struct arena *arena,
                  const struct compile_request *request);

/* The text of the outermost loops that run in parallel, and all other text as it is. */
struct emitted compile_text(struct compilation *c);

/* The text read again, with what other files say; NULL: it has errors. */
struct unit *compile_parse_again(struct compilation *c, const struct compile_request *request,
                                 const char *text);

/* Of a loop with its dependences: a plan. */
void compile_choose(struct compile_loop *l);

/* The steps of a loop: facts, dependences and a plan; the same by what guards make true (nothing
 * changes when there are none); for a loop that was too much work; the outline, by another plan or
 * none where that is refused. */
void compile_analyze(struct compile_loop *l);
void compile_analyze_given(struct compile_loop *l);
void compile_too_much(struct compile_loop *l);
void compile_outline(struct compile_loop *l);

/* Parses one file, with flags that count from the current folder. */
struct unit *compile_parse(struct arena *arena, const struct compile_file *file,
                           const char *include, struct diag_list *diags);

/* ---- rewrite.c ------------------------------------------------------------------------------- */

/*
 * Marked loops in other words, each where it is better so: what they print is collected, rows that
 * end with a mark are counted in front, nests of rows become loops over records. Sets `unit`, tells
 * `said`; `nests` has what is in the way. Not where guards that fail must not end the program.
 */
void rewrite_marked(struct compilation *c, const struct compile_request *request);

/* ---- allowance.c ----------------------------------------------------------------------------- */

/* Each loop in its share of what the unit may take: sets `plans`, `outlines`. */
void compile_loops(struct compilation *c, const struct compile_request *request);

/* ---- outermost.c ----------------------------------------------------------------------------- */

/*
 * Of loops with a parallel plan that run inside of each other, in the text or through calls, only
 * the outermost: sets `outermost`. requires: plans that do not change any more.
 */
void compile_find_outermost(struct compilation *c);

/* What `orrery-cc -auto` does with a loop that nobody marked, in words; NULL: it runs it in
 * parallel. requires: compile_find_outermost. */
const char *compile_left_alone(const struct compilation *c, const struct plan *plan);

#endif
