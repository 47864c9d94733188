/* Going over the IR: every statement, every expression, what an lvalue names. */
#include "analyzer/ir_visit.h"

void expr_visit(struct expr *e, void (*visit)(void *data, struct expr *e), void *data) {
    if (!e)
        return;
    visit(data, e);
    for (int i = 0; i < e->nargs; ++i)
        expr_visit(e->args[i], visit, data);
}

bool expr_has_effect(const struct expr *e) {
    bool effect = e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT || e->kind == EXPR_CALL ||
                  e->kind == EXPR_UNKNOWN;
    for (int i = 0; i < e->nargs && !effect; ++i)
        effect = e->args[i] && expr_has_effect(e->args[i]);
    return effect;
}

void stmt_each(struct stmt *s, void (*visit)(void *data, struct stmt *s), void *data) {
    if (!s)
        return;
    visit(data, s);
    if (s->loop && s->kind == STMT_FOR) {
        stmt_each(s->loop->init, visit, data);
        stmt_each(s->loop->body, visit, data);
        return;
    }
    for (int i = 0; i < s->nbody; ++i)
        stmt_each(s->body[i], visit, data);
    stmt_each(s->then, visit, data);
    stmt_each(s->other, visit, data);
}

struct expr_visitor {
    void (*visit)(void *data, struct expr *e);
    void *data;
};

static void visit_own(void *data, struct stmt *s) {
    struct expr_visitor *v = data;
    expr_visit(s->expr, v->visit, v->data);
    for (int i = 0; i < s->nvars; ++i)
        expr_visit(s->vars[i]->init, v->visit, v->data);
    if (s->loop && s->kind == STMT_FOR) {
        expr_visit(s->loop->cond, v->visit, v->data);
        expr_visit(s->loop->next, v->visit, v->data);
    }
}

void stmt_visit(struct stmt *s, void (*visit)(void *data, struct expr *e), void *data) {
    struct expr_visitor visitor = {visit, data};
    stmt_each(s, visit_own, &visitor);
}

struct variable *lvalue_variable(const struct expr *e) {
    while (e->kind == EXPR_MEMBER || (e->kind == EXPR_SUBSCRIPT && e->args[0]->type &&
                                      e->args[0]->type->kind != TYPE_POINTER)) {
        e = e->args[0];
    }
    return e->kind == EXPR_VAR ? e->var : NULL;
}

bool is_bit_field(const struct expr *e) {
    return e->kind == EXPR_MEMBER && e->field && e->field->bit_width >= 0;
}

void setting_see(void *data, struct expr *e) {
    struct setting *a = data;
    a->found = a->found || ((e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) &&
                            lvalue_variable(e->args[0]) == a->var);
}

bool variable_is_steady(const struct loop *loop, const struct variable *var) {
    struct setting a = {.var = var};
    stmt_visit(loop->body, setting_see, &a);
    return !a.found && !var->address_taken &&
           (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM);
}

bool expr_names(const struct expr *e, const struct variable *var) {
    bool found = e && e->kind == EXPR_VAR && e->var == var;
    for (int i = 0; e && i < e->nargs && !found; ++i)
        found = expr_names(e->args[i], var);
    return found;
}
