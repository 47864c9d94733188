/*
 * What statements do with a variable, by its name: whether it is read, written, or handed on where
 * it cannot be followed. What a function that is called does with an argument's address counts as
 * both.
 */
#include "scheduler/strategy/pipeline/pipe.h"

enum { BOTH = PIPE_READS | PIPE_WRITES };

static bool is_array(const struct type *type) {
    return type && (type->kind == TYPE_ARRAY || type->kind == TYPE_VLA);
}

/* The variable that the lvalue is part of, without going through a pointer; else NULL. */
static const struct variable *root_of(const struct expr *expr) {
    while (expr && ((expr->kind == EXPR_MEMBER && !expr->arrow) ||
                    (expr->kind == EXPR_SUBSCRIPT && is_array(expr->args[0]->type)))) {
        expr = expr->args[0];
    }
    return expr && expr->kind == EXPR_VAR ? expr->var : NULL;
}

/* The subscripts on the way to that variable. */
static int look_subscripts(const struct expr *expr, const struct variable *var) {
    int flags = 0;
    for (; expr->kind != EXPR_VAR; expr = expr->args[0])
        if (expr->kind == EXPR_SUBSCRIPT)
            flags |= pipe_mention_expr(expr->args[1], var);
    return flags;
}

/* `argument`: a call gets it, and gives back no pointer, or one that nobody takes (`dropped`). */
static int look(const struct expr *expr, const struct variable *var, bool argument);

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
        bool decays = is_array(expr->type);
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

int pipe_mention_expr(const struct expr *expr, const struct variable *var) {
    return look(expr, var, false);
}

/* A declaration writes what it gives a value to, or a length. */
static int look_declared(const struct variable *declared, const struct variable *var) {
    int flags = pipe_mention_expr(declared->init, var);
    bool sized = false;
    for (const struct type *type = declared->type; type; type = type->element) {
        if (type->kind == TYPE_VLA) {
            flags |= pipe_mention_expr(type->vla_count, var);
            sized = true;
        }
    }
    return flags | (declared == var && (declared->init || sized) ? PIPE_WRITES : 0);
}

int pipe_mention(const struct stmt *stmt, const struct variable *var) {
    if (!stmt)
        return 0;
    bool call = stmt->kind == STMT_EXPR && stmt->expr && stmt->expr->kind == EXPR_CALL;
    int flags = call ? look_call(stmt->expr, var, true) : pipe_mention_expr(stmt->expr, var);
    flags |= pipe_mention(stmt->then, var) | pipe_mention(stmt->other, var);
    for (int i = 0; i < stmt->nbody; ++i)
        flags |= pipe_mention(stmt->body[i], var);
    for (int i = 0; i < stmt->nvars; ++i)
        flags |= look_declared(stmt->vars[i], var);
    if (stmt->kind == STMT_FOR && stmt->loop) {
        flags |= pipe_mention(stmt->loop->init, var) | pipe_mention_expr(stmt->loop->cond, var) |
                 pipe_mention_expr(stmt->loop->next, var) | pipe_mention(stmt->loop->body, var);
    }
    return flags;
}

/* ---- what the parser does not know ----------------------------------------------------------- */

static bool unknown_in(const struct expr *expr) {
    bool found = expr && expr->kind == EXPR_UNKNOWN;
    for (int i = 0; expr && i < expr->nargs; ++i)
        found = found || unknown_in(expr->args[i]);
    return found;
}

bool pipe_has_unknown(const struct stmt *stmt) {
    if (!stmt)
        return false;
    bool found = stmt->kind == STMT_UNKNOWN || unknown_in(stmt->expr) ||
                 pipe_has_unknown(stmt->then) || pipe_has_unknown(stmt->other);
    for (int i = 0; i < stmt->nbody; ++i)
        found = found || pipe_has_unknown(stmt->body[i]);
    for (int i = 0; i < stmt->nvars; ++i)
        found = found || unknown_in(stmt->vars[i]->init);
    if (stmt->kind == STMT_FOR) {
        found = found || !stmt->loop || pipe_has_unknown(stmt->loop->init) ||
                unknown_in(stmt->loop->cond) || unknown_in(stmt->loop->next) ||
                pipe_has_unknown(stmt->loop->body);
    }
    return found;
}
