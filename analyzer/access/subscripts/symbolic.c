/* Polynomials: ring operations, division, comparison. */
#include "analyzer/access/subscripts/symbolic.h"

#include <stdlib.h>
#include <string.h>

/* The most terms of a product. */
enum { POLY_TERMS = 64 };

static int monomial_compare(const struct monomial *a, const struct monomial *b) {
    if (a->nsyms != b->nsyms)
        return b->nsyms - a->nsyms;
    for (int i = 0; i < a->nsyms; ++i)
        if (a->syms[i] != b->syms[i])
            return a->syms[i] - b->syms[i];
    return 0;
}

static struct poly *poly_new(struct arena *arena, int capacity) {
    struct poly *p = arena_alloc(arena, sizeof *p);
    p->monomials = arena_alloc(arena, (size_t)(capacity > 0 ? capacity : 1) * sizeof *p->monomials);
    return p;
}

const struct poly *poly_constant(struct arena *arena, long value) {
    static struct monomial none;
    static const struct poly zero = {.monomials = &none};
    if (value == 0)
        return &zero;
    struct poly *p = poly_new(arena, 1);
    p->monomials[p->nmonomials++] = (struct monomial){.coeff = value};
    return p;
}

const struct poly *poly_sym(struct arena *arena, const struct sym *sym) {
    struct poly *p = poly_new(arena, 1);
    p->monomials[p->nmonomials++] = (struct monomial){.coeff = 1, .nsyms = 1, .syms = {sym->id}};
    return p;
}

const struct poly *poly_add(struct arena *arena, const struct poly *a, const struct poly *b) {
    if (!a || !b)
        return NULL;
    if (a->nmonomials == 0 || b->nmonomials == 0)
        return a->nmonomials == 0 ? b : a;
    struct poly *sum = poly_new(arena, a->nmonomials + b->nmonomials);
    int i = 0, j = 0;
    while (i < a->nmonomials || j < b->nmonomials) {
        int order = i == a->nmonomials   ? 1
                    : j == b->nmonomials ? -1
                                         : monomial_compare(&a->monomials[i], &b->monomials[j]);
        struct monomial m = order <= 0 ? a->monomials[i++] : b->monomials[j++];
        if (order == 0 && __builtin_add_overflow(m.coeff, b->monomials[j++].coeff, &m.coeff))
            return NULL;
        if (m.coeff != 0)
            sum->monomials[sum->nmonomials++] = m;
    }
    return sum;
}

const struct poly *poly_scale(struct arena *arena, const struct poly *a, long factor) {
    if (!a)
        return NULL;
    struct poly *product = poly_new(arena, a->nmonomials);
    for (int i = 0; factor != 0 && i < a->nmonomials; ++i) {
        struct monomial *m = &product->monomials[product->nmonomials++];
        *m = a->monomials[i];
        if (__builtin_mul_overflow(m->coeff, factor, &m->coeff))
            return NULL;
    }
    return product;
}

const struct poly *poly_subtract(struct arena *arena, const struct poly *a, const struct poly *b) {
    return poly_add(arena, a, poly_scale(arena, b, -1));
}

static bool monomial_multiply(const struct monomial *a, const struct monomial *b,
                              struct monomial *product) {
    if (a->nsyms + b->nsyms > POLY_DEGREE ||
        __builtin_mul_overflow(a->coeff, b->coeff, &product->coeff)) {
        return false;
    }
    product->nsyms = 0;
    int i = 0, j = 0;
    while (i < a->nsyms || j < b->nsyms) {
        bool left = j == b->nsyms || (i < a->nsyms && a->syms[i] <= b->syms[j]);
        product->syms[product->nsyms++] = left ? a->syms[i++] : b->syms[j++];
    }
    return true;
}

/* sum + m, in its own room. False when the coefficient leaves the range of numbers. */
static bool insert(struct poly *sum, const struct monomial *m) {
    int at = 0;
    while (at < sum->nmonomials && monomial_compare(&sum->monomials[at], m) < 0)
        ++at;
    struct monomial *place = &sum->monomials[at];
    size_t behind = (size_t)(sum->nmonomials - at) * sizeof *place;
    if (at == sum->nmonomials || monomial_compare(place, m) != 0) {
        memmove(place + 1, place, behind);
        *place = *m;
        ++sum->nmonomials;
        return true;
    }
    if (__builtin_add_overflow(place->coeff, m->coeff, &place->coeff))
        return false;
    if (place->coeff == 0) {
        memmove(place, place + 1, behind - sizeof *place);
        --sum->nmonomials;
    }
    return true;
}

