/* Going over the IR: every statement, every expression, what an lvalue names. */
#include "analyzer/ir_visit.h"

void expr_visit(struct expr *e, void (*visit)(void *data, struct expr *e), void *data) {
    if (!e)
        return;
    visit(data, e);
    for (int i = 0; i < e->nargs; ++i)
        expr_visit(e->args[i], visit, data);
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
    for (int i = 0; i < s->nvars; ++i) {
        for (const struct type *type = s->vars[i]->type; type; type = type->element)
            if (type->kind == TYPE_VLA)
                expr_visit((struct expr *)type->vla_count, v->visit, v->data);
        expr_visit(s->vars[i]->init, v->visit, v->data);
    }
    if (s->loop && s->kind == STMT_FOR) {
        expr_visit(s->loop->cond, v->visit, v->data);
        expr_visit(s->loop->next, v->visit, v->data);
    }
}

void stmt_visit(struct stmt *s, void (*visit)(void *data, struct expr *e), void *data) {
    struct expr_visitor visitor = {visit, data};
    stmt_each(s, visit_own, &visitor);
}

/* ---- questions ------------------------------------------------------------------------------- */

bool expr_any(const struct expr *e, expr_is *is, const void *data) {
    bool found = e && is(data, e);
    for (int i = 0; e && i < e->nargs && !found; ++i)
        found = expr_any(e->args[i], is, data);
    return found;
}

struct question {
    expr_is *expr;
    stmt_is *stmt;
    const void *data;
    bool holds;
};

static void ask_expr(void *data, struct expr *e) {
    struct question *q = data;
    q->holds = q->holds || q->expr(q->data, e);
}

static void ask_stmt(void *data, struct stmt *s) {
    struct question *q = data;
    q->holds = q->holds || q->stmt(q->data, s);
}

bool stmt_any_expr(const struct stmt *s, expr_is *is, const void *data) {
    struct question question = {.expr = is, .data = data};
    stmt_visit((struct stmt *)s, ask_expr, &question);
    return question.holds;
}

bool stmt_any(const struct stmt *s, stmt_is *is, const void *data) {
    struct question question = {.stmt = is, .data = data};
    stmt_each((struct stmt *)s, ask_stmt, &question);
    return question.holds;
}

static bool is_effect(const void *data, const struct expr *e) {
    (void)data;
    return e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT || e->kind == EXPR_CALL ||
           e->kind == EXPR_UNKNOWN;
}

bool expr_has_effect(const struct expr *e) {
    return expr_any(e, is_effect, NULL);
}

static bool is_setting(const void *var, const struct expr *e) {
    return (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) &&
           lvalue_variable(e->args[0]) == var;
}

bool expr_sets(const struct expr *e, const struct variable *var) {
    return expr_any(e, is_setting, var);
}

bool stmt_sets(const struct stmt *s, const struct variable *var) {
    return stmt_any_expr(s, is_setting, var);
}

static bool is_name(const void *var, const struct expr *e) {
    return e->kind == EXPR_VAR && e->var == var;
}

bool expr_names(const struct expr *e, const struct variable *var) {
    return expr_any(e, is_name, var);
}

bool stmt_names(const struct stmt *s, const struct variable *var) {
    return stmt_any_expr(s, is_name, var);
}

static bool is_declaration(const void *var, const struct stmt *s) {
    bool found = false;
    for (int i = 0; i < s->nvars; ++i)
        found = found || s->vars[i] == var;
    return found;
}

bool stmt_declares(const struct stmt *s, const struct variable *var) {
    return stmt_any(s, is_declaration, var);
}

/* ---- variables ------------------------------------------------------------------------------- */

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

bool variable_is_steady(const struct loop *loop, const struct variable *var) {
    return !stmt_sets(loop->body, var) && !var->address_taken &&
           (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM);
}
