/* The forms of a reduction in the text: x += e, x = x + e, x = fmin(x, e), if (e < x) x = e. */
#include "analyzer/access/interp/interp.h"

#include <string.h>

/* A function of the C library whose result depends on its arguments alone. */
static bool calls_pure(const struct expr *e) {
    return e->function && !e->function->body && effect_of_function(e->function) == EFFECT_PURE;
}

bool expr_is_quiet(const struct expr *e, bool own) {
    if (!e)
        return true;
    if (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT || e->kind == EXPR_UNKNOWN ||
        (e->kind == EXPR_CALL && !calls_pure(e) && !(own && e->function && e->function->body))) {
        return false;
    }
    for (int i = 0; i < e->nargs; ++i)
        if (!expr_is_quiet(e->args[i], own))
            return false;
    return true;
}

static bool is_quiet(const struct expr *e) {
    return expr_is_quiet(e, false);
}

static bool same_lvalue(const struct expr *a, const struct expr *b) {
    return is_quiet(a) && expr_equal(a, b);
}

static bool is_kind(const struct expr *e, enum type_kind kind) {
    return e->type && e->type->kind == kind;
}

/* Every number of e's type is one of x's type, and compared with x as what it is. */
static bool is_within(const struct type *x, const struct type *e) {
    bool wider = x->is_signed && x->size > e->size;
    return e->kind == TYPE_INT && x->kind == TYPE_INT &&
           (wider || (x->is_signed == e->is_signed && x->size >= e->size));
}

/* A literal beside x is compared as what it is, and x set to it holds it. */
bool expr_is_bound(const struct type *x, const struct expr *e) {
    bool wraps = e->type && !e->type->is_signed && x->is_signed;
    return (e->type && is_within(x, e->type)) || (type_fits(x, e) && !wraps);
}

/* Folding in another order gives the same: integers into integers, numbers into floats. */
static bool types_fold(const struct expr *x, const struct expr *e, bool ordering) {
    if (is_kind(x, TYPE_FLOAT))
        return is_kind(e, TYPE_FLOAT) || is_kind(e, TYPE_INT);
    if (!is_kind(x, TYPE_INT))
        return false;
    return is_kind(e, TYPE_INT) && (!ordering || expr_is_bound(x->type, e));
}

static bool takes(int op, const struct expr *x) {
    const struct reduction_operator *row = reduction_operator(op);
    return row && (is_kind(x, TYPE_FLOAT) ? row->floats : row->integers);
}

/* x in the left spine of a sum (or either side of other operations): x + a - b. */
static int match_spine(struct expr *x, struct expr *e, struct expr **read) {
    if (e->kind != EXPR_BINARY)
        return -1;
    int op = reduction_spelled(e->op);
    if (op < 0)
        return -1;
    for (int side = 0; side < 2; ++side) {
        struct expr *mine = e->args[side], *other = e->args[1 - side];
        if ((side == 1 && e->op == OP_SUB) || !types_fold(x, other, false))
            continue;
        if (same_lvalue(mine, x)) {
            *read = mine;
            return op;
        }
        if (op == match_spine(x, mine, read))
            return op;
    }
    return -1;
}

static bool call_is(const struct expr *e, const char *stem) {
    const char *name = e->function->name;
    size_t length = strlen(stem);
    if (strncmp(name, "__builtin_", 10) == 0)
        name += 10;
    return length > 0 && strncmp(name, stem, length) == 0 &&
           (name[length] == '\0' || name[length + 1] == '\0');
}

/* What the function makes of x when it gives that back. */
static bool keeps(const struct expr *call, const struct type *x) {
    long size = call->type && call->type->kind == TYPE_FLOAT ? call->type->size : 0;
    return x->kind == TYPE_FLOAT ? size >= x->size : size >= 2 * x->size;
}

/* Which of equal numbers counts: of integers they are the same. */
static int tied(const struct expr *x, int op, bool last) {
    bool floating = is_kind(x, TYPE_FLOAT);
    return op < 0 || !floating || !last ? op : op == REDUCE_MIN ? REDUCE_MIN_LAST : REDUCE_MAX_LAST;
}

/* The operator that a call of the C library folds by: of integers what it is a kind of. */
static int called(const struct expr *x, const struct expr *e) {
    if (e->kind != EXPR_CALL || !e->function || e->function->body || e->nargs != 2)
        return -1;
    for (int i = 0; i < REDUCTION_OPERATORS; ++i) {
        const struct reduction_operator *row = reduction_operator(i);
        if (call_is(e, row->call))
            return takes(i, x) ? i : takes((int)row->base, x) ? (int)row->base : -1;
    }
    return -1;
}

/* Compilers may swap the arguments of fmin: which of -0.0 and 0.0 it gives is theirs to say. */
static int match_call(struct expr *x, struct expr *e, struct expr **read) {
    int op = called(x, e);
    for (int side = 0; op >= 0 && x->type && keeps(e, x->type) && side < 2; ++side) {
        if (same_lvalue(e->args[side], x) && types_fold(x, e->args[1 - side], true)) {
            *read = e->args[side];
            return op;
        }
    }
    return -1;
}

