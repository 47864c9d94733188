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
#ifndef ORRERY_ANALYZER_DEPEND_H
#define ORRERY_ANALYZER_DEPEND_H

#include "analyzer/analysis.h"
#include "analyzer/depend/affine_isl.h"

/* Bounds on the work of one loop: isl's operations per question, and questions. */
#define DEPEND_OPERATIONS 400000ul
#define DEPEND_QUESTIONS 4000l

/* Of more objects it is not asked which of them may overlap. */
#define DEPEND_OBJECTS 300

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

/* A variable of no symbol. */
int conflict_fresh(struct conflict *conflict);

/* The pass behind analysis_run: everything but names, words and shapes. */

enum pair_verdict { PAIR_NONE, PAIR_CONFLICT, PAIR_LIMIT };

/*
 * The answer for a pair. `distance`: range of iteration' - iteration; `deltas[symbol id]`: entry of
 * a KEY symbol that no inner loop changes, STAR for all others.
 */
struct pair_answer {
    enum pair_verdict verdict;
    struct entry distance;
    struct entry *deltas;
};

/*
 * One dependence before dims are chosen. `alias`: the accesses are to different objects which may
 * overlap. `answer` is NULL for all but CARRIED and LIMIT found by subscripts.
 */
struct raw_dep {
    enum dep_kind kind;
    enum dep_status status;
    const struct access *source, *sink;
    const struct pair_answer *answer;
    bool alias;
    const char *why;
};

struct raw_deps {
    int count;
    struct raw_dep *items;
};

/* All pairs of accesses, at least one a write. `unordered`: iterations may run in any order. */
void depend_pairs(struct loop_facts *facts, bool unordered, struct raw_deps *deps);

/* Accesses that no dependence is taken of. */
bool depend_is_private(const struct loop_facts *facts, const struct object *object);

/* Every access to `object` belongs to one and the same reduction. */
bool depend_is_reduction(const struct loop_facts *facts, const struct object *object);

/*
 * Must the reduction into `object` be one? Not when its ordinary dependences `own` do not exist, or
 * are covered by whatever dims cover the loop's `others`. Scalars and asserted ones always must.
 */
bool depend_needs_reduction(const struct loop_facts *facts, const struct object *object,
                            const struct raw_deps *own, const struct raw_deps *others);

/* From here on accesses to `object` are ordinary ones. */
void depend_drop_reduction(struct loop_facts *facts, const struct object *object);

/* Is `object` named in a relax() or buffer() clause of the loop? */
bool depend_is_relaxed(const struct loop_facts *facts, const struct object *object);

/* Is the subscript known, and does `symbol` stand in it? */
bool subscript_has(const struct subscript *sub, const struct symbol *symbol);

/*
 * Does every iteration that makes the access have the key? A key that stands under a condition, or
 * that no row is reached through, is not had by all: then it has to stand in the access itself.
 */
bool access_has_key(const struct access *access, const struct symbol *key);

/* Is the entry the number 0: conflicting iterations agree in this dim. */
bool entry_is_zero(struct entry entry);

/* Why no two iterations conflict through a and b, in words. */
const char *depend_refutation(const struct loop_facts *facts, const struct access *a,
                              const struct access *b);

/* Why and when two iterations conflict, in words; needs analysis->dims and dep->vector. */
const char *depend_words(const struct analysis *analysis, const struct dependence *dep);

/* Is C text an integer constant (suffixes allowed), and which? NULL is none. */
bool shape_number(const char *text, long *value);

/* analysis_shape.c: fills analysis->arrays; needs dims. */
void analysis_shapes(struct analysis *analysis);

#endif
