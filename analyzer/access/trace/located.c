/* What the object pass finds of each reference: kept beside the trace, by the reference's index. */
#include "analyzer/access/internal.h"

static struct facts_behind *behind_of(const struct trace *t) {
    return (struct facts_behind *)t->facts;
}

const struct located *located(const struct trace *t, const struct ref *ref) {
    static const struct located none;
    const struct located *all = behind_of(t)->located;
    return all ? &all[ref - t->refs] : &none;
}

struct located *located_change(const struct trace *t, const struct ref *ref) {
    return &behind_of(t)->located[ref - t->refs];
}

const struct value *located_address(const struct trace *t, const struct ref *ref) {
    return behind_of(t)->located ? located(t, ref)->address : ref->address;
}

bool trace_touches(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object == object)
            return true;
    return false;
}

void located_begin(const struct trace *t) {
    struct located *all = arena_alloc(t->arena, (size_t)(t->nrefs + 1) * sizeof *all);
    for (int i = 0; i < t->nrefs; ++i)
        all[i] = (struct located){.address = t->refs[i].address, .reduction = t->refs[i].reduction};
    behind_of(t)->located = all;
}
