/*
 * Dependences in the lifted space: when do two accesses in two iterations touch the same byte?
 * Shared by analysis_run (vectors) and plan_check (blocks).
 *
 * Every iteration stands for its number, the values of its keys (free, but one value per iteration)
 * and, per access, the variables of the loops around it and the keys made of those. A conflict of
 * accesses A and B is a point of
 *
 *   { iteration, keys, inner | iteration', keys', inner' :
 *     every pair of known subscripts is equal, the bytes of the fields overlap,
 *     loop bounds hold as far as they are known, and so do the domains of the accesses and of the
 *     symbols in use; PARAM symbols are the same on both sides }
 *
 * A subscript that is not known adds no constraint, nor does a sum that would not fit a long: what
 * is left out makes the set larger, never smaller.
 */
#ifndef ORRERY_ANALYZER_CONFLICT_H
#define ORRERY_ANALYZER_CONFLICT_H

#include "analyzer/analysis.h"
#include "analyzer/linear.h"

/* Bounds on the work of one loop: isl's operations per question, and questions. */
#define DEPEND_OPERATIONS 400000ul
#define DEPEND_QUESTIONS 4000l

/*
 * The system of one pair, for one order of the two iterations or for any two (see conflict_order).
 * `iteration[side]`: variables that count iterations from 0. `vars[side][symbol id]`: a symbol's
 * variable, -1 = not in the system. A PARAM has the same variable on both sides.
 */
struct conflict {
    struct arena *arena;
    const struct loop_facts *facts;
    struct linear_system system;
    int iteration[2];
    int *vars[2];
};

/* Can the bytes touched overlap when all subscripts are equal? */
bool access_bytes_meet(const struct access *a, const struct access *b);

/* The set above, without a constraint on the order of the iterations; `a` and `b` of one object. */
void conflict_build(struct arena *arena, const struct loop_facts *facts, const struct access *a,
                    const struct access *b, struct conflict *conflict);

/* Adds iteration' >= iteration + 1 (`forward`) or iteration >= iteration' + 1. */
void conflict_order(struct conflict *conflict, bool forward);

/* Adds iteration' = iteration. */
void conflict_same_iteration(struct conflict *conflict);

/* Bounds of the loops around `access` whose variables are in use on that side, from the innermost
 * out: once more for who brings in further variables. */
void conflict_bounds_add(struct conflict *conflict, int side, const struct access *access);

/* What the symbols in use on that side mean, and those that this brings in. */
void conflict_meanings_add(struct conflict *conflict, int side);

/* The variable of `symbol` on `side` (0 or 1); made when it is not there yet. */
int conflict_var(struct conflict *conflict, int side, const struct symbol *symbol);

/* form += sign * value, on `side`. False: does not fit. */
bool conflict_affine_add(struct conflict *conflict, struct linear_form *form, int side,
                         const struct affine *value, int sign);

/* ---- pairs of accesses ----------------------------------------------------------------------- */

/* An entry per dim of the analysis: how two iterations that conflict through the accesses differ,
 * the sink's minus the source's. */
void conflict_vector(const struct analysis *analysis, const struct access *source,
                     const struct access *sink, struct entry *vector);

/* The subscripts without their constants and the loops around, as text. */
const char *access_shape(struct arena *arena, const struct access *a);

/*
 * Of every access a name of its shape, the subscripts without their constants and the loops around:
 * accesses with equal shapes whose constants are equally far apart pose the same problem.
 */
const char **access_shapes(const struct loop_facts *facts);

/* Of every access the number of the first one that no question tells apart from it. */
int *access_firsts(const struct loop_facts *facts, const char *const *shapes);

/*
 * The pair's problem as text: both shapes, and how far apart the constants are. NULL: too long, or
 * the constants are too far apart; nothing is to be concluded then.
 */
enum { PAIR_PROBLEM_SIZE = 1024 };
const char *pair_problem(char buffer[PAIR_PROBLEM_SIZE], const struct access *a,
                         const char *shape_a, const struct access *b, const char *shape_b);

/* ---- objects and keys ------------------------------------------------------------------------ */

/* Accesses that no dependence is taken of. */
bool depend_is_private(const struct loop_facts *facts, const struct object *object);

/* Every access to `object` belongs to one and the same reduction. */
bool depend_is_reduction(const struct loop_facts *facts, const struct object *object);

/* From here on accesses to `object` are ordinary ones. */
void depend_drop_reduction(struct loop_facts *facts, const struct object *object);

/*
 * Does every iteration that makes the access have the key? A key that stands under a condition, or
 * that no row is reached through, is not had by all: then it has to stand in the access itself.
 */
bool access_has_key(const struct access *access, const struct symbol *key);

/* Is C text an integer constant (suffixes allowed), and which? NULL is none. */
bool shape_number(const char *text, long *value);

#endif
