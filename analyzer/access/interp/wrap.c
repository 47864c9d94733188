/*
 * Subscripts in 32-bit arithmetic without a sign: `W[u * K + k]` is not what it says when a sum
 * passes 2^32. They are taken for what they say where the run can check that they do not; sums and
 * products are right modulo 2^32 whatever happens on the way, so only the last value counts.
 */
#include "analyzer/access/interp/wrap.h"
#include "analyzer/access/interp/interp.h"

enum { MAX_COEFF = 1024 };

/* Nothing that is surely a value of the iteration as a whole,
 * and no better for being taken apart. */
static bool is_worth_it(const struct interp *w, const struct poly *p) {
    int varying = 0;
    bool product = false;
    for (int i = 0; i < p->nmonomials; ++i) {
        const struct monomial *m = &p->monomials[i];
        for (int j = 0; j < m->nsyms; ++j) {
            const struct sym *sym = w->trace.syms->items[m->syms[j]];
            varying += sym->kind == SYMBOL_KEY ? (m->coeff == 1 ? 1 : 2) : 0;
            product = product || sym->kind == SYMBOL_LOOP || m->nsyms > 1;
        }
    }
    return product || varying > 1;
}

/* Each term's symbols are never negative, and what is taken off is small beside the rest. */
static bool is_plausible(struct interp *w, const struct poly *p) {
    for (int i = 0; i < p->nmonomials; ++i) {
        struct monomial m = p->monomials[i];
        m.coeff = 1;
        struct poly one = {.nmonomials = 1, .monomials = &m};
        long coeff = p->monomials[i].coeff;
        if (coeff > MAX_COEFF || coeff < -MAX_COEFF || (coeff < 0 && m.nsyms > 1) || m.nsyms > 2 ||
            !meaning_nonnegative(&w->trace, &one)) {
            return false;
        }
    }
    return true;
}

bool wrap_is_given_up(const struct trace *t, const struct expr *e) {
    for (int i = 0; i < t->nwrapping; ++i)
        if (expr_equal(t->wrapping[i], e))
            return true;
    return false;
}

/* p with `sym` replaced; NULL when it stands there as a power. */
static const struct poly *replace(struct interp *w, const struct poly *p, const struct sym *sym) {
    const struct poly *coeff, *rest;
    if (!poly_split(w->arena, p, sym->id, &coeff, &rest))
        return NULL;
    return poly_add(w->arena, poly_multiply(w->arena, coeff, sym->exact), rest);
}

/* The next symbol of p that would be something else; NULL: there is none. */
static const struct sym *next_exact(const struct interp *w, const struct poly *p) {
    for (int i = 0; p && i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = w->trace.syms->items[p->monomials[i].syms[j]];
            if (sym->exact)
                return sym;
        }
    }
    return NULL;
}

void wrap_note(struct interp *w, const struct value *v, const struct poly *p,
               const struct type *type) {
    int id;
    long constant;
    const struct sym *part;
    bool fits = type->kind == TYPE_INT && !type->is_signed && type->size == 4 && p &&
                v->kind == VALUE_INT && v->pure && poly_is_sym_plus(v->poly, &id, &constant) &&
                constant == 0;
    if (!fits)
        return;
    struct sym *sym = sym_change(w, w->trace.syms->items[id]);
    for (int i = 0; i < POLY_DEGREE && (part = next_exact(w, p)) != NULL; ++i)
        p = replace(w, p, part);
    if (p && !next_exact(w, p) && !sym->exact && is_worth_it(w, p) && is_plausible(w, p) &&
        !wrap_is_given_up(&w->trace, sym->expr)) {
        sym->exact = p;
    }
}

const struct poly *wrap_expand(struct interp *w, const struct poly *p, struct value *to) {
    const struct sym *sym = w->in_header ? NULL : next_exact(w, p);
    const struct poly *expanded = sym ? replace(w, p, sym) : NULL;
    if (!expanded)
        return p;
    int *wraps = NULL, n = 0;
    for (int i = 0; i < to->nwraps; ++i)
        ARENA_PUSH(w->arena, wraps, n, to->wraps[i]);
    ARENA_PUSH(w->arena, wraps, n, sym->id);
    to->wraps = wraps;
    to->nwraps = n;
    return wrap_expand(w, expanded, to);
}

bool wrap_same(const struct value *a, const struct value *b) {
    bool same = a->nwraps == b->nwraps;
    for (int i = 0; same && i < a->nwraps; ++i)
        same = a->wraps[i] == b->wraps[i];
    return same;
}
