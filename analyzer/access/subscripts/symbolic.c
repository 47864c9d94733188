/* Polynomials: ring operations, division, comparison. */
#include "analyzer/access/subscripts/symbolic.h"

#include <stdlib.h>
#include <string.h>

/* The most terms of a product. */
enum { POLY_TERMS = 64 };

static int mono_compare(const struct mono *a, const struct mono *b) {
    if (a->natoms != b->natoms)
        return b->natoms - a->natoms;
    for (int i = 0; i < a->natoms; ++i)
        if (a->atoms[i] != b->atoms[i])
            return a->atoms[i] - b->atoms[i];
    return 0;
}

static struct poly *poly_new(struct arena *arena, int capacity) {
    struct poly *p = arena_alloc(arena, sizeof *p);
    p->monos = arena_alloc(arena, (size_t)(capacity > 0 ? capacity : 1) * sizeof *p->monos);
    return p;
}

const struct poly *poly_constant(struct arena *arena, long value) {
    struct poly *p = poly_new(arena, 1);
    if (value != 0)
        p->monos[p->nmonos++] = (struct mono){.coeff = value};
    return p;
}

const struct poly *poly_atom(struct arena *arena, const struct atom *atom) {
    struct poly *p = poly_new(arena, 1);
    p->monos[p->nmonos++] = (struct mono){.coeff = 1, .natoms = 1, .atoms = {atom->id}};
    return p;
}

const struct poly *poly_add(struct arena *arena, const struct poly *a, const struct poly *b) {
    if (!a || !b)
        return NULL;
    struct poly *sum = poly_new(arena, a->nmonos + b->nmonos);
    int i = 0, j = 0;
    while (i < a->nmonos || j < b->nmonos) {
        int order = i == a->nmonos   ? 1
                    : j == b->nmonos ? -1
                                     : mono_compare(&a->monos[i], &b->monos[j]);
        struct mono m = order <= 0 ? a->monos[i++] : b->monos[j++];
        if (order == 0 && __builtin_add_overflow(m.coeff, b->monos[j++].coeff, &m.coeff))
            return NULL;
        if (m.coeff != 0)
            sum->monos[sum->nmonos++] = m;
    }
    return sum;
}

const struct poly *poly_scale(struct arena *arena, const struct poly *a, long factor) {
    if (!a)
        return NULL;
    struct poly *product = poly_new(arena, a->nmonos);
    for (int i = 0; factor != 0 && i < a->nmonos; ++i) {
        struct mono *m = &product->monos[product->nmonos++];
        *m = a->monos[i];
        if (__builtin_mul_overflow(m->coeff, factor, &m->coeff))
            return NULL;
    }
    return product;
}

const struct poly *poly_subtract(struct arena *arena, const struct poly *a, const struct poly *b) {
    return poly_add(arena, a, poly_scale(arena, b, -1));
}

static bool mono_multiply(const struct mono *a, const struct mono *b, struct mono *product) {
    if (a->natoms + b->natoms > POLY_DEGREE ||
        __builtin_mul_overflow(a->coeff, b->coeff, &product->coeff)) {
        return false;
    }
    product->natoms = 0;
    int i = 0, j = 0;
    while (i < a->natoms || j < b->natoms) {
        bool left = j == b->natoms || (i < a->natoms && a->atoms[i] <= b->atoms[j]);
        product->atoms[product->natoms++] = left ? a->atoms[i++] : b->atoms[j++];
    }
    return true;
}

/* sum + m, in its own room. False when the coefficient leaves the range of numbers. */
static bool insert(struct poly *sum, const struct mono *m) {
    int at = 0;
    while (at < sum->nmonos && mono_compare(&sum->monos[at], m) < 0)
        ++at;
    struct mono *place = &sum->monos[at];
    size_t behind = (size_t)(sum->nmonos - at) * sizeof *place;
    if (at == sum->nmonos || mono_compare(place, m) != 0) {
        memmove(place + 1, place, behind);
        *place = *m;
        ++sum->nmonos;
        return true;
    }
    if (__builtin_add_overflow(place->coeff, m->coeff, &place->coeff))
        return false;
    if (place->coeff == 0) {
        memmove(place, place + 1, behind - sizeof *place);
        --sum->nmonos;
    }
    return true;
}

