/*
 * What the pragma asserts of data: each assumption is a guard that `orrery verify` asks, over what
 * the loop really reads.
 */
#include "analyzer/access/facts/intervals.h"

#include <string.h>

static bool is_fact(const struct clause *clause, const char *fact) {
    return clause->kind == CLAUSE_ASSUME && clause->nnames > 1 &&
           strcmp(clause->names[0], fact) == 0;
}

static const struct clause *assumption(const struct trace *t, const char *fact, int *from) {
    const struct pragma *pragma = t->loop->pragma;
    for (; pragma && *from < pragma->nclauses; ++*from)
        if (is_fact(&pragma->clauses[*from], fact))
            return &pragma->clauses[(*from)++];
    return NULL;
}

static void refuse_idle(const struct trace *t, const struct clause *clause, const char *what) {
    interp_refuse(t, ORR3120, clause->range,
                  "remove the clause, or name what the loop really reads or writes by a subscript",
                  "%s says nothing of this loop: it does not use `%s`%s", clause->names[0],
                  clause->names[1], what);
}

/* ---- values of an array: monotone, injective ------------------------------------------------- */

/* Of `ref`, a read of the array: the place, and the value there. */
static bool place_and_value(const struct trace *t, const struct ref *ref,
                            struct interval *interval) {
    struct span span;
    const struct poly *place = located(t, ref)->nsubs == 1 && located(t, ref)->subs[0].known
                                   ? intervals_poly(t, &located(t, ref)->subs[0].value)
                                   : NULL;
    if (!place || !located_address(t, ref)->pure)
        return false;
    span = (struct span){.ref = ref, .low = place, .high = place, .nkept = ref->nloops};
    return intervals_bounded(t, &span) && intervals_of_span(t, &span, interval) &&
           intervals_add_key(t, located_address(t, ref)->pure, ref->conditional, interval);
}

static void assume_values(const struct trace *t, const struct clause *clause, enum guard_kind kind,
                          const char *words) {
    struct intervals *intervals = arena_alloc(t->arena, sizeof *intervals);
    struct object *object = NULL;
    bool testable = true;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        struct interval interval;
        if (!located(t, ref)->object ||
            strcmp(located(t, ref)->object->name, clause->names[1]) != 0 || ref->scalar)
            continue;
        if (ref->write) {
            interp_refuse(
                t, ORR2250, ref->via ? ref->via->range : ref->range,
                "write to another array, or remove the clause",
                "the loop writes `%s`, of whose values before the loop the pragma assumes "
                "something",
                clause->names[1]);
            return;
        }
        object = located(t, ref)->object;
        testable = testable && place_and_value(t, ref, &interval);
        if (testable)
            intervals_push(t, intervals, interval);
    }
    if (!object || !testable) {
        refuse_idle(t, clause, object ? " at places that are known before it runs" : "");
        return;
    }
    intervals->text = arena_printf(t->arena, words, clause->names[1]);
    intervals->assumed = true;
    int at = guard_add(t->facts, kind, object, NULL, true, intervals->text);
    t->facts->guards[at].intervals = intervals;
}

/* ---- range ----------------------------------------------------------------------------------- */

/* Is the symbol what `of` says: that very value, or any element of that array? */
static bool is_ranged(const struct sym *sym, const struct expr *of) {
    if (sym->kind == SYMBOL_LOOP || !sym->expr)
        return false;
    const struct expr *e = expr_without_casts(sym->expr);
    bool array = of->type->kind == TYPE_POINTER || of->type->kind == TYPE_ARRAY;
    return expr_equal(e, of) ||
           (array && e->kind == EXPR_SUBSCRIPT && expr_equal(expr_without_casts(e->args[0]), of));
}

