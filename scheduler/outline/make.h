/*
 * Analysis and plan -> outline: can the loop be cut out of its function, and what goes with it.
 */
#ifndef ORRERY_SCHEDULER_OUTLINE_MAKE_H
#define ORRERY_SCHEDULER_OUTLINE_MAKE_H

#include "scheduler/outline/refusal.h"
#include "scheduler/plan/plan.h"

/* A loop cut out of its function, by one plan (outline_make); nothing of it changes any more. */
struct outline;

/*
 * Outlines the plan's loop: everything that the text needs, or why there cannot be one.
 * `allow_fallback`: keep the serial loop for guards that fail at run time. `inside`: of a loop that
 * runs on a device, the plans of the loops in its body, each as if it stood alone. Arrays that the
 * plan serves, and whose elements cannot be listed, become copies in it.
 */
struct outline *outline_make(struct unit *unit, struct plan *plan, bool allow_fallback,
                             enum standalone standalone, int ninside,
                             const struct plan *const *inside);

/* words.c: refuses it where a macro hides a word that its functions will say. requires: the
 * kernel. */
void outline_words(struct outline *outline);

/* NULL: it can be cut out. */
const struct outline_refusal *outline_refusal(const struct outline *outline);

#endif
