/* What iterations touch of an object, and whether anything speaks for it being no one else's. */
#include "analyzer/access/facts/intervals.h"
#include "analyzer/access/subscripts/layout.h"

#include <string.h>

/* ---- intervals ------------------------------------------------------------------------------- */

static const struct sym *sym_of_symbol(const struct trace *t, const struct symbol *symbol) {
    for (int i = 0; i < t->syms->count; ++i)
        if (access_symbol_of(t, t->syms->items[i]) == symbol)
            return t->syms->items[i];
    return NULL;
}

const struct poly *intervals_poly(const struct trace *t, const struct affine *value) {
    const struct poly *sum = poly_constant(t->arena, value->constant);
    for (int i = 0; i < value->nterms && sum; ++i) {
        const struct sym *sym = sym_of_symbol(t, value->terms[i].symbol);
        sum = sym ? poly_add(t->arena, sum,
                             poly_scale(t->arena, poly_sym(t->arena, sym), value->terms[i].coeff))
                  : NULL;
    }
    return sum;
}

/* Is p made of something that was read in the loop at this level? */
static bool is_read_in(const struct trace *t, const struct poly *p, int level) {
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            if (sym->kind == SYMBOL_KEY && sym->on_inner && sym->scope == level)
                return true;
        }
    }
    return false;
}

/* p with the loop's variable replaced by the bound that makes it least, or greatest. */
static const struct poly *at_bound(const struct trace *t, const struct interp_inner *loop,
                                   const struct poly *p, bool greatest,
                                   const struct lower_bounds *bounds) {
    const struct poly *coeff, *rest;
    if (!p || !loop->sym)
        return p;
    if (!poly_split(t->arena, p, loop->sym->id, &coeff, &rest))
        return NULL;
    if (coeff->nmonomials == 0)
        return p;
    bool up = poly_nonnegative(t->syms, coeff, bounds);
    if (!up && !poly_nonnegative(t->syms, poly_scale(t->arena, coeff, -1), bounds))
        return NULL;
    return poly_add(
        t->arena, poly_multiply(t->arena, coeff, up == greatest ? loop->upper : loop->lower), rest);
}

bool intervals_span(const struct trace *t, const struct ref *ref, const struct poly *p,
                    struct span *span) {
    struct lower_bounds bounds = layout_facts(t, ref);
    *span = (struct span){.ref = ref, .low = p, .high = p, .nkept = ref->nloops};
    while (span->low && span->high && span->nkept > 0) {
        int level = ref->loops[span->nkept - 1];
        if (is_read_in(t, span->low, level) || is_read_in(t, span->high, level))
            break;
        span->low = at_bound(t, &t->inner[level], span->low, false, &bounds);
        span->high = at_bound(t, &t->inner[level], span->high, true, &bounds);
        --span->nkept;
    }
    return span->low && span->high && intervals_bounded(t, span);
}

static bool names_loop(const struct poly *p, const struct sym *sym) {
    for (int i = 0; sym && i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j)
            if (p->monomials[i].syms[j] == sym->id)
                return true;
    }
    return false;
}

bool intervals_bounded(const struct trace *t, struct span *span) {
    const struct ref *ref = span->ref;
    while (span->nkept > 0) {
        int level = ref->loops[span->nkept - 1];
        const struct sym *sym = t->inner[level].sym;
        if (names_loop(span->low, sym) || names_loop(span->high, sym) ||
            is_read_in(t, span->low, level) || is_read_in(t, span->high, level)) {
            break;
        }
        --span->nkept;
    }
    for (int i = 0; i < span->nkept; ++i) {
        const struct interp_inner *loop = &t->inner[ref->loops[i]];
        if (!loop->sym || !loop->lower || !loop->upper || !loop->loop->variable || loop->by_number)
            return false;
    }
    return true;
}

/* ---- as expressions -------------------------------------------------------------------------- */

static struct expr *both(const struct trace *t, struct expr *a, struct expr *b) {
    if (!a || !b || expr_equal(a, b))
        return a ? a : b;
    struct expr *e = expr_binary(t->arena, OP_NONE, a, b);
    e->kind = EXPR_AND;
    return e;
}

