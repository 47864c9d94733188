/*
 * The model behind the choice (docs/plan.md, "What is predicted"): a pass on a
 * cluster.
 */
#include "scheduler/choose/predict.h"
#include "scheduler/strategy/strategy.h"

#include <stdlib.h>
#include <string.h>

/* What is assumed where nothing was measured. */
static const double iterations = 1e6, passes = 10, keys = 1e5, row_size = 128, trips = 32;

/* Seconds: of an access, of one iteration's way into its block per key, of listing what an
 * iteration touches. */
static const double access_time = 5e-10, gather_time = 8e-9, list_time = 60e-9;

/* ---- the work -------------------------------------------------------------------------------- */

static double trips_of(const struct loop_facts *facts, const struct access *access) {
    double count = 1;
    for (int i = 0; i < access->nloops; ++i) {
        const struct inner_loop *inner = &facts->inner[access->loops[i]];
        bool constant = inner->has_lower && inner->has_upper && inner->lower.nterms == 0 &&
                        inner->upper.nterms == 0 && inner->step != 0;
        double length = constant ? (double)(inner->upper.constant - inner->lower.constant + 1) /
                                       (double)labs(inner->step)
                                 : trips;
        count *= length > 1 ? length : 1;
    }
    return count < 1e6 ? count : 1e6;
}

static double iteration_time(const struct loop_facts *facts) {
    double seconds = access_time;
    for (int i = 0; i < facts->naccesses; ++i)
        seconds += access_time * trips_of(facts, &facts->accesses[i]);
    return seconds;
}

static double work_of(const struct plan *plan, const struct cost_loop *measured) {
    return measured ? cost_loop_seconds(measured)
                    : iterations * iteration_time(plan->analysis->facts);
}

static double iterations_of(const struct cost_loop *measured) {
    return measured ? cost_loop_iterations(measured) : iterations;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static double measured_bytes(const struct cost_loop *measured, const struct object *object) {
    for (int i = 0; measured && i < measured->narrays; ++i)
        if (strcmp(measured->arrays[i].name, object->name) == 0)
            return measured->arrays[i].bytes;
    return 0;
}

static double bytes_of(const struct plan_array *array, const struct cost_loop *measured,
                       bool *guessed) {
    const struct object *object = array->object;
    double found = measured_bytes(measured, object);
    long size, extent, stride, pieces, piece;
    if (found > 0)
        return found;
    if (shape_number(object->size_text, &size))
        return (double)size;
    if (object->ndims > 0 && shape_number(object->dims[0].extent_text, &extent) &&
        shape_number(object->dims[0].stride_text, &stride))
        return (double)extent * (double)stride;
    *guessed = true;
    if (array->shape && !array->shape->by_table && shape_number(array->shape->pieces, &pieces) &&
        shape_number(array->shape->piece_bytes, &piece))
        return keys * (double)pieces * (double)piece;
    return keys * row_size;
}

static void add_arrays(const struct plan *plan, const struct cost_loop *measured,
                       struct plan_estimate *estimate) {
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *array = &plan->arrays[i];
        if (array->placement == PLACE_UNPLACED && !estimate->one_rank)
            estimate->one_rank = array->object;
        if ((plan->wave || plan->by_sections) && array->placement == PLACE_RESIDENT &&
            array->object->written)
            estimate->bytes += bytes_of(array, measured, &estimate->guessed);
        if (array->placement == PLACE_ROTATING) {
            estimate->bytes += predict_rounds_of(plan, plan_grid_dim(plan, array->dim)) *
                               bytes_of(array, measured, &estimate->guessed);
        }
    }
}

/* ---- a pass ---------------------------------------------------------------------------------- */

static double inspection_of(const struct plan *plan, const struct cost_loop *measured) {
    double count = iterations_of(measured), per_pass = measured ? (double)measured->passes : passes;
    int cuts[PLAN_KEYS], ncuts = plan_keys(plan, cuts);
    ncuts = plan_is_listed(plan) ? plan->ntouches : ncuts;
    double seconds = count * gather_time * ncuts;
    if (measured && measured->inspect > 0 && ncuts > 0)
        seconds = measured->inspect;
    return (seconds + (plan_is_listed(plan) ? count * list_time : 0)) / per_pass;
}

struct cost_cluster plan_cluster(void) {
    return (struct cost_cluster){.name = "two nodes",
                                 .nodes = 2,
                                 .cores = 4,
                                 .speed = 1,
                                 .contention = 1,
                                 .shared = true,
                                 .handing = 0.03e-6,
                                 .within = {0.5e-6, 8e9},
                                 .between = {14e-6, 1.2e9}};
}

struct plan_estimate plan_predict(const struct plan *plan, const struct cost_loop *measured,
                                  const struct cost_cluster *cluster) {
    const struct strategy_ops *ops = strategy_of(plan);
    struct cost_question question = {
        .plan = plan,
        .cluster = cluster,
        .iterations = iterations_of(measured),
        .work = work_of(plan, measured),
    };
    struct plan_estimate estimate = {.seconds = 0};
    add_arrays(plan, measured, &estimate);
    question.workers = (double)(estimate.one_rank ? 1 : cluster->nodes) * (double)cluster->cores;
    estimate.parts[COST_WORK] = question.work / question.workers;
    if (ops->cost)
        ops->cost(&question, &estimate);
    estimate.parts[COST_INSPECTION] = inspection_of(plan, measured);
    for (int i = 0; i < COST_PARTS; ++i)
        estimate.seconds += estimate.parts[i];
    return estimate;
}

const char *plan_assumptions(const struct plan *plan, const struct cost_loop *measured,
                             const struct cost_cluster *cluster, bool guessed) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    const char *machine = arena_printf(arena, "%ld node%s of %ld cores", cluster->nodes,
                                       cluster->nodes == 1 ? "" : "s", cluster->cores);
    if (measured)
        return arena_printf(arena, "%s, as measured in the profile", machine);
    return arena_printf(arena, "%s; assumed: %.0e iterations of %.3g ns, %.0f passes%s", machine,
                        iterations, iteration_time(plan->analysis->facts) * 1e9, passes,
                        guessed ? "; sizes of arrays are not known and do not count" : "");
}
