/*
 * Partition by one key: iterations that conflict have the same value of it. They stay together, in
 * the loop's order.
 */
#include "scheduler/strategy/strategy.h"

static bool legal(const struct analysis *analysis, int ndims, const int *dims) {
    return ndims == 1 && plan_legal_1d(analysis, dims[0]);
}

/* Of several dims the one whose arrays weigh most: they are the ones cut. */
static bool propose(struct plan *plan, struct strategy_miss *miss) {
    const struct analysis *analysis = plan->analysis;
    int best = -1;
    (void)miss;
    for (int d = 0; d < analysis->ndims; ++d)
        if (plan_legal_1d(analysis, d) && (best < 0 || plan_weigh(analysis, best, d) > 0))
            best = d;
    plan->space = best;
    return best >= 0 && !plan_ordered_last_value(analysis, true);
}

static void explain(struct plan *plan) {
    const char *key = plan->analysis->dims[plan->space].name;
    plan->code = ORR1101;
    plan->message = arena_printf(
        plan_arena(plan),
        "parallel by %s: iterations with the same %s stay together, in the loop's order", key, key);
}

const struct strategy_ops strategy_partition_1d = {
    .space = SPACE_KEY,
    .by_key = true,
    .keeps_argmin = true,
    .intervals = true,
    .devices = true,
    .propose = propose,
    .legal = legal,
    .prove = check_by_keys,
    .explain = explain,
};
