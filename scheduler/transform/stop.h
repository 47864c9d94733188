/*
 * Loops that may end early: `if (c) ...leave...` in an iteration, where no iteration writes what `c`
 * reads. The first iteration in which `c` holds is looked for in front, so that the iterations
 * before it have no end but their number; the user's loop goes on from it.
 */
#ifndef ORRERY_SCHEDULER_TRANSFORM_STOP_H
#define ORRERY_SCHEDULER_TRANSFORM_STOP_H

#include "scheduler/base/text.h"

#include "analyzer/analyzer.h"

/* A loop of this form. The statements around the `if` are those of `body` but for it. */
struct stop {
    const struct loop *loop;
    const struct stmt *stop; /* the `if` that leaves */
    bool alone;              /* nothing else is in the body */
    struct unit *unit;       /* that it stands in */
    const char *prefix;      /* begins names that are added */
};

/* NULL: it is of another form. Looks at the text alone. */
struct stop *stop_read(struct unit *unit, const struct loop *loop, const char *prefix);

/* What stands in front of the loop: it is the loop's other way. */
void stop_write(const struct stop *stop, struct text *out);

/* What stands behind the loop, and in front of what leaves it. */
const char *stop_end(const struct stop *stop);

#endif