const struct poly *poly_multiply(struct arena *arena, const struct poly *a, const struct poly *b) {
    if (!a || !b)
        return NULL;
    int most = a->nmonos * b->nmonos;
    struct poly *sum = poly_new(arena, most < POLY_TERMS ? most : POLY_TERMS + 1);
    for (int i = 0; i < a->nmonos; ++i) {
        for (int j = 0; j < b->nmonos; ++j) {
            struct mono one = {0};
            if (!mono_multiply(&a->monos[i], &b->monos[j], &one) || !insert(sum, &one) ||
                sum->nmonos > POLY_TERMS) {
                return NULL;
            }
        }
    }
    return sum;
}

static bool mono_divide(const struct mono *a, const struct mono *b, struct mono *quotient) {
    if (b->coeff == 0 || a->coeff % b->coeff != 0)
        return false;
    *quotient = (struct mono){.coeff = a->coeff / b->coeff};
    int j = 0;
    for (int i = 0; i < a->natoms; ++i)
        if (j < b->natoms && a->atoms[i] == b->atoms[j])
            ++j;
        else
            quotient->atoms[quotient->natoms++] = a->atoms[i];
    return j == b->natoms;
}

const struct poly *poly_divide(struct arena *arena, const struct poly *a, const struct poly *b) {
    if (!a || !b || b->nmonos == 0)
        return NULL;
    struct mono first;
    if (a->nmonos == 0)
        return a;
    if (b->nmonos > 1) {
        if (!mono_divide(&a->monos[0], &b->monos[0], &first) || first.natoms != 0 ||
            !poly_equal(a, poly_scale(arena, b, first.coeff))) {
            return NULL;
        }
        return poly_constant(arena, first.coeff);
    }
    const struct poly *quotient = poly_new(arena, 0);
    for (int i = 0; i < a->nmonos; ++i) {
        if (!mono_divide(&a->monos[i], &b->monos[0], &first))
            return NULL;
        struct poly one = {.nmonos = 1, .monos = &first};
        quotient = poly_add(arena, quotient, &one);
    }
    return quotient;
}

bool poly_equal(const struct poly *a, const struct poly *b) {
    if (!a || !b || a->nmonos != b->nmonos)
        return a == b;
    for (int i = 0; i < a->nmonos; ++i)
        if (a->monos[i].coeff != b->monos[i].coeff || mono_compare(&a->monos[i], &b->monos[i]) != 0)
            return false;
    return true;
}

bool poly_is_constant(const struct poly *p, long *value) {
    if (!p || p->nmonos > 1 || (p->nmonos == 1 && p->monos[0].natoms != 0))
        return false;
    *value = p->nmonos == 0 ? 0 : p->monos[0].coeff;
    return true;
}

bool poly_is_invariant(const struct atoms *atoms, const struct poly *p) {
    for (int i = 0; p && i < p->nmonos; ++i) {
        for (int j = 0; j < p->monos[i].natoms; ++j)
            if (atoms->items[p->monos[i].atoms[j]]->kind != SYMBOL_PARAM)
                return false;
    }
    return p != NULL;
}

bool poly_is_atom_plus(const struct poly *p, int *atom, long *constant) {
    if (!p || p->nmonos < 1 || p->nmonos > 2 || p->monos[0].natoms != 1 || p->monos[0].coeff != 1 ||
        (p->nmonos == 2 && p->monos[1].natoms != 0)) {
        return false;
    }
    *atom = p->monos[0].atoms[0];
    *constant = p->nmonos == 2 ? p->monos[1].coeff : 0;
    return true;
}

long poly_content(const struct poly *p) {
    long divisor = 0;
    for (int i = 0; i < p->nmonos; ++i) {
        long a = divisor, b = labs(p->monos[i].coeff);
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        divisor = a;
    }
    return divisor;
}

static int mono_power(const struct mono *m, int atom) {
    int power = 0;
    for (int i = 0; i < m->natoms; ++i)
        power += m->atoms[i] == atom;
    return power;
}

