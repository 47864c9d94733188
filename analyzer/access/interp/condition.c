/* The conditions that hold where the interpretation is, and those that the run has to check. */
#include "analyzer/access/interp/interp.h"

void interp_push_condition(struct interp *w, const struct value *value, bool sense) {
    if (value->sides[0] && sense == (value->joined == EXPR_AND)) {
        interp_push_condition(w, value->sides[0], sense);
        interp_push_condition(w, value->sides[1], sense);
        return;
    }
    struct condition condition = {.value = value, .sense = sense, .depth = w->nactive};
    ARENA_PUSH(w->trace.arena, w->conditions, w->nconditions, condition);
}

/* a != b for a == b; NULL: it is no comparison of integers. */
static struct expr *opposite(struct interp *w, const struct expr *e) {
    static const enum op opposites[] = {[OP_LT] = OP_GE, [OP_GE] = OP_LT, [OP_GT] = OP_LE,
                                        [OP_LE] = OP_GT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};
    bool comparison = e->kind == EXPR_BINARY && e->op >= OP_LT && e->op <= OP_NE;
    bool exact = comparison && e->args[0]->type && e->args[0]->type->kind == TYPE_INT &&
                 e->args[1]->type && e->args[1]->type->kind == TYPE_INT;
    return exact ? expr_binary(w->trace.arena, opposites[e->op], e->args[0], e->args[1]) : NULL;
}

struct expr *interp_condition_expr(const struct trace *t, const struct condition *c) {
    if (c->sense)
        return c->value->pure;
    struct expr *not = expr_new(t->arena, EXPR_UNARY, c->value->pure->type, c->value->pure->range);
    not->op = OP_NOT;
    not->nargs = 1;
    not->args[0] = c->value->pure;
    return not;
}

const struct value *interp_conjunction(const struct trace *t, int n,
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
        struct expr *one = interp_condition_expr(t, &conditions[i]);
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

/* How many of the conditions that hold where the interpretation is are invariant, up to the first
 * that is not. */
static int invariant_conditions(const struct interp *w) {
    int n = 0;
    while (n < w->nconditions && w->conditions[n].value->pure && w->conditions[n].value->level < 0)
        ++n;
    return n;
}

static const struct expr *first_conditions(struct interp *w, int n) {
    return n > 0 ? interp_conjunction(&w->trace, n, w->conditions)->pure : NULL;
}

static void demand_where(struct interp *w, struct demand demand) {
    for (int i = 0; i < w->trace.ndemands; ++i) {
        const struct demand *old = &w->trace.demands[i];
        if (expr_equal(old->condition, demand.condition) && facts_implies(demand.when, old->when) &&
            !old->serial == !demand.serial) {
            return;
        }
    }
    TRACE_PUSH(w->trace.arena, w->trace.demands, w->trace.ndemands, demand);
}

void interp_demand(struct interp *w, struct expr *condition) {
    if (!condition)
        return;
    const struct expr *when = first_conditions(w, invariant_conditions(w));
    demand_where(w, (struct demand){condition, when, NULL});
}

bool interp_demand_elsewhere(struct interp *w) {
    int last = invariant_conditions(w) - 1;
    while (last >= 0 && w->conditions[last].trip)
        --last;
    if (last < 0)
        return false;
    struct condition other = w->conditions[last];
    struct expr *comparison = other.sense ? opposite(w, other.value->pure) : NULL;
    const struct expr *serial = interp_condition_expr(&w->trace, &other);
    other.sense = !other.sense;
    struct expr *never = comparison ? comparison : interp_condition_expr(&w->trace, &other);
    demand_where(w, (struct demand){never, first_conditions(w, last), serial});
    w->dead = true;
    return true;
}
