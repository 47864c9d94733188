#include "scheduler/strategy/strategy.h"

#include <string.h>

static const struct strategy_ops *const all[] = {
#define STRATEGY(constant, table, how) [STRATEGY_##constant] = &strategy_##table,
#include "scheduler/strategy/strategies.def"
#undef STRATEGY
};

const struct strategy_ops *strategy_ops(enum strategy strategy) {
    return all[strategy];
}

const struct strategy_ops *strategy_of(const struct plan *plan) {
    return all[plan->strategy];
}

const char *strategy_name(enum strategy strategy) {
    return all[strategy]->name;
}

bool strategy_find(const char *name, enum strategy *strategy) {
    for (int i = 0; i < STRATEGY_COUNT; ++i) {
        if (strcmp(all[i]->name, name) == 0) {
            *strategy = (enum strategy)i;
            return true;
        }
    }
    return false;
}
