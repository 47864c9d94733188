/*
 * How intervals of different rounds lie to each other: `ptr[i + 1]` is what `ptr[i]` is one round
 * later.
 */
#include "analyzer/access/facts/intervals.h"
#include "analyzer/access/internal.h"
#include "analyzer/budget.h"

#include <string.h>

/* ---- one round later ------------------------------------------------------------------------- */

/* e as scale * var + constant. */
struct line {
    long scale, constant;
};

static bool line_of(const struct expr *e, const struct variable *var, struct line *line) {
    struct line a, b;
    e = expr_without_casts(e);
    *line = (struct line){0, 0};
    if (e->kind == EXPR_VAR && e->var == var) {
        line->scale = 1;
        return true;
    }
    if (e->kind == EXPR_INT) {
        line->constant = (long)e->int_value;
        return true;
    }
    if (e->kind != EXPR_BINARY || !line_of(e->args[0], var, &a) || !line_of(e->args[1], var, &b))
        return false;
    long sign = e->op == OP_SUB ? -1 : 1;
    if (e->op == OP_ADD || e->op == OP_SUB) {
        return !__builtin_mul_overflow(b.scale, sign, &b.scale) &&
               !__builtin_mul_overflow(b.constant, sign, &b.constant) &&
               !__builtin_add_overflow(a.scale, b.scale, &line->scale) &&
               !__builtin_add_overflow(a.constant, b.constant, &line->constant);
    }
    if (e->op != OP_MUL || (a.scale != 0 && b.scale != 0))
        return false;
    const struct line *factor = a.scale == 0 ? &a : &b, *other = a.scale == 0 ? &b : &a;
    return !__builtin_mul_overflow(other->scale, factor->constant, &line->scale) &&
           !__builtin_mul_overflow(other->constant, factor->constant, &line->constant);
}

static bool same_field(const struct expr *a, const struct expr *b) {
    return a->field == b->field ||
           (a->field && b->field && a->field->offset_bits == b->field->offset_bits &&
            a->field->name && b->field->name && strcmp(a->field->name, b->field->name) == 0);
}

static bool same_node(const struct expr *a, const struct expr *b) {
    bool same_text = a->text == b->text || (a->text && b->text && strcmp(a->text, b->text) == 0);
    return a->kind == b->kind && a->op == b->op && a->nargs == b->nargs && a->var == b->var &&
           a->function == b->function && a->int_value == b->int_value && same_field(a, b) &&
           same_text && a->kind != EXPR_UNKNOWN && a->kind != EXPR_ASSIGN &&
           a->kind != EXPR_INCREMENT;
}

/* Is `b` what `a` is with var + by in place of var? */
static bool is_moved(const struct expr *a, const struct expr *b, const struct variable *var,
                     long by) {
    struct line x, y;
    long moved;
    if (!a || !b)
        return a == b;
    a = expr_without_casts(a);
    b = expr_without_casts(b);
    if (line_of(a, var, &x) && line_of(b, var, &y)) {
        return x.scale == y.scale && !__builtin_mul_overflow(x.scale, by, &moved) &&
               !__builtin_add_overflow(x.constant, moved, &moved) && moved == y.constant;
    }
    if (!same_node(a, b))
        return false;
    for (int i = 0; i < a->nargs; ++i)
        if (!is_moved(a->args[i], b->args[i], var, by))
            return false;
    return true;
}

/* The symbol that this key is one round later, -1: the interpretation has no such value. */
static int key_moved(const struct trace *t, const struct sym *sym, const struct interp_inner *loop,
                     long by) {
    if (!expr_names(sym->expr, loop->loop->variable))
        return sym->id;
    budget_spend(t->syms->count);
    for (int i = 0; i < t->syms->count; ++i) {
        const struct sym *other = t->syms->items[i];
        if (other->kind == SYMBOL_KEY && other->scope == sym->scope &&
            is_moved(sym->expr, other->expr, loop->loop->variable, by)) {
            return i;
        }
    }
    return -1;
}

/* What the symbol is one round later; NULL when the interpretation has no such value. */
static const struct poly *sym_moved(const struct trace *t, const struct sym *sym,
                                    const struct interp_inner *loop) {
    long by = loop->step < 0 ? -loop->step : loop->step;
    const struct poly *same = poly_sym(t->arena, sym);
    if (sym == loop->sym)
        return poly_add(t->arena, same, poly_constant(t->arena, by));
    if (sym->kind != SYMBOL_KEY)
        return same;
    struct sym_facts *known = sym_facts(t, sym);
    if (known->moves_in != loop || known->moves_of != t->syms->count) {
        known->moves_to = key_moved(t, sym, loop, by);
        known->moves_in = loop;
        known->moves_of = t->syms->count;
    }
    return known->moves_to < 0 ? NULL : poly_sym(t->arena, t->syms->items[known->moves_to]);
}

static const struct poly *moved(const struct trace *t, const struct poly *p,
                                const struct interp_inner *loop) {
    const struct poly *sum = poly_constant(t->arena, 0);
    for (int i = 0; i < p->nmonomials && sum; ++i) {
        const struct poly *product = poly_constant(t->arena, p->monomials[i].coeff);
        for (int j = 0; j < p->monomials[i].nsyms && product; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            product = poly_multiply(t->arena, product, sym_moved(t, sym, loop));
        }
        sum = poly_add(t->arena, sum, product);
    }
    return sum;
}

