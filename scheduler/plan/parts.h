/*
 * The passes behind plan_choose and plan_file_read.
 *
 *   analysis --> legal? (plan_legal) --> strategy, dims (plan) --> arrays (plan_place)
 *            --> code and words (plan_reason) --> proof (plan_check)
 */
#ifndef ORRERY_SCHEDULER_PLAN_PARTS_H
#define ORRERY_SCHEDULER_PLAN_PARTS_H

#include "analyzer/analyzer.h"
#include "scheduler/plan/plan.h"

/* Seed of the random order of keys, unless the plan file says otherwise. */
#define PLAN_SEED 20190325u

static inline struct arena *plan_arena(const struct plan *plan) {
    return plan->analysis->facts->unit->arena;
}

/*
 * Why a loop has not the form that a strategy needs. `code` NULL: it does not look like it. `near`:
 * it looks so much like it that this says more than what another strategy lacks.
 */
struct strategy_miss {
    const char *code;
    struct range where;
    const char *message, *fix;
    bool near;
};

/* Index of the loop's variable among the dims, -1 when it is none of them. */
int plan_variable_dim(const struct analysis *analysis);

/* ---- legal.c: what the vectors permit -------------------------------------------------------- */

/* Does the loop have arrays that relax() or buffer() names, and needs it these clauses? */
bool plan_merges(const struct analysis *analysis);

/* Does the dependence have to be kept? */
bool dep_holds(const struct dependence *dep);

/* Its entry for the dim is 0; that for one of the dims is. */
bool dep_is_zero(const struct dependence *dep, int dim);
bool dep_is_covered(const struct dependence *dep, int ndims, const int *dims);

bool plan_legal_independent(const struct analysis *analysis);

/* Every kept vector is 0 in `dim`, which is a key. */
bool plan_legal_1d(const struct analysis *analysis, int dim);

/* Every kept vector is 0 in one of the dims, all keys; the order of the loop is left alone. */
bool plan_legal_rotation(const struct analysis *analysis, int ndims, const int *dims);

/*
 * Of two, else of three dims and so on, the first that plan_legal_rotation finds legal, from
 * two to `most` of them. Returns how many, 0 = none.
 */
int plan_cover(const struct analysis *analysis, int most, int *dims);

/*
 * tournament.c: a tournament for the loop's keys, whatever order it asks for: the two keys of the
 * table that no key alone covers, and in times the keys that cover the rest. Sets space, partner,
 * times, by_key. False: there is none. What it proposes need not be legal: plan_check tells.
 */
bool plan_pair(struct plan *plan);

/* The key that an access's subscripts go through, and not by a loop inside; NULL: none. */
const struct symbol *plan_key_of(const struct access *access);

/*
 * What is private and used after an ordered loop, by name: its value is the last iteration's,
 * wherever that ran. NULL: nothing. Of what some iterations choose the number of the iteration
 * decides: that is enough where each block runs its iterations in the loop's order, once
 * (`keeps_argmin`), and what a block has kept is the one that the loop would have kept of them.
 */
const char *plan_ordered_last_value(const struct analysis *analysis, bool keeps_argmin);

/* Of the dependences that hold the first one, whose ends another order would change:
 * `words`, and its vector. */
struct plan_violation plan_order_violation(const struct plan *plan, const char *words);

/* Puts the dims in order: the heaviest first (plan_weigh). */
void plan_weigh_all(const struct analysis *analysis, int ndims, int *dims);

/* ---- levels.c -------------------------------------------------------------------------------- */

/*
 * Fills touches: for every object with a kept dependence a subscript that can be listed before an
 * iteration runs. NULL, or why there is none. `keyed`: set when one of them goes through a key.
 */
const char *plan_levels(struct plan *plan, bool *keyed);

/* ---- body.c ---------------------------------------------------------------------------------- */

/* Leaves the loop that `body` is the body of by other ways than its end, `continue` apart. */
bool plan_jumps(const struct stmt *body);

