/*
 * Batches: what an iteration touches is listed before the loop runs, as by levels, and iterations
 * that touch no common element are packed into batches, one after another. That changes the order of
 * those that conflict: only for loops that say `unordered`, and where no cut by keys is legal.
 */
#include "scheduler/strategy/levels.h"

#include <string.h>

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

static bool names(const struct clause *clause, const struct object *object) {
    for (int n = 0; clause->kind == CLAUSE_HOT && n < clause->nnames; ++n)
        if (strcmp(clause->names[n], object->name) == 0)
            return true;
    return false;
}

bool plan_is_hot(const struct plan *plan, const struct object *object) {
    const struct pragma *pragma = plan->analysis->loop->pragma;
    const struct plan_touch *touch =
        plan->strategy == STRATEGY_BATCHES ? plan_touch_of(plan, object) : NULL;
    for (int i = 0; pragma && touch && !touch->own && i < pragma->nclauses; ++i)
        if (names(&pragma->clauses[i], object))
            return true;
    return false;
}

/* The objects that have copies of hot rows, "" without any. */
static const char *hot_names(const struct plan *plan) {
    const char *all = "";
    for (int i = 0; i < plan->ntouches; ++i)
        if (plan_is_hot(plan, plan->touches[i].object))
            all = arena_printf(plan_arena(plan), "%s%s%s", all, *all ? ", " : "",
                               plan->touches[i].object->name);
    return all;
}

static void explain(struct plan *plan) {
    const char *hot = hot_names(plan);
    plan->code = *hot ? ORR1714 : ORR1710;
    plan->message =
        arena_printf(plan_arena(plan),
                     "parallel by batches: iterations that run together touch no common "
                     "element of %s%s%s%s, and which those are is looked up before the loop "
                     "runs",
                     levels_names(plan), *hot ? ", rows of " : "", hot,
                     *hot ? " that many iterations change have copies that are averaged after "
                            "every batch"
                          : "");
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
