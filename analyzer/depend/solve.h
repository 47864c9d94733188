/*
 * Conflict set -> direction and distance entries (depend.h).
 */
#ifndef ORRERY_ANALYZER_DEPEND_SOLVE_H
#define ORRERY_ANALYZER_DEPEND_SOLVE_H

#include "analyzer/depend/depend.h"

struct depend_solver;

struct depend_solver *depend_solver_new(const struct loop_facts *facts, bool unordered);
void depend_solver_free(struct depend_solver *solver);

/*
 * Do iterations conflict through `a` and `b` of one object, and how do they differ? The bytes of
 * the fields are not looked at.
 */
const struct pair_answer *depend_solve(struct depend_solver *solver, const struct access *a,
                                       const char *shape_a, const struct access *b,
                                       const char *shape_b);

/* The entry that says just what a range says. */
struct entry entry_of(const struct linear_range *range);

#endif
