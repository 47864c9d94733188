/* Variables that count: how a header moves them, and where their type ends. */
#include "analyzer/access/interp/interp.h"

#include <limits.h>

bool access_wraps(const struct interp *w, const struct type *type) {
    return type->kind == TYPE_INT &&
           (!type->is_signed || type->size < 4 || w->facts->unit->signed_wraps);
}

long access_last_start(const struct loop *loop) {
    const struct type *type = loop->variable->type;
    long bits = 8 * (long)type->size - (type->is_signed ? 1 : 0);
    long greatest = bits < 63 ? (1L << bits) - 1 : LONG_MAX;
    long least = type->is_signed ? -greatest : 0;
    return (loop->step > 0 ? greatest : least) - loop->step;
}

bool access_steps_inside(const struct loop *loop, const struct poly *first) {
    long value;
    return poly_is_constant(first, &value) &&
           (loop->step > 0 ? value <= access_last_start(loop) : value >= access_last_start(loop));
}

bool header_assigns(const struct expr *e, const struct variable *var) {
    return (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) && e->args[0]->kind == EXPR_VAR &&
           e->args[0]->var == var;
}

bool header_moves(const struct expr *next, const struct variable *var) {
    if (!next || next->kind != EXPR_COMMA)
        return next && header_assigns(next, var);
    return header_moves(next->args[0], var) || header_moves(next->args[1], var);
}
