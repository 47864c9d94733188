/* The counted form of a loop, read off its text: its variable, first value, bound and step. */
#include "analyzer/parse/loop_private.h"

#include <limits.h>

/* ---- small questions about expressions */

bool loop_constant(const struct expr *expr, long long *value) {
    long long a, b;
    if (!expr)
        return false;
    if (expr->kind == EXPR_INT) {
        *value = expr->int_value;
        return true;
    }
    if (expr->kind == EXPR_UNARY && loop_constant(expr->args[0], &a)) {
        *value = expr->op == OP_MINUS ? -a : a;
        return (expr->op == OP_MINUS && a != LLONG_MIN) || expr->op == OP_PLUS;
    }
    if (expr->kind != EXPR_BINARY || !loop_constant(expr->args[0], &a) ||
        !loop_constant(expr->args[1], &b))
        return false;
    return (expr->op == OP_MUL && !__builtin_mul_overflow(a, b, value)) ||
           (expr->op == OP_ADD && !__builtin_add_overflow(a, b, value)) ||
           (expr->op == OP_SUB && !__builtin_sub_overflow(a, b, value));
}

static bool is_variable(const struct expr *expr, const struct variable *variable) {
    return expr && expr->kind == EXPR_VAR && expr->var == variable;
}

static bool is_assignment(const struct expr *expr) {
    return expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
}

int loop_expr_assigns(const struct expr *expr, const struct variable *variable) {
    int count = 0;
    if (!expr)
        return 0;
    if (is_assignment(expr) && parse_change_root(expr->args[0]) == variable)
        ++count;
    for (int i = 0; i < expr->nargs; ++i)
        count += loop_expr_assigns(expr->args[i], variable);
    return count;
}

int loop_body_assigns(struct translator *t, const struct loop *loop,
                      const struct variable *variable) {
    const struct write_list *list = &t->writes[variable->id];
    struct body_ids body = t->bodies[loop->id];
    int count = 0;
    for (int i = 0; i < list->count; ++i)
        count += list->at[i] >= body.first && list->at[i] < body.last;
    return count;
}

static bool is_advanced(struct translator *t, const struct loop *loop,
                        const struct variable *variable) {
    return loop_expr_assigns(loop->next, variable) || loop_expr_assigns(loop->cond, variable) ||
           loop_body_assigns(t, loop, variable);
}

/* ---- the initial part */

/* `i = 0, j = n`, `i = j = 0`: what the variable is set to. */
static void lower_of_expr(struct loop *loop, const struct expr *expr) {
    if (expr->kind == EXPR_COMMA) {
        lower_of_expr(loop, expr->args[0]);
        lower_of_expr(loop, expr->args[1]);
    } else if (expr->kind == EXPR_ASSIGN && expr->op == OP_NONE) {
        struct expr *value = expr->args[1];
        lower_of_expr(loop, value);
        while (value->kind == EXPR_ASSIGN && value->op == OP_NONE)
            value = value->args[1];
        if (is_variable(expr->args[0], loop->variable))
            loop->lower = value;
    }
}

static const char *read_lower(struct translator *t, struct loop *loop) {
    const struct stmt *init = loop->init;
    for (int i = 0; init && init->kind == STMT_DECL && i < init->nvars; ++i) {
        if (init->vars[i] != loop->variable)
            continue;
        loop->declares_variable = true;
        loop->lower = init->vars[i]->init;
        for (int k = 0; k < init->nvars; ++k)
            if (loop_expr_assigns(init->vars[k]->init, loop->variable))
                return arena_printf(t->arena, "its initial part changes %s", loop->variable->name);
        return loop->lower ? NULL : "its variable has no initial value";
    }
    if (init && init->kind == STMT_EXPR && loop_expr_assigns(init->expr, loop->variable) == 1)
        lower_of_expr(loop, init->expr);
    return NULL;
}

/* The variable of `for (i = ...` or `for (int i = ...`, when the header sets just one. */
static struct variable *only_variable(const struct loop *loop) {
    const struct stmt *init = loop->init;
    if (init && init->kind == STMT_DECL)
        return init->nvars == 1 ? init->vars[0] : NULL;
    const struct expr *expr = init && init->kind == STMT_EXPR ? init->expr : NULL;
    bool sets =
        expr && expr->kind == EXPR_ASSIGN && expr->op == OP_NONE && expr->args[0]->kind == EXPR_VAR;
    return sets ? expr->args[0]->var : NULL;
}

/* ---- the condition */

static enum op mirrored(enum op relation) {
    switch (relation) {
    case OP_LT:
        return OP_GT;
    case OP_GT:
        return OP_LT;
    case OP_LE:
        return OP_GE;
    case OP_GE:
        return OP_LE;
    default:
        return relation;
    }
}

static bool is_relation(const struct expr *cond) {
    return cond->kind == EXPR_BINARY &&
           (cond->op == OP_LT || cond->op == OP_LE || cond->op == OP_GT || cond->op == OP_GE ||
            cond->op == OP_NE);
}

