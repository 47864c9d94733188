/* Variables that change between passes: do places depend on them, or values only? */
#include "scheduler/choose/passes_look.h"

static struct arena *arena_of(const struct passes_look *look) {
    return look->plan->analysis->facts->unit->arena;
}

static bool mentions(const struct expr *expr, const struct variable *var) {
    if (!expr)
        return false;
    if (expr->kind == EXPR_VAR && (expr->var == var || expr->var->entry_of == var))
        return true;
    for (int i = 0; i < expr->nargs; ++i)
        if (mentions(expr->args[i], var))
            return true;
    return false;
}

static bool symbol_mentions(const struct symbol *symbol, const struct variable *var) {
    bool found = mentions(symbol->expr, var) || mentions(symbol->row_guard, var);
    for (int g = 0; g < symbol->nguards; ++g)
        found = found || mentions(symbol->guards[g], var);
    return found;
}

static bool intervals_mention(const struct intervals *intervals, const struct variable *var) {
    bool found = false;
    for (int i = 0; intervals && i < intervals->count; ++i) {
        const struct interval *interval = &intervals->items[i];
        found = found || mentions(interval->when, var) || mentions(interval->low, var) ||
                mentions(interval->high, var);
        for (int k = 0; k < interval->nloops; ++k) {
            found = found || mentions(interval->loops[k].when, var) ||
                    mentions(interval->loops[k].low, var) || mentions(interval->loops[k].high, var);
        }
    }
    return found;
}

/* The places that the loop touches, its range, or what is checked about them depend on it. */
static bool decides(const struct passes_look *look, const struct variable *var) {
    const struct loop_facts *facts = look->plan->analysis->facts;
    bool found = mentions(look->loop->lower, var) || mentions(look->loop->upper, var) ||
                 mentions(look->loop->stride, var) || inductions_has(facts, var);
    for (int i = 0; i < facts->nsymbols; ++i)
        found = found || symbol_mentions(facts->symbols[i], var);
    for (int i = 0; i < facts->nobjects; ++i) {
        const struct object *object = facts->objects[i];
        found = found || mentions(object->base, var) || mentions(object->extent, var) ||
                mentions(object->when, var) || intervals_mention(object->intervals, var);
    }
    for (int i = 0; i < facts->nguards; ++i) {
        found = found || mentions(facts->guards[i].when, var) ||
                intervals_mention(facts->guards[i].intervals, var);
    }
    return found;
}

static bool is_captured(const struct passes_look *look, const struct variable *var) {
    const struct loop_facts *facts = look->plan->analysis->facts;
    for (int i = 0; i < facts->ncaptures; ++i)
        if (facts->captures[i].var == var)
            return true;
    return false;
}

static void vary(void *data, const struct variable *var) {
    struct passes_look *look = data;
    struct plan_passes *passes = look->passes;
    for (int i = 0; i < passes->nvaries; ++i)
        if (passes->varies[i] == var)
            return;
    if (is_captured(look, var) && !passes_is_folded(look->plan, var))
        ARENA_PUSH(arena_of(look), passes->varies, passes->nvaries, var);
}

struct assigned {
    const struct variable *wanted;
    bool found;
};

static void match(void *data, const struct variable *var) {
    struct assigned *assigned = data;
    assigned->found = assigned->found || var == assigned->wanted;
}

/* The header gives it the same first value in every pass. */
static bool is_set_by_header(const struct passes_look *look, const struct variable *var) {
    struct assigned assigned = {var, false};
    passes_assigned(look->loop->init, NULL, match, &assigned);
    return assigned.found;
}

bool passes_values_fit(struct passes_look *look) {
    const struct loop_facts *facts = look->plan->analysis->facts;
    const struct variable *culprit = NULL;
    passes_assigned(look->passes->around->stmt, look->loop->stmt, vary, look);
    for (int i = 0; i < look->passes->nvaries; ++i)
        culprit = decides(look, look->passes->varies[i]) ? look->passes->varies[i] : culprit;
    if (culprit) {
        return passes_stands(
            look, look->loop->header,
            arena_printf(arena_of(look),
                         "what the loop touches depends on `%s`, which changes between "
                         "passes",
                         culprit->name),
            NULL);
    }
    if (!is_set_by_header(look, look->loop->variable))
        culprit = look->loop->variable;
    for (int i = 0; i < facts->ninductions; ++i) {
        const struct variable *var = facts->inductions[i].var;
        culprit = is_set_by_header(look, var) ? culprit : var;
    }
    return !culprit ||
           passes_stands(
               look, look->loop->header,
               arena_printf(arena_of(look), "`%s` goes on from pass to pass", culprit->name), NULL);
}
