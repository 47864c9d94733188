/* Why a minimum or maximum together with its place
 * is no reduction, in the words of what spoils it. */
#include "analyzer/access/reductions/argmin.h"

struct near_argmin {
    const struct trace *t;
    const struct stmt *where;
    const struct variable *var;
    const struct ref *read;
    const struct expr *cond; /* the comparison that reads the variable */
    int side;                /* ... on this side */
    const struct expr *set;  /* the assignment to it */
    const char *kind;
};

static void see_comparison(void *data, struct expr *e) {
    struct near_argmin *c = data;
    if (e->kind != EXPR_BINARY || e->op < OP_LT || e->op > OP_GE)
        return;
    for (int side = 0; side < 2; ++side) {
        if (range_holds_start(&e->args[side]->range, &c->read->range)) {
            c->cond = e;
            c->side = side;
        }
    }
}

static void see_set(void *data, struct expr *e) {
    struct near_argmin *c = data;
    if (e->kind == EXPR_ASSIGN && e->op == OP_NONE && e->args[0]->kind == EXPR_VAR &&
        e->args[0]->var == c->var && !c->set) {
        c->set = e;
    }
}

/* ---- the form -------------------------------------------------------------------------------- */

static void refuse_condition(const struct near_argmin *c) {
    interp_refuse(
        c->t, ORR2270, c->read->range,
        "let the `if` compare it with one value (`<`, `<=`, `>` or `>=`; other conditions "
        "may stand beside that behind `&&`) and set it to that value; give it a start that "
        "any value beats, such as INFINITY",
        "`%s` decides here whether it is set, in another way than the least or greatest "
        "value so far does: what it is depends on the iterations before",
        c->var->name);
}

static void refuse_place_only(const struct near_argmin *c) {
    interp_refuse(
        c->t, ORR2201, c->read->range,
        arena_printf(c->t->arena,
                     "keep the %s in a variable of its own, compare with that, and set both in the "
                     "`if`: together they are a reduction",
                     c->kind),
        "`%s` is the place of a %s so far, which depends on the iterations before", c->var->name,
        c->kind);
}

static void refuse_other_value(const struct near_argmin *c) {
    struct arena *arena = c->t->arena;
    interp_refuse(
        c->t, ORR2201, c->read->range,
        "set it to what it is compared with, if a minimum or maximum is meant",
        "`%s` is compared with `%s` but set to `%s` (line %d): that is no %s, and what it "
        "is here depends on the iterations before",
        c->var->name, expr_print(arena, c->cond->args[1 - c->side]),
        expr_print(arena, c->set->args[1]), c->set->range.begin.line, c->kind);
}

static void refuse_rounded(const struct near_argmin *c) {
    interp_refuse(
        c->t, ORR2270, c->set->range,
        arena_printf(c->t->arena, "give `%s` the type of what it is set to", c->var->name),
        "`%s` would be a reduction (a %s with its place), but it is not exactly what it is "
        "compared with: with another type it is rounded, and the order counts",
        c->var->name, c->kind);
}

static void refuse_odd(const struct near_argmin *c, struct range odd) {
    interp_refuse(
        c->t, ORR2270, odd,
        "let the `if` do nothing but set variables declared outside of the loop, each to a "
        "value of the iteration's own, and do the rest after the loop",
        "`%s` would be a reduction (a %s with what is set along with it) but for this: how "
        "often it happens depends on the iterations before",
        c->var->name, c->kind);
}

static void refuse_else(const struct near_argmin *c) {
    interp_refuse(c->t, ORR2270, c->where->other->range,
                  "write it without `else`, so that it does not depend on what was found before",
                  "`%s` would be a reduction (a %s) but for this `else`: whether it is reached "
                  "depends on the iterations before",
                  c->var->name, c->kind);
}

/* ---- other uses ------------------------------------------------------------------------------ */

static void refuse_use(const struct near_argmin *c, const struct ref *ref) {
    interp_refuse(
        c->t, ORR2270, ref->via ? ref->via->range : ref->range,
        "use it after the loop only, and let every `if` that sets it set the same "
        "variables, by the same comparison",
        "`%s` would be a reduction (a %s with what is set along with it) but for this use "
        "of `%s`: what it is here depends on the iterations before",
        c->var->name, c->kind, ref->address->region->var->name);
}

static const struct ref *other_use(const struct trace *t, const struct choosing *c) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        const struct region *region = ref->address->region;
        if (region->kind == REGION_VARIABLE && choosing_set_of(c, region->var) &&
            !choosing_expects(c, ref)) {
            return ref;
        }
    }
    return NULL;
}

static void refuse_speculation(const struct near_argmin *c, const struct expr *faulty) {
    const char *text = expr_print(c->t->arena, faulty);
    interp_refuse(
        c->t, ORR2278, faulty->range,
        arena_printf(c->t->arena,
                     "if it is right to evaluate it in every iteration, do so first, into "
                     "a local variable; if it belongs to the %s found, keep only which "
                     "iteration that is and evaluate it once after the loop",
                     c->kind),
        "`%s` would be a reduction (a %s with what is set along with it), but `%s` is "
        "evaluated only where a better one is found, which depends on the iterations "
        "before: evaluated in others, it could end the program, or not end",
        c->var->name, c->kind, text);
}

static void refuse_spoiled(const struct near_argmin *c) {
    struct choosing choosing = {.where = c->where, .cond = c->where->expr};
    if (c->where->other) {
        refuse_else(c);
        return;
    }
    if (!choosing_sets(c->t, c->where->then, &choosing)) {
        refuse_odd(c, choosing.odd);
        return;
    }
    bool form = choosing_compares(c->t, c->where->expr, &choosing);
    const struct ref *other = form ? other_use(c->t, &choosing) : NULL;
    const struct expr *faulty = form ? choosing_speculates(c->t, &choosing) : NULL;
    if (other)
        refuse_use(c, other);
    else if (faulty)
        refuse_speculation(c, faulty);
    else if (!form && choosing_is_exact(c->var->type, c->set->args[1]))
        refuse_condition(c);
    else if (!form)
        refuse_rounded(c);
    else
        refuse_odd(c, c->where->then->range);
}

void argmin_refuse(const struct trace *t, const struct stmt *s, const struct variable *var,
                   const struct ref *read) {
    struct near_argmin c = {.t = t, .where = s, .var = var, .read = read};
    expr_visit(s->expr, see_comparison, &c);
    stmt_visit(s->then, see_set, &c);
    if (!c.cond) {
        refuse_condition(&c);
        return;
    }
    const struct expr *mine = c.cond->args[c.side];
    bool less = c.cond->op == OP_LT || c.cond->op == OP_LE;
    c.kind = less == (c.side == 1) ? "minimum" : "maximum";
    if (mine->kind != EXPR_VAR || mine->var != var)
        refuse_place_only(&c);
    else if (!expr_equal(c.set->args[1], c.cond->args[1 - c.side]))
        refuse_other_value(&c);
    else
        refuse_spoiled(&c);
}
