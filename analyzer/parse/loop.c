/* Which loops count: for (variable = lower; variable relation upper; variable += step). */
#include "analyzer/parse/private.h"

#include <limits.h>

/* ---- small questions about expressions */

static bool constant_value(const struct expr *expr, long long *value) {
    long long a, b;
    if (!expr)
        return false;
    if (expr->kind == EXPR_INT) {
        *value = expr->int_value;
        return true;
    }
    if (expr->kind == EXPR_UNARY && constant_value(expr->args[0], &a)) {
        *value = expr->op == OP_MINUS ? -a : a;
        return (expr->op == OP_MINUS && a != LLONG_MIN) || expr->op == OP_PLUS;
    }
    if (expr->kind != EXPR_BINARY || !constant_value(expr->args[0], &a) ||
        !constant_value(expr->args[1], &b))
        return false;
    return (expr->op == OP_MUL && !__builtin_mul_overflow(a, b, value)) ||
           (expr->op == OP_ADD && !__builtin_add_overflow(a, b, value)) ||
           (expr->op == OP_SUB && !__builtin_sub_overflow(a, b, value));
}

static bool is_variable(const struct expr *expr, const struct variable *variable) {
    return expr && expr->kind == EXPR_VAR && expr->var == variable;
}

static bool written_between(struct translator *t, const struct variable *variable, int first,
                            int last) {
    const struct write_list *list = &t->writes[variable->id];
    for (int i = 0; i < list->count; ++i)
        if (list->at[i] >= first && list->at[i] < last)
            return true;
    return false;
}

/* ---- the parts of a header; each returns what is wrong with it, or NULL */

static const char *read_init(struct translator *t, struct loop *loop) {
    const struct stmt *init = loop->init;
    if (!init || init->kind == STMT_EMPTY)
        return "it has no initial assignment";
    if (init->kind == STMT_DECL) {
        if (init->nvars != 1)
            return "its header declares more than one variable";
        loop->variable = init->vars[0];
        loop->lower = init->vars[0]->init;
        loop->declares_variable = true;
        return loop->lower ? NULL : "its variable has no initial value";
    }
    const struct expr *expr = init->kind == STMT_EXPR ? init->expr : NULL;
    if (expr && expr->kind == EXPR_COMMA)
        return "its initial part does more than one thing";
    if (!expr || expr->kind != EXPR_ASSIGN || expr->op != OP_NONE ||
        expr->args[0]->kind != EXPR_VAR)
        return "its initial part is not the assignment of a variable";
    loop->variable = expr->args[0]->var;
    loop->lower = expr->args[1];
    (void)t;
    return NULL;
}

static const char *check_variable(struct translator *t, const struct loop *loop) {
    const struct variable *v = loop->variable;
    const char *what = NULL;
    if (v->type->kind == TYPE_POINTER)
        what = "is a pointer, not an integer";
    else if (v->type->kind != TYPE_INT)
        what = "is not an integer";
    else if (v->type->is_volatile || v->type->is_atomic)
        what = "is volatile or atomic";
    else if (v->storage != STORAGE_LOCAL && v->storage != STORAGE_PARAM)
        what = "is not a local variable";
    else if (v->address_taken)
        what = "has its address taken, so that it may change unseen";
    return what ? arena_printf(t->arena, "its variable %s %s", v->name, what) : NULL;
}

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

static const char *read_cond(struct translator *t, struct loop *loop) {
    const struct expr *cond = loop->cond;
    const char *name = loop->variable->name;
    if (!cond)
        return "it has no condition";
    bool relation =
        cond->kind == EXPR_BINARY && (cond->op == OP_LT || cond->op == OP_LE || cond->op == OP_GT ||
                                      cond->op == OP_GE || cond->op == OP_NE);
    bool left = relation && is_variable(cond->args[0], loop->variable);
    bool right = relation && is_variable(cond->args[1], loop->variable);
    if (left == right)
        return arena_printf(t->arena, "its condition does not compare %s with a bound", name);
    loop->relation = left ? cond->op : mirrored(cond->op);
    loop->upper = cond->args[left ? 1 : 0];
    return NULL;
}

