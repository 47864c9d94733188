/* What evaluating an expression reads. */
#include "scheduler/outline/touch.h"

/* A bit-field has no address: the struct around it is touched. */
static const struct expr *addressable(const struct expr *expr) {
    while (expr->kind == EXPR_MEMBER && expr->field && expr->field->bit_width >= 0)
        expr = expr->args[0];
    return expr;
}

/*
 * What the lvalue lies behind: `d->user` of d->user[n], `d` of d->user itself. Memory behind
 * different pointers lies apart; one span over both would hold all that is between them.
 */
static const char *behind(const struct outline *job, const struct expr *lvalue) {
    const struct expr *e = lvalue;
    while (e->kind == EXPR_MEMBER ||
           (e->kind == EXPR_SUBSCRIPT && e->args[0]->type->kind != TYPE_POINTER))
        e = e->args[0];
    bool pointer = e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF;
    return expr_print(job->arena, pointer ? e->args[0] : e);
}

static void add(const struct outline *job, struct touches *touches, struct touch touch) {
    touch.depth = touches->depth;
    ARENA_PUSH(job->arena, touches->items, touches->count, touch);
}

static void add_read(const struct outline *job, const struct expr *lvalue,
                     struct touches *touches) {
    const struct expr *read = addressable(lvalue);
    for (int i = 0; i < touches->count; ++i) {
        const struct touch *known = &touches->items[i];
        if (known->kind == TOUCH_READ && known->depth == 0 && expr_equal(known->expr, read))
            return;
    }
    add(job, touches,
        (struct touch){.kind = TOUCH_READ, .expr = read, .behind = behind(job, lvalue)});
}

static void open(const struct outline *job, const struct expr *condition, bool negated,
                 struct touches *touches) {
    add(job, touches, (struct touch){.kind = TOUCH_IF, .expr = condition, .negated = negated});
    ++touches->depth;
}

static void close(const struct outline *job, struct touches *touches) {
    --touches->depth;
    add(job, touches, (struct touch){.kind = TOUCH_END});
}

/* ---- lvalues --------------------------------------------------------------------------------- */

/* The pointers and subscripts that lead to an lvalue; not the lvalue itself. */
static void add_path(const struct outline *job, const struct expr *expr, struct touches *touches) {
    const struct expr *inner = expr->nargs ? expr->args[0] : NULL;
    switch (expr->kind) {
    case EXPR_VAR:
        return;
    case EXPR_MEMBER:
        add_path(job, inner, touches);
        return;
    case EXPR_SUBSCRIPT:
        if (inner->type->kind == TYPE_POINTER)
            touches_add(job, inner, touches);
        else
            add_path(job, inner, touches);
        touches_add(job, expr->args[1], touches);
        return;
    default:
        touches_add(job, inner, touches);
    }
}

/* A variable that is memory for the gather: not a copy in the environment, nor a local of it. */
static bool is_memory(const struct outline *job, const struct variable *var) {
    const struct env_field *field = emit_field_of(job, var);
    if (var == job->loop->variable || inductions_has(job->facts, var))
        return false;
    return field ? field->role == FIELD_REFERENCE : !var->function;
}

/* Is the lvalue's address made of what is read from memory? */
static bool path_reads(const struct outline *job, const struct expr *lvalue) {
    struct touches path = {0};
    add_path(job, lvalue, &path);
    return path.count > 0;
}