/* An expression of a clause as a polynomial over the values of the interpretation. */
static const struct poly *poly_of(const struct trace *t, struct expr *e) {
    if (e->kind == EXPR_INT)
        return poly_constant(t->arena, (long)e->int_value);
    if (e->kind == EXPR_UNARY && e->op == OP_MINUS)
        return poly_scale(t->arena, poly_of(t, e->args[0]), -1);
    if (e->kind == EXPR_BINARY) {
        const struct poly *a = poly_of(t, e->args[0]), *b = poly_of(t, e->args[1]);
        return e->op == OP_ADD   ? poly_add(t->arena, a, b)
               : e->op == OP_SUB ? poly_subtract(t->arena, a, b)
                                 : poly_multiply(t->arena, a, b);
    }
    for (int i = 0; i < t->syms->count; ++i) {
        const struct sym *sym = t->syms->items[i];
        if (sym->kind == SYMBOL_PARAM && expr_equal(sym->expr, e))
            return poly_sym(t->arena, sym);
    }
    return poly_sym(t->arena, sym_of(t->syms, SYMBOL_PARAM, e, -1));
}

static bool changes(const void *trace, const struct expr *e) {
    const struct trace *t = trace;
    for (int i = 0; e->kind == EXPR_VAR && i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (ref->write && ref->address->region->var == e->var &&
            ref->address->region->kind == REGION_VARIABLE)
            return true;
    }
    return (e->kind == EXPR_VAR && e->var == t->loop->variable) || e->kind == EXPR_SUBSCRIPT;
}

/* A bound that the loop changes, or that is no value at its head, bounds nothing. */
static bool is_steady(const struct trace *t, struct expr *e) {
    return !expr_any(e, changes, t) && e->type->kind == TYPE_INT;
}

/* The read that a symbol was made of, in the innermost loop. */
static const struct ref *read_of(const struct trace *t, const struct sym *sym) {
    const struct ref *innermost = NULL;
    for (int i = 0; i < sym->ndeps; ++i) {
        const struct ref *ref = &t->refs[sym->deps[i]];
        innermost = !innermost || ref->nloops > innermost->nloops ? ref : innermost;
    }
    return innermost;
}

/* Two intervals that are empty when low <= value < high:
 * set 0 begins with the value, set 1 ends with it. */
static bool range_intervals(const struct trace *t, const struct sym *sym, struct expr *low,
                            struct expr *high, struct intervals *intervals) {
    struct span span = {.ref = read_of(t, sym), .low = poly_sym(t->arena, sym)};
    struct interval below = {.low = sym->expr, .high = sym->expr};
    span.high = span.low;
    span.nkept = span.ref && sym->on_inner ? span.ref->nloops : 0;
    if (sym->kind == SYMBOL_KEY &&
        (!span.ref || !intervals_bounded(t, &span) || !intervals_of_span(t, &span, &below))) {
        return false;
    }
    struct interval above = below;
    below.high = expr_binary(t->arena, OP_SUB, expr_cast(t->arena, type_long(), low),
                             expr_integer(t->arena, 1));
    above.low = expr_cast(t->arena, type_long(), high);
    above.set = 1;
    if (!intervals_named(&below) || !intervals_named(&above))
        return false;
    intervals_push(t, intervals, below);
    intervals_push(t, intervals, above);
    return true;
}

static void assume_range(const struct trace *t, const struct clause *clause) {
    struct expr *const *e = clause->exprs;
    if (!e || !e[1] || !e[2] || !e[3] || !is_steady(t, e[2]) || !is_steady(t, e[3])) {
        interp_refuse(t, ORR3122, clause->range,
                      "write names, members, numbers, + - *; put anything else in a variable in "
                      "front of the loop",
                      "the arguments of range() are not values that stand before the loop");
        return;
    }
    struct intervals *intervals = arena_alloc(t->arena, sizeof *intervals);
    bool used = false, testable = true;
    for (int i = 0; i < t->syms->count; ++i) {
        if (!is_ranged(t->syms->items[i], e[1]))
            continue;
        used = true;
        testable = testable && range_intervals(t, t->syms->items[i], e[2], e[3], intervals);
    }
    if (!used || !testable) {
        refuse_idle(t, clause, used ? " at places that are known before it runs" : "");
        return;
    }
    intervals->text = arena_printf(t->arena, "%s <= %s && %s < %s", clause->names[2],
                                   clause->names[1], clause->names[1], clause->names[3]);
    intervals->assumed = true;
    int at = guard_add(t->facts, GUARD_EMPTY, NULL, NULL, true, intervals->text);
    t->facts->guards[at].intervals = intervals;
}

