/*
 * Plans -> C text. Decides nothing; text outside of the planned loops is copied byte for byte.
 */
#ifndef ORRERY_SCHEDULER_EMIT_H
#define ORRERY_SCHEDULER_EMIT_H

#include "scheduler/plan/plan.h"

struct emit_options {
    bool allow_fallback; /* keep the serial loop for guards that fail at run time */
    bool line_directives;
    const char **kernels; /* gets the text of the kernels, NULL: there are none; or NULL */
    bool *parallel;       /* gets whether a loop of the text runs in parallel; or NULL */
};

/*
 * The rewritten main file of `unit` as NUL-terminated text. Loops whose plan is serial stay as they
 * are. A loop that cannot be outlined (its body uses a type local to the function, ...) is reported
 * in `diags` (ORR23xx) and stays as it is. Text: per loop one environment struct, record struct,
 * gather, shapes, block and replay functions and one static table (runtime/orrery_run.h) in front
 * of the enclosing function, and a call of orrery_run in the loop's place.
 */
char *emit_unit(struct unit *unit, int nplans, struct plan **plans,
                const struct emit_options *options, struct diag_list *diags);

/*
 * The answer for each loop, for those who show plans and emit nothing: a plan that emit_unit would
 * refuse to carry out becomes a serial one with the reason (ORR23xx). `plans`: all that the unit's
 * marked loops have; of marked loops inside of each other only the outermost stays parallel.
 */
void emit_settle(struct unit *unit, int nplans, struct plan **plans);

/* Arrays that cannot be served, since the function that would list their elements has no words for
 * them, get copies, in these plans and in all that are made of their analyses. */
void emit_settle_served(struct unit *unit, int nplans, struct plan **plans);

/* The guard says the same of the same two objects as one before it. */
bool emit_guard_is_repeated(const struct loop_facts *facts, int index);

#endif
