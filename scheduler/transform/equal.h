/*
 * Pointers that are equal in a run: r and v lead to one array in `resid(u, r, r)`, and the loop, which
 * combines r[i] with v[i] alone, is parallel all the same.
 */
#ifndef ORRERY_SCHEDULER_TRANSFORM_EQUAL_H
#define ORRERY_SCHEDULER_TRANSFORM_EQUAL_H

#include "scheduler/base/text.h"

/* Two pairs at most: `twin` is taken for `kept` where they are equal. */
struct equal_pair {
    const struct variable *kept, *twin;
};

enum { EQUAL_PAIRS = 2 };

struct equal {
    const struct unit *unit;
    const struct loop *loop;
    int npairs;
    struct equal_pair pairs[EQUAL_PAIRS];
};

/* NULL: there are no such pointers, or the loop's text cannot stand twice. requires: no two
 * iterations depend on each other while the pointers lead to different arrays. */
const struct equal *equal_read(struct unit *unit, struct loop *loop);

/* "{ if (v == r) the loop with r for v; else " */
void equal_write(const struct equal *equal, struct text *out);

/* "`v` may be `r`" */
const char *equal_words(const struct equal *equal);

#endif
