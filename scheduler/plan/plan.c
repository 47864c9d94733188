/*
 * Analysis -> plan: of all legal ones the one of which the least time is predicted.
 */
#include "scheduler/plan/predict.h"
#include "scheduler/strategy/pipeline/pipe.h"

#include <string.h>

const char *strategy_name(enum strategy strategy) {
    static const char *const names[] = {
        [STRATEGY_SERIAL] = "serial",           [STRATEGY_INDEPENDENT] = "independent",
        [STRATEGY_REDUCTION] = "reduction",     [STRATEGY_PARTITION_1D] = "partition-1d",
        [STRATEGY_ROTATION_2D] = "rotation-2d", [STRATEGY_ROTATION_ND] = "rotation-nd",
        [STRATEGY_TOURNAMENT] = "tournament",   [STRATEGY_ORDERED_ROTATION] = "ordered-rotation",
        [STRATEGY_LEVELS] = "levels",           [STRATEGY_WAVEFRONT] = "wavefront",
        [STRATEGY_PIPELINE] = "pipeline",       [STRATEGY_RELAXED] = "relaxed",
    };
    return names[strategy];
}

const char *placement_name(enum placement placement) {
    static const char *const names[] = {
        [PLACE_RESIDENT] = "resident",     [PLACE_ROTATING] = "rotating",
        [PLACE_REPLICATED] = "replicated", [PLACE_ALIGNED] = "aligned",
        [PLACE_PRIVATE] = "private",       [PLACE_SERVED] = "served",
        [PLACE_UNPLACED] = "unplaced",
    };
    return names[placement];
}

int plan_variable_dim(const struct analysis *analysis) {
    for (int d = 0; d < analysis->ndims; ++d)
        if (analysis->dims[d].kind == DIM_VARIABLE)
            return d;
    return -1;
}

static bool choose_independent(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    if (!plan_legal_independent(analysis))
        return false;
    plan->strategy = plan_merges(analysis)              ? STRATEGY_RELAXED
                     : analysis->facts->nreductions > 0 ? STRATEGY_REDUCTION
                                                        : STRATEGY_INDEPENDENT;
    plan->space = plan_variable_dim(analysis);
    return true;
}

/* Of several dims the one whose arrays weigh most: they are the ones cut. */
static bool choose_1d(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    int best = -1;
    for (int d = 0; d < analysis->ndims; ++d)
        if (plan_legal_1d(analysis, d) && (best < 0 || plan_weigh(analysis, best, d) > 0))
            best = d;
    if (best < 0 || plan_ordered_last_value(analysis, STRATEGY_PARTITION_1D))
        return false;
    plan->strategy = STRATEGY_PARTITION_1D;
    plan->space = best;
    plan->by_key = true;
    return true;
}

/* The heaviest stays, and the others move the less often the heavier they are. */
static void weigh_all(const struct analysis *analysis, int ndims, int *dims) {
    for (int i = 1; i < ndims; ++i) {
        for (int at = i; at > 0 && plan_weigh(analysis, dims[at - 1], dims[at]) > 0; --at) {
            int light = dims[at - 1];
            dims[at - 1] = dims[at];
            dims[at] = light;
        }
    }
}

static bool choose_rotation(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    int dims[PLAN_DIMS];
    int ndims = analysis->unordered ? plan_cover(analysis, 2, PLAN_DIMS, dims) : 0;
    if (ndims == 0)
        return false;
    weigh_all(analysis, ndims, dims);
    plan->strategy = ndims == 2 ? STRATEGY_ROTATION_2D : STRATEGY_ROTATION_ND;
    plan->space = dims[0];
    plan->ntimes = ndims - 1;
    memcpy(plan->times, dims + 1, (size_t)plan->ntimes * sizeof *plan->times);
    plan->by_key = true;
    return true;
}

/* The vectors do not tell whether the two keys of one table mean the same rows: the proof does. */
static bool choose_tournament(struct plan *plan) {
    struct plan pair = *plan;
    pair.strategy = STRATEGY_TOURNAMENT;
    if (!plan->analysis->unordered || !plan_pair(&pair))
        return false;
    weigh_all(plan->analysis, pair.ntimes, pair.times);
    if (plan_check(&pair))
        return false;
    *plan = pair;
    return true;
}

bool plan_is_listed(const struct plan *plan) {
    return plan->strategy == STRATEGY_LEVELS || plan->strategy == STRATEGY_ORDERED_ROTATION;
}

