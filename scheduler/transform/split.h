/*
 * Loop distribution (Kennedy and Allen, Optimizing Compilers for Modern Architectures, chapter 5):
 * a line of which some statements wait for earlier iterations and others do not is written as loops
 * over strips of its range, one for each group of statements.
 *
 *   a[i] += c[i] * d[i];                 for each strip: a[i] += c[i] * d[i]   (iterations do not meet)
 *   b[i] = b[i - 1] + a[i] + d[i];                       b[i] = b[i - 1] + a[i] + d[i]
 *
 * Statements in branches are told apart, too: each loop asks the conditions around its own.
 */
#ifndef ORRERY_SCHEDULER_TRANSFORM_SPLIT_H
#define ORRERY_SCHEDULER_TRANSFORM_SPLIT_H

#include "scheduler/transform/front.h"
#include "scheduler/transform/line.h"

struct split;

/* NULL: no group of statements is free of waiting, or all are. `is_broken`: some dependence would not
 * hold in the loops that were found (with nest->forget only). */
struct split *split_read(const struct line *line, bool *is_broken);

/* What stands in front of the loop: it is the loop's other way. False: not with these bounds. */
bool split_write(const struct split *split, struct writing *w);

/* "the loop runs as 2 loops: the statements of lines 7, 9 do not wait for those of line 8" */
const char *split_words(const struct split *split);

#endif