/* p with every value that is assumed to lie in a range replaced by the end that makes it least. */
const struct poly *assumed_least(const struct trace *t, const struct poly *p, bool *keys) {
    const struct clause *clause;
    int from = 0;
    while (p && (clause = assumption(t, "range", &from)) != NULL) {
        for (int i = 0; p && clause->exprs && clause->exprs[1] && clause->exprs[2] &&
                        clause->exprs[3] && i < t->syms->count;
             ++i) {
            const struct poly *coeff, *rest;
            long number;
            if (!is_ranged(t->syms->items[i], clause->exprs[1]) ||
                !poly_split(t->arena, p, i, &coeff, &rest) || !poly_is_constant(coeff, &number) ||
                number == 0) {
                continue;
            }
            const struct poly *end = poly_of(t, clause->exprs[number > 0 ? 2 : 3]);
            end = number > 0 ? end : poly_add(t->arena, end, poly_constant(t->arena, -1));
            p = poly_add(t->arena, rest, poly_scale(t->arena, end, number));
        }
    }
    *keys = false;
    for (int i = 0; p && i < p->nmonomials; ++i)
        for (int j = 0; j < p->monomials[i].nsyms; ++j)
            *keys = *keys || t->syms->items[p->monomials[i].syms[j]]->kind != SYMBOL_PARAM;
    return p;
}

/* ---- extent ---------------------------------------------------------------------------------- */

/* `p` points to `n` elements: the size of the objects behind it. */
static void set_extent(const struct trace *t, const struct clause *clause) {
    struct expr *n = clause->exprs ? clause->exprs[1] : NULL;
    bool used = false;
    if (!n || !is_steady(t, n)) {
        interp_refuse(t, ORR3122, clause->range,
                      "write names, members, numbers, + - *; put anything else in a variable in "
                      "front of the loop",
                      "`%s` is not a value that stands before the loop", clause->names[1]);
        return;
    }
    for (int i = 0; i < t->facts->nobjects; ++i) {
        struct object *object = t->facts->objects[i];
        if (!object->base || strcmp(expr_print(t->arena, object->base), clause->names[0]) != 0)
            continue;
        const struct type *element = object->base->type->element;
        used = true;
        if (object->kind != OBJECT_POINTER || object->size_text || !element || element->size <= 0) {
            interp_refuse(t, ORR3121, clause->range, "remove the clause",
                          "the size of `%s` is known, or is not that of elements behind a pointer",
                          clause->names[0]);
            return;
        }
        object->extent = n;
        object->size_text = arena_printf(t->arena, "(unsigned long)(%s) * %ldUL",
                                         expr_print(t->arena, n), element->size);
    }
    if (!used) {
        interp_refuse(
            t, ORR3120, clause->range,
            "remove the clause, or name what the loop really reads or writes by a subscript",
            "extent says nothing of this loop: it does not use `%s`", clause->names[0]);
    }
}

/* requires: objects, subscripts. */
void facts_assume(const struct trace *t) {
    const struct clause *clause;
    int from = 0;
    while ((clause = assumption(t, "monotone", &from)) != NULL)
        assume_values(t, clause, GUARD_MONOTONE, "%s is monotone: its values do not fall");
    from = 0;
    while ((clause = assumption(t, "injective", &from)) != NULL)
        assume_values(t, clause, GUARD_INJECTIVE, "%s is injective: no value stands in it twice");
    from = 0;
    while ((clause = assumption(t, "range", &from)) != NULL)
        assume_range(t, clause);
    for (int i = 0; t->loop->pragma && i < t->loop->pragma->nclauses; ++i)
        if (t->loop->pragma->clauses[i].kind == CLAUSE_EXTENT)
            set_extent(t, &t->loop->pragma->clauses[i]);
}
