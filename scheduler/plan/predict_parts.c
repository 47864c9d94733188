#include "scheduler/plan/predict_parts.h"

double predict_parts(const struct plan *plan, int dim) {
    if (strategy_form(plan->strategy)->fills && dim > 0)
        return 64;
    return plan->ntimes > 1 ? 8 : 16;
}

double predict_rounds_of(const struct plan *plan, int dim) {
    double rounds =
        strategy_form(plan->strategy)->pairs && dim > 0 ? 2 * predict_parts(plan, 0) - 1 : 1;
    for (int d = 1; d < dim; ++d)
        rounds *= predict_parts(plan, d);
    return rounds;
}

void predict_fill(const struct cost_question *question, struct plan_estimate *estimate) {
    double parts = predict_parts(question->plan, 1);
    estimate->parts[COST_WAVE] = estimate->parts[COST_WORK] * (question->workers - 1) / parts;
}

void predict_rounds(const struct cost_question *question, struct plan_estimate *estimate) {
    const struct plan *plan = question->plan;
    const struct cost_link *between = &question->cluster->between;
    double work = estimate->parts[COST_WORK], link = estimate->bytes / between->bandwidth;
    if (estimate->one_rank || question->cluster->nodes < 2)
        return;
    double rounds = strategy_form(plan->strategy)->pairs ? 2 * predict_parts(plan, 0) - 1 : 1;
    estimate->parts[COST_ROUNDS] =
        between->latency * rounds * predict_rounds_of(plan, plan->ntimes);
    estimate->parts[COST_MOVING] = !estimate->guessed && link > work ? link - work : 0;
}
