/* Loops that are judged by their text alone: they write variables and elements of declared arrays. */
#ifndef ORRERY_SCHEDULER_TRANSFORM_PLAIN_H
#define ORRERY_SCHEDULER_TRANSFORM_PLAIN_H

#include "analyzer/analyzer.h"

/* The array that `e` is an element of, or the variable that it is. NULL: a pointer leads to it. */
const struct variable *plain_root(const struct expr *e);

/* A number, or an array of numbers, that no other variable is a part of, nor volatile or atomic. */
bool plain_is_own(const struct variable *v);

/* The body of the loop, but for its statement `but` (NULL: all of it), does not set `v`, which is
 * not its counter either. requires: it sets things by assignments, increments and declarations. */
bool plain_stays(const struct loop *loop, const struct stmt *but, const struct variable *v);

/* for (i = lower; i < upper; i += 1), in a type with a sign, as wide as int at least; the bounds are
 * sums and products of constants and of variables that stay. */
bool plain_counts(const struct loop *loop, const struct stmt *but);

#endif
