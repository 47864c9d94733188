/*
 * Minima and maxima of floating-point numbers: -0.0 and 0.0 are equal, and which of them is kept
 * depends on the order. Where no number that is folded in can be -0.0 it does not.
 */
#include "analyzer/access/reductions/argmin.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 8 };

static bool is_signless(const struct expr *e, int depth);

/* fabs and its like give no -0.0; sqrt, fmin and fmax give one only where they get one. */
static bool call_is_signless(const struct expr *e, int depth) {
    bool all = e->nargs > 0 && e->function && effects_say(e->function, EFFECT_KEEPS_ZERO);
    for (int i = 0; i < e->nargs && all; ++i)
        all = is_signless(e->args[i], depth + 1);
    return all || (e->function && effects_say(e->function, EFFECT_POSITIVE));
}

/* What the variable is declared with is all that it ever holds. */
static const struct expr *held_by(const struct variable *var) {
    bool once = var->storage == STORAGE_LOCAL && var->writes == 0 && !var->address_taken;
    return once ? var->init : NULL;
}

/* A sum is -0.0 when both sides are; a product of a number with itself is not negative. */
static bool binary_is_signless(const struct expr *e, int depth) {
    bool first = is_signless(e->args[0], depth), second = is_signless(e->args[1], depth);
    bool square = expr_is_quiet(e->args[0], false) && expr_equal(e->args[0], e->args[1]);
    return e->op == OP_ADD ? first || second : e->op == OP_MUL && (square || (first && second));
}

/* Is what e is worth never -0.0? Integers have none. */
static bool is_signless(const struct expr *e, int depth) {
    if (depth > MOST_DEPTH || !e->type)
        return false;
    if (e->type->kind != TYPE_FLOAT)
        return true;
    switch (e->kind) {
    case EXPR_FLOAT:
        return true;
    case EXPR_CAST:
        return is_signless(e->args[0], depth + 1);
    case EXPR_VAR:
        return held_by(e->var) && is_signless(held_by(e->var), depth + 1);
    case EXPR_BINARY:
        return binary_is_signless(e, depth + 1);
    case EXPR_CONDITIONAL:
        return e->args[1] && is_signless(e->args[1], depth + 1) &&
               is_signless(e->args[2], depth + 1);
    case EXPR_CALL:
        return call_is_signless(e, depth + 1);
    default:
        return false;
    }
}

/* What the assignment folds in: the side of fmin or ?: that is not x, or all of it. */
static const struct expr *folded_in(const struct expr *assign) {
    const struct expr *x = assign->args[0], *e = assign->args[1];
    int from = e->kind == EXPR_CALL ? 0 : e->kind == EXPR_CONDITIONAL ? 1 : e->nargs;
    for (int i = from; i < e->nargs; ++i)
        if (e->args[i] && !expr_equal(e->args[i], x))
            return e->args[i];
    return e;
}

static bool is_least_or_zero(const struct expr *e, bool least) {
    bool negative = e->kind == EXPR_UNARY && e->op == OP_MINUS;
    const struct expr *number = negative ? e->args[0] : e;
    bool integer = number->kind == EXPR_INT, literal = integer || number->kind == EXPR_FLOAT;
    double value = !literal ? 0 : integer ? (double)number->int_value : strtod(number->text, NULL);
    value = negative ? -value : value;
    return literal && (least ? value <= 0 : value >= 0);
}

/*
 * `most` begins as 0 or more and only grows, where something is greater: no zero that comes ever
 * takes its place. `writes`: how many places of the loop fold into it.
 */
static bool begins_beyond(const struct variable *var, int op, int writes) {
    bool first = op >= 0 && reduction_operator(op)->ties == REDUCTION_FIRST;
    bool own = var && var->storage == STORAGE_LOCAL && var->init && !var->address_taken &&
               var->writes == writes;
    return first && own && is_least_or_zero(var->init, op == REDUCE_MIN);
}

bool fold_has_ties(const struct trace *t, const struct object *object) {
    bool ties = false;
    int writes = 0, op = -1;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        bool folds = located(t, ref)->object == object && ref->write &&
                     located(t, ref)->reduction >= 0 && ref->type && ref->type->kind == TYPE_FLOAT;
        enum reduction_op how = folds ? (enum reduction_op)located(t, ref)->reduction : REDUCE_ADD;
        bool extreme =
            reduction_is_extreme(how) && reduction_operator(how)->ties != REDUCTION_EITHER;
        const struct expr *assign = extreme ? fold_assignment(t, ref->expr) : NULL;
        ties = ties || (extreme && (!assign || !is_signless(folded_in(assign), 0)));
        writes += folds;
        op = extreme ? (int)how : op;
    }
    bool number = object->kind == OBJECT_SCALAR;
    return ties && !(number && begins_beyond(object->var, op, writes));
}
