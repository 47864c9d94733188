#include "scheduler/transform/plain.h"

#include "scheduler/transform/nest.h"

const struct variable *plain_root(const struct expr *e) {
    while (e->kind == EXPR_SUBSCRIPT && e->args[0]->type && e->args[0]->type->kind == TYPE_ARRAY)
        e = e->args[0];
    return e->kind == EXPR_VAR ? e->var : NULL;
}

bool plain_is_own(const struct variable *v) {
    const struct type *t = v->type;
    while (t->kind == TYPE_ARRAY && !t->is_volatile && !t->is_atomic)
        t = t->element;
    return type_is_number(t) && !t->is_volatile && !t->is_atomic && !v->is_alias;
}

static bool assigns(const struct expr *e, const struct variable *v) {
    bool found = (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) && e->nargs > 0 &&
                 plain_root(e->args[0]) == v;
    for (int i = 0; i < e->nargs; ++i)
        found = found || (e->args[i] && assigns(e->args[i], v));
    return found;
}

static bool sets(const struct stmt *stmt, const struct stmt *but, const struct variable *v) {
    bool found = stmt->expr && assigns(stmt->expr, v);
    if (stmt == but)
        return false;
    for (int i = 0; i < stmt->nvars; ++i)
        found = found || stmt->vars[i] == v;
    for (int i = 0; i < stmt->nbody; ++i)
        found = found || sets(stmt->body[i], but, v);
    return found || (stmt->then && sets(stmt->then, but, v)) ||
           (stmt->other && sets(stmt->other, but, v));
}

bool plain_stays(const struct loop *loop, const struct stmt *but, const struct variable *v) {
    return v != loop->variable && plain_is_own(v) && !sets(loop->body, but, v);
}

/* A number that is the same whenever it is computed. */
static bool is_bound(const struct loop *loop, const struct stmt *but, const struct expr *e) {
    bool args = e->kind == EXPR_INT || e->kind == EXPR_VAR || e->kind == EXPR_BINARY;
    if (!e->type || e->type->kind != TYPE_INT || !e->type->is_signed ||
        e->type->size > loop->variable->type->size ||
        (e->kind == EXPR_VAR && !plain_stays(loop, but, e->var)) ||
        (e->kind == EXPR_BINARY && e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL))
        return false;
    for (int i = 0; i < e->nargs; ++i)
        args = args && is_bound(loop, but, e->args[i]);
    return args;
}

bool plain_counts(const struct loop *loop, const struct stmt *but) {
    const struct type *type = loop->variable ? loop->variable->type : NULL;
    return type && nest_counts_plainly(loop) && loop->step == 1 && type->kind == TYPE_INT &&
           type->is_signed && type->size >= (long)sizeof(int) && loop->init && loop->cond &&
           loop->next && loop->upper && is_bound(loop, but, loop->lower) &&
           is_bound(loop, but, loop->upper);
}