static struct expr *negated(const struct trace *t, struct expr *a) {
    struct expr *e = expr_new(t->arena, EXPR_UNARY, a->type, a->range);
    e->op = OP_NOT;
    e->nargs = 1;
    e->args[0] = a;
    return e;
}

/* *when and the conditions under which the keys of p may be evaluated. */
static bool add_conditions(const struct trace *t, const struct poly *p, struct expr **when) {
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            bool key = sym->kind == SYMBOL_KEY, some = key && sym->impure_guard;
            if (some && !access_sym_is_safe(t, sym))
                return false;
            for (int g = 0; !some && g < sym->nguards; ++g) {
                struct expr *guard = sym->guards[g];
                *when = both(t, *when, sym->sense[g] ? guard : negated(t, guard));
            }
        }
    }
    return true;
}

/* The variable hides this one. */
static bool is_hidden(const void *data, const struct expr *e) {
    const struct variable *var = data;
    return e->kind == EXPR_VAR && e->var != var && strcmp(e->var->name, var->name) == 0;
}

static bool hides(const struct variable *var, const struct expr *when, const struct expr *low,
                  const struct expr *high) {
    return expr_any(when, is_hidden, var) || expr_any(low, is_hidden, var) ||
           expr_any(high, is_hidden, var);
}

bool intervals_named(const struct interval *interval) {
    for (int i = 0; i < interval->nloops; ++i) {
        const struct variable *var = interval->loops[i].loop->variable;
        for (int j = i; j < interval->nloops; ++j) {
            const struct interval_loop *loop = &interval->loops[j];
            if (hides(var, loop->when, loop->low, loop->high) ||
                (j > i && strcmp(loop->loop->variable->name, var->name) == 0))
                return false;
        }
        if (hides(var, interval->when, interval->low, interval->high))
            return false;
    }
    return true;
}

bool intervals_of_span(const struct trace *t, const struct span *span, struct interval *interval) {
    *interval = (struct interval){.when = span->nkept == 0 ? span->ref->guard : NULL};
    for (int i = 0; i < span->nkept; ++i) {
        const struct interp_inner *loop = &t->inner[span->ref->loops[i]];
        struct interval_loop to = {.loop = loop->loop, .step = loop->step};
        if (!add_conditions(t, loop->lower, &to.when) || !add_conditions(t, loop->upper, &to.when))
            return false;
        to.low = poly_expr(t->syms, loop->lower, true);
        to.high = poly_expr(t->syms, loop->upper, true);
        ARENA_PUSH(t->arena, interval->loops, interval->nloops, to);
    }
    interval->low = poly_expr(t->syms, span->low, true);
    interval->high = poly_expr(t->syms, span->high, true);
    return add_conditions(t, span->low, &interval->when) &&
           add_conditions(t, span->high, &interval->when) && intervals_named(interval);
}

bool intervals_add_key(const struct trace *t, struct expr *value, bool conditional,
                       struct interval *interval) {
    for (int i = 0; i < t->syms->count; ++i) {
        const struct sym *sym = t->syms->items[i];
        if (sym->kind == SYMBOL_KEY && expr_equal(sym->expr, value)) {
            interval->high = value;
            return add_conditions(t, poly_sym(t->arena, sym), &interval->when) &&
                   intervals_named(interval);
        }
    }
    interval->high = value;
    return !conditional && intervals_named(interval);
}

/* ---- what speaks for it ---------------------------------------------------------------------- */

