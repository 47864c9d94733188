/*
 * Independent: no two iterations conflict. Blocks are ranges of the loop's variable.
 */
#include "scheduler/strategy/strategy.h"

static bool propose(struct plan *plan, struct strategy_miss *miss) {
    const struct analysis *analysis = plan->analysis;
    (void)miss;
    plan->space = plan_variable_dim(analysis);
    return plan_legal_independent(analysis) && !plan_merges(analysis) &&
           analysis->facts->nreductions == 0;
}

static void explain(struct plan *plan) {
    plan->code = ORR1001;
    plan->message = "parallel: no two iterations conflict";
}

const struct strategy_ops strategy_independent = {
    .space = SPACE_VARIABLE,
    .intervals = true,
    .devices = true,
    .sections = true,
    .propose = propose,
    .prove = check_by_keys,
    .together = "any two iterations may run together",
    .explain = explain,
};
