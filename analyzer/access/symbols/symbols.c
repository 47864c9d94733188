/* Symbols and affine subscripts of the facts, out of symbols and polynomials. */
#include "analyzer/access/fault/fault.h"
#include "analyzer/access/internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_unconditional(const struct ref *ref) {
    return !ref->sometimes && !ref->when;
}

/* Can this load be evaluated in every iteration, since the body does it anyway? */
static bool load_is_safe(const struct trace *t, const struct ref *load) {
    if (is_unconditional(load))
        return true;
    for (int i = 0; i < t->nrefs; ++i) {
        if (is_unconditional(&t->refs[i]) && !t->refs[i].header && t->refs[i].nloops == 0 &&
            touch_is_within(t, load, &t->refs[i])) {
            return true;
        }
    }
    return sure_in_same_rounds(t, load);
}

bool access_sym_is_safe(const struct trace *t, const struct sym *sym) {
    for (int i = 0; i < sym->ndeps; ++i)
        if (expr_may_trap(t, sym->expr) || !load_is_safe(t, &t->refs[sym->deps[i]]))
            return false;
    return true;
}

struct sym_facts *sym_facts(const struct trace *t, const struct sym *sym) {
    struct facts_behind *behind = (struct facts_behind *)t->facts;
    while (behind->nsyms <= sym->id)
        ARENA_PUSH(t->arena, behind->syms, behind->nsyms, (struct sym_facts){0});
    return &behind->syms[sym->id];
}

struct symbol *access_symbol_of(const struct trace *t, const struct sym *sym) {
    return sym_facts(t, sym)->symbol;
}

struct symbol *access_symbol(const struct trace *t, const struct sym *sym, enum symbol_kind kind) {
    struct loop_facts *facts = t->facts;
    if (access_symbol_of(t, sym))
        return access_symbol_of(t, sym);
    struct symbol *symbol = arena_alloc(t->arena, sizeof *symbol);
    symbol->kind = kind;
    symbol->loop = sym->loop;
    symbol->expr = kind == SYMBOL_LOOP || kind == SYMBOL_DERIVED ? NULL : sym->expr;
    symbol->name =
        sym->kind == SYMBOL_LOOP ? sym->loop->variable->name : expr_words(t->arena, sym->expr);
    symbol->inner = sym->kind == SYMBOL_KEY && sym->on_inner;
    if (kind == SYMBOL_PARAM ||
        (kind == SYMBOL_KEY && !(sym->impure_guard && access_sym_is_safe(t, sym)))) {
        symbol->nguards = sym->nguards;
        symbol->guards = sym->guards;
        symbol->sense = sym->sense;
    }
    symbol->id = facts->nsymbols;
    ARENA_PUSH(t->arena, facts->symbols, facts->nsymbols, symbol);
    sym_facts(t, sym)->symbol = symbol;
    return symbol;
}

static struct symbol *symbol_of(const struct trace *t, const struct sym *sym) {
    return access_symbol(t, sym, sym->kind);
}

static bool is_plain_key(const struct sym *sym) {
    return sym->kind == SYMBOL_KEY;
}

/* Does it change while an iteration runs: is a loop inside counted in it? */
static bool is_moving(const struct trace *t, const struct monomial *m) {
    for (int j = 0; j < m->nsyms; ++j) {
        const struct sym *sym = t->syms->items[m->syms[j]];
        if (sym->kind == SYMBOL_LOOP && sym->loop != t->loop)
            return true;
    }
    return false;
}

/* What of p stands still while an iteration runs, without the constant. */
static const struct poly *standing_part(const struct trace *t, const struct poly *p) {
    struct poly *part = arena_alloc(t->arena, sizeof *part);
    for (int i = 0; i < p->nmonomials; ++i)
        if (p->monomials[i].nsyms > 0 && !is_moving(t, &p->monomials[i]))
            ARENA_PUSH(t->arena, part->monomials, part->nmonomials, p->monomials[i]);
    return part;
}

