/* Expressions that may end the program or not end, by their operations. */
#include "analyzer/access/fault/fault.h"

enum { MOST_STEPS = 20000 };

static bool any_of(struct fault_ask *ask, const struct expr *e) {
    for (int i = 0; i < e->nargs; ++i)
        if (e->args[i] && fault_of(ask, e->args[i]))
            return true;
    return false;
}

/* ---- lvalues --------------------------------------------------------------------------------- */

/* Does the subscript stay inside of the array that its base is declared as? */
static bool is_inside_type(const struct trace *t, const struct expr *e) {
    const struct type *array = e->args[0]->type;
    struct span_long index = span_of_expr(t, e->args[1]);
    bool literal = e->args[0]->kind == EXPR_STRING;
    return (type_is(array, TYPE_ARRAY) || literal) && array->count > 0 && index.known &&
           index.low >= 0 && index.high < array->count;
}

bool place_is_declared(const struct trace *t, const struct expr *e) {
    while (e->kind == EXPR_MEMBER || e->kind == EXPR_SUBSCRIPT) {
        if (e->kind == EXPR_SUBSCRIPT && !is_inside_type(t, e))
            return false;
        e = e->args[0];
    }
    return e->kind == EXPR_VAR || e->kind == EXPR_STRING;
}

/* What finding the place evaluates; the place itself may be nowhere. */
static bool address_may_fault(struct fault_ask *ask, const struct expr *e) {
    switch (e->kind) {
    case EXPR_VAR:
    case EXPR_STRING:
    case EXPR_FUNCTION:
        return false;
    case EXPR_MEMBER:
        return address_may_fault(ask, e->args[0]);
    case EXPR_SUBSCRIPT:
        return fault_of(ask, e->args[1]) ||
               (type_is_array(e->args[0]->type) ? address_may_fault(ask, e->args[0])
                                                : fault_of(ask, e->args[0]));
    case EXPR_DEREF:
        return fault_of(ask, e->args[0]);
    default:
        return fault_of(ask, e);
    }
}

/* What finding the place evaluates, and whether there is memory. */
static bool place_may_fault(struct fault_ask *ask, const struct expr *e) {
    bool there = place_is_declared(ask->t, e) || sure_is_touched(ask->t, e, ask->sure);
    switch (e->kind) {
    case EXPR_VAR:
    case EXPR_STRING:
        return false;
    case EXPR_MEMBER:
    case EXPR_SUBSCRIPT:
    case EXPR_DEREF:
        return !there || address_may_fault(ask, e);
    default:
        return fault_of(ask, e);
    }
}

