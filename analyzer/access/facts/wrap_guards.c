/* What the run checks of subscripts in 32-bit arithmetic (wrap.c): that their sums do not wrap. */
#include "analyzer/access/facts/intervals.h"
#include "analyzer/access/interp/interp.h"
#include "analyzer/access/interp/wrap.h"
#include "analyzer/access/subscripts/layout.h"

#include <string.h>

/* Its least and greatest value, in terms of the iteration (or invariant). */
static bool range_of(const struct trace *t, const struct ref *ref, const struct poly *p,
                     bool *invariant, struct span *span) {
    struct lower_bounds bounds = layout_facts(t, ref);
    *span = (struct span){.ref = ref};
    span->low = layout_bound(t, ref, p, false, &bounds);
    span->high = layout_bound(t, ref, p, true, &bounds);
    *invariant = poly_is_invariant(t->syms, span->low) && poly_is_invariant(t->syms, span->high);
    return *invariant || (intervals_span(t, ref, p, span) && span->nkept == 0);
}

static bool is_early(const struct trace *t, const struct poly *p) {
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            if (sym->on_inner ||
                (sym->kind == SYMBOL_KEY && sym->impure_guard && !access_sym_is_safe(t, sym))) {
                return false;
            }
        }
    }
    return true;
}

/* Does it fit 64 bits, from factors of 32? */
static bool is_small(const struct poly *p) {
    long linear = 0, squares = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        long coeff = p->monomials[i].coeff > 0 ? p->monomials[i].coeff : 0;
        squares += p->monomials[i].nsyms == 2 ? coeff : 0;
        linear += p->monomials[i].nsyms < 2 ? coeff : 0;
    }
    return (squares <= 1 && linear <= 2) || (squares == 0 && linear < 1L << 30);
}

/* p as C, all of it in `type`. */
static const char *text_in(const struct trace *t, const struct poly *p, const char *type,
                           const char *suffix) {
    const char *text = "";
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < p->nmonomials; ++i) {
            const struct monomial *m = &p->monomials[i];
            if ((m->coeff < 0) != (pass == 1))
                continue;
            const char *product = "";
            long factor = m->coeff < 0 ? -m->coeff : m->coeff;
            for (int j = 0; j < m->nsyms; ++j) {
                product =
                    arena_printf(t->arena, "%s%s(%s)(%s)", product, *product ? " * " : "", type,
                                 expr_print(t->arena, t->syms->items[m->syms[j]]->expr));
            }
            if (m->nsyms == 0 || factor != 1) {
                product = arena_printf(t->arena, "%s%s%ld%s", product, *product ? " * " : "",
                                       factor, suffix);
            }
            text = arena_printf(t->arena, "%s%s%s", text,
                                pass == 1 ? (*text ? " - " : "-") : (*text ? " + " : ""), product);
        }
    }
    return *text ? text : "0";
}

static bool has_negative(const struct poly *p) {
    for (int i = 0; i < p->nmonomials; ++i)
        if (p->monomials[i].coeff < 0)
            return true;
    return false;
}

/*
 * 0 <= low and high < 2^32; one more than `high`, so that rows of length 0 pass. What may be below
 * 0 is computed in double: exact below 2^53, and far enough from 2^32 beyond.
 */
static const char *condition_of(const struct trace *t, const struct span *span) {
    const struct poly *end = poly_add(t->arena, span->high, poly_constant(t->arena, 1));
    bool below = has_negative(span->low);
    bool small = is_small(end) && !has_negative(end);
    const char *text = arena_printf(t->arena, small ? "%s <= 4294967296UL" : "%s <= 4294967296.0",
                                    small ? text_in(t, end, "unsigned long", "UL")
                                          : text_in(t, end, "double", ".0"));
    return below ? arena_printf(t->arena, "0.0 <= %s && %s", text_in(t, span->low, "double", ".0"),
                                text)
                 : text;
}

static bool can_be_checked(const struct trace *t, const struct ref *ref, const struct sym *sym) {
    struct span span;
    bool invariant;
    return range_of(t, ref, sym->exact, &invariant, &span) && is_early(t, span.low) &&
           is_early(t, span.high);
}

bool wrap_given_up(struct interp *w) {
    int before = w->trace.nwrapping;
    for (int i = 0; i < w->trace.nrefs; ++i) {
        const struct value *address = w->trace.refs[i].address;
        for (int j = 0; j < address->nwraps; ++j) {
            const struct sym *sym = w->trace.syms->items[address->wraps[j]];
            struct expr *sum = sym->expr;
            if (!wrap_is_given_up(&w->trace, sum) &&
                !can_be_checked(&w->trace, &w->trace.refs[i], sym))
                TRACE_PUSH(w->arena, w->trace.wrapping, w->trace.nwrapping, sum);
        }
    }
    return w->trace.nwrapping > before;
}

static int find_known(const struct loop_facts *facts, enum guard_kind kind, const char *text) {
    for (int i = 0; i < facts->nguards; ++i)
        if (facts->guards[i].kind == kind && strcmp(facts->guards[i].text, text) == 0)
            return i;
    return -1;
}

static void add_guard(const struct trace *t, const struct ref *ref, const struct sym *sym) {
    struct span span;
    bool invariant;
    range_of(t, ref, sym->exact, &invariant, &span);
    const char *text = condition_of(t, &span);
    if (!invariant) {
        text = arena_printf(
            t->arena, "%s%s%s",
            ref->guard ? arena_printf(t->arena, "!(%s) || ", expr_print(t->arena, ref->guard)) : "",
            access_key_conditions(t, sym->exact, ref->guard), text);
    }
    enum guard_kind kind = invariant ? GUARD_CONDITION : GUARD_KEY_RANGE;
    int known = find_known(t->facts, kind, text), before = t->facts->nguards;
    int at =
        known >= 0 ? known : guard_add(t->facts, kind, located(t, ref)->object, NULL, false, text);
    guard_needed(t, at, at == before, ref->when);
    guard_computes(t, span.low);
    guard_computes(t, span.high);
}

void wrap_guards(const struct trace *t) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        for (int j = 0; located(t, ref)->object && j < located_address(t, ref)->nwraps; ++j)
            add_guard(t, ref, t->syms->items[located_address(t, ref)->wraps[j]]);
    }
}