static int count_keys(const struct trace *t, const struct poly *p, int *level) {
    const struct sym *first = NULL;
    int nkeys = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            if (is_plain_key(sym) && sym != first) {
                ++nkeys;
                first = first ? first : sym;
            }
            *level = sym->scope > *level ? sym->scope : *level;
        }
    }
    return nkeys;
}

static void sources_add(const struct trace *t, struct sym *key, const struct sym *from,
                        int guards) {
    for (int d = 0; d < from->ndeps; ++d)
        ARENA_PUSH(t->arena, key->deps, key->ndeps, from->deps[d]);
    for (int g = 0; g < from->nguards; ++g) {
        ARENA_PUSH(t->arena, key->guards, guards, from->guards[g]);
        ARENA_PUSH(t->arena, key->sense, key->nguards, from->sense[g]);
    }
}

/* The key is made of what this symbol is made of, too. Others may have the arrays that it has
 * now. */
static void key_join(const struct trace *t, struct sym *key, const struct sym *sym) {
    const struct sym before = *key;
    bool some = sym->kind == SYMBOL_KEY && sym->impure_guard;
    key->ndeps = key->nguards = 0;
    sources_add(t, key, &before, 0);
    sources_add(t, key, sym, key->nguards);
    key->impure_guard = key->impure_guard || some;
}

/* Two keys in one subscript are one key: their sum, with whatever else stands still. */
static const struct poly *collapse_keys(const struct trace *t, const struct poly *p) {
    int level = -1, before = t->syms->count;
    const struct poly *rest = standing_part(t, p);
    if (count_keys(t, rest, &level) < 2)
        return p;
    struct sym *whole = sym_of(t->syms, SYMBOL_KEY, poly_expr(t->syms, rest, true), level);
    for (int i = 0; whole->id == before && i < rest->nmonomials; ++i) {
        for (int j = 0; j < rest->monomials[i].nsyms; ++j)
            key_join(t, whole, t->syms->items[rest->monomials[i].syms[j]]);
        whole->guarded = true;
    }
    return poly_add(t->arena, poly_sym(t->arena, whole), poly_subtract(t->arena, p, rest));
}

struct symbol *access_product(const struct trace *t, const struct monomial *m) {
    for (int i = 0; i < m->nsyms; ++i)
        if (t->syms->items[m->syms[i]]->kind != SYMBOL_PARAM)
            return NULL;
    struct monomial unit = *m;
    unit.coeff = 1;
    struct poly p = {.nmonomials = 1, .monomials = &unit};
    int before = t->syms->count;
    struct sym *whole = sym_of(t->syms, SYMBOL_PARAM, poly_expr(t->syms, &p, true), -1);
    for (int i = 0; whole->id == before && i < m->nsyms; ++i)
        key_join(t, whole, t->syms->items[m->syms[i]]);
    return symbol_of(t, whole);
}

void access_add_term(const struct trace *t, struct affine *a, struct symbol *symbol, long coeff) {
    int at = 0;
    while (at < a->nterms && a->terms[at].symbol->id < symbol->id)
        ++at;
    ARENA_PUSH(t->arena, a->terms, a->nterms, ((struct term){0}));
    memmove(&a->terms[at + 1], &a->terms[at], (size_t)(a->nterms - 1 - at) * sizeof *a->terms);
    a->terms[at] = (struct term){symbol, coeff};
}

/* It is read in a loop inside that a statement of its body may leave. */
static bool is_in_left_loop(const struct trace *t, const struct sym *sym) {
    for (int i = 0; i < sym->ndeps; ++i) {
        const struct ref *ref = &t->refs[sym->deps[i]];
        for (int l = 0; l < ref->nloops; ++l)
            if (stmt_may_leave(t->inner[ref->loops[l]].loop->body))
                return true;
    }
    return false;
}

static const char *why_untold(const struct trace *t, const struct sym *sym) {
    const char *name = expr_words(t->arena, sym->expr);
    if (is_in_left_loop(t, sym))
        return interp_why(t, WHY_LEFT,
                          arena_printf(t->arena,
                                       "`%s` is read in a loop inside that may be left early: "
                                       "how many rounds it makes is not known before the iteration",
                                       name));
    return interp_why(t, WHY_CONDITION,
                      arena_printf(t->arena,
                                   "`%s` is read under a condition that is not known before the "
                                   "iteration: read it into a variable in front of the condition",
                                   name));
}

