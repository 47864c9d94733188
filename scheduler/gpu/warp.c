/* Bodies that all lanes of a warp run together: who writes memory, and what stands in the way. */
#include "scheduler/gpu/gpu.h"

/* The variable whose own bytes the lvalue is a part of; NULL: it is memory behind a pointer. */
static const struct variable *own_of(const struct expr *expr) {
    for (;;) {
        bool part =
            expr->kind == EXPR_MEMBER || (expr->kind == EXPR_SUBSCRIPT && expr->args[0]->type &&
                                          expr->args[0]->type->kind == TYPE_ARRAY);
        if (expr->kind == EXPR_VAR)
            return expr->var;
        if (!part)
            return NULL;
        expr = expr->args[0];
    }
}

/* Every lane has the variable. */
static bool is_register(const struct gpu_kernel *k, const struct variable *var) {
    const struct emit_reduction *reduction = emit_reduction_of(k->job, var);
    bool local = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    if (reduction)
        return !reduction->is_array;
    return local && (var->function != k->job->loop->function || !emit_is_outside(k->job, var) ||
                     emit_is_private(k->job, var) || var == k->job->loop->variable);
}

static bool is_memory(const struct gpu_kernel *k, const struct expr *lvalue) {
    const struct variable *var = own_of(lvalue);
    return !var || !is_register(k, var);
}

struct search {
    const struct gpu_kernel *k;
    int depth;
};

static bool is_change(const void *data, const struct expr *expr) {
    (void)data;
    return expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
}

/* It writes memory, in itself or in the function that it calls. */
static bool is_write(const void *data, const struct expr *expr) {
    enum { DEEP = 16 };
    const struct search *search = data, inside = {search->k, search->depth + 1};
    const struct function *f = expr->function;
    if (is_change(NULL, expr))
        return is_memory(search->k, expr->args[0]);
    return expr->kind == EXPR_CALL &&
           (!f || inside.depth > DEEP || stmt_any_expr(f->body, is_write, &inside));
}

bool gpu_writes(const struct gpu_kernel *k, const struct expr *expr) {
    const struct search search = {k, 0};
    return expr_any(expr, is_write, &search);
}

/* One write, to memory, and nothing else is changed by it. */
bool gpu_is_store(const struct gpu_kernel *k, const struct expr *expr) {
    bool alone = is_change(NULL, expr) && is_memory(k, expr->args[0]);
    for (int i = 0; i < expr->nargs && alone; ++i)
        alone = !expr_any(expr->args[i], is_change, NULL) && !gpu_writes(k, expr->args[i]);
    return alone;
}

/* ---- the body -------------------------------------------------------------------------------- */

static bool fits(const struct gpu_kernel *k, const struct stmt *stmt);

/* A variable whose address is taken may be written behind our back, by one lane only. */
static bool declaration_fits(const struct gpu_kernel *k, const struct stmt *stmt) {
    for (int i = 0; i < stmt->nvars; ++i)
        if (stmt->vars[i]->address_taken || gpu_writes(k, stmt->vars[i]->init))
            return false;
    return true;
}

static bool loop_fits(const struct gpu_kernel *k, const struct loop *loop) {
    if (gpu_lanes_of(k, loop))
        return true;
    return (!loop->init || fits(k, loop->init)) && !gpu_writes(k, loop->cond) &&
           !gpu_writes(k, loop->next) && fits(k, loop->body);
}

static bool fits(const struct gpu_kernel *k, const struct stmt *stmt) {
    switch (stmt->kind) {
    case STMT_EMPTY:
    case STMT_BREAK:
    case STMT_CONTINUE:
        return true;
    case STMT_EXPR:
        return !gpu_writes(k, stmt->expr) || gpu_is_store(k, stmt->expr);
    case STMT_DECL:
        return declaration_fits(k, stmt);
    case STMT_BLOCK:
        for (int i = 0; i < stmt->nbody; ++i)
            if (!fits(k, stmt->body[i]))
                return false;
        return true;
    case STMT_IF:
        return !gpu_writes(k, stmt->expr) && fits(k, stmt->then) &&
               (!stmt->other || fits(k, stmt->other));
    case STMT_FOR:
        return loop_fits(k, stmt->loop);
    case STMT_WHILE:
    case STMT_DO:
        return !gpu_writes(k, stmt->expr) && fits(k, stmt->then);
    default:
        return false;
    }
}

bool gpu_warp_fits(const struct gpu_kernel *k) {
    for (int i = 0; i < k->job->facts->nprivates; ++i)
        if (k->job->facts->privates[i].var->address_taken)
            return false;
    return fits(k, k->job->loop->body);
}

/* ---- loops inside that one lane can run alone ------------------------------------------------ */

struct alone {
    const struct gpu_kernel *k;
    const struct stmt *loop;
};

static bool is_shared(const void *data, const struct stmt *stmt) {
    const struct alone *alone = data;
    return stmt->kind == STMT_RETURN || stmt->kind == STMT_GOTO ||
           (stmt->kind == STMT_FOR && gpu_lanes_of(alone->k, stmt->loop));
}

static bool is_store(const void *data, const struct expr *expr) {
    const struct alone *alone = data;
    return is_change(NULL, expr) && is_memory(alone->k, expr->args[0]);
}

/* A variable changes that other lanes may need. */
static bool is_outer_change(const void *data, const struct expr *expr) {
    const struct alone *alone = data;
    return is_change(NULL, expr) && !is_memory(alone->k, expr->args[0]) &&
           !stmt_declares(alone->loop, own_of(expr->args[0]));
}

bool gpu_is_alone(const struct gpu_kernel *k, const struct stmt *loop) {
    const struct alone alone = {k, loop};
    return loop->loop->declares_variable && !stmt_any(loop, is_shared, &alone) &&
           !stmt_any_expr(loop, is_outer_change, &alone) && stmt_any_expr(loop, is_store, &alone);
}
