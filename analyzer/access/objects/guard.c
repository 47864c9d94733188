/* Guards: what the run checks of the data before the loop. */
#include "analyzer/access/internal.h"

#include <string.h>

static const struct int_table *known_guards(const struct loop_facts *facts) {
    return &((const struct facts_behind *)facts)->guards;
}

static uint64_t guard_key(enum guard_kind kind, const struct object *a, const struct object *b) {
    return table_pair(a ? a->id : -1, b ? b->id : -1) ^ (uint64_t)kind << 56;
}

static int guard_find(const struct loop_facts *facts, const struct guard *guard) {
    int at = table_get(known_guards(facts), guard_key(guard->kind, guard->a, guard->b));
    for (int i = at; i >= 0 && i < facts->nguards; ++i) {
        const struct guard *old = &facts->guards[i];
        bool pair = (old->a == guard->a && old->b == guard->b) ||
                    (old->a == guard->b && old->b == guard->a);
        if (old->kind == guard->kind && pair && strcmp(old->text, guard->text) == 0)
            return i;
    }
    return -1;
}

/* The same two objects were told apart before, in this order or the other. */
static bool guard_repeats(const struct loop_facts *facts, const struct guard *guard) {
    const struct int_table *guards = known_guards(facts);
    int same = table_get(guards, guard_key(guard->kind, guard->a, guard->b));
    int swapped = guard->b ? table_get(guards, guard_key(guard->kind, guard->b, guard->a)) : -1;
    return guard->kind == GUARD_NO_OVERLAP &&
           ((same >= 0 && facts->guards[same].assumed == guard->assumed) ||
            (swapped >= 0 && facts->guards[swapped].assumed == guard->assumed));
}

int guard_add(struct loop_facts *facts, enum guard_kind kind, struct object *a, struct object *b,
              bool assumed, const char *text) {
    struct int_table *guards = &((struct facts_behind *)facts)->guards;
    struct guard guard = {.kind = kind, .a = a, .b = b, .assumed = assumed, .text = text};
    int old = guard_find(facts, &guard);
    if (old >= 0)
        return old;
    guard.repeated = guard_repeats(facts, &guard);
    if (table_get(guards, guard_key(kind, a, b)) < 0)
        table_put(guards, guard_key(kind, a, b), facts->nguards);
    ARENA_PUSH(facts->unit->arena, facts->guards, facts->nguards, guard);
    return facts->nguards - 1;
}

void guard_needed(const struct trace *t, int at, bool is_new, const struct expr *when) {
    struct guard *guard = &t->facts->guards[at];
    if (is_new || facts_implies(guard->when, when)) {
        guard->when = when;
    } else if (!facts_implies(when, guard->when)) {
        struct expr *either =
            expr_binary(t->arena, OP_NONE, (struct expr *)guard->when, (struct expr *)when);
        either->kind = EXPR_OR;
        guard->when = either;
    }
}

void guard_computes(const struct trace *t, const struct poly *p) {
    struct facts_behind *behind = (struct facts_behind *)t->facts;
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            struct expr *e = t->syms->items[p->monomials[i].syms[j]]->expr;
            ARENA_PUSH(t->arena, behind->named, behind->nnamed, e);
        }
    }
}

/* `4*K - 4 >= 0` as a person would write it: K >= 1. */
const char *access_condition(const struct trace *t, const struct poly *p) {
    struct poly left = {0}, right = {0};
    left.monomials = arena_alloc(t->arena, (size_t)(p->nmonomials + 1) * sizeof *left.monomials);
    right.monomials = arena_alloc(t->arena, (size_t)(p->nmonomials + 1) * sizeof *right.monomials);
    long content = poly_content(p);
    for (int i = 0; i < p->nmonomials; ++i) {
        struct monomial m = p->monomials[i];
        m.coeff /= content > 0 ? content : 1;
        if (m.coeff > 0) {
            left.monomials[left.nmonomials++] = m;
        } else {
            m.coeff = -m.coeff;
            right.monomials[right.nmonomials++] = m;
        }
    }
    return expr_print(t->arena, expr_binary(t->arena, OP_GE, poly_expr(t->syms, &left, true),
                                            poly_expr(t->syms, &right, true)));
}
