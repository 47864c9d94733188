/*
 * Keys that a loop of the iteration finds (`do j = draw(u, t++) % n; while (seen[u][j]);`): a loop in
 * front, with the same statements, puts them in arrays, one element for each iteration. The marked
 * loop takes them from there (docs/transform.md).
 */
#ifndef ORRERY_SCHEDULER_AHEAD_H
#define ORRERY_SCHEDULER_AHEAD_H

#include "analyzer/analyzer.h"

/* The statements that the body begins with, up to the last loop among them. */
struct ahead_form {
    const char *text; /* the main file's, lines keep their numbers; NULL: there are none */
    int count;        /* of those statements, which the marked loop keeps */
};

/* By its text alone: it is marked, comes to its end, and finds something by a loop. */
bool ahead_fits(const struct unit *unit, const struct loop *loop);

/* requires: ahead_fits; `facts` of the loop. */
struct ahead_form ahead_form(struct unit *unit, const struct loop *loop,
                             const struct loop_facts *facts);

/*
 * requires: facts of the loop that the text above has in the place of `loop`. The statements write
 * nothing but the body's own variables, and what they read is not written in the loop, so that they
 * may run in front. That what they read is apart from what it writes is then among its guards.
 */
bool ahead_may_move(const struct ahead_form *form, const struct loop_facts *facts);

#endif
