/*
 * Reduction: iterations meet only in what is folded, of which every row of the grid has a copy.
 */
#include "scheduler/strategy/strategy.h"

static bool propose(struct plan *plan, struct strategy_miss *miss) {
    const struct analysis *analysis = plan->analysis;
    (void)miss;
    plan->space = plan_variable_dim(analysis);
    return plan_legal_independent(analysis) && !plan_merges(analysis) &&
           analysis->facts->nreductions > 0;
}

static void explain(struct plan *plan) {
    plan->code = ORR1051;
    plan->message =
        arena_printf(plan_arena(plan), "parallel: iterations meet only in the reduction of %s",
                     plan_reduction_names(plan, false));
}

const struct strategy_ops strategy_reduction = {
    .space = SPACE_VARIABLE,
    .intervals = true,
    .devices = true,
    .sections = true,
    .propose = propose,
    .prove = check_by_keys,
    .together = "any two iterations may run together",
    .explain = explain,
};
