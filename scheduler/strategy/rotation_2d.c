/*
 * Rotation over two keys: every two iterations that conflict have the same value of one of them.
 * The parts of the second go round the rows of the grid, a baton each.
 */
#include "scheduler/strategy/rotation.h"

#include <string.h>

void rotation_set(struct plan *plan, int ndims, int *dims) {
    plan_weigh_all(plan->analysis, ndims, dims);
    plan->space = dims[0];
    plan->ntimes = ndims - 1;
    memcpy(plan->times, dims + 1, (size_t)plan->ntimes * sizeof *plan->times);
}

const char *rotation_words(const struct plan *plan) {
    int keys[PLAN_KEYS], nkeys = plan_keys(plan, keys);
    return arena_printf(plan_arena(plan),
                        "parallel by rotation: iterations that run together share neither %s",
                        plan_dim_names(plan_arena(plan), plan->analysis, nkeys, keys, " nor "));
}

static bool propose(struct plan *plan, struct strategy_miss *miss) {
    int dims[PLAN_DIMS];
    (void)miss;
    if (!plan->analysis->unordered || plan_cover(plan->analysis, 2, dims) == 0)
        return false;
    rotation_set(plan, 2, dims);
    return true;
}

static void explain(struct plan *plan) {
    plan->code = ORR1201;
    plan->message = rotation_words(plan);
}

const struct strategy_ops strategy_rotation_2d = {
    .space = SPACE_KEY,
    .by_key = true,
    .least_times = 1,
    .most_times = 1,
    .reorders = true,
    .intervals = true,
    .devices = true,
    .propose = propose,
    .legal = plan_legal_rotation,
    .prove = check_by_keys,
    .cost = predict_rounds,
    .explain = explain,
};
