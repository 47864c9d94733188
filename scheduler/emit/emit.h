/*
 * Plans -> C text. Decides nothing; text outside of the planned loops is copied byte for byte.
 */
#ifndef ORRERY_SCHEDULER_EMIT_H
#define ORRERY_SCHEDULER_EMIT_H

#include "scheduler/outline/make.h"

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

#endif
