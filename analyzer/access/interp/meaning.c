/* What symbols mean that are no polynomials: divisions by constants, choices; comparisons. */
#include "analyzer/access/interp/interp.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_DIVISOR = 1 << 20 };

/* The symbol that v is, when nothing has been said of it yet. */
static struct sym *untold(struct interp *w, const struct value *v) {
    int sym;
    long constant;
    bool is_sym =
        v->kind == VALUE_INT && poly_is_sym_plus(v->poly, &sym, &constant) && constant == 0;
    bool open = is_sym && w->trace.syms->items[sym]->kind != SYMBOL_LOOP;
    return open && !w->trace.syms->items[sym]->meaning ? sym_change(w, w->trace.syms->items[sym])
                                                       : NULL;
}

static void tell(struct interp *w, struct sym *sym, struct meaning meaning) {
    struct meaning *told = arena_alloc(w->arena, sizeof *told);
    *told = meaning;
    sym->meaning = told;
}

/* x & (2^n - 1) is what is left of x / 2^n, rounded down. */
static bool is_mask(long number) {
    return number > 0 && number < MAX_DIVISOR && (number & (number + 1)) == 0;
}

/* ---- what 64 bits hold ----------------------------------------------------------------------- */

/* No loop comes that far, one step after the other. */
#define MOST_TRIPS (double)(1L << 48)

/* More than any type holds: not known. */
#define ANY_VALUE 1e300

/* What a number of 64 bits holds, with a sign and without. */
#define LARGEST 9e18

/* Of products with larger factors a sign says nothing: they are what is left of 64 bits. */
#define MAX_FACTOR (1L << 31)

static double poly_most(const struct interp *w, const struct poly *p, int depth);

static double counter_most(const struct interp *w, const struct sym *sym, int depth) {
    long step = sym->loop ? labs(sym->loop->step) : 0;
    bool begins = step > 0 && step < MAX_DIVISOR && sym->lower && depth < 4;
    return begins ? poly_most(w, sym->lower, depth + 1) + MOST_TRIPS * (double)step : ANY_VALUE;
}

/* The greatest size of a symbol's value. */
static double sym_most(const struct interp *w, const struct sym *sym, int depth) {
    const struct type *type = sym->expr ? sym->expr->type : NULL;
    bool narrow = type && type->kind == TYPE_INT && type->size < 8;
    double most = narrow ? (double)(1L << 32) : ANY_VALUE;
    if (sym->meaning && sym->meaning->kind == MEANING_REMAINDER)
        most = (double)sym->meaning->by;
    else if (sym->kind == SYMBOL_LOOP && !narrow)
        most = counter_most(w, sym, depth);
    return most;
}

static double poly_most(const struct interp *w, const struct poly *p, int depth) {
    double sum = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        double product = fabs((double)p->monomials[i].coeff);
        for (int j = 0; j < p->monomials[i].nsyms && product < ANY_VALUE; ++j)
            product *= sym_most(w, w->trace.syms->items[p->monomials[i].syms[j]], depth);
        sum += product;
    }
    return sum;
}

/* Does p have a value without a sign in it that may be any of 64 bits? */
static bool has_any_unsigned(const struct interp *w, const struct poly *p) {
    bool has = false;
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = w->trace.syms->items[p->monomials[i].syms[j]];
            has = has || (sym->unsigned_type && sym_most(w, sym, 0) >= ANY_VALUE);
        }
    }
    return has;
}

static long factors_most(const struct poly *p) {
    long most = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        long size = p->monomials[i].nsyms == 0 ? 0 : p->monomials[i].coeff;
        most = size > most ? size : -size > most ? -size : most;
    }
    return most;
}

/*
 * Sums and products in a subscript are what they say, since it stays inside of an object. Divided
 * or compared, those of 64 bits without a sign, and those converted from them, may be something
 * else: they have wrapped around, unless they are surely too small for it.
 */
static bool may_be_cut(const struct interp *w, const struct poly *p, const struct type *type) {
    int sym;
    long number;
    bool plain = poly_is_constant(p, &number) || (poly_is_sym_plus(p, &sym, &number) && !number);
    bool moved = type->is_signed && poly_is_sym_plus(p, &sym, &number);
    bool holds = type->is_signed && !has_any_unsigned(w, p) && factors_most(p) < MAX_FACTOR;
    return type->size == 8 && !plain && !moved && !holds && poly_most(w, p, 0) >= LARGEST;
}

