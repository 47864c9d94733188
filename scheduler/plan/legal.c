#include "scheduler/plan/parts.h"

bool dep_holds(const struct dependence *dep) {
    return dep->status == DEP_CARRIED || dep->status == DEP_LIMIT || dep->status == DEP_RELAXED;
}

static bool is_zero(const struct dependence *dep, int dim) {
    return dep->vector[dim].kind == ENTRY_NUMBER && dep->vector[dim].number == 0;
}

bool plan_legal_independent(const struct analysis *analysis) {
    for (int i = 0; i < analysis->ndeps; ++i) {
        if (dep_holds(&analysis->deps[i])) {
            return false;
        }
    }
    return true;
}

bool plan_legal_1d(const struct analysis *analysis, int dim) {
    if (analysis->dims[dim].kind != DIM_KEY) {
        return false;
    }
    for (int i = 0; i < analysis->ndeps; ++i) {
        if (dep_holds(&analysis->deps[i]) && !is_zero(&analysis->deps[i], dim)) {
            return false;
        }
    }
    return true;
}

bool plan_legal_2d(const struct analysis *analysis, int space, int time) {
    if (space == time || analysis->dims[space].kind != DIM_KEY ||
        analysis->dims[time].kind != DIM_KEY) {
        return false;
    }
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        if (dep_holds(dep) && !is_zero(dep, space) && !is_zero(dep, time)) {
            return false;
        }
    }
    return true;
}

const struct private_var *plan_ordered_last_value(const struct analysis *analysis) {
    for (int i = 0; !analysis->unordered && i < analysis->facts->nprivates; ++i) {
        if (analysis->facts->privates[i].last_value) {
            return &analysis->facts->privates[i];
        }
    }
    return NULL;
}
