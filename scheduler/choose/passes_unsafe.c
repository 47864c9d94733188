#include "scheduler/choose/passes_unsafe.h"

#include "scheduler/plan/parts.h"

static const struct passes_unsafe none = {.why = NULL};

bool passes_is_folded(const struct plan *plan, const struct variable *var) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].object->var == var)
            return true;
    return false;
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool is_whole(const struct type *type) {
    return type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_FLOAT ||
           type->kind == TYPE_POINTER || type->kind == TYPE_STRUCT;
}

/* Only this function's own text can name it. */
static bool is_own(const struct variable *var) {
    return (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM) &&
           !var->address_taken && is_whole(var->type) && !var->type->is_volatile &&
           !var->type->is_atomic;
}

static bool is_constant(const struct variable *var) {
    const struct type *type = var->type;
    while (type->kind == TYPE_ARRAY)
        type = type->element;
    return type->is_const && !type->is_volatile && !type->is_atomic &&
           (is_whole(type) && type->kind != TYPE_POINTER);
}

/* Only this file's text can name it: what the loop's functions do to it is known. */
static bool is_of_file(const struct variable *var) {
    return (var->storage == STORAGE_STATIC || var->storage == STORAGE_STATIC_LOCAL) &&
           !var->address_taken && is_whole(var->type) && !var->type->is_volatile &&
           !var->type->is_atomic;
}

const struct variable *passes_root(const struct expr *expr) {
    while (expr->kind == EXPR_MEMBER && !expr->arrow && expr->nargs > 0)
        expr = expr->args[0];
    return expr->kind == EXPR_VAR ? expr->var : NULL;
}

/* The loop writes into the variable: what it gets is no copy. */
static bool is_written(const struct plan *plan, const struct variable *var) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nobjects; ++i) {
        const struct object *object = facts->objects[i];
        bool whole = object->kind == OBJECT_SCALAR || object->kind == OBJECT_ARRAY;
        bool member = object->base && object->base->type->kind == TYPE_ARRAY &&
                      passes_root(object->base) == var;
        if (object->written && (member || (whole && object->var == var)))
            return true;
    }
    return false;
}

static struct passes_unsafe unsafe_variable(const struct plan *plan, const struct expr *expr,
                                            bool write) {
    const struct variable *var = passes_root(expr);
    const char *name = expr_print(plan_arena(plan), expr);
    const char *how = write ? "changed" : "read";
    if (var && passes_is_folded(plan, var)) {
        return (struct passes_unsafe){
            arena_printf(plan_arena(plan), "`%s` is %s, which the loop folds into", name, how),
            expr->range};
    }
    if (var && !is_written(plan, var) &&
        (is_own(var) || (!write && (is_constant(var) || is_of_file(var)))))
        return none;
    return (struct passes_unsafe){arena_printf(plan_arena(plan),
                                               write ? "`%s` is changed, which the loop may read"
                                                     : "`%s` is read, which the loop may write",
                                               name),
                                  expr->range};
}

/* ---- expressions ----------------------------------------------------------------------------- */

static struct passes_unsafe unsafe_args(const struct plan *plan, const struct expr *expr,
                                        int first) {
    struct passes_unsafe unsafe = none;
    for (int i = first; i < expr->nargs && !unsafe.why; ++i)
        if (expr->args[i])
            unsafe = passes_unsafe_expr(plan, expr->args[i]);
    return unsafe;
}

static struct passes_unsafe unsafe_call(const struct plan *plan, const struct expr *expr) {
    const struct function *f = expr->function;
    if (f && effects_pure(f))
        return unsafe_args(plan, expr, 0);
    return (struct passes_unsafe){
        arena_printf(plan_arena(plan), "%s is called", f ? f->name : "a function"), expr->range};
}

/* An element of a constant array. */
static struct passes_unsafe unsafe_element(const struct plan *plan, const struct expr *expr) {
    const struct expr *base = expr->args[0];
    while (base->kind == EXPR_SUBSCRIPT)
        base = base->args[0];
    if (base->kind != EXPR_VAR || base->var->type->kind != TYPE_ARRAY || !is_constant(base->var))
        return unsafe_variable(plan, expr, false);
    for (base = expr; base->kind == EXPR_SUBSCRIPT; base = base->args[0]) {
        struct passes_unsafe unsafe = passes_unsafe_expr(plan, base->args[1]);
        if (unsafe.why)
            return unsafe;
    }
    return none;
}

