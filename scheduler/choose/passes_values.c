/* Variables that change between passes: do places depend on them, or values only? */
#include "scheduler/choose/passes_look.h"

static bool is_mention(const void *var, const struct expr *expr) {
    return expr->kind == EXPR_VAR && (expr->var == var || expr->var->entry_of == var);
}

static bool mentions(const struct expr *expr, const struct variable *var) {
    return expr_any(expr, is_mention, var);
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

static void vary(struct passes_look *look, const struct variable *var) {
    struct plan_passes *passes = look->passes;
    for (int i = 0; i < passes->nvaries; ++i)
        if (passes->varies[i] == var)
            return;
    if (is_captured(look, var) && !passes_is_folded(look->plan, var))
        ARENA_PUSH(plan_arena(look->plan), passes->varies, passes->nvaries, var);
}

/* It is no part of the marked loop. */
static bool is_between(const struct passes_look *look, const struct range *place) {
    const struct range *marked = &look->loop->stmt->range;
    return !marked->exact || !range_holds(marked, place);
}

static void see_setting(void *data, struct expr *e) {
    struct passes_look *look = data;
    bool sets = e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT;
    const struct variable *var = sets ? passes_root(e->args[0]) : NULL;
    if (var && is_between(look, &e->range))
        vary(look, var);
}

static void see_declaration(void *data, struct stmt *stmt) {
    struct passes_look *look = data;
    for (int i = 0; i < stmt->nvars && is_between(look, &stmt->range); ++i)
        vary(look, stmt->vars[i]);
}

/* The header gives it the same first value in every pass. */
static bool is_set_by_header(const struct passes_look *look, const struct variable *var) {
    return stmt_sets(look->loop->init, var) || stmt_declares(look->loop->init, var);
}

bool passes_values_fit(struct passes_look *look) {
    const struct loop_facts *facts = look->plan->analysis->facts;
    const struct variable *culprit = NULL;
    stmt_visit(look->passes->around->stmt, see_setting, look);
    stmt_each(look->passes->around->stmt, see_declaration, look);
    for (int i = 0; i < look->passes->nvaries; ++i)
        culprit = decides(look, look->passes->varies[i]) ? look->passes->varies[i] : culprit;
    if (culprit) {
        return passes_stands(
            look, look->loop->header,
            arena_printf(plan_arena(look->plan),
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
    return !culprit || passes_stands(look, look->loop->header,
                                     arena_printf(plan_arena(look->plan),
                                                  "`%s` goes on from pass to pass", culprit->name),
                                     NULL);
}
