/* Places that an iteration writes in both branches of a condition. */
#include "analyzer/access/access.h"

/* Conditions further in are not looked at: what stands there is not known to be always written. */
enum { MOST_CONDITIONS = 4 };

/* In the same round of the same loops both write the same bytes. */
static bool is_same_place(const struct trace *t, const struct ref *a, const struct ref *b) {
    const struct located *at = located(t, a), *other = located(t, b);
    bool same = a->write && b->write && at->object == other->object && at->nsubs == other->nsubs &&
                at->field_offset == other->field_offset && at->field_size == other->field_size &&
                a->nloops == b->nloops;
    for (int i = 0; same && i < at->nsubs; ++i) {
        same = at->subs[i].known && other->subs[i].known &&
               affine_equal(&at->subs[i].value, &other->subs[i].value);
    }
    for (int i = 0; same && i < a->nloops; ++i)
        same = a->loops[i] == b->loops[i];
    return same;
}

/* Do both stand where the first `n` conditions of `a` hold? */
static bool is_within(const struct ref *a, const struct ref *b, int n) {
    bool within = b->nconditions >= n;
    for (int i = 0; within && i < n; ++i) {
        within = a->conditions[i].value == b->conditions[i].value &&
                 a->conditions[i].sense == b->conditions[i].sense;
    }
    return within;
}

static bool is_other_branch(const struct trace *t, const struct ref *a, const struct ref *b,
                            int n) {
    return is_within(a, b, n) && b->nconditions > n &&
           a->conditions[n].value == b->conditions[n].value &&
           a->conditions[n].sense != b->conditions[n].sense && is_same_place(t, a, b);
}

/* Is the place written wherever the first `n` conditions of `ref` hold? */
static bool is_written_where(const struct trace *t, const struct ref *ref, int n) {
    bool found = ref->nconditions == n;
    if (found || !is_written_where(t, ref, n + 1))
        return found;
    for (int i = 0; !found && i < t->nrefs; ++i) {
        const struct ref *other = &t->refs[i];
        found = is_other_branch(t, ref, other, n) && other->nconditions <= MOST_CONDITIONS &&
                is_written_where(t, other, n + 1);
    }
    return found;
}

bool ref_is_either(const struct trace *t, const struct ref *ref) {
    return ref->write && ref->nconditions > 0 && ref->nconditions <= MOST_CONDITIONS &&
           is_written_where(t, ref, 0);
}
