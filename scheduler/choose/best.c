/*
 * Ranks, threads and the grid for a loop that was measured: the fastest of those that the model
 * runs (docs/plan.md, "Grid, ranks and threads").
 */
#include "scheduler/choose/predict.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

/* Numbers of nodes times ranks per node that are looked at. */
enum { MOST_RUNS = 64 };

/* The blocks of the profile are those of this plan: its strategy, and its arrays along the same
 * dims of the grid. */
static bool is_measured_as_is(const struct plan *plan, const struct cost_loop *measured) {
    if (measured->strategy != plan->strategy)
        return false;
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *array = &plan->arrays[i];
        for (int j = 0; array->dim >= 0 && j < measured->narrays; ++j)
            if (strcmp(measured->arrays[j].name, array->object->name) == 0 &&
                measured->arrays[j].dim != plan_grid_dim(plan, array->dim))
                return false;
    }
    return true;
}

static bool is_on_one_rank(const struct plan *plan) {
    bool one = strategy_of(plan)->one_rank || facts_unplaced(plan->analysis->facts);
    for (int i = 0; i < plan->narrays; ++i)
        one = one || plan->arrays[i].placement == PLACE_UNPLACED;
    return one;
}

static bool is_fixed(const struct plan *plan) {
    bool fixed = false;
    for (int d = 0; d < plan_grid_numbers(plan); ++d)
        fixed = fixed || plan->grid[d] != 0;
    return fixed;
}

static struct cost_choice choice_for(const struct cost_loop *measured, bool fixed,
                                     const struct cost_cluster *cluster,
                                     struct cost_setting setting) {
    if (!fixed)
        return cost_choose_grid(measured, cluster, setting);
    struct arena *arena = arena_new();
    struct cost_result result = cost_simulate_time(arena, measured, cluster, setting);
    arena_free(arena);
    return (struct cost_choice){measured->rows, cost_loop_across(measured),
                                result.seconds, result.moved,
                                result.seconds, 1};
}

/* All ranks and threads looked at; `chosen`: the best of them. */
struct runs {
    int count, chosen, tried;
    struct {
        struct cost_setting setting;
        struct cost_choice choice;
    } items[MOST_RUNS];
};

static void consider(struct runs *runs, const struct cost_choice *choice,
                     struct cost_setting setting) {
    const struct cost_choice *best = &runs->items[runs->chosen].choice;
    runs->tried += choice->tried;
    if (runs->count == MOST_RUNS)
        return;
    runs->items[runs->count].setting = setting;
    runs->items[runs->count].choice = *choice;
    if (runs->count > 0 &&
        cost_is_better(choice->seconds, choice->moved, best->seconds, best->moved))
        runs->chosen = runs->count;
    ++runs->count;
}

/* The quickest of those that have not been named; -1: none. */
static int next_best(const struct runs *runs, const bool *named) {
    int best = -1;
    for (int i = 0; i < runs->count; ++i)
        if (!named[i] && i != runs->chosen &&
            (best < 0 || runs->items[i].choice.seconds < runs->items[best].choice.seconds))
            best = i;
    return best;
}

static void name_rejected(const struct runs *runs, struct plan_best *best) {
    bool named[MOST_RUNS] = {false};
    for (int i = next_best(runs, named); i >= 0 && best->nruns < PLAN_RUNS;
         i = next_best(runs, named)) {
        named[i] = true;
        best->runs[best->nruns++] =
            (struct plan_run){runs->items[i].setting.ranks, runs->items[i].setting.threads,
                              runs->items[i].choice.seconds / best->seconds};
    }
}

/* On so many nodes, each with `each` ranks: their cores divided among them, or one thread each. */
static void consider_nodes(struct runs *runs, const struct cost_loop *measured, bool fixed,
                           const struct cost_cluster *cluster, long nodes, long each) {
    struct cost_setting setting = {.ranks = nodes * each,
                                   .threads = cluster->cores / each,
                                   .passes = 3,
                                   .skewed = measured->skewed};
    struct cost_choice choice = choice_for(measured, fixed, cluster, setting);
    consider(runs, &choice, setting);
}

void plan_choose_grid(struct plan *plan, const struct cost_loop *measured,
                      const struct cost_cluster *cluster) {
    if (!measured || !is_measured_as_is(plan, measured))
        return;
    bool fixed = is_fixed(plan);
    struct runs runs = {.count = 0};
    struct cost_setting alone = {.ranks = 1, .threads = 1, .passes = 3, .skewed = measured->skewed};
    struct cost_choice choice = choice_for(measured, fixed, cluster, alone);
    consider(&runs, &choice, alone);
    for (long nodes = 1; nodes <= cluster->nodes; nodes *= 2) {
        for (long each = 1; each <= cluster->cores; each *= 2)
            if (nodes * each == 1 ? cluster->cores > 1 : !is_on_one_rank(plan))
                consider_nodes(&runs, measured, fixed, cluster, nodes, each);
    }
    const struct cost_choice *found = &runs.items[runs.chosen].choice;
    struct plan_best best = {.ranks = runs.items[runs.chosen].setting.ranks,
                             .threads = runs.items[runs.chosen].setting.threads,
                             .grid = {found->rows, found->across},
                             .before = {measured->rows, cost_loop_across(measured)},
                             .seconds = found->seconds,
                             .ratio = found->measured / found->seconds,
                             .tried = runs.tried,
                             .fixed = fixed};
    name_rejected(&runs, &best);
    bool same = found->rows == measured->rows && found->across == best.before[1];
    bool uniform = plan_grid_numbers(plan) < 3 || !same;
    for (int d = 0;
         !fixed && uniform && cost_loop_has_grids(measured) && d < plan_grid_numbers(plan); ++d)
        plan->grid[d] = best.grid[d > 0];
    struct plan_best *kept = arena_alloc(plan->analysis->facts->unit->arena, sizeof *kept);
    *kept = best;
    plan->best = kept;
}
