#include "scheduler/strategy/strategy.h"

static const struct strategy_ops *const all[] = {
#define STRATEGY(constant, table, name, executor, how) &strategy_##table,
#include "scheduler/strategy/strategies.def"
#undef STRATEGY
};

const struct strategy_ops *strategy_ops(enum strategy strategy) {
    return all[strategy];
}

const struct strategy_ops *strategy_of(const struct plan *plan) {
    return all[plan->strategy];
}