/* The variable that one side of a comparison is, or moves on (`n--`). */
static struct variable *side_variable(const struct expr *side) {
    bool moves = side->kind == EXPR_INCREMENT && side->args[0]->kind == EXPR_VAR;
    return side->kind == EXPR_VAR ? side->var : moves ? side->args[0]->var : NULL;
}

/* The first variable below `e` that the loop advances. */
static struct variable *advanced_in(struct translator *t, const struct loop *loop,
                                    const struct expr *e) {
    struct variable *found = e->kind == EXPR_VAR && is_advanced(t, loop, e->var) ? e->var : NULL;
    bool looks = e->kind == EXPR_BINARY || e->kind == EXPR_AND || e->kind == EXPR_CAST;
    for (int i = 0; looks && i < e->nargs && !found; ++i)
        found = advanced_in(t, loop, e->args[i]);
    return found;
}

static struct variable *find_variable(struct translator *t, const struct loop *loop) {
    struct variable *only = only_variable(loop), *found = NULL;
    const struct expr *cond = loop->cond;
    if (only && (only->type->kind == TYPE_INT || !cond || !is_relation(cond)))
        return only;
    int nsides = cond && is_relation(cond) ? 2 : 1;
    for (int i = 0; cond && i < nsides; ++i) {
        struct variable *side = side_variable(nsides == 2 ? cond->args[i] : cond);
        if (side && is_advanced(t, loop, side) && !found)
            found = side;
    }
    found = found || only || !cond ? found : advanced_in(t, loop, cond);
    return found ? found : only;
}

static struct expr *constant_make(struct translator *t, const struct type *type, long long value) {
    struct expr *expr = arena_alloc(t->arena, sizeof *expr);
    expr->kind = EXPR_INT;
    expr->type = type;
    expr->int_value = value;
    expr->range.begin.file = expr->range.end.file = -1;
    expr->id = t->unit->nexprs++;
    return expr;
}

/*
 * `n-- > 0` tests the value before it moves: n > 0 - 1 for the moved one, which the body sees. An
 * unsigned number is greater than 0 as long as it is not 0.
 */
static const char *read_moving(struct translator *t, struct loop *loop, const struct expr *side) {
    const struct type *type = loop->variable->type;
    long long bound;
    loop->step = side->delta;
    loop->steps_in_body = true;
    loop->ahead = loop->form == LOOP_DO ? 0 : side->delta;
    if (type->kind != TYPE_INT)
        return "its condition moves a pointer";
    if (side->prefix)
        return NULL;
    if (!loop_constant(loop->upper, &bound) || bound < -(1LL << 30) || bound > 1LL << 30)
        return "its condition moves a variable behind a comparison with no constant";
    if (!type->is_signed && loop->relation == OP_GT && bound == 0)
        loop->relation = OP_NE;
    if (!type->is_signed && (loop->relation != OP_NE || bound != 0))
        return arena_printf(t->arena, "its condition moves %s, which may wrap around",
                            loop->variable->name);
    loop->upper = constant_make(t, type, bound + side->delta);
    return NULL;
}

static const char *read_cond(struct translator *t, struct loop *loop) {
    const struct expr *cond = loop->cond;
    const struct variable *v = loop->variable;
    if (!cond)
        return "it has no condition";
    bool alone = side_variable(cond) == v;
    bool relation = is_relation(cond);
    bool left = alone || (relation && side_variable(cond->args[0]) == v);
    bool right = relation && side_variable(cond->args[1]) == v;
    bool moves = relation && left != right && loop_bound_moves(t, loop, cond->args[left ? 1 : 0]);
    if ((left == right || moves) && loop_bound_solve(t, loop))
        return NULL;
    if (left == right || (alone && v->type->kind != TYPE_INT))
        return arena_printf(t->arena, "its condition does not compare %s with a bound", v->name);
    const struct expr *side = alone ? cond : cond->args[left ? 0 : 1];
    loop->relation = alone ? OP_NE : left ? cond->op : mirrored(cond->op);
    loop->upper = alone ? constant_make(t, v->type, 0) : cond->args[left ? 1 : 0];
    return side->kind == EXPR_INCREMENT ? read_moving(t, loop, side) : NULL;
}

/* ---- the step */

/* What `next` adds to the variable, and its sign; NULL when it does something else. */
static struct expr *added(const struct loop *loop, const struct expr *next, int *sign) {
    *sign = 1;
    if (next->kind != EXPR_ASSIGN || !is_variable(next->args[0], loop->variable))
        return NULL;
    struct expr *value = next->args[1];
    if (next->op == OP_ADD || next->op == OP_SUB) {
        *sign = next->op == OP_ADD ? 1 : -1;
        return value;
    }
    if (next->op != OP_NONE || value->kind != EXPR_BINARY)
        return NULL;
    bool left = is_variable(value->args[0], loop->variable);
    *sign = value->op == OP_ADD ? 1 : -1;
    if (left && (value->op == OP_ADD || value->op == OP_SUB))
        return value->args[1];
    return value->op == OP_ADD && is_variable(value->args[1], loop->variable) ? value->args[0]
                                                                              : NULL;
}

