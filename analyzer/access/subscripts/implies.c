/* What follows from conditions, by their texts alone. */
#include "analyzer/facts.h"

bool facts_implies(const struct expr *a, const struct expr *b) {
    if (!b || (a && expr_equal(a, b)))
        return true;
    if (!a)
        return false;
    if (b->kind == EXPR_AND)
        return facts_implies(a, b->args[0]) && facts_implies(a, b->args[1]);
    if (a->kind == EXPR_OR)
        return facts_implies(a->args[0], b) && facts_implies(a->args[1], b);
    if (b->kind == EXPR_OR && (facts_implies(a, b->args[0]) || facts_implies(a, b->args[1])))
        return true;
    return a->kind == EXPR_AND && (facts_implies(a->args[0], b) || facts_implies(a->args[1], b));
}

bool facts_excludes(const struct expr *a, const struct expr *b) {
    if (!a)
        return false;
    if (a->kind == EXPR_OR)
        return facts_excludes(a->args[0], b) && facts_excludes(a->args[1], b);
    return (a->kind == EXPR_UNARY && a->op == OP_NOT && expr_equal(a->args[0], b)) ||
           (a->kind == EXPR_AND &&
            (facts_excludes(a->args[0], b) || facts_excludes(a->args[1], b)));
}
