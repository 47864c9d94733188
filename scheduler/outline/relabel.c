/* May keys be renumbered? */
#include "scheduler/outline/outline.h"

static bool is_replaceable(const struct outline *job, int dim) {
    if (dim < 0)
        return true;
    const struct dim *d = &job->plan->analysis->dims[dim];
    for (int i = 0; i < job->facts->nunreplaceable_keys; ++i)
        if (job->facts->unreplaceable_keys[i] == d->symbol)
            return false;
    return d->kind == DIM_KEY;
}

/* A value that no iteration's key has a part in. */
static bool is_keyless_symbol(const struct outline *job, const struct symbol *symbol) {
    if (symbol->kind == SYMBOL_PARAM)
        return true;
    for (int i = 1; i < job->facts->ninner && symbol->kind == SYMBOL_LOOP; ++i) {
        const struct inner_loop *inner = &job->facts->inner[i];
        if (inner->symbol == symbol)
            return inner->has_lower && inner->lower.nterms == 0;
    }
    return false;
}

static bool is_keyless(const struct outline *job, const struct access *access) {
    for (int d = 0; d < access->nsubs; ++d) {
        const struct subscript *sub = &access->subs[d];
        for (int i = 0; sub->known && i < sub->value.nterms; ++i)
            if (!is_keyless_symbol(job, sub->value.terms[i].symbol))
                return false;
        if (!sub->known)
            return false;
    }
    return true;
}

static bool is_cut(const struct outline *job, const struct object *object) {
    int i = emit_array_index(job, object);
    return i >= 0 && emit_dim(job, job->arrays[i]->dim) >= 0;
}

/*
 * What is not cut stands in the user's order, so the body must not reach it through a key that is
 * renumbered (docs/decisions.md, 8).
 */
static bool is_renumberable(const struct outline *job) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (!is_keyless(job, access) && !is_cut(job, access->object) &&
            !emit_is_streamed(job, access->object))
            return false;
    }
    return true;
}

bool emit_may_relabel(const struct outline *job) {
    int keys[PLAN_KEYS], nkeys = plan_keys(job->plan, keys);
    for (int k = 0; k < nkeys; ++k)
        if (!is_replaceable(job, keys[k]))
            return false;
    return is_renumberable(job);
}
