/*
 * Analysis -> plan: of all legal ones the one of which the least time is predicted.
 */
#include "scheduler/choose/predict.h"
#include "scheduler/strategy/strategy.h"

/* The clause's second number is that of the parts of each dim but the first. */
static void set_grid(struct plan *plan) {
    const struct pragma *pragma = plan->analysis->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i) {
        const struct clause *clause = &pragma->clauses[i];
        for (int d = 0; clause->kind == CLAUSE_GRID && d < plan_grid_numbers(plan); ++d)
            plan->grid[d] = d == 0 ? clause->number : clause->number2;
    }
}

/* What chooses and what proves are two things: a plan that the proof rejects is not used. */
static void prove(struct plan *plan) {
    const char *violated = plan_check(plan);
    if (violated)
        plan_make_serial(plan, ORR2191, plan->analysis->loop->header, violated, NULL);
}

/* The first one that can be proved; the first of all with the reason when none can. */
static void settle(struct plan *plan, const struct candidates *list) {
    struct plan failed;
    for (int i = 0; i < list->count; ++i) {
        *plan = list->items[i].plan;
        set_grid(plan);
        plan_explain_parallel(plan);
        prove(plan);
        if (plan->strategy != STRATEGY_SERIAL) {
            candidates_reject(list, i, plan);
            plan_choose_grid(plan, list->measured, list->cluster);
            return;
        }
        failed = i == 0 ? *plan : failed;
    }
    *plan = failed;
}

/* One strategy's turn, with its own pick of the dims. */
static void propose(struct candidates *list, const struct plan *base, enum strategy strategy,
                    bool refused, struct strategy_miss *miss) {
    const struct strategy_ops *ops = strategy_ops(strategy);
    struct plan plan = *base;
    bool comes = ops->propose && (!refused || ops->turn == TURN_MENDS) &&
                 (list->count == 0 || ops->turn == TURN_ALWAYS);
    plan.strategy = strategy;
    plan.by_key = ops->by_key;
    if (comes && ops->propose(&plan, miss) && !(ops->wants_proof && plan_check(&plan)))
        candidates_add(list, &plan);
}

/* What a strategy lacks may say more than the dependences. */
static void excuse(struct plan *plan, const struct strategy_miss *misses) {
    for (int i = 0; i < STRATEGY_COUNT; ++i)
        if (strategy_ops((enum strategy)i)->excuse)
            strategy_ops((enum strategy)i)->excuse(plan, &misses[i]);
}

struct plan *plan_choose_by(struct analysis *analysis, const struct cost_loop *measured,
                            const struct cost_cluster *cluster, unsigned without) {
    struct arena *arena = analysis->facts->unit->arena;
    struct plan *plan = arena_alloc(arena, sizeof *plan);
    struct cost_cluster preset = plan_cluster();
    struct candidates list = {.arena = arena,
                              .measured = measured,
                              .cluster = cluster ? cluster : &preset,
                              .without = without};
    *plan = (struct plan){.analysis = analysis, .space = -1, .partner = -1, .seed = PLAN_SEED};
    plan->where = analysis->loop->header;
    struct strategy_miss misses[STRATEGY_COUNT] = {{0}};
    const struct plan base = *plan;
    bool refused = plan_refused_early(plan);
    for (int i = 0; i < STRATEGY_COUNT; ++i)
        propose(&list, &base, (enum strategy)i, refused, &misses[i]);
    if (list.count == 0 && without)
        return plan;
    if (list.count == 0) {
        if (!refused)
            plan_explain_serial(plan);
        excuse(plan, misses);
        return plan;
    }
    candidates_rank(&list);
    settle(plan, &list);
    return plan;
}

struct plan *plan_choose(struct analysis *analysis) {
    return plan_choose_by(analysis, NULL, NULL, 0);
}
