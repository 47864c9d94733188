/* What is surely not negative: by the ranges of symbols, and by the choices that they are. */
#include "analyzer/access/access.h"

bool meaning_nonnegative(const struct trace *t, const struct poly *p) {
    struct lower_bounds bounds = {0};
    for (int i = 0; p && i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            long least;
            if (poly_is_constant(sym->lower, &least))
                lower_bounds_add(t->syms, &bounds, sym->id, least);
        }
    }
    return poly_nonnegative(t->syms, p, &bounds);
}

/* 1: the lesser of its two values, -1: the greater, 0: neither for sure. */
static int extreme(const struct trace *t, const struct meaning *m) {
    const struct value *v = m->when;
    const struct poly *apart = poly_subtract(t->arena, m->a, m->b);
    bool below = v->relation == OP_LT || v->relation == OP_LE;
    if (!v->compared || (!below && v->relation != OP_GT && v->relation != OP_GE))
        return 0;
    bool same = poly_equal(v->compared, apart);
    bool reversed = poly_equal(v->compared, poly_scale(t->arena, apart, -1));
    return !same && !reversed ? 0 : same == below ? 1 : -1;
}

static bool proves(const struct trace *t, const struct poly *p, const struct lower_bounds *bounds,
                   int depth);

/* p, in which the choice stands once per term. */
static bool proves_by(const struct trace *t, const struct poly *p, const struct sym *sym,
                      const struct lower_bounds *bounds, int depth) {
    const struct meaning *m = sym->meaning;
    const struct poly *coeff, *rest;
    if (!poly_split(t->arena, p, sym->id, &coeff, &rest))
        return false;
    const struct poly *a = poly_add(t->arena, poly_multiply(t->arena, coeff, m->a), rest);
    const struct poly *b = poly_add(t->arena, poly_multiply(t->arena, coeff, m->b), rest);
    int way = extreme(t, m);
    bool by_a = proves(t, a, bounds, depth + 1), by_b = proves(t, b, bounds, depth + 1);
    return (by_a && by_b) || ((by_a || by_b) && way != 0 &&
                              poly_nonnegative(t->syms, poly_scale(t->arena, coeff, -way), bounds));
}

static bool proves(const struct trace *t, const struct poly *p, const struct lower_bounds *bounds,
                   int depth) {
    bool proved = poly_nonnegative(t->syms, p, bounds);
    for (int i = 0; p && i < p->nmonomials && !proved && depth < 3; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms && !proved; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            proved = sym->meaning && sym->meaning->kind == MEANING_CHOICE &&
                     proves_by(t, p, sym, bounds, depth);
        }
    }
    return proved;
}

bool meaning_proves(const struct trace *t, const struct poly *p,
                    const struct lower_bounds *bounds) {
    return proves(t, p, bounds, 0);
}
