/*
 * Plans -> C text. Decides nothing; text outside of the planned loops is copied byte for byte.
 */
#ifndef ORRERY_SCHEDULER_EMIT_H
#define ORRERY_SCHEDULER_EMIT_H

#include "scheduler/plan/plan.h"

/* A loop cut out of its function, by one plan (outline_make); nothing of it changes any more. */
struct outline;

/* Why a loop cannot be cut out of its function. */
struct outline_refusal {
    const char *code; /* ORR2xxx */
    struct range where;
    const char *message;
    const char *fix; /* what to write instead, or NULL */
    bool of_plan;    /* another strategy may do without what is missing */
};

/*
 * Outlines the plan's loop: everything that the text needs, or why there cannot be one.
 * `allow_fallback`: keep the serial loop for guards that fail at run time. `inside`: of a loop that
 * runs on a device, the plans of the loops in its body, each as if it stood alone. Arrays that the
 * plan serves, and whose elements cannot be listed, become copies in it.
 */
struct outline *outline_make(struct unit *unit, struct plan *plan, bool allow_fallback, int ninside,
                             const struct plan *const *inside);

/* NULL: it can be cut out. */
const struct outline_refusal *outline_refusal(const struct outline *outline);

struct emitted {
    const char *text;    /* of the main file */
    const char *kernels; /* NULL: there are none */
    bool parallel;       /* a loop of the text runs in parallel */
};

/*
 * The rewritten main file of `unit` as NUL-terminated text, for outlines that are not refused, of
 * loops of which none stands in another. Text: per loop one environment struct, record struct,
 * gather, shapes, block and replay functions and one static table (runtime/orrery_run.h) in front
 * of the enclosing function, and a call of orrery_run in the loop's place. What is wrong with loops
 * over passes goes to `diags`.
 */
struct emitted emit_unit(struct unit *unit, int noutlines, const struct outline *const *outlines,
                         struct diag_list *diags);

/* The guard says the same of the same two objects as one before it. */
bool emit_guard_is_repeated(const struct loop_facts *facts, int index);

#endif
