/* Walks over a loop's body. */
#include "scheduler/base/walk.h"

void emit_walk_expr(struct expr *expr, struct expr *parent, emit_visit *visit, void *data) {
    if (!expr)
        return;
    visit(data, expr, parent);
    for (int i = 0; i < expr->nargs; ++i)
        emit_walk_expr(expr->args[i], expr, visit, data);
}

void emit_walk_stmts(struct stmt *stmt, emit_visit_stmt *visit, void *data) {
    stmt_each(stmt, visit, data);
}

struct expr_walk {
    emit_visit *visit;
    void *data;
};

static void walk_type(const struct type *type, const struct expr_walk *walk) {
    for (; type; type = type->element)
        if (type->kind == TYPE_VLA && type->vla_count)
            emit_walk_expr((struct expr *)type->vla_count, NULL, walk->visit, walk->data);
}

static void visit_stmt_exprs(void *data, struct stmt *stmt) {
    const struct expr_walk *walk = data;
    emit_walk_expr(stmt->expr, NULL, walk->visit, walk->data);
    for (int i = 0; i < stmt->nvars; ++i) {
        walk_type(stmt->vars[i]->type, walk);
        emit_walk_expr(stmt->vars[i]->init, NULL, walk->visit, walk->data);
    }
    if (stmt->kind == STMT_FOR && stmt->loop) {
        emit_walk_expr(stmt->loop->cond, NULL, walk->visit, walk->data);
        emit_walk_expr(stmt->loop->next, NULL, walk->visit, walk->data);
    }
}

void emit_walk_stmt(struct stmt *stmt, emit_visit *visit, void *data) {
    struct expr_walk walk = {visit, data};
    emit_walk_stmts(stmt, visit_stmt_exprs, &walk);
}

struct called_walk {
    int most, count;
    struct function **functions;
};

static void visit_call(void *data, struct expr *expr, struct expr *parent) {
    struct called_walk *walk = data;
    (void)parent;
    if (expr->kind != EXPR_CALL || !expr->function || !expr->function->body || walk->count < 0)
        return;
    for (int i = 0; i < walk->count; ++i)
        if (walk->functions[i] == expr->function)
            return;
    if (walk->count < walk->most)
        walk->functions[walk->count++] = expr->function;
    else
        walk->count = -1;
}

int emit_walk_called(const struct loop *loop, int most, struct function **functions) {
    struct called_walk walk = {most, 0, functions};
    emit_walk_stmt(loop->body, visit_call, &walk);
    for (int i = 0; i < walk.count; ++i)
        emit_walk_stmt(functions[i]->body, visit_call, &walk);
    return walk.count;
}

enum { CALLED_MOST = 64 };

bool emit_runs_loop(const struct loop *around, const struct loop *loop) {
    struct function *functions[CALLED_MOST];
    if (around == loop || range_holds(&around->body->range, &loop->header))
        return around != loop;
    int count = emit_walk_called(around, CALLED_MOST, functions);
    for (int i = 0; i < count; ++i)
        if (functions[i] == loop->function)
            return true;
    return count < 0;
}

const struct variable *emit_root(const struct expr *expr) {
    while (expr && expr->kind != EXPR_VAR) {
        bool chain = expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_MEMBER ||
                     expr->kind == EXPR_DEREF || expr->kind == EXPR_ADDRESS ||
                     expr->kind == EXPR_CAST;
        if (!chain && !(expr->kind == EXPR_BINARY && expr->type->kind == TYPE_POINTER))
            return NULL;
        const struct expr *next = expr->nargs ? expr->args[0] : NULL;
        if (expr->kind == EXPR_BINARY && expr->args[1]->type->kind == TYPE_POINTER)
            next = expr->args[1];
        expr = next;
    }
    return expr ? expr->var : NULL;
}
