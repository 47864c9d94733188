/*
 * The text of a unit with marks where loops and their iterations begin and end, for programs that
 * watch their own accesses (docs/accesses.md). Nothing else of the text changes.
 */
#ifndef ORRERY_SCHEDULER_MARKS_H
#define ORRERY_SCHEDULER_MARKS_H

#include "scheduler/plan/plan.h"

/* More keys of a loop than these are not told to the run. */
#define MARKED_KEYS 4

/*
 * One loop of the main file. `why_not`: why it gets no marks, NULL: it gets them. `variables`:
 * those that its mark names by address, in order: what the enclosing function declares outside of
 * the loop and the loop may change or lead to, and the global variables that its text names.
 */
struct marked_loop {
    struct loop *loop;
    const char *why_not;
    int nvariables;
    struct variable **variables;
    int nkeys; /* of `keys`: dims of the analysis whose values each iteration tells */
    int keys[MARKED_KEYS];
    bool asks;        /* each iteration tells its keys, and whether checks of the run hold */
    const char *told; /* asks: those checks and the keys, as C texts behind commas */
};

struct marks {
    struct unit *unit;
    int nloops;
    struct marked_loop *loops;
    struct int_table by_loop; /* indices by loop's id */
};

/* requires: unit. Decides which loops get marks, and what they name. */
struct marks *marks_plan(struct unit *unit);

/* requires: marks_plan. What the iterations of a loop with this plan tell of their keys and of the
 * checks of the run that stand as C texts. */
void marks_ask(struct marks *marks, struct marked_loop *marked, const struct plan *plan);

/* The marked text, NUL-terminated. `table`: text that its object hands to the run, about the loops
 * in the order of `marks`. Lines and columns of the user's text keep their numbers for debuggers.
 */
char *marks_text(const struct marks *marks, const char *table);

#endif
