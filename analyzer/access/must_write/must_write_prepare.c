/* What questions of coverage need in symbols, made before anybody counts these: conditions, sizes
 * of allocations. */
#include "analyzer/access/internal.h"
#include "analyzer/access/objects/allocation.h"

/* ---- conditions ------------------------------------------------------------------------------ */

/* No symbol is made for a key that stands in conditions only. */
static bool has_symbols(const struct trace *t, const struct poly *p) {
    int nkeys = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            nkeys += sym->kind == SYMBOL_KEY;
            if (nkeys > 1 ||
                (sym->kind == SYMBOL_KEY && (!access_symbol_of(t, sym) || sym->impure_guard)))
                return false;
        }
    }
    return true;
}

static const struct affine *affine_of(const struct trace *t, const struct value *v) {
    bool known;
    const char *why;
    if (!v->compared || !has_symbols(t, v->compared))
        return NULL;
    struct affine *affine = arena_alloc(t->arena, sizeof *affine);
    *affine = access_affine(t, v->compared, &known, &why);
    return known ? affine : NULL;
}

/* Raws of one place have the same conditions in front. */
static const struct affine *known_before(const struct trace *t, int ref, int at) {
    const struct ref *before = ref > 0 ? &t->refs[ref - 1] : NULL;
    bool same = before && at < before->nconditions &&
                before->conditions[at].value == t->refs[ref].conditions[at].value;
    return same ? located(t, before)->compared[at] : NULL;
}

/* ---- allocations ----------------------------------------------------------------------------- */

static void measure(const struct trace *t, struct object_behind *behind) {
    const struct variable *var = behind->object.var;
    bool own = behind->object.kind == OBJECT_POINTER && var && behind->object.written &&
               var->function == t->loop->function;
    const struct poly *bytes = own ? allocation_bytes(t, var) : NULL;
    bool known;
    const char *why;
    if (bytes) {
        struct affine *affine = arena_alloc(t->arena, sizeof *affine);
        *affine = access_affine(t, bytes, &known, &why);
        behind->bytes = known ? affine : NULL;
    }
}

void must_write_prepare(const struct trace *t) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        const struct affine **compared =
            arena_alloc(t->arena, (size_t)(ref->nconditions + 1) * sizeof *compared);
        for (int j = 0; j < ref->nconditions; ++j) {
            compared[j] = known_before(t, i, j);
            compared[j] = compared[j] ? compared[j] : affine_of(t, ref->conditions[j].value);
        }
        located_change(t, ref)->compared = compared;
    }
    for (int i = 0; i < t->facts->nobjects; ++i)
        measure(t, (struct object_behind *)t->facts->objects[i]);
}
