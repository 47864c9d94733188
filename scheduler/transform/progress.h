/*
 * Loops that tell how far they are: `if (i % 1000 == 0) printf("%g\n", total / i);`. What an iteration
 * adds to `total` becomes an element of an array, and a loop behind adds the elements up, in order,
 * and prints (docs/transform.md).
 */
#ifndef ORRERY_SCHEDULER_PROGRESS_H
#define ORRERY_SCHEDULER_PROGRESS_H

#include "analyzer/analyzer.h"

/*
 * The main file's text with that loop behind; lines keep their numbers. NULL: the loop prints no such
 * sum, or in statements that name something else than numbers which every iteration has.
 */
const char *progress_text(struct unit *unit, const struct loop *loop);

#endif