const struct poly *poly_multiply(struct arena *arena, const struct poly *a, const struct poly *b) {
    if (!a || !b)
        return NULL;
    int most = a->nmonomials * b->nmonomials;
    struct poly *sum = poly_new(arena, most < POLY_TERMS ? most : POLY_TERMS + 1);
    for (int i = 0; i < a->nmonomials; ++i) {
        for (int j = 0; j < b->nmonomials; ++j) {
            struct monomial one = {0};
            if (!monomial_multiply(&a->monomials[i], &b->monomials[j], &one) ||
                !insert(sum, &one) || sum->nmonomials > POLY_TERMS) {
                return NULL;
            }
        }
    }
    return sum;
}

static bool monomial_divide(const struct monomial *a, const struct monomial *b,
                            struct monomial *quotient) {
    if (b->coeff == 0 || a->coeff % b->coeff != 0)
        return false;
    *quotient = (struct monomial){.coeff = a->coeff / b->coeff};
    int j = 0;
    for (int i = 0; i < a->nsyms; ++i)
        if (j < b->nsyms && a->syms[i] == b->syms[j])
            ++j;
        else
            quotient->syms[quotient->nsyms++] = a->syms[i];
    return j == b->nsyms;
}

const struct poly *poly_divide(struct arena *arena, const struct poly *a, const struct poly *b) {
    if (!a || !b || b->nmonomials == 0)
        return NULL;
    struct monomial first;
    if (a->nmonomials == 0)
        return a;
    if (b->nmonomials > 1) {
        if (!monomial_divide(&a->monomials[0], &b->monomials[0], &first) || first.nsyms != 0 ||
            !poly_equal(a, poly_scale(arena, b, first.coeff))) {
            return NULL;
        }
        return poly_constant(arena, first.coeff);
    }
    struct poly *quotient = poly_new(arena, a->nmonomials);
    for (int i = 0; i < a->nmonomials; ++i)
        if (!monomial_divide(&a->monomials[i], &b->monomials[0],
                             &quotient->monomials[quotient->nmonomials++]))
            return NULL;
    return quotient;
}

bool poly_equal(const struct poly *a, const struct poly *b) {
    if (!a || !b || a->nmonomials != b->nmonomials)
        return a == b;
    for (int i = 0; i < a->nmonomials; ++i)
        if (a->monomials[i].coeff != b->monomials[i].coeff ||
            monomial_compare(&a->monomials[i], &b->monomials[i]) != 0)
            return false;
    return true;
}

bool poly_is_constant(const struct poly *p, long *value) {
    if (!p || p->nmonomials > 1 || (p->nmonomials == 1 && p->monomials[0].nsyms != 0))
        return false;
    *value = p->nmonomials == 0 ? 0 : p->monomials[0].coeff;
    return true;
}

bool poly_is_invariant(const struct syms *syms, const struct poly *p) {
    for (int i = 0; p && i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j)
            if (syms->items[p->monomials[i].syms[j]]->kind != SYMBOL_PARAM)
                return false;
    }
    return p != NULL;
}

bool poly_is_sym_plus(const struct poly *p, int *sym, long *constant) {
    if (!p || p->nmonomials < 1 || p->nmonomials > 2 || p->monomials[0].nsyms != 1 ||
        p->monomials[0].coeff != 1 || (p->nmonomials == 2 && p->monomials[1].nsyms != 0)) {
        return false;
    }
    *sym = p->monomials[0].syms[0];
    *constant = p->nmonomials == 2 ? p->monomials[1].coeff : 0;
    return true;
}

long poly_content(const struct poly *p) {
    long divisor = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        long a = divisor, b = labs(p->monomials[i].coeff);
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        divisor = a;
    }
    return divisor;
}

static int monomial_power(const struct monomial *m, int sym) {
    int power = 0;
    for (int i = 0; i < m->nsyms; ++i)
        power += m->syms[i] == sym;
    return power;
}

bool poly_split(struct arena *arena, const struct poly *p, int sym, const struct poly **coeff,
                const struct poly **rest) {
    const struct monomial divisor = {.coeff = 1, .nsyms = 1, .syms = {sym}};
    int n = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        int power = monomial_power(&p->monomials[i], sym);
        if (power > 1)
            return false;
        n += power;
    }
    *coeff = poly_constant(arena, 0);
    *rest = p;
    if (n == 0)
        return true;
    struct poly *with = poly_new(arena, n), *without = poly_new(arena, p->nmonomials - n);
    for (int i = 0; i < p->nmonomials; ++i)
        if (monomial_power(&p->monomials[i], sym) == 0)
            without->monomials[without->nmonomials++] = p->monomials[i];
        else
            monomial_divide(&p->monomials[i], &divisor, &with->monomials[with->nmonomials++]);
    *coeff = with;
    *rest = without;
    return true;
}