/* An array's name, or a row of one, is an address. */
static bool read_may_fault(struct fault_ask *ask, const struct expr *e) {
    if (type_is_array(e->type) || type_is(e->type, TYPE_FUNCTION))
        return address_may_fault(ask, e);
    return !e->type || e->type->is_volatile || place_may_fault(ask, e);
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Neither by 0, nor the least number of all by -1. */
static bool division_may_fault(const struct trace *t, const struct expr *e) {
    if (type_is(e->type, TYPE_FLOAT))
        return false;
    const struct expr *divisor = e->args[1];
    struct span_long by = span_converted(span_of_expr(t, divisor), divisor->type, e->type);
    bool zero = by.low <= 0 && by.high >= 0;
    bool minus = e->type && e->type->is_signed && by.low <= -1 && by.high >= -1;
    return !type_is(e->type, TYPE_INT) || !by.known || zero || minus;
}

static bool shift_may_fault(const struct trace *t, const struct expr *e) {
    struct span_long by = span_of_expr(t, e->args[1]);
    long width = type_is(e->type, TYPE_INT) ? 8 * e->type->size : 0;
    return !by.known || by.low < 0 || by.high >= width;
}

/* Where the user's flags make overflow end the program. */
static bool overflow_may_fault(const struct trace *t, const struct expr *e) {
    bool sums = e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL || e->op == OP_MINUS ||
                e->kind == EXPR_INCREMENT;
    return t->unit->signed_traps && sums && type_is(e->type, TYPE_INT) && e->type->is_signed;
}

static bool binary_may_fault(struct fault_ask *ask, const struct expr *e) {
    if (e->op == OP_DIV || e->op == OP_REM)
        return division_may_fault(ask->t, e) || any_of(ask, e);
    if (e->op == OP_SHL || e->op == OP_SHR)
        return shift_may_fault(ask->t, e) || any_of(ask, e);
    return overflow_may_fault(ask->t, e) || any_of(ask, e);
}

/* `x /= e`, `x <<= e`: by numbers that suit any type. */
static bool update_may_fault(const struct trace *t, const struct expr *e) {
    struct span_long by = span_of_expr(t, e->args[1]);
    bool divides = e->op == OP_DIV || e->op == OP_REM, shifts = e->op == OP_SHL || e->op == OP_SHR;
    bool number = type_is(e->args[0]->type, TYPE_FLOAT) || type_is(e->args[1]->type, TYPE_FLOAT);
    return (divides && !number && !(by.known && by.low > 0)) ||
           (shifts && !(by.known && by.low >= 0 && by.high < 32)) || overflow_may_fault(t, e);
}

static bool assignment_may_fault(struct fault_ask *ask, const struct expr *e) {
    const struct type *to = e->args[0]->type;
    return !to || to->is_volatile || place_may_fault(ask, e->args[0]) ||
           update_may_fault(ask->t, e) || fault_of_converted(ask, e->args[1], to);
}

static bool increment_may_fault(struct fault_ask *ask, const struct expr *e) {
    const struct type *to = e->args[0]->type;
    return !to || to->is_volatile || place_may_fault(ask, e->args[0]) ||
           overflow_may_fault(ask->t, e);
}

static bool narrows(const struct type *from, const struct type *to) {
    return type_is(from, TYPE_FLOAT) && !type_is(to, TYPE_FLOAT) && !type_is(to, TYPE_BOOL);
}

bool fault_of_converted(struct fault_ask *ask, const struct expr *e, const struct type *type) {
    return (narrows(e->type, type) && e->kind != EXPR_FLOAT) || fault_of(ask, e);
}

static bool operation_may_fault(struct fault_ask *ask, const struct expr *e) {
    switch (e->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_FUNCTION:
        return false;
    case EXPR_VAR:
    case EXPR_DEREF:
    case EXPR_SUBSCRIPT:
    case EXPR_MEMBER:
        return read_may_fault(ask, e);
    case EXPR_ADDRESS:
        return address_may_fault(ask, e->args[0]);
    case EXPR_BINARY:
        return binary_may_fault(ask, e);
    case EXPR_UNARY:
        return overflow_may_fault(ask->t, e) || any_of(ask, e);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_CONDITIONAL:
    case EXPR_COMMA:
    case EXPR_INIT:
    case EXPR_COMPOUND:
        return any_of(ask, e);
    case EXPR_CAST:
        return fault_of_converted(ask, e->args[0], e->type);
    case EXPR_CALL:
        return fault_of_call(ask, e);
    case EXPR_ASSIGN:
        return assignment_may_fault(ask, e);
    case EXPR_INCREMENT:
        return increment_may_fault(ask, e);
    default:
        return true;
    }
}

bool fault_of(struct fault_ask *ask, const struct expr *e) {
    if (++ask->steps > MOST_STEPS)
        return true;
    return operation_may_fault(ask, e) && !sure_is_done(e, ask->sure);
}

bool expr_may_fault(const struct trace *t, const struct expr *e, const struct sure *sure) {
    struct fault_ask ask = {.t = t, .sure = sure};
    return fault_of(&ask, e);
}

bool expr_converted_may_fault(const struct trace *t, const struct expr *e, const struct type *type,
                              const struct sure *sure) {
    struct fault_ask ask = {.t = t, .sure = sure};
    return fault_of_converted(&ask, e, type);
}
