/*
 * The least and the greatest value of integer expressions: by their types, by the bounds of loops
 * that are numbers, by masks and remainders. Arithmetic that could leave its type gives what the
 * type holds, so that it does not matter whether anything overflows.
 */
#include "analyzer/access/fault/fault.h"

#include <limits.h>

enum { MOST_DEPTH = 12 };

static struct span_long span_at(const struct trace *t, const struct expr *e, int depth);

static bool is_integer(const struct type *type) {
    return type && (type->kind == TYPE_INT || type->kind == TYPE_BOOL);
}

/* Numbers beyond `long` are not known. */
static struct span_long span_of_type(const struct type *type) {
    struct span_long none = {0};
    if (!is_integer(type) || type->size > 8 || (type->size == 8 && !type->is_signed))
        return none;
    if (type->kind == TYPE_BOOL)
        return (struct span_long){true, 0, 1};
    long half = type->size == 8 ? LONG_MAX : (1L << (8 * type->size - 1)) - 1;
    return type->is_signed ? (struct span_long){true, -half - 1, half}
                           : (struct span_long){true, 0, 2 * half + 1};
}

struct span_long span_converted(struct span_long span, const struct type *from,
                                const struct type *to) {
    struct span_long all = span_of_type(to);
    if (!is_integer(from) || !span.known)
        return all;
    bool fits =
        all.known ? span.low >= all.low && span.high <= all.high : is_integer(to) && span.low >= 0;
    return fits ? span : all;
}

static struct span_long converted(const struct trace *t, const struct expr *e,
                                  const struct type *type, int depth) {
    return span_converted(span_at(t, e, depth), e->type, type);
}

/* ---- variables ------------------------------------------------------------------------------- */

/* The loop whose body `e` stands in, and whose variable it is there. */
static const struct loop *loop_of(const struct trace *t, const struct expr *e) {
    if (t->loop->variable == e->var && (e->id < 0 || range_holds(&t->loop->body->range, &e->range)))
        return t->loop;
    const struct loop *loop = e->var->declared_by;
    bool there = loop && loop->variable == e->var && loop->body &&
                 range_holds(&loop->body->range, &e->range);
    return there ? loop : NULL;
}

/* What the variable of a loop holds in its body. */
static struct span_long span_of_loop(const struct trace *t, const struct loop *loop, int depth) {
    struct span_long none = {0};
    bool counts = loop->canonical && loop->form == LOOP_FOR && !loop->steps_in_body &&
                  !loop->limited && loop->lower && loop->upper && !loop->stride;
    if (!counts)
        return none;
    struct span_long from = converted(t, loop->lower, loop->variable->type, depth);
    struct span_long to = span_at(t, loop->upper, depth);
    bool open = loop->relation == OP_LT || loop->relation == OP_GT || loop->relation == OP_NE;
    if (!from.known || !to.known || (loop->relation == OP_NE && from.low != from.high) ||
        to.low < LONG_MIN / 2 || to.high > LONG_MAX / 2) {
        return none;
    }
    if (loop->relation == OP_NE && (to.low != to.high || loop->step > 1 || loop->step < -1 ||
                                    (loop->step > 0) != (from.low <= to.low))) {
        return none;
    }
    return loop->step > 0 ? (struct span_long){true, from.low, to.high - open}
                          : (struct span_long){true, to.low + open, from.high};
}

/* It is what it is initialized with, always. */
static bool is_constant(const struct variable *var) {
    bool local = var->storage == STORAGE_LOCAL;
    bool own = var->storage == STORAGE_STATIC || var->storage == STORAGE_STATIC_LOCAL;
    return (local || own || var->type->is_const) && var->storage != STORAGE_PARAM && var->init &&
           !var->is_extern && !var->is_alias && var->writes == 0 && !var->address_taken;
}

static struct span_long span_of_variable(const struct trace *t, const struct expr *e, int depth) {
    struct span_long span = {0};
    const struct loop *loop = loop_of(t, e);
    if (loop)
        span = span_of_loop(t, loop, depth + 1);
    else if (is_constant(e->var))
        span = converted(t, e->var->init, e->var->type, depth + 1);
    return span.known ? span : span_of_type(e->var->type);
}

/* ---- operations ------------------------------------------------------------------------------ */

static struct span_long hull(struct span_long a, struct span_long b) {
    return (struct span_long){a.known && b.known, a.low < b.low ? a.low : b.low,
                              a.high > b.high ? a.high : b.high};
}

