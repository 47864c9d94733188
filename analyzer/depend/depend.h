/*
 * The pass behind analysis_run: everything but names, words and shapes.
 */
#ifndef ORRERY_ANALYZER_DEPEND_H
#define ORRERY_ANALYZER_DEPEND_H

#include "analyzer/conflict.h"

/* Of more objects it is not asked which of them may overlap. */
#define DEPEND_OBJECTS 300

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
struct access_dep {
    enum dep_kind kind;
    enum dep_status status;
    const struct access *source, *sink;
    const struct pair_answer *answer;
    bool alias;
    const char *why;
};

struct access_deps {
    int count;
    struct access_dep *items;
};

/* All pairs of accesses, at least one a write. `unordered`: iterations may run in any order. */
void depend_pairs(struct loop_facts *facts, bool unordered, struct access_deps *deps);

/*
 * Must the reduction into `object` be one? Not when its ordinary dependences `own` do not exist, or
 * are covered by whatever dims cover the loop's `others`. Scalars and asserted ones always must.
 */
bool depend_needs_reduction(const struct loop_facts *facts, const struct object *object,
                            const struct access_deps *own, const struct access_deps *others);

/* Is the subscript known, and does `symbol` stand in it? */
bool subscript_has(const struct subscript *sub, const struct symbol *symbol);

/* Is the entry the number 0: conflicting iterations agree in this dim. */
bool entry_is_zero(struct entry entry);

/* Why no two iterations conflict through a and b, in words. */
const char *depend_refutation(const struct loop_facts *facts, const struct access *a,
                              const struct access *b);

/* Why and when two iterations conflict, in words; needs analysis->dims and dep->vector. */
const char *depend_words(const struct analysis *analysis, const struct dependence *dep);

/* analysis_shape.c: fills analysis->arrays; needs dims. */
void analysis_shapes(struct analysis *analysis);

#endif
