/*
 * Tournament: one table reached through two keys, both ends of an edge. Its parts meet in the rounds
 * of a tournament, each in one block at a time; further keys rotate.
 */
#include "scheduler/strategy/strategy.h"

static int dim_of(const struct analysis *analysis, const struct symbol *symbol) {
    for (int d = 0; symbol && d < analysis->ndims; ++d)
        if (analysis->dims[d].kind == DIM_KEY && analysis->dims[d].symbol == symbol)
            return d;
    return -1;
}

static bool is_pair(const struct plan *plan, const struct dependence *dep) {
    int source = dim_of(plan->analysis, plan_key_of(dep->source));
    int sink = dim_of(plan->analysis, plan_key_of(dep->sink));
    return dep->object == dep->sink->object && (source == plan->space || source == plan->partner) &&
           (sink == plan->space || sink == plan->partner);
}

static bool is_covered(const struct plan *plan, const struct dependence *dep) {
    return !dep_holds(dep) || dep_is_zero(dep, plan->space) || dep_is_zero(dep, plan->partner) ||
           dep_is_covered(dep, plan->ntimes, plan->times) || is_pair(plan, dep);
}

/* The first two keys between which there is a dependence that neither covers. */
static bool find_pair(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        int a = dim_of(analysis, plan_key_of(dep->source));
        int b = dim_of(analysis, plan_key_of(dep->sink));
        if (dep_holds(dep) && dep->object == dep->sink->object && a >= 0 && b >= 0 && a != b &&
            !dep_is_zero(dep, a) && !dep_is_zero(dep, b)) {
            plan->space = a < b ? a : b;
            plan->partner = a < b ? b : a;
            return true;
        }
    }
    return false;
}

/* The key that is 0 in most of the vectors that are left; -1: none is in any. */
static int best_time(const struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    int best = -1, most = 0;
    for (int d = 0; d < analysis->ndims; ++d) {
        int count = 0;
        for (int i = 0; i < analysis->ndeps; ++i)
            count += !is_covered(plan, &analysis->deps[i]) && dep_is_zero(&analysis->deps[i], d);
        if (analysis->dims[d].kind == DIM_KEY && count > most) {
            best = d;
            most = count;
        }
    }
    return best;
}

bool plan_pair(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    plan->ntimes = 0;
    if (!find_pair(plan))
        return false;
    for (int d; plan->ntimes < PLAN_DIMS - 1 && (d = best_time(plan)) >= 0;)
        plan->times[plan->ntimes++] = d;
    for (int i = 0; i < analysis->ndeps; ++i)
        if (!is_covered(plan, &analysis->deps[i]))
            return false;
    plan->by_key = true;
    return true;
}

static bool propose(struct plan *plan, struct strategy_miss *miss) {
    (void)miss;
    if (!plan->analysis->unordered || !plan_pair(plan))
        return false;
    plan_weigh_all(plan->analysis, plan->ntimes, plan->times);
    return true;
}

/* "e.from and e.to, and differ in e.kind" */
static const char *names_of(const struct plan *plan) {
    const struct dim *dims = plan->analysis->dims;
    const char *names = arena_printf(plan_arena(plan), "%s and %s", dims[plan->space].name,
                                     dims[plan->partner].name);
    if (plan->ntimes == 0)
        return names;
    return arena_printf(
        plan_arena(plan), "%s, and differ in %s", names,
        plan_dim_names(plan_arena(plan), plan->analysis, plan->ntimes, plan->times, " and "));
}

static void explain(struct plan *plan) {
    plan->code = ORR1203;
    plan->message = arena_printf(
        plan_arena(plan),
        "parallel by tournament: iterations that run together name other elements by %s",
        names_of(plan));
}

const struct strategy_ops strategy_tournament = {
    .space = SPACE_KEY,
    .by_key = true,
    .most_times = PLAN_DIMS - 1,
    .reorders = true,
    .devices = true,
    .propose = propose,
    .wants_proof = true,
    .prove = check_by_keys,
    .cost = predict_rounds,
    .explain = explain,
};
