/*
 * What a strategy is made of: one table of operations per strategy, at the end of its file. Who
 * wants to know something of a plan's strategy asks strategy_of(plan); nobody lists strategies but
 * strategies.def.
 */
#ifndef ORRERY_SCHEDULER_STRATEGY_STRATEGY_H
#define ORRERY_SCHEDULER_STRATEGY_STRATEGY_H

#include "scheduler/plan/check_keys.h"
#include "scheduler/plan/parts.h"
#include "scheduler/plan/predict_parts.h"

/* What the first dim of the grid is cut by. NONE: by none of the analysis's dims. */
enum strategy_space { SPACE_NONE, SPACE_VARIABLE, SPACE_KEY };

/* When the strategy is proposed. UNLESS: only where no other one is legal. MENDS: the same, and
 * also for loops that are refused before any dependence. */
enum strategy_turn { TURN_ALWAYS, TURN_UNLESS, TURN_MENDS };

struct strategy_ops {
    /* ---- the plan's form ---- */

    enum strategy_space space;

    /* Iterations are gathered into packed records, in block order. */
    bool by_key;

    /* How many dims the grid has besides its first: at least, at most. */
    int least_times, most_times;

    /* Iterations do not keep the loop's order: only for loops that say `unordered`. */
    bool reorders;

    /* A block runs its iterations in the loop's order, once: of what some of them choose the one
     * that the loop would have kept is kept (plan_ordered_last_value). */
    bool keeps_argmin;

    /* Blocks run parts of iterations. */
    bool cuts_iterations;

    /* It goes by relax() or buffer(), and is for loops with these clauses only. */
    bool merges;

    /* Ranks can have the rows of an array that a guard's intervals give to their iterations. */
    bool intervals;

    /* Threads of one rank only. */
    bool one_rank;

    /* The loop can run on a GPU. */
    bool devices;

    /* A strategy that the run may take instead, which is proved, too; STRATEGY_SERIAL: none. */
    enum strategy instead;

    /* ---- the choice ---- */

    enum strategy_turn turn;

    /* Makes the plan parallel by it, with its own pick of the dims. False: it is not legal, or not
     * wanted, and *miss may say why. NULL: it is never proposed. */
    bool (*propose)(struct plan *plan, struct strategy_miss *miss);

    /* The vectors do not tell whether what it proposes is legal (whether the two keys of one table
     * mean the same rows): the proof is asked first. */
    bool wants_proof;

    /* Is it legal by these dims, the first for space? NULL: only as proposed. */
    bool (*legal)(const struct analysis *analysis, int ndims, const int *dims);

    /* Of a loop for which there is no plan: puts the miss in place of the reason, where that says
     * more. NULL: it never does. */
    void (*excuse)(struct plan *plan, const struct strategy_miss *miss);

    /* Fills in what a plan that was read from a file does not hold. Words: it cannot be. NULL:
     * nothing is missing. */
    struct plan_violation (*complete)(struct plan *plan);

    /* ---- the proof: from the accesses, with nothing of what proposes it ---- */

    /* NULL, or what is wrong with what the plan holds besides dims. NULL: nothing can be. */
    const char *(*form)(const struct plan *plan);

    /* Do iterations that may run together conflict through these two accesses? */
    enum linear_answer (*prove)(struct check *check, const struct access *a,
                                const struct access *b);

    /* The form has seen to the object: its accesses count for nothing. NULL: for none. */
    bool (*exempt)(const struct plan *plan, const struct object *object);

    /* What runs together, in words, of plans without keys. */
    const char *together;

    /* ---- placement ---- */

    /* Places arrays in its own way. NULL: by the grid's dims. */
    struct plan_array (*place)(const struct plan *plan, struct object *object, bool written);

    /* Can the object be resident in its own way? NULL: none can. */
    bool (*stays)(const struct plan *plan, const struct object *object);

    /* Iterations need nothing of each other, so that ranks may have what theirs touch of arrays that
     * cannot be cut. */
    bool sections;

    /* Why the object is not placed. NULL: it cannot be cut along any dim of the grid. */
    const char *(*why_unplaced)(const struct plan *plan, const struct object *object);

    /* ---- cost ---- */

    /* Sets parts of the estimate; COST_WORK is the work divided among the workers. NULL: that is
     * all there is. */
    void (*cost)(const struct cost_question *question, struct plan_estimate *estimate);

    /* A part that makes it slower than another plan, in words; NULL: the usual ones. */
    const char *slower[COST_PARTS];

    /* ---- words ---- */

    /* Sets the plan's code and message. */
    void (*explain)(struct plan *plan);

    /* Why two passes over the loop cannot overlap, whatever it does. NULL: they may. */
    const char *passes_apart;
};

#define STRATEGY(constant, table, name, executor, how)                                             \
    extern const struct strategy_ops strategy_##table;
#include "scheduler/base/strategies.def"
#undef STRATEGY

const struct strategy_ops *strategy_ops(enum strategy strategy);
const struct strategy_ops *strategy_of(const struct plan *plan);

#endif
