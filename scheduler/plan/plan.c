/*
 * Analysis -> plan: the first legal strategy of the list, cheapest first.
 */
#include "scheduler/plan/parts.h"

#include <string.h>

const char *strategy_name(enum strategy strategy) {
    static const char *const names[] = {
        [STRATEGY_SERIAL] = "serial",           [STRATEGY_INDEPENDENT] = "independent",
        [STRATEGY_REDUCTION] = "reduction",     [STRATEGY_PARTITION_1D] = "partition-1d",
        [STRATEGY_ROTATION_2D] = "rotation-2d", [STRATEGY_LEVELS] = "levels",
    };
    return names[strategy];
}

const char *placement_name(enum placement placement) {
    static const char *const names[] = {
        [PLACE_RESIDENT] = "resident",     [PLACE_ROTATING] = "rotating",
        [PLACE_REPLICATED] = "replicated", [PLACE_ALIGNED] = "aligned",
        [PLACE_PRIVATE] = "private",       [PLACE_UNPLACED] = "unplaced",
    };
    return names[placement];
}

int plan_variable_dim(const struct analysis *analysis) {
    for (int d = 0; d < analysis->ndims; ++d) {
        if (analysis->dims[d].kind == DIM_VARIABLE) {
            return d;
        }
    }
    return -1;
}

static bool choose_independent(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    if (!plan_legal_independent(analysis)) {
        return false;
    }
    plan->strategy = analysis->facts->nreductions > 0 ? STRATEGY_REDUCTION : STRATEGY_INDEPENDENT;
    plan->space = plan_variable_dim(analysis);
    return true;
}

/* Of several dims the one whose arrays weigh most: they are the ones cut. */
static bool choose_1d(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    int best = -1;
    for (int d = 0; d < analysis->ndims; ++d) {
        if (plan_legal_1d(analysis, d) && (best < 0 || plan_weigh(analysis, best, d) > 0)) {
            best = d;
        }
    }
    if (best < 0 || plan_ordered_last_value(analysis)) {
        return false;
    }
    plan->strategy = STRATEGY_PARTITION_1D;
    plan->space = best;
    plan->by_key = true;
    return true;
}

static bool choose_2d(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    for (int s = 0; analysis->unordered && s < analysis->ndims; ++s) {
        for (int t = s + 1; t < analysis->ndims; ++t) {
            if (plan_legal_2d(analysis, s, t)) {
                bool swap = plan_weigh(analysis, s, t) > 0;
                plan->strategy = STRATEGY_ROTATION_2D;
                plan->space = swap ? t : s;
                plan->time = swap ? s : t;
                plan->by_key = true;
                return true;
            }
        }
    }
    return false;
}

static bool is_marked(const struct loop *loop) {
    return loop->pragma && loop->pragma->kind == PRAGMA_PARALLEL;
}

/* What the inspection costs is not known: only where the user asks for a parallel loop. */
static bool choose_levels(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    bool keyed = false;
    if (analysis->unordered || !is_marked(analysis->loop) || plan_ordered_last_value(analysis) ||
        plan_levels(plan, &keyed) || !keyed) {
        return false;
    }
    plan->strategy = STRATEGY_LEVELS;
    plan->by_key = true;
    return true;
}

/* A one-dimensional plan has one column, whatever the clause's second number is. */
static void set_grid(struct plan *plan) {
    const struct pragma *pragma = plan->analysis->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i) {
        if (pragma->clauses[i].kind == CLAUSE_GRID) {
            plan->rows = pragma->clauses[i].number;
            plan->columns = pragma->clauses[i].number2;
        }
    }
    if (plan->strategy != STRATEGY_ROTATION_2D) {
        plan->columns = plan->strategy == STRATEGY_LEVELS ? 0 : 1;
    }
}

/* What chooses and what proves are two things: a plan that the proof rejects is not used. */
static void prove(struct plan *plan) {
    const char *violated = plan_check(plan);
    if (violated) {
        plan_make_serial(plan, "ORR2191", plan->analysis->loop->header, violated, NULL);
    }
}

struct plan *plan_choose(struct analysis *analysis) {
    struct plan *plan = arena_alloc(analysis->facts->unit->arena, sizeof *plan);
    *plan = (struct plan){.analysis = analysis, .space = -1, .time = -1, .seed = PLAN_SEED};
    plan->where = analysis->loop->header;
    if (plan_refused_early(plan)) {
        return plan;
    }
    if (!choose_independent(plan) && !choose_1d(plan) && !choose_2d(plan) && !choose_levels(plan)) {
        plan_explain_serial(plan);
        return plan;
    }
    set_grid(plan);
    plan_place(plan);
    plan_explain_parallel(plan);
    prove(plan);
    return plan;
}
