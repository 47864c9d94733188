/* What is evaluated in front of the loop, where the run asks before whether pointers lead to
 * memory.
 */
#include "analyzer/access/fault/fault.h"

static bool may_divide_by_none(const struct trace *t, const struct expr *e) {
    bool division = (e->kind == EXPR_BINARY || e->kind == EXPR_ASSIGN) &&
                    (e->op == OP_DIV || e->op == OP_REM) && e->type && e->type->kind == TYPE_INT;
    if (!division)
        return false;
    const struct type *from = e->args[1]->type;
    struct span_long by = span_converted(span_of_expr(t, e->args[1]), from, e->type);
    return !by.known || (by.low <= 0 && by.high >= 0) || (by.low <= -1 && by.high >= -1);
}

bool expr_may_trap(const struct trace *t, const struct expr *e) {
    struct fault_ask ask = {.t = t};
    bool traps = may_divide_by_none(t, e) || (e->kind == EXPR_CALL && fault_of_call(&ask, e));
    for (int i = 0; i < e->nargs && !traps; ++i)
        traps = e->args[i] && expr_may_trap(t, e->args[i]);
    return traps;
}