/* a < b: takes `taken` when it holds. MIN or MAX of x and the other, or -1. */
static int match_order(struct expr *x, struct expr *cond, struct expr *taken, struct expr **read,
                       struct expr **other) {
    if (cond->kind != EXPR_BINARY || cond->op < OP_LT || cond->op > OP_GE)
        return -1;
    bool less = cond->op == OP_LT || cond->op == OP_LE;
    for (int side = 0; side < 2; ++side) {
        struct expr *mine = cond->args[side];
        *other = cond->args[1 - side];
        if (!same_lvalue(mine, x) || !is_quiet(*other) || !types_fold(x, *other, true))
            continue;
        *read = mine;
        bool other_is_less = (side == 1) == less;
        bool takes_other = same_lvalue(*other, taken);
        bool takes_mine = same_lvalue(mine, taken);
        if (takes_other || takes_mine)
            return other_is_less == takes_other ? REDUCE_MIN : REDUCE_MAX;
    }
    return -1;
}

static int match_conditional(struct expr *x, struct expr *e, struct expr **reads, int *nreads) {
    struct expr *other;
    if (e->kind != EXPR_CONDITIONAL || !e->args[1])
        return -1;
    int op = match_order(x, e->args[0], e->args[1], &reads[0], &other);
    bool equal = op >= 0 && (e->args[0]->op == OP_LE || e->args[0]->op == OP_GE);
    for (int side = 1; op >= 0 && side < 3; ++side) {
        if (same_lvalue(e->args[side], x) && same_lvalue(e->args[3 - side], other)) {
            reads[1] = e->args[side];
            *nreads = 2;
            return tied(x, op, equal == (side == 2));
        }
    }
    return -1;
}

/* x among what `&&` (or `||`) joins. */
static int match_logic(struct expr *x, struct expr *e, struct expr **read) {
    if (e->kind != EXPR_AND && e->kind != EXPR_OR)
        return -1;
    for (int side = 0; side < 2; ++side) {
        struct expr *mine = e->args[side];
        bool found = same_lvalue(mine, x);
        if (found)
            *read = mine;
        if ((found || (mine->kind == e->kind && match_logic(x, mine, read) >= 0)) &&
            expr_is_quiet(e->args[1 - side], true)) {
            return e->kind == EXPR_AND ? REDUCE_AND : REDUCE_OR;
        }
    }
    return -1;
}

/* `b &= e`, `b |= e` of a bool: both sides are 0 or 1, or are made so. */
static int match_flag(const struct expr *x, enum op op, const struct expr *e) {
    bool fits = is_kind(x, TYPE_BOOL) && (is_kind(e, TYPE_BOOL) || is_kind(e, TYPE_INT));
    return fits && op == OP_BITAND ? REDUCE_AND : fits && op == OP_BITOR ? REDUCE_OR : -1;
}

/* `e` is x op ..., whatever it is assigned to. */
static int match_value(struct expr *x, struct expr *e, struct expr **reads, int *nreads) {
    int op = match_spine(x, e, &reads[0]);
    if (op < 0)
        op = match_call(x, e, &reads[0]);
    if (op < 0)
        op = match_conditional(x, e, reads, nreads);
    if (op < 0 && (is_kind(x, TYPE_INT) || is_kind(x, TYPE_BOOL)))
        op = match_logic(x, e, &reads[0]);
    return op;
}

int reduce_made_of(struct expr *x, struct expr *e) {
    struct expr *reads[4];
    int nreads = 1;
    return match_value(x, e, reads, &nreads);
}

int reduce_match(struct interp *w, struct expr *e, struct expr **reads, int *nreads) {
    struct expr *x = e->args[0];
    (void)w;
    *nreads = 1;
    reads[0] = x;
    if (e->kind == EXPR_INCREMENT)
        return is_kind(x, TYPE_INT) || is_kind(x, TYPE_FLOAT) ? REDUCE_ADD : -1;
    if (e->op != OP_NONE) {
        int op = reduction_spelled(e->op);
        bool fits = types_fold(x, e->args[1], false) && takes(op, x);
        return fits ? op : match_flag(x, e->op, e->args[1]);
    }
    return match_value(x, e->args[1], reads, nreads);
}

int reduce_match_if(struct interp *w, struct stmt *s, struct expr **reads, int *nreads) {
    struct stmt *body = s->then;
    struct expr *other;
    (void)w;
    while (body && body->kind == STMT_BLOCK && body->nbody == 1)
        body = body->body[0];
    if (s->other || !body || body->kind != STMT_EXPR || body->expr->kind != EXPR_ASSIGN ||
        body->expr->op != OP_NONE) {
        return -1;
    }
    struct expr *x = body->expr->args[0], *e = body->expr->args[1];
    int op = match_order(x, s->expr, e, &reads[0], &other);
    if (op < 0 || !same_lvalue(other, e))
        return -1;
    reads[1] = body->expr;
    *nreads = 2;
    return tied(x, op, s->expr->op == OP_LE || s->expr->op == OP_GE);
}