/* What the inspection costs is not known: only where the user asks for a parallel loop. */
static bool choose_levels(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    bool keyed = false;
    if (analysis->unordered || !loop_is_marked(analysis->loop) ||
        plan_ordered_last_value(analysis, STRATEGY_LEVELS) || plan_levels(plan, &keyed) || !keyed) {
        return false;
    }
    plan->strategy = STRATEGY_LEVELS;
    plan->by_key = true;
    return true;
}

static bool choose_ordered_rotation(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    int dims[PLAN_DIMS];
    if (analysis->unordered || plan_cover(analysis, 2, 2, dims) != 2 || !choose_levels(plan))
        return false;
    weigh_all(analysis, 2, dims);
    plan->strategy = STRATEGY_ORDERED_ROTATION;
    plan->space = dims[0];
    plan->ntimes = 1;
    plan->times[0] = dims[1];
    return true;
}

/* Blocks need loops inside that are long: the user says which loop is worth it. */
static bool choose_wave(struct plan *plan, struct wave_miss *miss) {
    *miss = (struct wave_miss){0};
    return !plan->analysis->unordered && loop_is_marked(plan->analysis->loop) &&
           !plan_merges(plan->analysis) && plan_wave(plan, miss);
}

/* Stages need statements that are worth a worker each: as with waves, the user says where. */
static bool choose_pipe(struct plan *plan, struct pipe_miss *miss) {
    struct plan early = *plan;
    *miss = (struct pipe_miss){0};
    if (!loop_is_marked(plan->analysis->loop) || !plan_pipe(&early, miss) ||
        plan_refused_early(&early))
        return false;
    *plan = early;
    return true;
}

int plan_grid_numbers(const struct plan *plan) {
    bool two = plan->strategy == STRATEGY_WAVEFRONT || plan->strategy == STRATEGY_PIPELINE;
    return two ? 2 : plan->ntimes + 1;
}

int plan_keys(const struct plan *plan, int keys[PLAN_KEYS]) {
    int n = 0;
    if (!plan->by_key || plan->space < 0)
        return 0;
    keys[n++] = plan->space;
    if (plan->strategy == STRATEGY_TOURNAMENT)
        keys[n++] = plan->partner;
    for (int i = 0; i < plan->ntimes; ++i)
        keys[n++] = plan->times[i];
    return n;
}

int plan_grid_dim(const struct plan *plan, int dim) {
    if (dim < 0 || dim == plan->space || dim == plan->partner)
        return dim < 0 ? -1 : 0;
    for (int i = 0; i < plan->ntimes; ++i)
        if (plan->times[i] == dim)
            return i + 1;
    return -1;
}

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

/* Every way to a plan, each with its own pick of the dims. */
static bool (*const proposers[])(struct plan *) = {
    choose_independent,      choose_1d,     choose_rotation, choose_tournament,
    choose_ordered_rotation, choose_levels,
};

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

struct plan *plan_choose_by(struct analysis *analysis, const struct cost_loop *measured,
                            const struct cost_cluster *cluster) {
    struct arena *arena = analysis->facts->unit->arena;
    struct plan *plan = arena_alloc(arena, sizeof *plan);
    struct cost_cluster preset = plan_cluster();
    struct candidates list = {
        .arena = arena, .measured = measured, .cluster = cluster ? cluster : &preset};
    *plan = (struct plan){.analysis = analysis, .space = -1, .partner = -1, .seed = PLAN_SEED};
    plan->where = analysis->loop->header;
    struct wave_miss miss = {0};
    struct pipe_miss no_pipe = {0};
    struct plan wave = *plan, pipe = *plan;
    bool refused = plan_refused_early(plan);
    for (size_t i = 0; !refused && i < sizeof proposers / sizeof *proposers; ++i) {
        struct plan one = *plan;
        if (proposers[i](&one))
            candidates_add(&list, &one);
    }
    if (!refused && list.count == 0 && choose_wave(&wave, &miss))
        candidates_add(&list, &wave);
    if (list.count == 0 && choose_pipe(&pipe, &no_pipe)) {
        plan->analysis = pipe.analysis;
        candidates_add(&list, &pipe);
    }
    if (list.count == 0 && !refused) {
        plan_explain_serial(plan);
        plan_explain_miss(plan, &miss);
    }
    if (list.count == 0) {
        plan_explain_no_pipe(plan, &no_pipe);
        return plan;
    }
    candidates_rank(&list);
    settle(plan, &list);
    return plan;
}

struct plan *plan_choose(struct analysis *analysis) {
    return plan_choose_by(analysis, NULL, NULL);
}
