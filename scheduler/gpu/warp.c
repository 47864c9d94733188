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
    int writes, depth;
};

static void visit_write(void *data, struct expr *expr, struct expr *parent);

/* A function that writes memory, in itself or in what it calls. */
static void visit_call(struct search *search, const struct function *f) {
    enum { DEEP = 16 };
    if (!f || ++search->depth > DEEP) {
        ++search->writes;
        return;
    }
    if (f->body)
        emit_walk_stmt(f->body, visit_write, search);
    --search->depth;
}

static void visit_write(void *data, struct expr *expr, struct expr *parent) {
    struct search *search = data;
    (void)parent;
    if ((expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT) &&
        is_memory(search->k, expr->args[0]))
        ++search->writes;
    if (expr->kind == EXPR_CALL)
        visit_call(search, expr->function);
}

bool gpu_writes(const struct gpu_kernel *k, const struct expr *expr) {
    struct search search = {k, 0, 0};
    if (expr)
        emit_walk_expr((struct expr *)expr, NULL, visit_write, &search);
    return search.writes > 0;
}

static void visit_any(void *data, struct expr *expr, struct expr *parent) {
    int *count = data;
    (void)parent;
    *count += expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
}

/* One write, to memory, and nothing else is changed by it. */
bool gpu_is_store(const struct gpu_kernel *k, const struct expr *expr) {
    int changes = 0;
    if ((expr->kind != EXPR_ASSIGN && expr->kind != EXPR_INCREMENT) || !is_memory(k, expr->args[0]))
        return false;
    emit_walk_expr((struct expr *)expr, NULL, visit_any, &changes);
    struct search search = {k, 0, 0};
    emit_walk_expr((struct expr *)expr, NULL, visit_write, &search);
    return changes == 1 && search.writes == 1;
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

/* `declared`: inside of the loop. `alone`: nothing that other lanes need is changed. */
struct alone {
    const struct gpu_kernel *k;
    int ndeclared;
    const struct variable **declared;
    int stores;
    bool alone;
};

static void see_declared(void *data, struct stmt *stmt) {
    struct alone *alone = data;
    for (int i = 0; stmt->kind == STMT_DECL && i < stmt->nvars; ++i)
        ARENA_PUSH(alone->k->arena, alone->declared, alone->ndeclared,
                   (const struct variable *)stmt->vars[i]);
    alone->alone &= stmt->kind != STMT_RETURN && stmt->kind != STMT_GOTO;
    if (stmt->kind == STMT_FOR && gpu_lanes_of(alone->k, stmt->loop))
        alone->alone = false;
}

static void see_change(void *data, struct expr *expr, struct expr *parent) {
    struct alone *alone = data;
    (void)parent;
    if (expr->kind != EXPR_ASSIGN && expr->kind != EXPR_INCREMENT)
        return;
    if (is_memory(alone->k, expr->args[0])) {
        ++alone->stores;
        return;
    }
    const struct variable *var = own_of(expr->args[0]);
    bool inside = false;
    for (int i = 0; i < alone->ndeclared; ++i)
        inside |= alone->declared[i] == var;
    alone->alone &= inside;
}

bool gpu_is_alone(const struct gpu_kernel *k, const struct stmt *loop) {
    struct alone alone = {.k = k, .alone = loop->loop->declares_variable};
    emit_walk_stmts((struct stmt *)loop, see_declared, &alone);
    emit_walk_stmt((struct stmt *)loop, see_change, &alone);
    return alone.alone && alone.stores > 0;
}
