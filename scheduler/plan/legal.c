#include "scheduler/plan/parts.h"

bool dep_holds(const struct dependence *dep) {
    return dep->status == DEP_CARRIED || dep->status == DEP_LIMIT;
}

bool plan_merges(const struct analysis *analysis) {
    for (int i = 0; i < analysis->facts->nreductions; ++i)
        if (reduction_is_merged(&analysis->facts->reductions[i]))
            return true;
    return false;
}

static bool is_zero(const struct dependence *dep, int dim) {
    return dep->vector[dim].kind == ENTRY_NUMBER && dep->vector[dim].number == 0;
}

bool plan_legal_independent(const struct analysis *analysis) {
    for (int i = 0; i < analysis->ndeps; ++i)
        if (dep_holds(&analysis->deps[i]))
            return false;
    return true;
}

bool plan_legal_1d(const struct analysis *analysis, int dim) {
    if (analysis->dims[dim].kind != DIM_KEY)
        return false;
    for (int i = 0; i < analysis->ndeps; ++i)
        if (dep_holds(&analysis->deps[i]) && !is_zero(&analysis->deps[i], dim))
            return false;
    return true;
}

static bool covers(const struct dependence *dep, int ndims, const int *dims) {
    for (int i = 0; i < ndims; ++i)
        if (is_zero(dep, dims[i]))
            return true;
    return false;
}

bool plan_legal_rotation(const struct analysis *analysis, int ndims, const int *dims) {
    for (int i = 0; i < ndims; ++i)
        if (analysis->dims[dims[i]].kind != DIM_KEY)
            return false;
    for (int i = 0; i < analysis->ndeps; ++i)
        if (dep_holds(&analysis->deps[i]) && !covers(&analysis->deps[i], ndims, dims))
            return false;
    return true;
}

/* Extends dims[0 .. have) to `want` in all ways, in order. */
static bool extend(const struct analysis *analysis, int have, int want, int *dims) {
    if (have == want)
        return plan_legal_rotation(analysis, want, dims);
    for (int d = have ? dims[have - 1] + 1 : 0; d < analysis->ndims; ++d) {
        dims[have] = d;
        if (extend(analysis, have + 1, want, dims))
            return true;
    }
    return false;
}

int plan_cover(const struct analysis *analysis, int least, int most, int *dims) {
    for (int want = least; want <= most; ++want)
        if (extend(analysis, 0, want, dims))
            return want;
    return 0;
}

/* ---- tournaments ----------------------------------------------------------------------------- */

const struct symbol *plan_key_of(const struct access *access) {
    const struct symbol *key = NULL;
    for (int d = 0; d < access->nsubs; ++d) {
        for (int i = 0; access->subs[d].known && i < access->subs[d].value.nterms; ++i) {
            const struct symbol *s = access->subs[d].value.terms[i].symbol;
            if (s->kind == SYMBOL_KEY && !s->inner)
                key = key ? key : s;
        }
    }
    return key;
}

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
    return !dep_holds(dep) || is_zero(dep, plan->space) || is_zero(dep, plan->partner) ||
           covers(dep, plan->ntimes, plan->times) || is_pair(plan, dep);
}

/* The first two keys between which there is a dependence that neither covers. */
static bool find_pair(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        int a = dim_of(analysis, plan_key_of(dep->source));
        int b = dim_of(analysis, plan_key_of(dep->sink));
        if (dep_holds(dep) && dep->object == dep->sink->object && a >= 0 && b >= 0 && a != b &&
            !is_zero(dep, a) && !is_zero(dep, b)) {
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
            count += !is_covered(plan, &analysis->deps[i]) && is_zero(&analysis->deps[i], d);
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

const char *plan_ordered_last_value(const struct analysis *analysis, enum strategy strategy) {
    const struct loop_facts *facts = analysis->facts;
    bool chooses = strategy == STRATEGY_PARTITION_1D;
    for (int i = 0; !analysis->unordered && i < facts->nprivates; ++i)
        if (facts->privates[i].last_value)
            return facts->privates[i].var->name;
    for (int i = 0; !analysis->unordered && !chooses && i < facts->nreductions; ++i)
        if (facts->reductions[i].choice)
            return facts->reductions[i].object->name;
    for (int i = 0; !analysis->unordered && i < facts->nreductions; ++i)
        if (facts->reductions[i].ties)
            return facts->reductions[i].object->name;
    for (int i = 0; !analysis->unordered && i < facts->nscratches; ++i)
        if (facts->scratches[i].last_value)
            return facts->scratches[i].object->name;
    return NULL;
}
