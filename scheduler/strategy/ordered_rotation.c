/*
 * Ordered rotation: a rotation over two keys in the loop's order, a wave over the grid. It is right
 * where both keys come in the loop's own order; the run looks, and takes levels where they do not.
 */
#include "scheduler/strategy/levels.h"
#include "scheduler/strategy/rotation.h"

static bool propose(struct plan *plan, struct strategy_miss *miss) {
    int dims[PLAN_DIMS];
    if (plan->analysis->unordered || plan_cover(plan->analysis, 2, dims) != 2 ||
        !strategy_levels.propose(plan, miss)) {
        return false;
    }
    rotation_set(plan, 2, dims);
    return true;
}

static void cost(const struct cost_question *question, struct plan_estimate *estimate) {
    predict_fill(question, estimate);
    predict_rounds(question, estimate);
}

static void explain(struct plan *plan) {
    const struct dim *dims = plan->analysis->dims;
    plan->code = ORR1402;
    plan->message =
        arena_printf(plan_arena(plan),
                     "parallel by ordered rotation where %s and %s come in the loop's own order, "
                     "else by levels: the run looks which it is",
                     dims[plan->space].name, dims[plan->times[0]].name);
}

const struct strategy_ops strategy_ordered_rotation = {
    .space = SPACE_KEY,
    .by_key = true,
    .least_times = 1,
    .most_times = 1,
    .devices = true,
    .instead = STRATEGY_LEVELS,
    .propose = propose,
    .legal = plan_legal_rotation,
    .complete = levels_complete,
    .prove = check_by_keys,
    .cost = cost,
    .slower = {[COST_INSPECTION] = "what iterations touch is listed first"},
    .explain = explain,
};