static bool apply(enum op op, long a, long b, long *out) {
    return op == OP_ADD   ? !__builtin_add_overflow(a, b, out)
           : op == OP_SUB ? !__builtin_sub_overflow(a, b, out)
                          : !__builtin_mul_overflow(a, b, out);
}

static struct span_long span_of_sum(enum op op, struct span_long a, struct span_long b) {
    struct span_long span = {a.known && b.known, LONG_MAX, LONG_MIN};
    for (int i = 0; i < 4; ++i) {
        long value;
        span.known =
            span.known && apply(op, i & 1 ? a.high : a.low, i & 2 ? b.high : b.low, &value);
        if (span.known) {
            span.low = value < span.low ? value : span.low;
            span.high = value > span.high ? value : span.high;
        }
    }
    return span;
}

/* x & mask: not above a mask that is never negative, whatever x is. */
static struct span_long span_of_mask(struct span_long a, struct span_long b) {
    struct span_long span = {0};
    if (a.known && a.low >= 0)
        span = (struct span_long){true, 0, a.high};
    if (b.known && b.low >= 0 && (!span.known || b.high < span.high))
        span = (struct span_long){true, 0, b.high};
    return span;
}

/* By one positive number. */
static struct span_long span_of_division(enum op op, struct span_long a, struct span_long by,
                                         const struct type *type) {
    struct span_long none = {0};
    if (!by.known || by.low != by.high || by.low <= 0)
        return none;
    if (op == OP_DIV)
        return (struct span_long){a.known, a.low / by.low, a.high / by.low};
    bool natural = !type->is_signed || (a.known && a.low >= 0);
    return (struct span_long){true, natural ? 0 : 1 - by.low, by.low - 1};
}

static struct span_long span_of_shift(struct span_long a, struct span_long by,
                                      const struct type *type) {
    struct span_long none = {0};
    bool fits = by.known && by.low == by.high && by.low >= 0 && by.low < 8 * type->size;
    if (!fits)
        return none;
    if (!type->is_signed && type->size == 8 && by.low > 0)
        return (struct span_long){true, 0, (long)(ULONG_MAX >> by.low)};
    return (struct span_long){a.known, a.low >> by.low, a.high >> by.low};
}

static struct span_long span_of_binary(const struct trace *t, const struct expr *e, int depth) {
    struct span_long none = {0};
    if (e->op >= OP_LT && e->op <= OP_NE)
        return (struct span_long){true, 0, 1};
    struct span_long a = converted(t, e->args[0], e->type, depth);
    struct span_long b = converted(t, e->args[1], e->type, depth);
    switch (e->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return span_of_sum(e->op, a, b);
    case OP_DIV:
    case OP_REM:
        return span_of_division(e->op, a, b, e->type);
    case OP_BITAND:
        return span_of_mask(a, b);
    case OP_SHR:
        return span_of_shift(a, b, e->type);
    default:
        return none;
    }
}

/* What the operation gives; not `known`: what the type of the expression holds. */
static struct span_long span_of_operation(const struct trace *t, const struct expr *e, int depth) {
    struct span_long none = {0};
    switch (e->kind) {
    case EXPR_INT:
        return (struct span_long){true, (long)e->int_value, (long)e->int_value};
    case EXPR_VAR:
        return span_of_variable(t, e, depth);
    case EXPR_CAST:
        return converted(t, e->args[0], e->type, depth);
    case EXPR_BINARY:
        return span_of_binary(t, e, depth);
    case EXPR_AND:
    case EXPR_OR:
        return (struct span_long){true, 0, 1};
    case EXPR_COMMA:
        return span_at(t, e->args[1], depth);
    case EXPR_CONDITIONAL:
        return e->args[1] ? hull(converted(t, e->args[1], e->type, depth),
                                 converted(t, e->args[2], e->type, depth))
                          : none;
    case EXPR_UNARY:
        return e->op == OP_NOT ? (struct span_long){true, 0, 1} : none;
    default:
        return none;
    }
}

/* A result that its type does not hold is any that it does. */
static struct span_long span_at(const struct trace *t, const struct expr *e, int depth) {
    struct span_long none = {0};
    if (!is_integer(e->type) || depth > MOST_DEPTH)
        return is_integer(e->type) ? span_of_type(e->type) : none;
    return span_converted(span_of_operation(t, e, depth + 1), e->type, e->type);
}

struct span_long span_of_expr(const struct trace *t, const struct expr *e) {
    return span_at(t, e, 0);
}
