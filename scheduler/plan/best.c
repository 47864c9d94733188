/*
 * Ranks, threads and the grid for a loop that was measured: the fastest of those that the model
 * runs (docs/plan.md, "Grid, ranks and threads").
 */
#include "scheduler/plan/predict.h"

#include <string.h>

/* The blocks of the profile are those of this plan: its strategy, and its arrays along the same
 * dims of the grid. */
static bool is_measured_as_is(const struct plan *plan, const struct cost_loop *measured) {
    if (strcmp(measured->strategy, strategy_name(plan->strategy)) != 0) {
        return false;
    }
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *array = &plan->arrays[i];
        for (int j = 0; array->dim >= 0 && j < measured->narrays; ++j) {
            if (strcmp(measured->arrays[j].name, array->object->name) == 0 &&
                measured->arrays[j].dim != plan_grid_dim(plan, array->dim)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_on_one_rank(const struct plan *plan) {
    bool one = plan->strategy == STRATEGY_LEVELS || plan->strategy == STRATEGY_WAVEFRONT;
    for (int i = 0; i < plan->narrays; ++i) {
        one = one || plan->arrays[i].placement == PLACE_UNPLACED;
    }
    return one;
}

static bool is_fixed(const struct plan *plan) {
    bool fixed = false;
    for (int d = 0; d < plan_grid_numbers(plan); ++d) {
        fixed = fixed || plan->grid[d] != 0;
    }
    return fixed;
}

static struct cost_choice choice_for(const struct cost_loop *measured, bool fixed,
                                     const struct cost_cluster *cluster,
                                     struct cost_setting setting) {
    if (!fixed) {
        return cost_choose_grid(measured, cluster, setting);
    }
    struct arena *arena = arena_new();
    struct cost_result result = cost_simulate_time(arena, measured, cluster, setting);
    arena_free(arena);
    return (struct cost_choice){measured->rows, measured->columns, result.seconds,
                                result.moved,   result.seconds,    1};
}

static void consider(struct plan_best *best, double *moved, const struct cost_choice *choice,
                     struct cost_setting setting, const struct cost_loop *measured) {
    best->tried += choice->tried;
    if (best->ranks && !cost_is_better(choice->seconds, choice->moved, best->seconds, *moved)) {
        return;
    }
    *moved = choice->moved;
    *best = (struct plan_best){.ranks = setting.ranks,
                               .threads = setting.threads,
                               .grid = {choice->rows, choice->columns},
                               .before = {measured->rows, measured->columns},
                               .seconds = choice->seconds,
                               .ratio = choice->measured / choice->seconds,
                               .tried = best->tried,
                               .fixed = best->fixed};
}

/* On so many nodes, each with `each` ranks: their cores divided among them, or one thread each. */
static void consider_nodes(struct plan_best *best, double *moved, const struct cost_loop *measured,
                           const struct cost_cluster *cluster, long nodes, long each) {
    struct cost_setting setting = {.ranks = nodes * each,
                                   .threads = cluster->cores / each,
                                   .passes = 3,
                                   .skewed = measured->skewed};
    struct cost_choice choice = choice_for(measured, best->fixed, cluster, setting);
    consider(best, moved, &choice, setting, measured);
}

void plan_choose_grid(struct plan *plan, const struct cost_loop *measured,
                      const struct cost_cluster *cluster) {
    if (!measured || !is_measured_as_is(plan, measured)) {
        return;
    }
    struct plan_best best = {.fixed = is_fixed(plan)};
    double moved = 0;
    struct cost_setting alone = {.ranks = 1, .threads = 1, .passes = 3, .skewed = measured->skewed};
    struct cost_choice choice = choice_for(measured, best.fixed, cluster, alone);
    consider(&best, &moved, &choice, alone, measured);
    consider_nodes(&best, &moved, measured, cluster, 1, 1);
    for (long nodes = 1; !is_on_one_rank(plan) && nodes <= cluster->nodes; nodes *= 2) {
        for (long each = nodes == 1 ? 2 : 1; each <= cluster->cores; each *= 2) {
            consider_nodes(&best, &moved, measured, cluster, nodes, each);
        }
    }
    bool chosen = !best.fixed && cost_loop_has_grids(measured) && plan_grid_numbers(plan) < 3;
    for (int d = 0; chosen && d < plan_grid_numbers(plan); ++d) {
        plan->grid[d] = best.grid[d];
    }
    struct plan_best *kept = arena_alloc(plan->analysis->facts->unit->arena, sizeof *kept);
    *kept = best;
    plan->best = kept;
}