static const char *read_step(struct translator *t, struct loop *loop, const struct expr *next) {
    const char *name = loop->variable->name;
    if (next->kind == EXPR_INCREMENT) {
        loop->step = next->delta;
        return NULL;
    }
    int sign;
    long long value;
    struct expr *step = added(loop, next, &sign);
    if (!step)
        return arena_printf(t->arena, "its header does not add to %s", name);
    if (!loop_constant(step, &value)) {
        loop->stride = step;
        loop->step = sign;
        return step->type && step->type->kind == TYPE_INT
                   ? NULL
                   : arena_printf(t->arena, "the step of %s is not an integer", name);
    }
    if (value <= -(1LL << 31) || value >= 1LL << 31)
        return arena_printf(t->arena, "the step of %s is too large", name);
    loop->step = (long)(sign * value);
    return loop->step ? NULL : arena_printf(t->arena, "the step of %s is zero", name);
}

/* The part of the header that assigns the variable; the others must move variables, too. */
static const struct expr *find_next(const struct loop *loop, const struct expr *expr,
                                    bool *others) {
    if (!expr)
        return NULL;
    if (expr->kind == EXPR_COMMA) {
        const struct expr *a = find_next(loop, expr->args[0], others);
        const struct expr *b = find_next(loop, expr->args[1], others);
        *others = *others || (a && b);
        return a ? a : b;
    }
    if (is_assignment(expr) && is_variable(expr->args[0], loop->variable))
        return expr;
    bool moves = is_assignment(expr) && expr->args[0]->kind == EXPR_VAR &&
                 (expr->kind != EXPR_ASSIGN || expr->op == OP_ADD || expr->op == OP_SUB ||
                  expr->op == OP_NONE);
    *others = *others || !moves || loop_expr_assigns(expr, loop->variable);
    return NULL;
}

/* Where `expr`, evaluated in every iteration, assigns the variable unconditionally. */
static const struct expr *find_assignment(const struct variable *v, const struct expr *expr) {
    if (!expr || expr->kind == EXPR_CONDITIONAL || expr->kind == EXPR_AND || expr->kind == EXPR_OR)
        return NULL;
    if (is_assignment(expr) && is_variable(expr->args[0], v))
        return expr;
    const struct expr *found = NULL;
    for (int i = 0; i < expr->nargs && !found; ++i)
        found = find_assignment(v, expr->args[i]);
    return found;
}

static const struct expr *find_in_body(const struct variable *v, const struct stmt *stmt) {
    const struct expr *found = stmt->kind == STMT_EXPR ? find_assignment(v, stmt->expr) : NULL;
    for (int i = 0; stmt->kind == STMT_DECL && i < stmt->nvars && !found; ++i)
        found = find_assignment(v, stmt->vars[i]->init);
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody && !found; ++i)
        found = find_in_body(v, stmt->body[i]);
    return found;
}

/* A `continue` of this loop, as opposed to one of a loop inside. */
static bool has_continue(const struct stmt *stmt) {
    if (!stmt || stmt->loop)
        return false;
    bool found =
        stmt->kind == STMT_CONTINUE || has_continue(stmt->then) || has_continue(stmt->other);
    for (int i = 0; i < stmt->nbody && !found; ++i)
        found = has_continue(stmt->body[i]);
    return found;
}

const struct expr *loop_body_step(struct translator *t, const struct loop *loop,
                                  const struct variable *variable) {
    return loop_body_assigns(t, loop, variable) == 1 && !has_continue(loop->body)
               ? find_in_body(variable, loop->body)
               : NULL;
}

static const char *read_body_step(struct translator *t, struct loop *loop) {
    const char *name = loop->variable->name;
    if (loop_body_assigns(t, loop, loop->variable) == 0)
        return arena_printf(t->arena, "nothing in it advances %s", name);
    if (has_continue(loop->body))
        return arena_printf(t->arena, "a `continue` may leave out what advances %s", name);
    const struct expr *step = loop_body_step(t, loop, loop->variable);
    if (!step)
        return arena_printf(t->arena, "its variable %s is not advanced once in every iteration",
                            name);
    loop->steps_in_body = true;
    return read_step(t, loop, step);
}

static const char *read_next(struct translator *t, struct loop *loop) {
    bool others = false;
    const struct expr *next = find_next(loop, loop->next, &others);
    const char *name = loop->variable->name;
    int times = loop_body_assigns(t, loop, loop->variable);
    if (others)
        return "its header does more than advance variables";
    if ((next || loop->step) && times)
        return arena_printf(t->arena, "its variable %s is assigned in its body", name);
    if (loop->step)
        return next ? arena_printf(t->arena, "its header advances %s twice", name) : NULL;
    return next ? read_step(t, loop, next) : read_body_step(t, loop);
}

const char *loop_header_read(struct translator *t, struct loop *loop) {
    loop->variable = find_variable(t, loop);
    if (!loop->variable)
        return loop->cond ? "its condition does not compare a variable that it advances"
                          : "it has no condition";
    const char *why = read_lower(t, loop);
    why = why ? why : loop_variable_check(t, loop);
    why = why ? why : read_cond(t, loop);
    return why ? why : read_next(t, loop);
}
