/*
 * Rotation over three keys and more, where no two of them cover every conflict.
 */
#include "scheduler/strategy/rotation.h"

static bool propose(struct plan *plan, struct strategy_miss *miss) {
    int dims[PLAN_DIMS];
    int ndims = plan->analysis->unordered ? plan_cover(plan->analysis, PLAN_DIMS, dims) : 0;
    (void)miss;
    if (ndims < 3)
        return false;
    rotation_set(plan, ndims, dims);
    return true;
}

static void explain(struct plan *plan) {
    plan->code = ORR1202;
    plan->message = rotation_words(plan);
}

const struct strategy_ops strategy_rotation_nd = {
    .space = SPACE_KEY,
    .by_key = true,
    .least_times = 2,
    .most_times = PLAN_DIMS - 1,
    .reorders = true,
    .devices = true,
    .propose = propose,
    .legal = plan_legal_rotation,
    .prove = check_by_keys,
    .cost = predict_rounds,
    .explain = explain,
};
