/*
 * Pointers that a loop inside moves by whole elements, nobody knows how far: `for (; w->id >= 0;
 * ++w)`. They stay in what they pointed into before, at a subscript that is not known.
 */
#include "analyzer/access/interp/interp.h"

struct moves {
    const struct variable *var;
    bool others;
    const struct expr *link;
};

/* `p->next`, `less ? p->left : p->right`. */
static bool is_link(const struct expr *e, const struct variable *var) {
    if (e->kind == EXPR_CONDITIONAL && e->args[1])
        return is_link(e->args[1], var) || is_link(e->args[2], var);
    while (e->kind == EXPR_CAST || e->kind == EXPR_MEMBER || e->kind == EXPR_SUBSCRIPT) {
        bool node = e->kind == EXPR_MEMBER && e->args[0]->kind == EXPR_DEREF;
        e = node ? e->args[0]->args[0] : e->args[0];
        if (node)
            return e->kind == EXPR_VAR && e->var == var;
    }
    return false;
}

static void see_other(void *data, struct expr *e) {
    struct moves *moves = data;
    bool plain = e->kind == EXPR_ASSIGN && e->op != OP_ADD && e->op != OP_SUB;
    if (plain && lvalue_variable(e->args[0]) == moves->var) {
        moves->others = true;
        moves->link = e->op == OP_NONE && is_link(e->args[1], moves->var) ? e : moves->link;
    }
}

static struct moves moves_in(struct stmt *s, const struct variable *var) {
    struct moves moves = {.var = var};
    if (s->kind == STMT_FOR) {
        stmt_visit(s->loop->body, see_other, &moves);
        expr_visit(s->loop->cond, see_other, &moves);
        expr_visit(s->loop->next, see_other, &moves);
    } else {
        stmt_visit(s->then, see_other, &moves);
        expr_visit(s->expr, see_other, &moves);
    }
    return moves;
}

bool interp_only_moves(struct stmt *s, const struct variable *var) {
    return !moves_in(s, var).others;
}

const struct expr *interp_link(struct stmt *s, const struct variable *var) {
    return var->type->kind == TYPE_POINTER ? moves_in(s, var).link : NULL;
}

static bool is_changed_unseen(const struct interp *w, const struct stmt *s,
                              const struct variable *var) {
    for (int i = 0; i < w->nextra; ++i)
        if (w->extra[i].loop == s && w->extra[i].var == var)
            return true;
    return var->address_taken;
}

static bool is_inner_iv(struct interp *w, struct stmt *s, const struct variable *var) {
    const struct slot *slot = env_find(&w->env, var);
    const struct type *type = var->type;
    return type->kind == TYPE_POINTER && type->element->size > 0 && slot &&
           slot->value->kind == VALUE_POINTER && slot->value->region->kind != REGION_UNKNOWN &&
           !is_changed_unseen(w, s, var) && interp_only_moves(s, var);
}

int inner_iv_begin(struct interp *w, struct stmt *s, int nvars, struct variable **vars,
                   struct inner_iv **out) {
    int count = 0;
    for (int i = 0; i < nvars; ++i) {
        if (is_inner_iv(w, s, vars[i])) {
            struct inner_iv inner_iv = {vars[i], env_find(&w->env, vars[i])->value};
            ARENA_PUSH(w->arena, *out, count, inner_iv);
        }
    }
    return count;
}

void inner_iv_set(struct interp *w, int count, const struct inner_iv *inner_ivs) {
    for (int i = 0; i < count; ++i) {
        struct variable *var = inner_ivs[i].var;
        struct slot *slot = env_find(&w->env, var);
        bool known = slot && slot->value->kind == VALUE_POINTER &&
                     slot->value->region->kind != REGION_UNKNOWN;
        if (!slot || known)
            continue;
        const struct value *far = value_unknown(
            w, interp_why(
                   &w->trace, WHY_MOVED,
                   arena_printf(w->arena, "how far `%s` moves in a loop is not known", var->name)));
        slot->value = value_advance(w, inner_ivs[i].before, far,
                                    poly_constant(w->arena, var->type->element->size), NULL);
    }
}