struct affine access_affine(const struct trace *t, const struct poly *p, bool *known,
                            const char **why) {
    struct affine a = {0};
    *known = p != NULL;
    if (!p)
        return a;
    p = collapse_keys(t, p);
    for (int i = 0; i < p->nmonomials; ++i) {
        const struct monomial *m = &p->monomials[i];
        if (m->nsyms == 0) {
            a.constant = m->coeff;
            continue;
        }
        const struct sym *sym = t->syms->items[m->syms[0]];
        if (m->nsyms == 1 && sym->kind == SYMBOL_KEY && sym->impure_guard &&
            !access_sym_is_safe(t, sym)) {
            *known = false;
            *why = why_untold(t, sym);
            return a;
        }
        struct symbol *symbol = m->nsyms == 1 ? symbol_of(t, sym) : access_product(t, m);
        if (!symbol) {
            *known = false;
            *why = "it is a product of values that vary";
            return a;
        }
        access_add_term(t, &a, symbol, m->coeff);
    }
    return a;
}

void access_symbols(const struct trace *t) {
    struct loop_facts *facts = t->facts;
    const char *why;
    for (int i = 0; i < t->ninner; ++i) {
        const struct interp_inner *from = &t->inner[i];
        struct inner_loop to = {
            .loop = from->loop, .step = from->step, .by_number = from->by_number};
        bool up = from->step > 0;
        to.symbol = symbol_of(t, from->sym);
        to.lower = access_affine(t, up ? from->lower : from->upper, &to.has_lower, &why);
        to.upper = access_affine(t, up ? from->upper : from->lower, &to.has_upper, &why);
        ARENA_PUSH(t->arena, facts->inner, facts->ninner, to);
    }
    facts->index = facts->ninner > 0 ? facts->inner[0].symbol : NULL;
}

/* ---- when rows are touched ------------------------------------------------------------------- */

enum { MAX_PATHS = 8 };

/* The paths on which some row is reached through a key; `always`: one of them has no condition. */
struct key_paths {
    bool always;
    int count;
    struct expr *guards[MAX_PATHS];
};

static void path_add(struct key_paths *paths, struct expr *guard) {
    for (int i = 0; guard && i < paths->count; ++i)
        if (expr_equal(paths->guards[i], guard))
            return;
    paths->always = paths->always || !guard || paths->count == MAX_PATHS;
    if (!paths->always)
        paths->guards[paths->count++] = guard;
}

static bool ref_names(const struct located *place, const struct symbol *key) {
    for (int d = 0; d < place->nsubs; ++d) {
        const struct affine *value = &place->subs[d].value;
        for (int i = 0; place->subs[d].known && i < value->nterms; ++i)
            if (value->terms[i].symbol == key)
                return true;
    }
    return false;
}

static struct expr *either(const struct trace *t, const struct key_paths *paths) {
    struct expr *any = paths->always || paths->count == 0 ? NULL : paths->guards[0];
    for (int i = 1; any && i < paths->count; ++i) {
        any = expr_binary(t->arena, OP_NONE, any, paths->guards[i]);
        any->kind = EXPR_OR;
    }
    return any;
}

/* requires: subscripts. An iteration that reaches no row through a key needs no key. */
void access_row_guards(const struct trace *t) {
    for (int k = 0; k < t->facts->nsymbols; ++k) {
        struct symbol *key = t->facts->symbols[k];
        struct key_paths paths = {0};
        for (int i = 0; key->kind == SYMBOL_KEY && !key->inner && i < t->nrefs; ++i)
            if (located(t, &t->refs[i])->object && ref_names(located(t, &t->refs[i]), key))
                path_add(&paths, t->refs[i].row_guard);
        key->row_guard = either(t, &paths);
    }
}
