#include "scheduler/strategy/strategy.h"

static const struct strategy_ops *const all[] = {
#define STRATEGY(constant, table, name, executor, how) &strategy_##table,
#include "scheduler/base/strategies.def"
#undef STRATEGY
};

const struct strategy_ops *strategy_ops(enum strategy strategy) {
    return all[strategy];
}

const struct strategy_ops *strategy_of(const struct plan *plan) {
    return all[plan->strategy];
}

void plan_explain_parallel(struct plan *plan) {
    const struct strategy_ops *ops = strategy_of(plan);
    if (ops->explain)
        ops->explain(plan);
    if (!ops->merges && plan_merges(plan->analysis)) {
        plan->message = arena_printf(plan_arena(plan), "%s; %s is relaxed", plan->message,
                                     plan_reduction_names(plan, true));
    }
}