/* May go on with the next iteration of the loop that `body` is the body of, or a part of it. */
bool plan_continues(const struct stmt *body);

/* Ends the iteration early, or jumps out of the statement. */
bool plan_leaves(const struct stmt *stmt);

/* Does each iteration have the variable for itself, as the facts found? */
bool plan_is_private(const struct loop_facts *facts, const struct variable *var);

/* Is the access, or the call that makes it, written in the range? */
bool plan_is_made_in(const struct access *access, const struct range *range);

/* Does the loop write to the object, by an access or by what is made of it? */
bool plan_is_written(const struct loop_facts *facts, const struct object *object);

/* ---- place.c, serve.c, candidates.c ---------------------------------------------------------- */

/*
 * Fills arrays and bytes_moved from strategy and keys. Resident: along space. Rotating: along the
 * times, and along space in a tournament. Aligned: read only where iterations gather. Replicated:
 * read only and not by row (a whole copy would keep its user's order, and the rows of the other
 * arrays with it).
 */
void plan_place(struct plan *plan);

/* Do iterations of the planned loop touch other elements of it, so that each rank has some? */
bool plan_goes_along(const struct loop_facts *facts, const struct object *object);

/* An array's name in a plan file: `W[]` for the rows behind a table of pointers W, else its
 * name. */
const char *plan_array_name(struct arena *arena, const struct object *object);

/* serve.c: the reduction's array can be served under the plan's strategy, which lists it then. */
bool plan_serve(struct plan *plan, const struct reduction *reduction);

/* weigh.c: how an array is cut by the dim alone, NULL: it cannot be. */
const struct row_shape *plan_shape_along(const struct array_use *use, int dim);

/* How `object` lies along a dim of the plan, NULL: it cannot be cut by it. */
const struct row_shape *plan_shape(const struct plan *plan, const struct object *object, int dim);

/* Could `object` be placed so under the plan's strategy and dims? NULL or why not. */
const char *plan_place_check(const struct plan *plan, const struct plan_array *array);

/* What should stay resident when `a` and `b` are the dims of a rotation:
 * < 0: a, > 0: b, 0: no matter. */
int plan_weigh(const struct analysis *analysis, int a, int b);

/* The same strategy by the same dims (candidates.c). */
bool plan_same_dims(const struct plan *a, const struct plan *b);

/* ---- serial.c -------------------------------------------------------------------------------- */

/* How much it takes to lift a refusal: what no clause can lift comes first. */
enum obstacle_rank { OBSTACLE_REWRITE, OBSTACLE_EDIT, OBSTACLE_CLAUSE };

/* By its code: the least that ever helps. */
enum obstacle_rank plan_obstacle_rank(const char *code);

/* It is output in front of a jump out of the loop, in its branch: who moves the jump behind the
 * loop moves that, too. */
bool plan_is_printed_last(const struct loop_facts *facts, const struct refusal *refusal);

/* Turns the plan into the serial one with this reason. */
void plan_make_serial(struct plan *plan, const char *code, struct range where, const char *message,
                      const char *fix);

/* Notes what a strategy lacks; false. */
bool plan_missed(struct strategy_miss *miss, const char *code, struct range where,
                 const char *message, const char *fix);

/* What stands in the way before any dependence: pragma, header, clauses, refusals of the facts. */
bool plan_refused_early(struct plan *plan);

/* ---- reason.c, names.c, strategies.c --------------------------------------------------------- */

/* Code, message, fix, culprit and place of a serial plan that dependences force. */
void plan_explain_serial(struct plan *plan);

/* Code and message of a parallel plan. */
void plan_explain_parallel(struct plan *plan);

/* "a, b and c": the names of some dims, `last` between the last two. */
const char *plan_dim_names(struct arena *arena, const struct analysis *analysis, int ndims,
                           const int *dims, const char *last);

/* Names of what is folded, or of what relax() and buffer() name; "nothing" when there is none. */
const char *plan_reduction_names(const struct plan *plan, bool merged);

#endif