/* p with `sym` replaced by symbol + shift, by repeated multiplication. */
static const struct poly *shift_sym(const struct syms *syms, const struct poly *p, int sym,
                                    long shift) {
    struct arena *arena = syms->arena;
    const struct poly *sum = poly_constant(arena, 0);
    const struct poly *moved =
        poly_add(arena, poly_sym(arena, syms->items[sym]), poly_constant(arena, shift));
    for (int i = 0; i < p->nmonomials; ++i) {
        const struct poly *product = poly_constant(arena, p->monomials[i].coeff);
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            int id = p->monomials[i].syms[j];
            product =
                poly_multiply(arena, product, id == sym ? moved : poly_sym(arena, syms->items[id]));
        }
        sum = poly_add(arena, sum, product);
    }
    return sum;
}

static bool lower_bound_of(const struct syms *syms, const struct lower_bounds *bounds, int sym,
                           long *value) {
    bool known = syms->items[sym]->unsigned_type;
    *value = 0;
    for (int i = 0; i < bounds->count; ++i) {
        const struct lower_bound *bound = &bounds->items[i];
        if (bound->sym == sym && (!known || bound->least > *value)) {
            *value = bound->least;
            known = true;
        }
    }
    return known;
}

/* p with every symbol counted from its least value, or NULL when one has none. */
static const struct poly *from_least(const struct syms *syms, const struct poly *p,
                                     const struct lower_bounds *bounds) {
    long bound;
    const struct poly *moved = p;
    for (int i = 0; p && i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            int sym = p->monomials[i].syms[j];
            bool seen = monomial_power(&p->monomials[i], sym) > 1 && j > 0 &&
                        p->monomials[i].syms[j - 1] == sym;
            for (int k = 0; k < i && !seen; ++k)
                seen = monomial_power(&p->monomials[k], sym) > 0;
            if (seen)
                continue;
            if (!lower_bound_of(syms, bounds, sym, &bound))
                return NULL;
            moved = bound == 0 ? moved : shift_sym(syms, moved, sym, bound);
            if (!moved)
                return NULL;
        }
    }
    return moved;
}

bool poly_nonnegative(const struct syms *syms, const struct poly *p,
                      const struct lower_bounds *bounds) {
    struct arena_mark mark = arena_mark(syms->arena);
    const struct poly *moved = from_least(syms, p, bounds);
    bool holds = moved != NULL;
    for (int i = 0; moved && i < moved->nmonomials; ++i)
        holds = holds && moved->monomials[i].coeff >= 0;
    arena_rewind(syms->arena, mark);
    return holds;
}

void lower_bounds_add(const struct syms *syms, struct lower_bounds *bounds, int sym, long least) {
    const struct lower_bound bound = {sym, least};
    for (int i = 0; i < bounds->count; ++i)
        if (bounds->items[i].sym == sym && bounds->items[i].least >= least)
            return;
    ARENA_PUSH(syms->arena, bounds->items, bounds->count, bound);
}

void lower_bounds_learn(const struct syms *syms, struct lower_bounds *bounds,
                        const struct poly *p) {
    if (!p || p->nmonomials < 1 || p->nmonomials > 2 || p->monomials[0].nsyms != 1 ||
        p->monomials[0].coeff <= 0 || (p->nmonomials == 2 && p->monomials[1].nsyms != 0)) {
        return;
    }
    long coeff = p->monomials[0].coeff, constant = p->nmonomials == 2 ? p->monomials[1].coeff : 0;
    long least = constant > 0 ? -(constant / coeff) : (-constant + coeff - 1) / coeff;
    lower_bounds_add(syms, bounds, p->monomials[0].syms[0], least);
}

void lower_bounds_learn_order(const struct syms *syms, struct lower_bounds *bounds,
                              const struct poly *greater, const struct poly *less) {
    struct lower_bounds told = {0};
    const struct arena_mark mark = arena_mark(syms->arena);
    lower_bounds_learn(syms, &told, poly_subtract(syms->arena, greater, less));
    const struct lower_bound bound = told.count > 0 ? told.items[0] : (struct lower_bound){0};
    arena_rewind(syms->arena, mark);
    if (told.count > 0)
        lower_bounds_add(syms, bounds, bound.sym, bound.least);
}
