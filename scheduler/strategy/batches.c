/*
 * Batches: what an iteration touches is listed before the loop runs, as by levels, and iterations
 * that touch no common element are packed into batches, one after another. That changes the order of
 * those that conflict: only for loops that say `unordered`, and where no cut by keys is legal.
 */
#include "scheduler/strategy/levels.h"

static bool propose(struct plan *plan, struct strategy_miss *miss) {
    const struct analysis *analysis = plan->analysis;
    bool keyed = false;
    (void)miss;
    return analysis->unordered && loop_is_marked(analysis->loop) && !plan_levels(plan, &keyed) &&
           keyed && levels_few(plan);
}

static const char *why_unplaced(const struct plan *plan, const struct object *object) {
    (void)plan;
    (void)object;
    return "by batches every rank has a copy, and hears after each batch what changed";
}

/* Seconds per iteration of the batches' barriers: there are far fewer than levels. */
static const double batch_time = 5e-10;

static void cost(const struct cost_question *question, struct plan_estimate *estimate) {
    estimate->parts[COST_ROUNDS] = question->iterations * batch_time + estimate->parts[COST_WORK];
}

static void explain(struct plan *plan) {
    plan->code = ORR1710;
    plan->message =
        arena_printf(plan_arena(plan),
                     "parallel by batches: iterations that run together touch no common "
                     "element of %s, and which those are is looked up before the loop "
                     "runs",
                     levels_names(plan));
}

const struct strategy_ops strategy_batches = {
    .by_key = true,
    .reorders = true,
    .one_rank = true,
    .turn = TURN_UNLESS,
    .propose = propose,
    .complete = levels_complete,
    .prove = levels_prove,
    .together = "iterations that touch no common element as listed run together",
    .why_unplaced = why_unplaced,
    .cost = cost,
    .slower = {[COST_ROUNDS] = "workers wait for each other after every batch",
               [COST_INSPECTION] = "what iterations touch is listed first"},
    .explain = explain,
};
