/*
 * Questions about linear constraints made smaller before isl is asked, and answered outright where
 * nothing is left. Every step is exact over the integers: the smaller system has a point just where
 * the system has one, and the forms have the same ranges.
 */
#ifndef ORRERY_ANALYZER_AFFINE_REDUCE_H
#define ORRERY_ANALYZER_AFFINE_REDUCE_H

#include "analyzer/linear.h"

/*
 * True: *answer and, for POINTS, `ranges` are what linear_solve says. False: `smaller` and
 * `smaller_forms` (`nforms` of them), in `arena`, pose the same question.
 */
bool linear_reduce(struct arena *arena, const struct linear_system *system, int nforms,
                   const struct linear_form *forms, enum linear_answer *answer,
                   struct linear_range *ranges, struct linear_system *smaller,
                   struct linear_form *smaller_forms);

#endif
