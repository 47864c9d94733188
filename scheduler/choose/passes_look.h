/* Inside of plan_passes: the loop looked at, and its parts. */
#ifndef ORRERY_SCHEDULER_PASSES_LOOK_H
#define ORRERY_SCHEDULER_PASSES_LOOK_H

#include "scheduler/choose/passes_unsafe.h"
#include "scheduler/plan/parts.h"

/*
 * `inner`: the loop whose body holds the marked one. When something is folded, the marked loop is
 * statement `at` of that body, and from `begin` up to it stand only simple statements that harm
 * nothing: those that give a sum its first value begin it anew.
 */
struct passes_look {
    const struct plan *plan;
    const struct loop *loop, *inner;
    int begin, at;
    struct plan_passes *passes;
};

/* Notes what stands in the way; false. */
bool passes_stands(struct passes_look *look, struct range where, const char *why, const char *fix);

/* Why no text can be put around the statement, NULL: it can. */
const char *passes_no_edit(const struct passes_look *look, const struct stmt *stmt);

/* requires: around, inner, begin and at. Collects the waits. */
bool passes_waits_fit(struct passes_look *look);

/* requires: around. Collects what varies. */
bool passes_values_fit(struct passes_look *look);

#endif
