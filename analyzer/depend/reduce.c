/*
 * Reductions as the dependence pass sees them: which are needed, and which are better left alone.
 */
#include "analyzer/depend/depend.h"

bool depend_is_reduction(const struct loop_facts *facts, const struct object *object) {
    int reduction = -1, uses = 0;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->object != object)
            continue;
        if (a->reduction < 0 || (uses++ && a->reduction != reduction))
            return false;
        reduction = a->reduction;
    }
    return uses > 0;
}

static bool zero_at(const struct access_dep *dep, int symbol) {
    return dep->answer && dep->answer->verdict == PAIR_CONFLICT &&
           entry_is_zero(dep->answer->deltas[symbol]);
}

/* Wherever `other` is 0, `dep` is: dims that cover `other` cover `dep`. */
static bool is_covered_by(const struct loop_facts *facts, const struct access_dep *dep,
                          const struct access_dep *other) {
    bool any = false;
    for (int s = 0; s < facts->nsymbols; ++s) {
        bool zero = zero_at(other, s);
        if (zero && !zero_at(dep, s))
            return false;
        any = any || zero;
    }
    return any;
}

static bool is_covered(const struct loop_facts *facts, const struct access_dep *dep,
                       const struct access_deps *others) {
    for (int i = 0; i < others->count; ++i)
        if (dep_status_holds(others->items[i].status) &&
            is_covered_by(facts, dep, &others->items[i]))
            return true;
    return false;
}

bool depend_needs_reduction(const struct loop_facts *facts, const struct object *object,
                            const struct access_deps *own, const struct access_deps *others) {
    for (int i = 0; i < facts->nreductions; ++i) {
        const struct reduction *r = &facts->reductions[i];
        if (r->object == object && (r->asserted || !r->is_array))
            return true;
    }
    for (int i = 0; i < own->count; ++i)
        if (dep_status_holds(own->items[i].status) && !is_covered(facts, &own->items[i], others))
            return true;
    return false;
}

/* Takes reduction `index` out of the list; those behind it move up. */
static void reduction_remove(struct loop_facts *facts, int index) {
    for (int i = index + 1; i < facts->nreductions; ++i)
        facts->reductions[i - 1] = facts->reductions[i];
    --facts->nreductions;
    for (int i = 0; i < facts->naccesses; ++i) {
        int *r = &facts->accesses[i].reduction;
        *r = *r == index ? -1 : *r - (*r > index);
    }
}

void depend_drop_reduction(struct loop_facts *facts, const struct object *object) {
    for (int i = facts->nreductions - 1; i >= 0; --i)
        if (facts->reductions[i].object == object)
            reduction_remove(facts, i);
}
