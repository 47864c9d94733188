/*
 * The best found by its place: `if (x[i] < x[at]) at = i;`. What at stands for is x[at], as long as
 * the loop changes neither x nor anything else that it is made of.
 */
#include "analyzer/access/reductions/argmin.h"

/* ---- locals of the body that only name a value ----------------------------------------------- */

static bool is_unwritten(const struct trace *t, const struct expr *e) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (ref->expr == e && located(t, ref)->object && located(t, ref)->object->written)
            return false;
    }
    return true;
}

/* It says the same anywhere in an iteration, but for members of `c` (NULL: none). */
static bool is_made_steady(const struct trace *t, const struct expr *e, const struct choosing *c) {
    if (c && e->kind == EXPR_VAR && choosing_set_of(c, e->var))
        return true;
    bool array = e->kind == EXPR_VAR && type_is_array(e->type);
    bool steady =
        e->kind == EXPR_VAR ? array || variable_is_steady(t->loop, e->var) : is_unwritten(t, e);
    for (int i = 0; i < e->nargs && steady; ++i)
        steady = e->args[i] && is_made_steady(t, e->args[i], c);
    return steady;
}

static bool is_comparison(const struct expr *e) {
    return e->kind == EXPR_AND || (e->kind == EXPR_BINARY && e->op >= OP_LT && e->op <= OP_GE);
}

const struct expr *choosing_named(const struct trace *t, const struct expr *e) {
    const struct variable *var = e->kind == EXPR_VAR ? e->var : NULL;
    if (!var || var->storage != STORAGE_LOCAL || !var->init || var->writes > 0 ||
        var->address_taken || !range_holds_start(&t->loop->body->range, &var->range)) {
        return e;
    }
    bool flag =
        is_comparison(var->init) && (var->type->kind == TYPE_INT || var->type->kind == TYPE_BOOL);
    return flag || type_is_same_number(var->type, var->init->type) ? var->init : e;
}

const struct expr *choosing_value(const struct trace *t, const struct expr *e,
                                  const struct choosing *c) {
    const struct expr *named = choosing_named(t, e);
    return expr_is_quiet(named, false) && is_made_steady(t, named, c) ? named : e;
}

/* ---- the same with the place in it ----------------------------------------------------------- */

/* e, with `value` for `var` (NULL: for none), and what locals are set to for them. */
static struct expr *put(const struct trace *t, const struct expr *e, const struct variable *var,
                        struct expr *value) {
    const struct expr *from = choosing_value(t, e, NULL);
    if (var && from->kind == EXPR_VAR && from->var == var)
        return value;
    struct expr *made = arena_alloc(t->arena, sizeof *made);
    *made = *from;
    made->hash = 0;
    made->size = 0;
    made->args = arena_alloc(t->arena, (size_t)(from->nargs + 1) * sizeof *made->args);
    for (int i = 0; i < from->nargs; ++i)
        made->args[i] = from->args[i] ? put(t, from->args[i], var, value) : NULL;
    return made;
}

/* Set to e, the place is exactly that: it names the same element. */
static bool holds(const struct type *place, const struct expr *e) {
    const struct type *type = e->type;
    return place->kind == TYPE_INT && type && type->kind == TYPE_INT &&
           (type_is_same_number(place, type) || (place->size == 8 && type->size < 8) ||
            (e->kind == EXPR_INT && e->int_value >= 0 && place->size >= 4));
}

/* ---- what it is made of ---------------------------------------------------------------------- */

/* The members that stand in e, as they are read there. */
static bool find_members(const struct trace *t, const struct expr *e, struct choosing *c,
                         const struct variable **member) {
    if (e->kind == EXPR_VAR && choosing_set_of(c, e->var)) {
        bool one = !*member || *member == e->var;
        *member = e->var;
        ARENA_PUSH(t->arena, c->reads, c->nreads, e);
        return one;
    }
    for (int i = 0; i < e->nargs; ++i)
        if (e->args[i] && !find_members(t, e->args[i], c, member))
            return false;
    return true;
}

/* A called function, or a pointer, changes none of the variables in e. */
static bool is_kept(const struct trace *t, const struct expr *e, const struct variable *place) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct region *region = t->refs[i].address->region;
        if (t->refs[i].write && region->kind == REGION_VARIABLE && region->var != place &&
            expr_names(e, region->var)) {
            return false;
        }
    }
    return true;
}

/* Nothing but the place in `e` differs from iteration to iteration. */
static bool is_fixed(const struct trace *t, const struct expr *e, const struct variable *place) {
    if (e->kind == EXPR_VAR && e->var != place) {
        return !stmt_sets(t->loop->stmt, e->var) && !expr_sets(t->loop->next, e->var) &&
               !expr_sets(t->loop->cond, e->var) && e->var != t->loop->variable &&
               !range_holds_start(&t->loop->stmt->range, &e->var->range);
    }
    bool fixed = is_unwritten(t, e) || (e->kind == EXPR_VAR && e->var == place);
    for (int i = 0; i < e->nargs && fixed; ++i)
        fixed = e->args[i] && is_fixed(t, e->args[i], place);
    return fixed;
}

bool choosing_compares_place(const struct trace *t, const struct expr *mine,
                             const struct expr *other, struct choosing *c) {
    const struct variable *place = NULL;
    int nreads = c->nreads;
    bool good = mine->kind != EXPR_VAR && type_is_same_number(mine->type, other->type) &&
                expr_is_quiet(mine, false) && expr_is_quiet(other, false) &&
                find_members(t, mine, c, &place) && place;
    struct expr *set = good ? choosing_set_of(c, place) : NULL;
    good = good && holds(place->type, set->args[1]) && is_kept(t, mine, place) &&
           is_fixed(t, mine, place) &&
           expr_equal(put(t, mine, place, put(t, set->args[1], NULL, NULL)),
                      put(t, other, NULL, NULL));
    c->best = good ? place : c->best;
    c->nreads = good ? c->nreads : nreads;
    return good;
}
