#include "scheduler/plan/parts.h"

bool dep_holds(const struct dependence *dep) {
    return dep_status_holds(dep->status);
}

bool plan_merges(const struct analysis *analysis) {
    for (int i = 0; i < analysis->facts->nreductions; ++i)
        if (reduction_is_merged(&analysis->facts->reductions[i]))
            return true;
    return false;
}

bool dep_is_zero(const struct dependence *dep, int dim) {
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
        if (dep_holds(&analysis->deps[i]) && !dep_is_zero(&analysis->deps[i], dim))
            return false;
    return true;
}

bool dep_is_covered(const struct dependence *dep, int ndims, const int *dims) {
    for (int i = 0; i < ndims; ++i)
        if (dep_is_zero(dep, dims[i]))
            return true;
    return false;
}

bool plan_legal_rotation(const struct analysis *analysis, int ndims, const int *dims) {
    for (int i = 0; i < ndims; ++i)
        if (analysis->dims[dims[i]].kind != DIM_KEY)
            return false;
    for (int i = 0; i < analysis->ndeps; ++i)
        if (dep_holds(&analysis->deps[i]) && !dep_is_covered(&analysis->deps[i], ndims, dims))
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

int plan_cover(const struct analysis *analysis, int most, int *dims) {
    for (int want = 2; want <= most; ++want)
        if (extend(analysis, 0, want, dims))
            return want;
    return 0;
}

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

void plan_weigh_all(const struct analysis *analysis, int ndims, int *dims) {
    for (int i = 1; i < ndims; ++i) {
        for (int at = i; at > 0 && plan_weigh(analysis, dims[at - 1], dims[at]) > 0; --at) {
            int light = dims[at - 1];
            dims[at - 1] = dims[at];
            dims[at] = light;
        }
    }
}

const char *plan_ordered_last_value(const struct analysis *analysis, bool keeps_argmin) {
    const struct loop_facts *facts = analysis->facts;
    for (int i = 0; !analysis->unordered && i < facts->nprivates; ++i)
        if (facts->privates[i].last_value)
            return facts->privates[i].var->name;
    for (int i = 0; !analysis->unordered && !keeps_argmin && i < facts->nreductions; ++i)
        if (facts->reductions[i].argmin)
            return facts->reductions[i].object->name;
    for (int i = 0; !analysis->unordered && i < facts->nreductions; ++i)
        if (facts->reductions[i].ties)
            return facts->reductions[i].object->name;
    for (int i = 0; !analysis->unordered && i < facts->nscratches; ++i)
        if (facts->scratches[i].last_value)
            return facts->scratches[i].object->name;
    return NULL;
}

/* The first dependence whose ends may change places. */
struct plan_violation plan_order_violation(const struct plan *plan, const char *words) {
    const struct analysis *analysis = plan->analysis;
    struct arena *arena = analysis->facts->unit->arena;
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        if (!dep_holds(dep) || !dep->source || !dep->sink)
            continue;
        const char *vector = "", *names = "";
        for (int d = 0; d < analysis->ndims; ++d) {
            const char *comma = d ? ", " : "";
            vector =
                arena_printf(arena, "%s%s%s", vector, comma, entry_text(arena, dep->vector[d]));
            names = arena_printf(arena, "%s%s%s", names, comma, analysis->dims[d].name);
        }
        words = arena_printf(arena,
                             "%s: the vector (%s) over (%s) of the dependence through %s (line %d "
                             "to line %d) is violated",
                             words, vector, names, dep->object->name, dep->source->range.begin.line,
                             dep->sink->range.begin.line);
        return (struct plan_violation){words, dep->source, dep->sink};
    }
    return (struct plan_violation){words, NULL, NULL};
}
