/*
 * Wavefronts over distances that only the data tells: `K[i - 1][w - wt[i]]` stands at a position
 * before its own where wt[i] is not negative. That becomes a guard, and a fact of the loop.
 */
#include "scheduler/strategy/wavefront/wave.h"

struct signs {
    struct loop_facts *facts;
    const struct object **of; /* by symbol: what it is a distance in; NULL: it may be negative */
    bool agree;
};

static bool is_key(const struct symbol *symbol) {
    return symbol->kind == SYMBOL_KEY && !symbol->inner && symbol->expr &&
           symbol->expr->type->kind == TYPE_INT && symbol->expr->type->is_signed;
}

/* The way in which a subscript moves as the loops inside go on; 0: it does not. */
static int way_of(const struct signs *signs, const struct access *access,
                  const struct affine *value) {
    for (int l = 0; l < access->nloops; ++l) {
        const struct inner_loop *loop = &signs->facts->inner[access->loops[l]];
        for (int t = 0; access->loops[l] != 0 && t < value->nterms; ++t)
            if (value->terms[t].symbol == loop->symbol && loop->step)
                return (value->terms[t].coeff > 0) == (loop->step > 0) ? 1 : -1;
    }
    return 0;
}

/* What lies behind in the direction of the loops inside is what a read may need. Distances are not
 * expected to be negative, so one that would have to be never is. */
static void want(struct signs *signs, const struct access *access, const struct affine *value) {
    int way = way_of(signs, access, value);
    for (int t = 0; way && t < value->nterms; ++t) {
        const struct symbol *symbol = value->terms[t].symbol;
        if (is_key(symbol)) {
            signs->agree = signs->agree && (value->terms[t].coeff > 0) != (way > 0);
            signs->of[symbol->id] = access->object;
        }
    }
}

/* ---- as a fact and as a guard ---------------------------------------------------------------- */

static const struct domain *not_negative(struct loop_facts *facts, struct symbol *symbol) {
    struct arena *arena = facts->unit->arena;
    struct domain *domain = arena_alloc(arena, sizeof *domain);
    struct domain_row row = {0};
    struct domain_clause clause = {0};
    struct term term = {symbol, 1};
    *domain = (struct domain){.id = facts->ndomains};
    for (int i = 0; symbol->domain && i < symbol->domain->nclauses; ++i)
        ARENA_PUSH(arena, domain->clauses, domain->nclauses, symbol->domain->clauses[i]);
    ARENA_PUSH(arena, row.value.terms, row.value.nterms, term);
    ARENA_PUSH(arena, clause.rows, clause.nrows, row);
    ARENA_PUSH(arena, domain->clauses, domain->nclauses, clause);
    ARENA_PUSH(arena, facts->domains, facts->ndomains, domain);
    return domain;
}

/* Only where the iteration reads the key. */
static const char *condition(struct arena *arena, const struct symbol *symbol) {
    const struct expr *e = symbol->expr;
    bool bare = e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_MEMBER || e->kind == EXPR_VAR;
    const char *text = "";
    for (int i = 0; i < symbol->nguards; ++i) {
        text = arena_printf(arena, "%s%s(%s) || ", text, symbol->sense[i] ? "!" : "",
                            expr_print(arena, symbol->guards[i]));
    }
    return arena_printf(arena, bare ? "%s%s >= 0" : "%s(%s) >= 0", text, expr_print(arena, e));
}

static void tell(struct signs *signs, struct symbol *symbol) {
    struct loop_facts *facts = signs->facts;
    struct guard guard = {.kind = GUARD_KEY_RANGE,
                          .a = (struct object *)signs->of[symbol->id],
                          .text = condition(facts->unit->arena, symbol)};
    symbol->domain = not_negative(facts, symbol);
    ARENA_PUSH(facts->unit->arena, facts->guards, facts->nguards, guard);
}

/* True: there are some, and none would have to be negative. */
static bool find(struct signs *signs, struct loop_facts *facts) {
    size_t count = (size_t)facts->nsymbols + 1;
    bool any = false;
    *signs = (struct signs){.facts = facts, .agree = true};
    signs->of = arena_alloc(facts->unit->arena, count * sizeof *signs->of);
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        for (int d = 0; !a->write && a->object->written && d < a->nsubs; ++d)
            if (a->subs[d].known)
                want(signs, a, &a->subs[d].value);
    }
    for (int i = 0; i < facts->nsymbols; ++i)
        any = any || signs->of[i];
    return any && signs->agree;
}

struct loop_facts *wave_signs(const struct loop_facts *facts) {
    struct signs signs;
    if (!find(&signs, (struct loop_facts *)facts))
        return NULL;
    struct loop_facts *fresh = facts_collect(facts->unit, facts->loop);
    fresh->no_copies = true;
    if (!find(&signs, fresh))
        return NULL;
    for (int i = 0; i < fresh->nsymbols; ++i)
        if (signs.of[i])
            tell(&signs, fresh->symbols[i]);
    return fresh;
}
