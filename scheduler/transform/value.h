/* What serial iterations compute, as expressions of what memory holds before they run. */
#ifndef ORRERY_SCHEDULER_VALUE_H
#define ORRERY_SCHEDULER_VALUE_H

#include "scheduler/transform/line.h"

/* An iteration: the C text of a number, and how many iterations behind it. `variable`: text of the
 * loop's variable there begins with `first` and counts by the loop's step. */
struct value_at {
    const char *iteration; /* NULL: the block's first */
    const char *first;     /* what the loop's variable starts with */
    long offset;
};

/*
 * The C text of the value that `read`, or `var` in front of an iteration's body, has in that
 * iteration of the serial loop, made of what memory holds in front of the loop. `least`: how many
 * iterations before that one it looks at, 0 or negative. NULL: it depends on the whole past, or is
 * too long. requires: the iteration, and LINE_REACH ones before it, are among the loop's.
 */
const char *value_of_read(const struct line *line, const struct access *read, struct value_at at,
                          long *least);
const char *value_of_scalar(const struct line *line, const struct variable *var,
                            struct value_at at);

/* What memory holds in front of the loop where `read` reads in that iteration. */
const char *value_of_place(const struct line *line, const struct access *read, struct value_at at,
                           long *least);

/* Of the loop's variable in an iteration. */
const char *value_of_variable(const struct line *line, struct value_at at);

#endif