/* ---- the order ------------------------------------------------------------------------------- */

/* Is there a key in p that changes from round to round? */
static bool has_key(const struct trace *t, const struct poly *p, const struct interp_inner *loop) {
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            if (sym->kind == SYMBOL_KEY && expr_names(sym->expr, loop->loop->variable))
                return true;
        }
    }
    return false;
}

/* e as something plus a constant. */
static const struct expr *core_of(const struct expr *e, long *constant) {
    e = expr_without_casts(e);
    *constant = 0;
    while (e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB)) {
        const struct expr *a = expr_without_casts(e->args[0]), *b = expr_without_casts(e->args[1]);
        bool left = e->op == OP_ADD && a->kind == EXPR_INT;
        const struct expr *number = left ? a : b;
        long by = (long)number->int_value;
        if (number->kind != EXPR_INT ||
            __builtin_add_overflow(*constant, e->op == OP_SUB ? -by : by, constant)) {
            break;
        }
        e = left ? b : a;
    }
    return e;
}

/* The key of p, when p is one element of an array plus a constant. */
static const struct expr *element_of(const struct trace *t, const struct poly *p, long *constant) {
    int sym;
    if (!poly_is_sym_plus(p, &sym, constant) || t->syms->items[sym]->kind != SYMBOL_KEY)
        return NULL;
    const struct expr *e = expr_without_casts(t->syms->items[sym]->expr);
    return e->kind == EXPR_SUBSCRIPT ? e : NULL;
}

/* From ptr[r] to before ptr[r + 1], whatever r is. */
static bool is_row(const struct trace *t, const struct span *span) {
    long low, high, first, next;
    const struct expr *a = element_of(t, span->low, &low), *b = element_of(t, span->high, &high);
    if (!a || !b || !expr_equal(a->args[0], b->args[0]) || high >= low)
        return false;
    const struct expr *x = core_of(a->args[1], &first), *y = core_of(b->args[1], &next);
    return expr_equal(x, y) && next - first == 1;
}

/* The key that p is, plus a constant. */
static const struct expr *key_of(const struct trace *t, const struct poly *p) {
    long constant;
    int sym;
    bool key = poly_is_sym_plus(p, &sym, &constant) && t->syms->items[sym]->kind == SYMBOL_KEY;
    return key ? expr_without_casts(t->syms->items[sym]->expr) : NULL;
}

/* From one field of a record to before another one. */
static bool is_from_to(const struct trace *t, const struct span *span) {
    const struct expr *a = key_of(t, span->low), *b = key_of(t, span->high);
    return a && b && a->kind == EXPR_MEMBER && b->kind == EXPR_MEMBER && !same_field(a, b) &&
           expr_equal(a->args[0], b->args[0]);
}

/* A key of `low` that the length is measured from as well:
 * the end is not counted from the start. */
static bool is_counted(const struct poly *low, const struct poly *length) {
    for (int i = 0; i < length->nmonomials; ++i) {
        for (int k = 0; k < low->nmonomials; ++k) {
            for (int j = 0; j < length->monomials[i].nsyms; ++j) {
                for (int m = 0; m < low->monomials[k].nsyms; ++m)
                    if (length->monomials[i].syms[j] == low->monomials[k].syms[m])
                        return false;
            }
        }
    }
    return true;
}

/* One place per round, and another one in every round. */
static bool is_fixed(const struct trace *t, const struct span *span,
                     const struct interp_inner *loop) {
    const struct poly *coeff, *rest;
    long number;
    return poly_equal(span->low, span->high) && loop->sym &&
           poly_split(t->arena, span->low, loop->sym->id, &coeff, &rest) &&
           poly_is_constant(coeff, &number) && number != 0 && poly_is_invariant(t->syms, rest);
}

static enum order order_between(const struct trace *t, const struct interp_inner *loop,
                                const struct span *span, const struct span *later,
                                const struct expr **source) {
    long apart, constant;
    const struct poly *next = moved(t, later->low, loop), *end = moved(t, later->high, loop);
    *source = NULL;
    if (!loop->loop->variable)
        return ORDER_NEVER;
    if (is_fixed(t, span, loop) && poly_equal(span->low, later->low) &&
        poly_equal(span->high, later->high)) {
        return ORDER_FIXED;
    }
    if (next && poly_is_constant(poly_subtract(t->arena, span->high, next), &apart)) {
        const struct expr *element = element_of(t, span->low, &constant);
        *source = element ? element->args[0] : NULL;
        return apart < 0 ? ORDER_RISES : ORDER_NEVER;
    }
    if (end && poly_is_constant(poly_subtract(t->arena, end, span->low), &apart))
        return ORDER_NEVER;
    const struct poly *length = poly_subtract(t->arena, span->high, span->low);
    bool ragged = length && has_key(t, span->low, loop) && has_key(t, length, loop);
    bool speaks =
        ragged && (is_row(t, span) || is_from_to(t, span) || is_counted(span->low, length));
    return speaks ? ORDER_FREE : ORDER_NEVER;
}

enum order intervals_order(const struct trace *t, const struct interp_inner *loop,
                           const struct span *span, const struct span *later,
                           const struct expr **source) {
    struct arena_mark mark = arena_mark(t->arena);
    enum order order = order_between(t, loop, span, later, source);
    arena_rewind(t->arena, mark);
    budget_spend(8);
    return order;
}