/* Where the user's flags let signed integers wrap, sums and products in a subscript stay what they
 * say, since it stays inside of an object; divided, masked or compared they may be something else.
 */
static bool may_have_wrapped(const struct interp *w, const struct poly *p) {
    int sym;
    long number;
    bool plain = poly_is_constant(p, &number) || (poly_is_sym_plus(p, &sym, &number) && !number);
    return w->facts->unit->signed_wraps && !plain;
}

/*
 * What `a op number` is in `type`: a quotient or a remainder by a number, as which shifts and masks
 * count, too. False: nothing that is known of it.
 */
static bool divides(struct interp *w, enum op op, const struct poly *a, long number,
                    const struct type *type, struct meaning *out) {
    bool natural = meaning_nonnegative(&w->trace, a);
    bool division = (op == OP_DIV || op == OP_REM) && number > 1 && number < MAX_DIVISOR;
    bool shift = op == OP_SHR && number > 0 && number < 20;
    bool mask = op == OP_BITAND && is_mask(number);
    bool power = (number & (number - 1)) == 0 && op == OP_REM && !type->is_signed;
    if ((!division && !shift && !mask) || (!type->is_signed && !natural) ||
        (!mask && !power && may_be_cut(w, a, type))) {
        return false;
    }
    natural = natural && (!type->is_signed || !has_any_unsigned(w, a));
    *out = (struct meaning){.kind = op == OP_DIV || shift ? MEANING_QUOTIENT : MEANING_REMAINDER,
                            .a = a,
                            .by = shift  ? 1L << number
                                  : mask ? number + 1
                                         : number,
                            .floors = natural || !division};
    return true;
}

void meaning_of_arithmetic(struct interp *w, const struct value *v, enum op op,
                           const struct value *a, const struct value *b, const struct type *type) {
    struct sym *sym = untold(w, v);
    struct meaning meaning;
    long number;
    if (!sym || !type || type->kind != TYPE_INT || a->kind != VALUE_INT || b->kind != VALUE_INT)
        return;
    if (op == OP_BITAND && poly_is_constant(a->poly, &number)) {
        const struct value *other = a;
        a = b;
        b = other;
    }
    bool known = a->poly && poly_is_constant(b->poly, &number) && !may_have_wrapped(w, a->poly);
    if (known && divides(w, op, a->poly, number, type, &meaning))
        tell(w, sym, meaning);
}

void meaning_of_choice(struct interp *w, const struct value *v, const struct value *when,
                       const struct value *a, const struct value *b) {
    struct sym *sym = untold(w, v);
    if (sym && a->kind == VALUE_INT && b->kind == VALUE_INT && a->poly && b->poly) {
        tell(w, sym,
             (struct meaning){.kind = MEANING_CHOICE, .a = a->poly, .b = b->poly, .when = when});
    }
}

/* C compares in the type of both: as they are, when that can hold both, or none is negative. */
static bool compares_exactly(struct interp *w, const struct value *a, const struct type *at,
                             const struct value *b, const struct type *bt) {
    int size = at->size > bt->size ? (int)at->size : (int)bt->size;
    size = size < 4 ? 4 : size;
    bool is_unsigned = (!at->is_signed && at->size == size) || (!bt->is_signed && bt->size == size);
    return !is_unsigned ||
           (meaning_nonnegative(&w->trace, a->poly) && meaning_nonnegative(&w->trace, b->poly));
}

const struct poly *meaning_difference(struct interp *w, const struct value *a,
                                      const struct type *at, const struct value *b,
                                      const struct type *bt) {
    bool integers = at && bt && at->kind == TYPE_INT && bt->kind == TYPE_INT &&
                    a->kind == VALUE_INT && b->kind == VALUE_INT && a->poly && b->poly &&
                    !may_have_wrapped(w, a->poly) && !may_have_wrapped(w, b->poly) &&
                    !may_be_cut(w, a->poly, at) && !may_be_cut(w, b->poly, bt);
    return integers && compares_exactly(w, a, at, b, bt) ? poly_subtract(w->arena, a->poly, b->poly)
                                                         : NULL;
}
