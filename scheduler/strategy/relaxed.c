/*
 * Relaxed: as independent, once relax() and buffer() have taken dependences away. Workers see what
 * is relaxed as it was at the last merge, and their own changes.
 */
#include "scheduler/strategy/strategy.h"

static bool propose(struct plan *plan, struct strategy_miss *miss) {
    (void)miss;
    plan->space = plan_variable_dim(plan->analysis);
    return plan_legal_independent(plan->analysis) && plan_merges(plan->analysis);
}

static void explain(struct plan *plan) {
    plan->code = ORR1501;
    plan->message = arena_printf(
        plan_arena(plan),
        "parallel with relaxed %s: workers see it as it was at the last merge, and their own "
        "changes",
        plan_reduction_names(plan, true));
}

const struct strategy_ops strategy_relaxed = {
    .space = SPACE_VARIABLE,
    .merges = true,
    .intervals = true,
    .devices = true,
    .propose = propose,
    .prove = check_by_keys,
    .together = "any two iterations may run together",
    .explain = explain,
};
