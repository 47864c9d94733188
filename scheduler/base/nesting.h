/* Which functions may run inside of a loop. */
#ifndef ORRERY_SCHEDULER_BASE_NESTING_H
#define ORRERY_SCHEDULER_BASE_NESTING_H

#include "analyzer/analyzer.h"

/* Every function's id is below it. */
int nesting_ids(const struct unit *unit);

/* The functions that the body of `outer` may call, directly or through others: one flag per
 * function id, NULL when there are none (calls through pointers are not followed: such loops are
 * serial). */
const bool *nesting_called(const struct unit *unit, const struct loop *outer);

/* True when `inner` runs inside of `outer`: nested in its text, or in a function that its body
 * calls; `called`: nesting_called of `outer`. */
bool nesting_inside(const struct loop *inner, const struct loop *outer, const bool *called);

/* `inner` stands in the text of `outer`. */
bool nesting_in_text(const struct loop *inner, const struct loop *outer);

#endif