static void add_lvalue(const struct outline *job, const struct expr *expr,
                       struct touches *touches) {
    bool array = type_is_array(expr->type) || expr->type->kind == TYPE_FUNCTION;
    const struct expr *root = expr;
    bool through_memory = expr->kind == EXPR_DEREF;
    while (root->kind == EXPR_MEMBER || root->kind == EXPR_SUBSCRIPT) {
        through_memory |= root->kind == EXPR_SUBSCRIPT;
        root = root->args[0];
    }
    through_memory |= root->kind != EXPR_VAR || is_memory(job, root->var);
    touches->indirect |= path_reads(job, expr);
    add_path(job, expr, touches);
    if (!array && through_memory)
        add_read(job, expr, touches);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void add_condition(const struct outline *job, const struct expr *condition, bool negated,
                          const struct expr *then, struct touches *touches) {
    struct touches inner = {.depth = 1};
    touches_add(job, then, &inner);
    touches->indirect |= inner.count > 0 || inner.indirect;
    if (!inner.count)
        return;
    open(job, condition, negated, touches);
    for (int i = 0; i < inner.count; ++i) {
        inner.items[i].depth += touches->depth - 1;
        ARENA_PUSH(job->arena, touches->items, touches->count, inner.items[i]);
    }
    close(job, touches);
}

void touches_add(const struct outline *job, const struct expr *expr, struct touches *touches) {
    if (!expr)
        return;
    switch (expr->kind) {
    case EXPR_VAR:
    case EXPR_MEMBER:
    case EXPR_SUBSCRIPT:
    case EXPR_DEREF:
        add_lvalue(job, expr, touches);
        return;
    case EXPR_ADDRESS:
        add_path(job, expr->args[0], touches);
        return;
    case EXPR_AND:
    case EXPR_OR:
        touches_add(job, expr->args[0], touches);
        add_condition(job, expr->args[0], expr->kind == EXPR_OR, expr->args[1], touches);
        return;
    case EXPR_CONDITIONAL:
        touches_add(job, expr->args[0], touches);
        add_condition(job, expr->args[0], false, expr->args[1], touches);
        add_condition(job, expr->args[0], true, expr->args[2], touches);
        return;
    case EXPR_SIZEOF:
        return;
    default:
        for (int i = 0; i < expr->nargs; ++i)
            touches_add(job, expr->args[i], touches);
    }
}

struct steady_check {
    const struct outline *job;
    bool steady;
};

static void visit_steady(void *data, struct expr *expr, struct expr *parent) {
    struct steady_check *check = data;
    const struct variable *var = expr->kind == EXPR_VAR ? expr->var : NULL;
    (void)parent;
    if (var && (var == check->job->loop->variable ||
                (inductions_has(check->job->facts, var) && !var->entry_of) ||
                (var->function && !emit_field_of(check->job, var))))
        check->steady = false;
}

/* Is it the same in all iterations? */
static bool is_steady(const struct outline *job, const struct expr *expr) {
    struct steady_check check = {job, true};
    emit_walk_expr((struct expr *)expr, NULL, visit_steady, &check);
    return check.steady;
}

void touches_add_guarded(const struct outline *job, const struct expr *expr, int nguards,
                         struct expr **guards, const bool *sense, struct touches *touches) {
    for (int i = 0; i < nguards; ++i) {
        touches->indirect |= !is_steady(job, guards[i]);
        touches_add(job, guards[i], touches);
        open(job, guards[i], !sense[i], touches);
    }
    touches_add(job, expr, touches);
    for (int i = 0; i < nguards; ++i)
        close(job, touches);
}

void touches_add_affine(const struct outline *job, const struct affine *affine,
                        struct touches *touches) {
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *s = affine->terms[i].symbol;
        if (s->kind != SYMBOL_LOOP)
            touches_add_guarded(job, s->expr, s->nguards, s->guards, s->sense, touches);
    }
}

static void add_guarded(void *data, const struct outline *job, const struct expr *expr, int nguards,
                        struct expr **guards, const bool *sense) {
    touches_add_guarded(job, expr, nguards, guards, sense, data);
}

struct touches touches_of_gather(const struct outline *job) {
    struct touches touches = {0};
    reads_of_gather(job, add_guarded, &touches);
    return touches;
}

struct touches touches_of_when(const struct outline *job, const struct emit_touch *touch) {
    struct touches touches = {.depth = 1};
    reads_of_when(job, touch, add_guarded, &touches);
    return touches;
}