bool poly_split(struct arena *arena, const struct poly *p, int atom, const struct poly **coeff,
                const struct poly **rest) {
    struct poly *with = poly_new(arena, p->nmonos), *without = poly_new(arena, p->nmonos);
    const struct mono divisor = {.coeff = 1, .natoms = 1, .atoms = {atom}};
    for (int i = 0; i < p->nmonos; ++i) {
        int power = mono_power(&p->monos[i], atom);
        if (power > 1)
            return false;
        if (power == 0)
            without->monos[without->nmonos++] = p->monos[i];
        else
            mono_divide(&p->monos[i], &divisor, &with->monos[with->nmonos++]);
    }
    *coeff = poly_add(arena, with, poly_new(arena, 0));
    *rest = without;
    return true;
}

/* p with `atom` replaced by atom + shift, by repeated multiplication. */
static const struct poly *shift_atom(const struct atoms *atoms, const struct poly *p, int atom,
                                     long shift) {
    struct arena *arena = atoms->arena;
    const struct poly *sum = poly_constant(arena, 0);
    const struct poly *moved =
        poly_add(arena, poly_atom(arena, atoms->items[atom]), poly_constant(arena, shift));
    for (int i = 0; i < p->nmonos; ++i) {
        const struct poly *product = poly_constant(arena, p->monos[i].coeff);
        for (int j = 0; j < p->monos[i].natoms; ++j) {
            int id = p->monos[i].atoms[j];
            product = poly_multiply(arena, product,
                                    id == atom ? moved : poly_atom(arena, atoms->items[id]));
        }
        sum = poly_add(arena, sum, product);
    }
    return sum;
}

static bool lower_bound_of(const struct atoms *atoms, const struct lower_bounds *bounds, int atom,
                           long *value) {
    bool known = atoms->items[atom]->unsigned_type;
    *value = 0;
    for (int i = 0; i < bounds->count; ++i) {
        if (bounds->atoms[i] == atom && (!known || bounds->values[i] > *value)) {
            *value = bounds->values[i];
            known = true;
        }
    }
    return known;
}

/* p with every atom counted from its least value, or NULL when one has none. */
static const struct poly *from_least(const struct atoms *atoms, const struct poly *p,
                                     const struct lower_bounds *bounds) {
    long bound;
    const struct poly *moved = p;
    for (int i = 0; p && i < p->nmonos; ++i) {
        for (int j = 0; j < p->monos[i].natoms; ++j) {
            int atom = p->monos[i].atoms[j];
            bool seen =
                mono_power(&p->monos[i], atom) > 1 && j > 0 && p->monos[i].atoms[j - 1] == atom;
            for (int k = 0; k < i && !seen; ++k)
                seen = mono_power(&p->monos[k], atom) > 0;
            if (seen)
                continue;
            if (!lower_bound_of(atoms, bounds, atom, &bound))
                return NULL;
            moved = bound == 0 ? moved : shift_atom(atoms, moved, atom, bound);
            if (!moved)
                return NULL;
        }
    }
    return moved;
}

bool poly_nonnegative(const struct atoms *atoms, const struct poly *p,
                      const struct lower_bounds *bounds) {
    struct arena_mark mark = arena_mark(atoms->arena);
    const struct poly *moved = from_least(atoms, p, bounds);
    bool holds = moved != NULL;
    for (int i = 0; moved && i < moved->nmonos; ++i)
        holds = holds && moved->monos[i].coeff >= 0;
    arena_rewind(atoms->arena, mark);
    return holds;
}

void lower_bounds_learn(const struct atoms *atoms, struct lower_bounds *bounds,
                        const struct poly *p) {
    if (!p || p->nmonos < 1 || p->nmonos > 2 || p->monos[0].natoms != 1 || p->monos[0].coeff <= 0 ||
        (p->nmonos == 2 && p->monos[1].natoms != 0)) {
        return;
    }
    long coeff = p->monos[0].coeff, constant = p->nmonos == 2 ? p->monos[1].coeff : 0;
    long least = constant > 0 ? -(constant / coeff) : (-constant + coeff - 1) / coeff;
    int count = bounds->count;
    ARENA_PUSH(atoms->arena, bounds->atoms, count, p->monos[0].atoms[0]);
    ARENA_PUSH(atoms->arena, bounds->values, bounds->count, least);
}
