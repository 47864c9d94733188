/*
 * Serial: one worker, the loop's order.
 */
#include "scheduler/strategy/strategy.h"

static void cost(const struct cost_question *question, struct plan_estimate *estimate) {
    estimate->parts[COST_WORK] = question->work;
}

const struct strategy_ops strategy_serial = {
    .cost = cost,
    .slower = {[COST_WORK] = "one worker"},
};
