/* Nests of rows as text: what of the user's may be written anew, and how. */
#ifndef ORRERY_SCHEDULER_ROWS_TEXT_H
#define ORRERY_SCHEDULER_ROWS_TEXT_H

#include "scheduler/base/text.h"

/* It stands in the main file as it is, not in a macro. */
bool text_is_written(const struct unit *unit, const struct range *range);

/* A `for` or a `while` whose text may be written anew: its header sets at most one variable first,
 * and may declare others. */
bool loop_is_written(const struct unit *unit, const struct loop *loop);

/* The same, and it counts by one, up or down, without a check of the run; it may move others. */
bool loop_counts_by_one(const struct unit *unit, const struct loop *loop);

/* A `for` that does so in its header alone, and its variable is a whole number; upward. */
bool loop_counts_alone(const struct unit *unit, const struct loop *loop);
bool loop_counts_up(const struct unit *unit, const struct loop *loop);

/* A whole number of 4 or 8 bytes. */
bool type_is_whole(const struct type *type);

/* It counts from a number up to a value that can be computed in front of it, and its body has no
 * other variable of its counter's name. */
bool loop_begins_at_number(const struct loop *loop);

/* So counts a marked loop, of which other loops may run parts of the body, as often, and in its order:
 * it comes to its end, and nothing jumps inside or speaks of its text. */
bool loop_runs_all(const struct unit *unit, const struct loop *loop);

/* Declares an array with an element for each of its iterations, behind
 * `extern void *orrery_records_values(const void *, long, long);`. */
const char *loop_values_text(const struct unit *unit, const struct loop *loop, const char *name,
                             const struct type *type);

/* A local number or pointer, of a value without effects. */
bool variable_is_value(const struct variable *v);

/* Nothing but blanks and comments between the pragma and its loop; a directive has no string. */
bool loop_follows_mark(const struct unit *unit, const struct range *pragma,
                       const struct loop *loop);

/* The source of `range` on one line; as a statement: a range of an initial part may or may not have
 * its semicolon. */
const char *text_source(const struct unit *unit, const struct range *range);
const char *text_statement(const struct unit *unit, const struct range *range);

/* The loop's `#pragma orrery ...` as an operator, or the operator that stands there. */
const char *text_mark(const struct unit *unit, const struct loop *loop);

#endif
