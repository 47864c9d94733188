/*
 * Subscripts in 32-bit arithmetic without a sign: `W[u * K + k]` is not what it says when a sum
 * passes 2^32. They are taken for what they say where the run can check that they do not; sums and
 * products are right modulo 2^32 whatever happens on the way, so only the last value counts.
 */
#include "analyzer/access/interp/wrap.h"

enum { MAX_COEFF = 1024 };

/* Nothing that is surely a value of the iteration as a whole,
 * and no better for being taken apart. */
static bool is_worth_it(const struct interp *w, const struct poly *p) {
    int varying = 0;
    bool product = false;
    for (int i = 0; i < p->nmonos; ++i) {
        const struct mono *m = &p->monos[i];
        for (int j = 0; j < m->natoms; ++j) {
            const struct atom *atom = w->trace.atoms->items[m->atoms[j]];
            varying += atom->kind == SYMBOL_KEY ? (m->coeff == 1 ? 1 : 2) : 0;
            product = product || atom->kind == SYMBOL_LOOP || m->natoms > 1;
        }
    }
    return product || varying > 1;
}

/* Each term's atoms are never negative, and what is taken off is small beside the rest. */
static bool is_plausible(struct interp *w, const struct poly *p) {
    for (int i = 0; i < p->nmonos; ++i) {
        struct mono m = p->monos[i];
        m.coeff = 1;
        struct poly one = {.nmonos = 1, .monos = &m};
        long coeff = p->monos[i].coeff;
        if (coeff > MAX_COEFF || coeff < -MAX_COEFF || (coeff < 0 && m.natoms > 1) ||
            m.natoms > 2 || !meaning_nonnegative(&w->trace, &one)) {
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

/* p with `atom` replaced; NULL when it stands there as a power. */
static const struct poly *replace(struct interp *w, const struct poly *p, const struct atom *atom) {
    const struct poly *coeff, *rest;
    if (!poly_split(w->arena, p, atom->id, &coeff, &rest))
        return NULL;
    return poly_add(w->arena, poly_multiply(w->arena, coeff, atom->exact), rest);
}

/* The next atom of p that would be something else; NULL: there is none. */
static const struct atom *next_exact(const struct interp *w, const struct poly *p) {
    for (int i = 0; p && i < p->nmonos; ++i) {
        for (int j = 0; j < p->monos[i].natoms; ++j) {
            const struct atom *atom = w->trace.atoms->items[p->monos[i].atoms[j]];
            if (atom->exact)
                return atom;
        }
    }
    return NULL;
}

void wrap_note(struct interp *w, const struct value *v, const struct poly *p,
               const struct type *type) {
    int id;
    long constant;
    const struct atom *part;
    bool fits = type->kind == TYPE_INT && !type->is_signed && type->size == 4 && p &&
                v->kind == VALUE_INT && v->pure && poly_is_atom_plus(v->poly, &id, &constant) &&
                constant == 0;
    if (!fits)
        return;
    struct atom *atom = w->trace.atoms->items[id];
    for (int i = 0; i < POLY_DEGREE && (part = next_exact(w, p)) != NULL; ++i)
        p = replace(w, p, part);
    if (p && !next_exact(w, p) && !atom->exact && is_worth_it(w, p) && is_plausible(w, p) &&
        !wrap_is_given_up(&w->trace, atom->expr)) {
        atom->exact = p;
    }
}

const struct poly *wrap_expand(struct interp *w, const struct poly *p, struct value *to) {
    const struct atom *atom = w->in_header ? NULL : next_exact(w, p);
    const struct poly *expanded = atom ? replace(w, p, atom) : NULL;
    if (!expanded)
        return p;
    int *wraps = NULL, n = 0;
    for (int i = 0; i < to->nwraps; ++i)
        ARENA_PUSH(w->arena, wraps, n, to->wraps[i]);
    ARENA_PUSH(w->arena, wraps, n, atom->id);
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
