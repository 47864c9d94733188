/* Lanes: what an expression of the nest names, and whether it may be evaluated for a whole group. */
#include "scheduler/outline/lanes_private.h"

int lanes_own(const struct lanes *lanes, const struct expr *expr) {
    for (int i = 0; i < lanes->made.nvars && expr->kind == EXPR_VAR; ++i)
        if (lanes->made.vars[i].fresh == expr->var)
            return i;
    return -1;
}

static const struct open_loop *lanes_open(const struct lanes *lanes, const struct expr *expr) {
    for (int i = 0; i < lanes->nopen && expr->kind == EXPR_VAR; ++i)
        if (lanes->open[i].fresh == expr->var)
            return &lanes->open[i];
    return NULL;
}

/* ---- what may be evaluated ------------------------------------------------------------------- */

/* A value of the loop's own, the environment's, or of a loop of the nest. */
static bool is_known(const struct lanes *lanes, const struct expr *expr) {
    const struct outline *job = lanes->job;
    const struct env_field *field = emit_field_of(job, expr->var);
    if (expr->var == job->loop->variable || lanes_open(lanes, expr))
        return true;
    if (!field || (field->role != FIELD_VALUE && field->role != FIELD_POINTER) ||
        emit_reduction_of(job, expr->var) || emit_is_private(job, expr->var))
        return false;
    for (int i = 0; i < job->facts->naccesses; ++i)
        if (job->facts->accesses[i].write && job->facts->accesses[i].object->var == expr->var &&
            job->facts->accesses[i].object->kind == OBJECT_SCALAR)
            return false;
    return true;
}

/* Of memory that the loop does not write. */
static bool is_read_only(const struct lanes *lanes, const struct expr *expr) {
    const struct loop_facts *facts = lanes->job->facts;
    bool seen = false;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        if (!access->expr || access->expr->id != expr->id)
            continue;
        if (access->write || access->called || access->object->written ||
            (access->object->kind != OBJECT_ARRAY && access->object->kind != OBJECT_POINTER &&
             access->object->kind != OBJECT_ROWS))
            return false;
        seen = true;
    }
    return seen;
}

/* Something that has an address, which is computed here. */
static bool is_place(const struct lanes *lanes, const struct expr *expr, bool memory) {
    if (!is_plain(expr->type))
        return false;
    if (expr->kind == EXPR_SUBSCRIPT)
        return lanes_can_read(lanes, expr->args[0], memory) &&
               lanes_can_read(lanes, expr->args[1], memory);
    if (expr->kind == EXPR_MEMBER)
        return expr->field && expr->field->bit_width < 0 && expr->field->name &&
               (expr->args[0]->kind == EXPR_SUBSCRIPT || expr->args[0]->kind == EXPR_DEREF) &&
               is_place(lanes, expr->args[0], memory);
    return expr->kind == EXPR_DEREF && lanes_can_read(lanes, expr->args[0], memory);
}

/* Neither effects nor traps. `memory`: it may read what nobody writes. */
bool lanes_can_read(const struct lanes *lanes, const struct expr *expr, bool memory) {
    bool number = type_is_number(expr->type);
    if (!is_plain(expr->type))
        return false;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
        return true;
    case EXPR_VAR:
        return (number || expr->type->kind == TYPE_POINTER || expr->type->kind == TYPE_ARRAY) &&
               is_known(lanes, expr);
    case EXPR_UNARY:
        return number && (expr->op == OP_PLUS || expr->op == OP_MINUS) &&
               lanes_can_read(lanes, expr->args[0], memory);
    case EXPR_BINARY:
        return (number || expr->type->kind == TYPE_POINTER) &&
               (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL ||
                (expr->op == OP_DIV && expr->type->kind == TYPE_FLOAT)) &&
               lanes_can_read(lanes, expr->args[0], memory) &&
               lanes_can_read(lanes, expr->args[1], memory);
    case EXPR_CAST:
        return number && expr->nargs == 1 && type_is_number(expr->args[0]->type) &&
               (expr->type->kind == TYPE_FLOAT || expr->args[0]->type->kind == TYPE_INT) &&
               lanes_can_read(lanes, expr->args[0], memory);
    case EXPR_ADDRESS:
        return expr->args[0]->kind == EXPR_SUBSCRIPT && is_place(lanes, expr->args[0], memory);
    case EXPR_SUBSCRIPT:
    case EXPR_DEREF:
    case EXPR_MEMBER:
        return (expr->type->kind == TYPE_ARRAY && is_place(lanes, expr, memory)) ||
               (memory && (number || expr->type->kind == TYPE_POINTER) &&
                is_place(lanes, expr, memory) && is_read_only(lanes, expr));
    default:
        return false;
    }
}

static void mention(void *data, struct expr *expr, struct expr *parent) {
    struct mentions *m = data;
    const struct open_loop *open = lanes_open(m->lanes, expr);
    (void)parent;
    m->lane = m->lane || lanes_own(m->lanes, expr) >= 0;
    m->index = m->index || (expr->kind == EXPR_VAR && expr->var == m->lanes->job->loop->variable);
    if (open)
        m->open |= 1u << (open - m->lanes->open);
}

struct mentions lanes_mentions(const struct lanes *lanes, const struct expr *expr) {
    struct mentions m = {.lanes = lanes};
    emit_walk_expr((struct expr *)expr, NULL, mention, &m);
    return m;
}
