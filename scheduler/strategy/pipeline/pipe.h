/*
 * Pipelines: a loop whose iterations need each other, but whose statements fall into stages of
 * which none needs what a later one made. A stage runs its statements of one iteration after the
 * other; iterations stream through the stages, and what is each iteration's own travels in a slot.
 *
 *   facts --pipe_facts--> parts, values (pipe_values) --> order of parts (pipe_order) --> stages
 *   (pipe_stages) --> plan --proof (check_pipe)
 */
#ifndef ORRERY_SCHEDULER_STRATEGY_PIPELINE_PIPE_H
#define ORRERY_SCHEDULER_STRATEGY_PIPELINE_PIPE_H

#include "scheduler/plan/parts.h"

/* The most parts that a body may have: parts are bits of a word. */
enum { PIPE_PARTS = 60 };

/*
 * What parts do with a variable, as bits of parts. `carried` as in pipe_value. `pinned`: its value
 * cannot travel (a pointer, an array whose length the run tells): all its parts are one stage's.
 */
struct pipe_use {
    struct variable *var;
    bool carried, pinned;
    uint64_t touched, written;
};

struct pipe_uses {
    int count;
    struct pipe_use *items;
};

/* ---- pipe.c ---------------------------------------------------------------------------------- */

/*
 * Sets strategy, pipe, and an analysis of its own, to which sums and values that are used
 * after the loop are variables like others: a stage keeps the loop's order. False: there is no
 * pipeline, or none that is worth it, and *miss says why.
 */
bool plan_pipe(struct plan *plan, struct strategy_miss *miss);

/* The part that the access is made in, -1: in none. */
int pipe_part_of(const struct plan_pipe *pipe, const struct access *access);

/* The grid's row that runs the part, late or not; PIPE_EVERYWHERE: each does. */
int pipe_row_of(const struct plan_pipe *pipe, int part);

/* ---- pipe_values.c --------------------------------------------------------------------------- */

/* The parts of the loop's body, without stages, and what they do with variables. NULL: miss. */
struct plan_pipe *pipe_parts(const struct loop_facts *facts, struct pipe_uses *uses,
                             struct strategy_miss *miss);

/* Is the object one of the variables of `uses`? Then no memory but theirs is meant. */
bool pipe_is_value(const struct pipe_uses *uses, const struct object *object);

/* ---- pipe_mention.c: what a statement does with a variable ----------------------------------- */

/* ESCAPES: its address goes to where it cannot be followed. */
enum { PIPE_READS = 1, PIPE_WRITES = 2, PIPE_ESCAPES = 4 };

int pipe_mention(const struct stmt *stmt, const struct variable *var);

/* The statement has an expression that the parser does not know. */
bool pipe_has_unknown(const struct stmt *stmt);

/* ---- pipe_order.c ---------------------------------------------------------------------------- */

/*
 * before[p]: the parts that may not be in an earlier stage than p, because something in them needs
 * p (transitively). `source`, `sink`: two accesses for which a part needs what a later one made in
 * an iteration before, over the most parts between them (`reach`); NULL: there are none.
 */
struct pipe_order {
    uint64_t after[PIPE_PARTS];
    const struct access *source, *sink;
    int reach;
};

/* False: too much work. */
bool pipe_order(const struct loop_facts *facts, const struct plan_pipe *pipe,
                const struct pipe_uses *uses, struct pipe_order *order);

/* The two parts are one stage's. */
void pipe_order_join(struct pipe_order *order, int nparts, int a, int b);

/* ---- pipe_delay.c ---------------------------------------------------------------------------- */

bool pipe_is_relaxed(const struct plan_pipe *pipe, const struct object *object);

/* Assigns the parts as pipe_assign does, those that relaxed arrays would hold together apart, late.
 * False: a late part does what it may not; *miss says what. */
bool pipe_assign_late(const struct loop_facts *facts, struct plan_pipe *pipe,
                      const struct pipe_uses *uses, struct pipe_order *order, int most,
                      struct strategy_miss *miss);

/* ---- pipe_stages.c --------------------------------------------------------------------------- */

/* Counted nanoseconds of the statement. */
double pipe_cost(const struct stmt *stmt);

/* Assigns the parts to at most `most` stages, so that the slowest is as quick as can be. */
void pipe_assign(struct plan_pipe *pipe, const struct pipe_order *order, int most);

/* Fills in values: the stages that touch each of the uses. */
void pipe_fill_values(const struct loop_facts *facts, struct plan_pipe *pipe,
                      const struct pipe_uses *uses);

/* ---- check_pipe.c ---------------------------------------------------------------------------- */

/* Is it the plan's own form of a pipeline over its loop's body, and do its values go forward only?
 * NULL or what is wrong. */
const char *plan_check_pipe_form(const struct plan *plan);

/* Is it a variable that the form's check has seen to? */
bool plan_check_pipe_exempt(const struct plan *plan, const struct object *object);

/* Does an execution of `a` or `b` in an earlier stage
 * depend on one of the other in a later stage? */
enum linear_answer plan_check_pipe(const struct plan *plan, struct linear_solver *solver,
                                   const struct access *a, const struct access *b);

#endif
