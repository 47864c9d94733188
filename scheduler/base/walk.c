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

/* Calls are looked into so deep. */
enum { CALLS_MOST = 8 };

struct callee {
    const struct function *function;
    int depth;
};

static bool calls_it(const void *data, const struct expr *e) {
    const struct callee *callee = data;
    const struct callee deeper = {callee->function, callee->depth - 1};
    return e->kind == EXPR_CALL && e->function &&
           (e->function == callee->function ||
            (deeper.depth > 0 && e->function->body &&
             stmt_any_expr(e->function->body, calls_it, &deeper)));
}

bool emit_runs_loop(const struct loop *around, const struct loop *loop) {
    const struct callee callee = {loop->function, CALLS_MOST};
    return around != loop && (range_holds(&around->body->range, &loop->header) ||
                              stmt_any_expr(around->body, calls_it, &callee));
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
