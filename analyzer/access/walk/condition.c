/* The conditions that hold where the walk is, and those that the run has to check. */
#include "analyzer/access/access.h"

void walk_push_condition(struct walk *w, const struct value *value, bool sense) {
    if (value->sides[0] && sense == (value->joined == EXPR_AND)) {
        walk_push_condition(w, value->sides[0], sense);
        walk_push_condition(w, value->sides[1], sense);
        return;
    }
    struct condition condition = {.value = value, .sense = sense, .depth = w->nactive};
    ARENA_PUSH(w->arena, w->conditions, w->nconditions, condition);
}

struct expr *walk_condition_expr(const struct trace *t, const struct condition *c) {
    if (c->sense)
        return c->value->pure;
    struct expr *not = expr_new(t->arena, EXPR_UNARY, c->value->pure->type, c->value->pure->range);
    not->op = OP_NOT;
    not->nargs = 1;
    not->args[0] = c->value->pure;
    return not;
}

const struct value *walk_conjunction(const struct trace *t, int n,
                                     const struct condition *conditions) {
    struct value *all = value_new(t, VALUE_OTHER);
    if (n == 1 && conditions[0].sense)
        return conditions[0].value;
    for (int i = 0; i < n; ++i) {
        value_inherit(t, all, conditions[i].value);
        if (!conditions[i].value->pure) {
            all->pure = NULL;
            return all;
        }
        struct expr *one = walk_condition_expr(t, &conditions[i]);
        if (!all->pure) {
            all->pure = one;
            continue;
        }
        struct expr *both = expr_binary(t->arena, OP_NONE, all->pure, one);
        both->kind = EXPR_AND;
        all->pure = both;
    }
    return all;
}

/* Invariant conditions that hold where the walk is, up to the first that is another. */
static const struct expr *where_it_is(struct walk *w) {
    int n = 0;
    while (n < w->nconditions && w->conditions[n].value->pure && w->conditions[n].value->level < 0)
        ++n;
    return n > 0 ? walk_conjunction(&w->trace, n, w->conditions)->pure : NULL;
}

void walk_demand(struct walk *w, struct expr *condition) {
    const struct expr *when = condition ? where_it_is(w) : NULL;
    if (!condition)
        return;
    for (int i = 0; i < w->trace.ndemands; ++i) {
        if (expr_equal(w->trace.demands[i].condition, condition) &&
            facts_implies(when, w->trace.demands[i].when)) {
            return;
        }
    }
    ARENA_PUSH(w->arena, w->trace.demands, w->trace.ndemands, ((struct demand){condition, when}));
}
