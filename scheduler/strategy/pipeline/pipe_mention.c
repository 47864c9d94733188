/*
 * What statements do with a variable, by its name: whether it is read, written, or handed on where
 * it cannot be followed. What a function that is called does with an argument's address counts as
 * both.
 */
#include "scheduler/strategy/pipeline/pipe.h"

enum { BOTH = PIPE_READS | PIPE_WRITES };

/* The variable that the lvalue is part of, without going through a pointer; else NULL. */
static const struct variable *root_of(const struct expr *expr) {
    while (expr && ((expr->kind == EXPR_MEMBER && !expr->arrow) ||
                    (expr->kind == EXPR_SUBSCRIPT && type_is_array(expr->args[0]->type)))) {
        expr = expr->args[0];
    }
    return expr && expr->kind == EXPR_VAR ? expr->var : NULL;
}

/* `argument`: a call gets it, and gives back no pointer, or one that nobody takes (`dropped`). */
static int look(const struct expr *expr, const struct variable *var, bool argument);

/* The subscripts on the way to that variable. */
static int look_subscripts(const struct expr *expr, const struct variable *var) {
    int flags = 0;
    for (; expr->kind != EXPR_VAR; expr = expr->args[0])
        if (expr->kind == EXPR_SUBSCRIPT)
            flags |= look(expr->args[1], var, false);
    return flags;
}

static int look_target(const struct expr *expr, const struct variable *var, bool updates) {
    if (root_of(expr) != var)
        return look(expr, var, false);
    bool whole = expr->kind == EXPR_VAR && !updates;
    return look_subscripts(expr, var) | (whole ? PIPE_WRITES : BOTH);
}

static int look_address(const struct expr *expr, const struct variable *var, bool argument) {
    if (root_of(expr) != var)
        return look(expr, var, argument);
    return look_subscripts(expr, var) | BOTH | (argument ? 0 : PIPE_ESCAPES);
}

static int look_call(const struct expr *expr, const struct variable *var, bool dropped) {
    bool follows = dropped || (expr->type && expr->type->kind != TYPE_POINTER &&
                               expr->type->kind != TYPE_STRUCT && expr->type->kind != TYPE_UNION);
    int flags = 0;
    for (int i = 0; i < expr->nargs; ++i)
        flags |= look(expr->args[i], var, follows);
    return flags;
}

static int look(const struct expr *expr, const struct variable *var, bool argument) {
    int flags = 0;
    if (!expr)
        return 0;
    if (root_of(expr) == var) {
        bool decays = type_is_array(expr->type);
        return look_subscripts(expr, var) |
               (decays ? BOTH | (argument ? 0 : PIPE_ESCAPES) : PIPE_READS);
    }
    switch (expr->kind) {
    case EXPR_ASSIGN:
        return look_target(expr->args[0], var, expr->op != OP_NONE) |
               look(expr->args[1], var, false);
    case EXPR_INCREMENT:
        return look_target(expr->args[0], var, true);
    case EXPR_ADDRESS:
        return look_address(expr->args[0], var, argument);
    case EXPR_CALL:
        return look_call(expr, var, false);
    case EXPR_SIZEOF:
        return 0;
    case EXPR_CAST:
        return look(expr->args[0], var, argument) |
               (expr->nargs == 2 ? look(expr->args[1], var, false) : 0);
    default:
        break;
    }
    for (int i = 0; i < expr->nargs; ++i)
        flags |= look(expr->args[i], var, false);
    return flags;
}

/* A declaration writes what it gives a value to, or a length. */
static int look_declared(const struct variable *declared, const struct variable *var) {
    int flags = look(declared->init, var, false);
    bool sized = false;
    for (const struct type *type = declared->type; type; type = type->element) {
        if (type->kind == TYPE_VLA) {
            flags |= look(type->vla_count, var, false);
            sized = true;
        }
    }
    return flags | (declared == var && (declared->init || sized) ? PIPE_WRITES : 0);
}

struct mention {
    const struct variable *var;
    int flags;
};

static void see_stmt(void *data, struct stmt *stmt) {
    struct mention *m = data;
    bool call = stmt->kind == STMT_EXPR && stmt->expr && stmt->expr->kind == EXPR_CALL;
    m->flags |= call ? look_call(stmt->expr, m->var, true) : look(stmt->expr, m->var, false);
    for (int i = 0; i < stmt->nvars; ++i)
        m->flags |= look_declared(stmt->vars[i], m->var);
    if (stmt->kind == STMT_FOR && stmt->loop)
        m->flags |= look(stmt->loop->cond, m->var, false) | look(stmt->loop->next, m->var, false);
}

int pipe_mention(const struct stmt *stmt, const struct variable *var) {
    struct mention mention = {.var = var};
    stmt_each((struct stmt *)stmt, see_stmt, &mention);
    return mention.flags;
}

/* ---- what the parser does not know ----------------------------------------------------------- */

static bool is_unknown(const void *data, const struct expr *expr) {
    (void)data;
    return expr->kind == EXPR_UNKNOWN;
}

static bool is_unknown_stmt(const void *data, const struct stmt *stmt) {
    (void)data;
    return stmt->kind == STMT_UNKNOWN || (stmt->kind == STMT_FOR && !stmt->loop);
}

bool pipe_has_unknown(const struct stmt *stmt) {
    return stmt_any(stmt, is_unknown_stmt, NULL) || stmt_any_expr(stmt, is_unknown, NULL);
}
