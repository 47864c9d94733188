/* What the text around an element of a relaxed or buffered array says. */
#include "analyzer/access/reductions/relax.h"

#include <string.h>

/* ---- x[e] += u; ------------------------------------------------------------------------------ */

struct update {
    const struct expr *lvalue, *found;
};

static void see_statement(void *data, struct stmt *s) {
    struct update *update = data;
    const struct expr *e = s->kind == STMT_EXPR ? s->expr : NULL;
    if (e && e->kind == EXPR_ASSIGN && (e->op == OP_ADD || e->op == OP_SUB) &&
        e->args[0] == update->lvalue) {
        update->found = e;
    }
}

const struct expr *relax_update_of(const struct trace *t, const struct expr *lvalue) {
    struct update update = {.lvalue = lvalue};
    stmt_each(t->loop->body, see_statement, &update);
    return update.found;
}

/* ---- counts that are read as real numbers ---------------------------------------------------- */

struct parent {
    const struct expr *child, *found;
    const struct variable *set;
};

static void see_parent(void *data, struct expr *e) {
    struct parent *parent = data;
    for (int i = 0; i < e->nargs; ++i)
        if (e->args[i] == parent->child)
            parent->found = e;
}

static void see_declared(void *data, struct stmt *s) {
    struct parent *parent = data;
    for (int i = 0; i < s->nvars; ++i)
        if (s->vars[i]->init == parent->child)
            parent->set = s->vars[i];
}

/* Of numbers that are near each other it makes numbers that are. */
static bool is_smooth(const struct expr *call) {
    return call->function && effects_say(call->function, EFFECT_SMOOTH);
}

static bool is_arithmetic(const struct expr *e) {
    bool sum = e->kind == EXPR_BINARY &&
               (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL || e->op == OP_DIV);
    return sum || e->kind == EXPR_CAST || (e->kind == EXPR_UNARY && e->op == OP_MINUS) ||
           (e->kind == EXPR_CALL && is_smooth(e));
}

/* An operation whose result is real, once the whole number has become so; sums and products with
 * literals before. */
static bool climbs(const struct expr *parent, const struct expr *child, bool *real) {
    if (!is_arithmetic(parent) || !(type_is(parent->type, TYPE_FLOAT) || !*real))
        return false;
    if (!type_is(parent->type, TYPE_FLOAT)) {
        const struct expr *other =
            parent->kind == EXPR_BINARY ? parent->args[parent->args[0] == child] : NULL;
        return other && other->kind == EXPR_INT && (parent->op == OP_ADD || parent->op == OP_SUB);
    }
    *real = true;
    return true;
}

bool relax_is_quantity(const struct trace *t, const struct expr *lvalue) {
    bool real = false;
    for (const struct expr *e = lvalue;;) {
        struct parent parent = {.child = e};
        stmt_visit(t->loop->body, see_parent, &parent);
        if (parent.found && parent.found->kind == EXPR_ASSIGN)
            return parent.found->args[1] == e && type_is(parent.found->args[0]->type, TYPE_FLOAT);
        if (!parent.found) {
            stmt_each(t->loop->body, see_declared, &parent);
            return parent.set && type_is(parent.set->type, TYPE_FLOAT);
        }
        if (!climbs(parent.found, e, &real))
            return false;
        e = parent.found;
    }
}