struct passes_unsafe passes_unsafe_expr(const struct plan *plan, const struct expr *expr) {
    struct passes_unsafe unsafe;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
        return none;
    case EXPR_VAR:
    case EXPR_MEMBER:
    case EXPR_DEREF:
        return unsafe_variable(plan, expr, false);
    case EXPR_SUBSCRIPT:
        return unsafe_element(plan, expr);
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_CONDITIONAL:
    case EXPR_COMMA:
    case EXPR_CAST:
        return unsafe_args(plan, expr, 0);
    case EXPR_ASSIGN:
    case EXPR_INCREMENT:
        unsafe = unsafe_variable(plan, expr->args[0], true);
        return unsafe.why ? unsafe : unsafe_args(plan, expr, 1);
    case EXPR_CALL:
        return unsafe_call(plan, expr);
    default:
        return (struct passes_unsafe){arena_printf(plan_arena(plan), "`%s` may be anything",
                                                   expr_print(plan_arena(plan), expr)),
                                      expr->range};
    }
}

/* ---- statements ------------------------------------------------------------------------------ */

static struct passes_unsafe unsafe_declared(const struct plan *plan, const struct stmt *stmt) {
    struct passes_unsafe unsafe = stmt->expr ? passes_unsafe_expr(plan, stmt->expr) : none;
    for (int i = 0; i < stmt->nvars && !unsafe.why; ++i) {
        const struct variable *var = stmt->vars[i];
        bool folded = passes_is_folded(plan, var);
        if (!folded && (!is_own(var) || is_written(plan, var))) {
            unsafe = (struct passes_unsafe){
                arena_printf(plan_arena(plan), "`%s` is declared, which the loop may lead to",
                             var->name),
                var->range};
        } else if (var->init) {
            unsafe = passes_unsafe_expr(plan, var->init);
        }
    }
    return unsafe;
}

static struct passes_unsafe unsafe_loop(const struct plan *plan, const struct loop *loop,
                                        const struct stmt *except) {
    struct passes_unsafe unsafe = loop->init ? passes_unsafe_stmt(plan, loop->init, except) : none;
    if (!unsafe.why && loop->cond)
        unsafe = passes_unsafe_expr(plan, loop->cond);
    if (!unsafe.why && loop->next)
        unsafe = passes_unsafe_expr(plan, loop->next);
    return unsafe.why || !loop->body ? unsafe : passes_unsafe_stmt(plan, loop->body, except);
}

struct passes_unsafe passes_unsafe_stmt(const struct plan *plan, const struct stmt *stmt,
                                        const struct stmt *except) {
    struct passes_unsafe unsafe = none;
    if (stmt == except)
        return none;
    switch (stmt->kind) {
    case STMT_EMPTY:
    case STMT_BREAK:
    case STMT_CONTINUE:
        return none;
    case STMT_DECL:
        return unsafe_declared(plan, stmt);
    case STMT_FOR:
        return unsafe_loop(plan, stmt->loop, except);
    case STMT_EXPR:
    case STMT_BLOCK:
    case STMT_IF:
    case STMT_WHILE:
    case STMT_DO:
    case STMT_SWITCH:
    case STMT_CASE:
        break;
    default:
        return (struct passes_unsafe){"the loop around it may be left here", stmt->range};
    }
    if (stmt->expr)
        unsafe = passes_unsafe_expr(plan, stmt->expr);
    for (int i = 0; i < stmt->nbody && !unsafe.why; ++i)
        unsafe = passes_unsafe_stmt(plan, stmt->body[i], except);
    if (stmt->then && !unsafe.why)
        unsafe = passes_unsafe_stmt(plan, stmt->then, except);
    return stmt->other && !unsafe.why ? passes_unsafe_stmt(plan, stmt->other, except) : unsafe;
}