/* The expression that is added to the variable in each iteration, and its sign; NULL if none. */
static const struct expr *added(const struct loop *loop, int *sign) {
    const struct expr *next = loop->next;
    *sign = 1;
    if (next->kind != EXPR_ASSIGN || !is_variable(next->args[0], loop->variable))
        return NULL;
    const struct expr *value = next->args[1];
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

static const char *read_next(struct translator *t, struct loop *loop) {
    const struct expr *next = loop->next;
    const char *name = loop->variable->name;
    if (!next)
        return arena_printf(t->arena, "its header does not advance %s", name);
    if (next->kind == EXPR_INCREMENT && is_variable(next->args[0], loop->variable)) {
        loop->step = next->delta;
        return NULL;
    }
    if (next->kind == EXPR_COMMA)
        return "its header does more than advance one variable";
    int sign;
    long long value;
    const struct expr *step = added(loop, &sign);
    if (!step)
        return arena_printf(t->arena, "its header does not add to %s", name);
    if (!constant_value(step, &value) || value <= -(1LL << 31) || value >= 1LL << 31)
        return arena_printf(t->arena, "the step of %s is not a constant", name);
    loop->step = (long)(sign * value);
    return loop->step ? NULL : arena_printf(t->arena, "the step of %s is zero", name);
}

/* ---- does the count follow from the header alone? */

static const char *check_direction(struct translator *t, const struct loop *loop) {
    bool up = loop->relation == OP_LT || loop->relation == OP_LE;
    bool down = loop->relation == OP_GT || loop->relation == OP_GE;
    if ((up && loop->step < 0) || (down && loop->step > 0))
        return arena_printf(t->arena, "%s moves away from its bound", loop->variable->name);
    if (loop->relation == OP_NE && loop->step != 1 && loop->step != -1)
        return arena_printf(t->arena, "%s may step over the bound that != waits for",
                            loop->variable->name);
    return NULL;
}

/*
 * Comparisons convert: where the bound is unsigned and at least as wide, a negative value of a
 * signed variable compares as a large one, and an unsigned variable is never below zero.
 */
static const char *check_signs(struct translator *t, const struct loop *loop) {
    const struct type *v = loop->variable->type, *b = loop->upper->type;
    const char *name = loop->variable->name;
    long long lower, upper;
    if (!b || (b->kind != TYPE_INT && b->kind != TYPE_BOOL))
        return arena_printf(t->arena, "the bound of %s is not an integer", name);
    bool constant = constant_value(loop->upper, &upper);
    if (v->size < 4 && !(constant && upper >= 0 && upper < (1LL << (8 * v->size - 1))))
        return arena_printf(t->arena, "%s is narrower than int and may wrap around", name);
    bool down = loop->step < 0;
    if (!v->is_signed && down && loop->relation == OP_GE && constant && upper <= 0)
        return arena_printf(t->arena, "%s is unsigned and never below its bound", name);
    bool converts =
        v->is_signed && !b->is_signed && b->kind == TYPE_INT && b->size >= 4 && b->size >= v->size;
    if (converts && (down || !constant_value(loop->lower, &lower) || lower < 0) && !constant)
        return arena_printf(t->arena,
                            "%s is signed and its bound unsigned: a negative %s would "
                            "compare as a large number",
                            name, name);
    return converts && constant && (down || upper < 0)
               ? arena_printf(t->arena, "%s is signed and its bound unsigned", name)
               : NULL;
}

/* Why `expr` may not be evaluated once in front of the loop, or any number of times; NULL: it may.
 */
static const char *has_effect(struct translator *t, const struct loop *loop,
                              const struct expr *expr) {
    if (expr->kind == EXPR_VAR && expr->var == loop->variable)
        return "names the variable itself";
    if (expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT)
        return "has a side effect";
    if (expr->kind == EXPR_UNKNOWN)
        return arena_printf(t->arena, "is %s", expr->text);
    if (expr->kind == EXPR_CALL &&
        !(expr->function && (expr->function->is_pure || expr->function->is_const)))
        return "calls a function";
    return NULL;
}

/* The loop assigns this variable in its body or in the part of the header that advances. */
static bool is_assigned(struct translator *t, const struct loop *loop, const struct variable *v) {
    struct body_ids body = t->bodies[loop->id];
    return written_between(t, v, body.first, body.last) ||
           (loop->next && written_between(t, v, loop->next->id, loop->next->id + 1));
}

/* What keeps `expr` from having one value for the whole loop; `inside`: evaluated in its course. */
static const char *changes(struct translator *t, const struct loop *loop, const struct expr *expr,
                           bool inside) {
    const char *why = expr ? has_effect(t, loop, expr) : NULL;
    if (!expr || why)
        return why;
    if (inside && expr->kind == EXPR_VAR && is_assigned(t, loop, expr->var))
        return arena_printf(t->arena, "depends on %s, which the loop assigns", expr->var->name);
    for (int i = 0; i < expr->nargs && !why; ++i)
        why = changes(t, loop, expr->args[i], inside);
    return why;
}

static const char *check_bounds(struct translator *t, const struct loop *loop) {
    const char *why = changes(t, loop, loop->upper, true);
    if (why)
        return arena_printf(t->arena, "its bound %s", why);
    why = changes(t, loop, loop->lower, false);
    if (why)
        return arena_printf(t->arena, "its initial value %s", why);
    struct body_ids body = t->bodies[loop->id];
    return written_between(t, loop->variable, body.first, body.last)
               ? arena_printf(t->arena, "its variable %s is assigned in its body",
                              loop->variable->name)
               : NULL;
}

/* ---- */

static const char *recognize(struct translator *t, struct loop *loop) {
    const char *why = read_init(t, loop);
    why = why ? why : check_variable(t, loop);
    why = why ? why : read_cond(t, loop);
    why = why ? why : read_next(t, loop);
    why = why ? why : check_direction(t, loop);
    why = why ? why : check_signs(t, loop);
    return why ? why : check_bounds(t, loop);
}

void parse_loop_recognize(struct translator *t) {
    for (int i = 0; i < t->unit->nloops; ++i) {
        struct loop *loop = t->unit->loops[i];
        if (!loop->why_not)
            loop->why_not = recognize(t, loop);
        loop->canonical = !loop->why_not;
    }
}