/* Does the loop's clause assume `fact` of the array that `base` leads to? */
static bool intervals_assumed(const struct trace *t, const char *fact, const struct expr *base) {
    const struct pragma *pragma = t->loop->pragma;
    const char *name = base ? expr_print(t->arena, base) : NULL;
    for (int i = 0; name && pragma && i < pragma->nclauses; ++i) {
        const struct clause *c = &pragma->clauses[i];
        if (c->kind == CLAUSE_ASSUME && c->nnames > 1 && strcmp(c->names[0], fact) == 0 &&
            strcmp(c->names[1], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Of more of them it is not asked how they lie: each is compared with each. */
enum { MOST_SPANS = 96 };

/* The spans of one object's accesses along one dimension, each once. */
struct spans {
    int count;
    struct span *items;
    const struct expr *injective; /* they are places in this array, which is assumed to be */
};

static void spans_add(const struct trace *t, struct spans *spans, const struct span *span) {
    for (int i = 0; i < spans->count; ++i) {
        const struct span *old = &spans->items[i];
        if (poly_equal(old->low, span->low) && poly_equal(old->high, span->high) &&
            old->nkept == span->nkept && expr_equal(old->ref->guard, span->ref->guard) &&
            (span->nkept == 0 ||
             old->ref->loops[span->nkept - 1] == span->ref->loops[span->nkept - 1])) {
            return;
        }
    }
    ARENA_PUSH(t->arena, spans->items, spans->count, *span);
}

/* Where an array is read to make a key: the read's memory reference and the subscript. */
static const struct ref *intervals_read_of(const struct trace *t, const struct sym *key,
                                           const struct poly **place) {
    for (int i = 0; key->kind == SYMBOL_KEY && i < key->ndeps; ++i) {
        const struct ref *ref = &t->refs[key->deps[i]];
        if (located_address(t, ref)->pure && expr_equal(located_address(t, ref)->pure, key->expr) &&
            located(t, ref)->nsubs == 1 && located(t, ref)->subs[0].known) {
            *place = intervals_poly(t, &located(t, ref)->subs[0].value);
            return *place ? ref : NULL;
        }
    }
    return NULL;
}

/* idx[e] + c with an injective idx: e stands for it, as long as c is the same everywhere. */
static const struct poly *through_injective(const struct trace *t, const struct poly *p,
                                            long *constant) {
    const struct poly *place;
    int sym;
    if (!poly_is_sym_plus(p, &sym, constant))
        return NULL;
    const struct sym *key = t->syms->items[sym];
    const struct ref *ref = intervals_read_of(t, key, &place);
    if (!ref || key->expr->kind != EXPR_SUBSCRIPT ||
        !intervals_assumed(t, "injective", key->expr->args[0])) {
        return NULL;
    }
    return place;
}

/* All accesses to the object in dimension d; false when one of them can be anywhere. */
static bool spans_collect(const struct trace *t, const struct object *object, int d,
                          struct spans *spans) {
    long constant = 0;
    *spans = (struct spans){0};
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        struct span span;
        if (located(t, ref)->object != object)
            continue;
        if (located(t, ref)->nsubs <= d || !located(t, ref)->subs[d].known)
            return false;
        const struct poly *p = intervals_poly(t, &located(t, ref)->subs[d].value);
        long own = 0;
        const struct poly *place = p ? through_injective(t, p, &own) : NULL;
        if (place) {
            const struct expr *base = t->syms->items[p->monomials[0].syms[0]]->expr->args[0];
            if (spans->count > 0 && (own != constant || !expr_equal(spans->injective, base)))
                return false;
            constant = own;
            spans->injective = base;
        } else if (spans->injective) {
            return false;
        }
        if (!p || !intervals_span(t, ref, place ? place : p, &span))
            return false;
        spans_add(t, spans, &span);
        if (spans->count > MOST_SPANS)
            return false;
    }
    return spans->count > 0;
}

/* The order of the spans from round to round of the loop itself,
 * through the loops that are kept. */
static enum order order_through(const struct trace *t, const struct span *a, const struct span *b,
                                const struct expr **source) {
    enum order worst = ORDER_FIXED;
    *source = NULL;
    for (int k = a->nkept; k >= 0; --k) {
        const struct expr *from = NULL;
        const struct interp_inner *around = k > 0 ? &t->inner[a->ref->loops[k - 1]] : &t->inner[0];
        struct span x = *a, y = *b;
        if (k < a->nkept) {
            const struct interp_inner *own = &t->inner[a->ref->loops[k]];
            x.low = y.low = own->lower;
            x.high = y.high = own->upper;
        }
        enum order order = intervals_order(t, around, &x, &y, &from);
        worst = order < worst ? order : worst;
        *source = from ? from : *source;
    }
    return worst;
}

static enum order order_of(const struct trace *t, const struct spans *spans, bool *assumed) {
    enum order worst = ORDER_FIXED;
    *assumed = true;
    for (int i = 0; i < spans->count && worst != ORDER_NEVER; ++i) {
        for (int j = 0; j < spans->count && worst != ORDER_NEVER; ++j) {
            const struct span *a = &spans->items[i], *b = &spans->items[j];
            const struct expr *source = NULL;
            bool alike = a->nkept == b->nkept && (a->nkept == 0 || a->ref->loops[a->nkept - 1] ==
                                                                       b->ref->loops[b->nkept - 1]);
            enum order order = alike ? order_through(t, a, b, &source) : ORDER_FREE;
            worst = order < worst ? order : worst;
            *assumed =
                *assumed && (order == ORDER_FIXED || (order == ORDER_RISES && a->nkept == 0 &&
                                                      intervals_assumed(t, "monotone", source)));
        }
    }
    return worst;
}

static const char *spans_text(const struct trace *t, const struct object *object,
                              const struct spans *spans, enum order order,
                              const struct expr *source) {
    const struct span *first = &spans->items[0];
    const struct poly *end = poly_add(t->arena, first->high, poly_constant(t->arena, 1));
    const char *low = poly_text_plain(t->syms, first->low),
               *high = end ? poly_text_plain(t->syms, end) : "?";
    const char *name = spans->injective ? expr_print(t->arena, spans->injective) : object->name;
    const char *what = arena_printf(
        t->arena, "no two iterations share an element of %s from %s to before %s", name, low, high);
    return order == ORDER_RISES && source && first->nkept == 0
               ? arena_printf(t->arena, "%s, as when %s is monotone (does not fall)", what,
                              expr_print(t->arena, source))
               : what;
}

static const struct intervals *intervals_make(const struct trace *t, const struct object *object,
                                              const struct spans *spans, bool first) {
    struct intervals *intervals = arena_alloc(t->arena, sizeof *intervals);
    const struct expr *source = NULL;
    bool assumed;
    enum order order = order_of(t, spans, &assumed);
    if (order == ORDER_NEVER || (order == ORDER_FIXED && !spans->injective))
        return NULL;
    order_through(t, &spans->items[0], &spans->items[0], &source);
    intervals->assumed = assumed;
    intervals->rows = first && !spans->injective && object->kind != OBJECT_ROWS;
    intervals->proved = order == ORDER_FIXED;
    intervals->text = spans_text(t, object, spans, order, source);
    for (int i = 0; i < spans->count; ++i) {
        struct interval interval;
        if (!intervals_of_span(t, &spans->items[i], &interval))
            return NULL;
        ARENA_PUSH(t->arena, intervals->items, intervals->count, interval);
    }
    return intervals;
}

/* requires: objects, subscripts. */
void intervals_collect(const struct trace *t) {
    for (int i = 0; i < t->facts->nobjects; ++i) {
        struct object *object = t->facts->objects[i];
        bool rows = object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER ||
                    object->kind == OBJECT_ROWS;
        for (int d = 0; rows && object->written && !object->intervals && d < object->ndims; ++d) {
            struct spans spans;
            if (spans_collect(t, object, d, &spans))
                object->intervals = intervals_make(t, object, &spans, d == 0);
        }
    }
}

static bool same_interval(const struct interval *a, const struct interval *b) {
    bool same = a->nloops == b->nloops && a->set == b->set && expr_equal(a->low, b->low) &&
                expr_equal(a->high, b->high) && expr_equal(a->when, b->when);
    for (int i = 0; i < a->nloops && same; ++i)
        same = a->loops[i].loop == b->loops[i].loop;
    return same;
}

void intervals_push(const struct trace *t, struct intervals *intervals, struct interval interval) {
    for (int i = 0; i < intervals->count; ++i)
        if (same_interval(&intervals->items[i], &interval))
            return;
    ARENA_PUSH(t->arena, intervals->items, intervals->count, interval);
}
