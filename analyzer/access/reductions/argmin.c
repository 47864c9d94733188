/*
 * Choices: a minimum or maximum together with what is set along with it (argmin), and variables
 * that some iterations set. `if (x[i] < best) { best = x[i]; at = i; }`: the condition may depend
 * on the iterations before, since nothing follows from it but the members' own values.
 */
#include "analyzer/access/reductions/argmin.h"
#include "analyzer/access/internal.h"

#include <string.h>

static struct facts_behind *behind_of(const struct trace *t) {
    return (struct facts_behind *)t->facts;
}

bool choosing_is_outer(const struct trace *t, const struct expr *e) {
    return e->kind == EXPR_VAR && !range_holds_start(&t->loop->stmt->range, &e->var->range) &&
           e->var->type->kind != TYPE_ARRAY && e->var->type->kind != TYPE_VLA;
}

/* ---- the form in the text -------------------------------------------------------------------- */

/* The structure's own bytes: no union, nothing that changes unseen, no bit-field. */
static bool is_plain_step(const struct expr *e) {
    const struct type *type = e->args[0]->type;
    const struct type *of = e->kind == EXPR_DEREF && type ? type->element : type;
    return of && !of->is_volatile && !of->is_atomic &&
           (e->kind == EXPR_DEREF ||
            (of->kind == TYPE_STRUCT && e->field && e->field->bit_width < 0));
}

/* `*best`, `best->x`, `m->best->x`, `m->best.x`: a number that is reached by a variable's value. */
static bool is_behind(const struct trace *t, const struct expr *e) {
    const struct type *type = e->type;
    bool number = type && (type->kind == TYPE_INT || type->kind == TYPE_FLOAT ||
                           type->kind == TYPE_BOOL || type->kind == TYPE_POINTER);
    bool through = false;
    if (!number || type->is_volatile || type->is_atomic || !behind_of(t)->chosen)
        return false;
    for (; e->kind == EXPR_MEMBER || e->kind == EXPR_DEREF; e = e->args[0]) {
        through = through || e->kind == EXPR_DEREF;
        if (!is_plain_step(e))
            return false;
    }
    return through && e->kind == EXPR_VAR &&
           !range_holds_start(&t->loop->stmt->range, &e->var->range) &&
           e->var->type->kind == TYPE_POINTER;
}

/* What stands for such a place in the list of members. */
static const struct variable *variable_of(const struct trace *t, const struct expr *place) {
    struct chosen_places *all = behind_of(t)->chosen;
    for (int i = 0; i < all->count; ++i)
        if (expr_equal(all->items[i].place, place))
            return all->items[i].var;
    struct variable *var = arena_alloc(t->arena, sizeof *var);
    *var = (struct variable){.name = arena_printf(t->arena, "orrery_chosen_%d", all->count),
                             .type = place->type,
                             .id = -1};
    struct chosen_place item = {place, var};
    ARENA_PUSH(t->arena, all->items, all->count, item);
    return var;
}

static const struct expr *place_of(const struct trace *t, const struct variable *var) {
    for (int i = 0; behind_of(t)->chosen && i < behind_of(t)->chosen->count; ++i)
        if (behind_of(t)->chosen->items[i].var == var)
            return behind_of(t)->chosen->items[i].place;
    return NULL;
}

/*
 * The variable of a place that is a member: itself, the structure of which it is a field, or what
 * stands for a place behind a pointer.
 */
static const struct variable *base_of(const struct trace *t, const struct expr *place) {
    if (is_behind(t, place))
        return variable_of(t, place);
    const struct expr *base = place->kind == EXPR_MEMBER ? place->args[0] : place;
    return base->kind == EXPR_VAR ? base->var : NULL;
}

static bool is_field(const struct trace *t, const struct expr *e) {
    return e->kind == EXPR_MEMBER && !e->arrow && e->field && e->field->bit_width < 0 &&
           choosing_is_outer(t, e->args[0]) && e->args[0]->type->kind == TYPE_STRUCT &&
           e->type->kind != TYPE_ARRAY;
}

static bool is_place(const struct trace *t, const struct expr *e) {
    return choosing_is_outer(t, e) || is_field(t, e) || is_behind(t, e);
}

void choosing_add_set(const struct trace *t, struct choosing *out, struct expr *set) {
    int count = out->nsets;
    ARENA_PUSH(t->arena, out->bases, count, base_of(t, set->args[0]));
    ARENA_PUSH(t->arena, out->sets, out->nsets, set);
}

/* Assignments, one after another; false when there is something else. */
static bool sets_of_expr(const struct trace *t, struct expr *e, struct choosing *out) {
    if (e->kind == EXPR_COMMA)
        return sets_of_expr(t, e->args[0], out) && sets_of_expr(t, e->args[1], out);
    if (e->kind != EXPR_ASSIGN || e->op != OP_NONE || !is_place(t, e->args[0]) ||
        !expr_is_quiet(e->args[1], true)) {
        out->odd = e->range;
        return false;
    }
    choosing_add_set(t, out, e);
    return true;
}

bool choosing_sets(const struct trace *t, const struct stmt *s, struct choosing *out) {
    if (s->kind == STMT_EXPR)
        return sets_of_expr(t, s->expr, out);
    for (int i = 0; s->kind == STMT_BLOCK && i < s->nbody; ++i)
        if (!choosing_sets(t, s->body[i], out))
            return false;
    if (s->kind != STMT_BLOCK && s->kind != STMT_EMPTY)
        out->odd = s->range;
    return s->kind == STMT_BLOCK || s->kind == STMT_EMPTY;
}

struct expr *choosing_set_of(const struct choosing *c, const struct variable *var) {
    for (int i = 0; i < c->nsets; ++i)
        if (c->bases[i] == var)
            return c->sets[i];
    return NULL;
}

/* What this very variable or field is set by. */
static struct expr *set_at(const struct choosing *c, const struct expr *place) {
    for (int i = 0; i < c->nsets; ++i)
        if (expr_equal(c->sets[i]->args[0], place))
            return c->sets[i];
    return NULL;
}

bool choosing_is_exact(const struct type *x, const struct expr *e) {
    if (type_is(x, TYPE_INT))
        return expr_is_bound(x, e);
    if (!type_is(x, TYPE_FLOAT))
        return false;
    if (type_is(e->type, TYPE_INT))
        return e->type->size * 2 <= x->size;
    bool narrow = type_is(e->type, TYPE_FLOAT) && e->type->size <= x->size;
    bool signs = e->kind == EXPR_CALL && e->function && effects_say(e->function, EFFECT_SIGN);
    signs = signs || (e->kind == EXPR_UNARY && e->op == OP_MINUS);
    return narrow || (signs && e->nargs == 1 && choosing_is_exact(x, e->args[0]));
}

/* `best.gain` beside `e.gain`, where best is set to e. */
static bool compares_field(const struct trace *t, const struct expr *mine, const struct expr *other,
                           const struct choosing *c) {
    if (mine->kind != EXPR_MEMBER || mine->arrow || !choosing_is_outer(t, mine->args[0]) ||
        other->kind != EXPR_MEMBER || other->field != mine->field || !mine->field) {
        return false;
    }
    const struct expr *set = choosing_set_of(c, mine->args[0]->var);
    return set && expr_equal(set->args[1], other->args[0]);
}

static void add_read(const struct trace *t, struct choosing *out, const struct expr *e) {
    ARENA_PUSH(t->arena, out->reads, out->nreads, e);
}

/* `mine` is the best known: by its value, by a member, or by its place. */
static bool takes_side(const struct trace *t, struct expr *cond, int side, struct choosing *out) {
    struct expr *mine = cond->args[side], *other = cond->args[1 - side];
    struct expr *set = is_place(t, mine) ? set_at(out, mine) : NULL;
    bool field = compares_field(t, mine, other, out);
    bool place = !field && !set && choosing_compares_place(t, mine, other, out);
    bool value = set && expr_equal(set->args[1], other) && choosing_is_exact(mine->type, other);
    if (!field && !place && !value)
        return false;
    bool less = cond->op == OP_LT || cond->op == OP_LE;
    out->mine = mine;
    out->compared = other;
    out->best = place ? out->best : base_of(t, mine);
    out->field = field || (set && is_field(t, mine)) ? mine : NULL;
    out->worth = place ? mine : NULL;
    add_read(t, out, mine);
    out->op = less == (side == 1) ? REDUCE_MIN : REDUCE_MAX;
    out->first = cond->op == OP_LT || cond->op == OP_GT;
    return true;
}

/* The comparison that a local of the body holds is looked through. */
bool choosing_compares(const struct trace *t, struct expr *cond, struct choosing *out) {
    const struct expr *value = choosing_value(t, cond, out);
    out->held = out->held || value != cond;
    cond = (struct expr *)value;
    if (cond->kind == EXPR_AND)
        return choosing_compares(t, cond->args[0], out) || choosing_compares(t, cond->args[1], out);
    return cond->kind == EXPR_BINARY && cond->op >= OP_LT && cond->op <= OP_GE &&
           (takes_side(t, cond, 0, out) || takes_side(t, cond, 1, out));
}

static void see_choosing(void *data, struct stmt *s) {
    struct choosings *all = data;
    struct choosing c = {.where = s, .cond = s->expr};
    if (s->kind == STMT_IF && !s->other && expr_is_quiet(s->expr, true) &&
        choosing_sets(all->t, s->then, &c) && choosing_compares(all->t, s->expr, &c) &&
        (c.nsets > 1 || c.field || c.worth)) {
        ARENA_PUSH(all->t->arena, all->items, all->count, c);
    }
    choosing_see_ternaries(all, s);
}

/* ---- nothing else uses the members ----------------------------------------------------------- */

/* The number behind a pointer that is a member, as far as it is one by itself; else NULL. */
static struct object *object_of(const struct trace *t, const struct choosing *c, int member) {
    const struct expr *place = c->sets[member]->args[0];
    for (int i = 0; i < t->nrefs; ++i) {
        struct object *object = located(t, &t->refs[i])->object;
        if (t->refs[i].expr == place) {
            const struct region *region = t->refs[i].address->region;
            bool number = object && object->kind == OBJECT_SCALAR &&
                          region->kind == REGION_POINTER && object->base && object->element &&
                          object->element->size == place->type->size;
            return number ? object : NULL;
        }
    }
    return NULL;
}

static bool is_member(const struct trace *t, const struct choosing *c, const struct ref *ref) {
    const struct region *region = ref->address->region;
    for (int i = 0; i < c->nsets; ++i)
        if (place_of(t, c->bases[i]) && located(t, ref)->object &&
            object_of(t, c, i) == located(t, ref)->object)
            return true;
    return region->kind == REGION_VARIABLE && choosing_set_of(c, region->var);
}

static bool reads(const struct choosing *c, const struct expr *e) {
    for (int i = 0; i < c->nreads; ++i)
        if (c->reads[i] == e)
            return true;
    return false;
}

bool choosing_expects(const struct choosing *c, const struct ref *ref) {
    if (ref->header || ref->via)
        return false;
    if (!ref->write)
        return reads(c, ref->expr) || (ref->scalar && !ref->exposed);
    for (int i = 0; i < c->nsets; ++i)
        if (c->sets[i]->args[0] == ref->expr)
            return true;
    return false;
}

/* Functions called in the condition or for a member's value change nothing. */
static bool changes_else(const struct choosing *c, const struct ref *ref) {
    return ref->write && ref->via && ref->address->region->kind != REGION_LOCAL &&
           range_holds_start(&c->where->range, &ref->via->range);
}

static bool same_members(const struct choosing *a, const struct choosing *b) {
    bool same = a->nsets == b->nsets && a->op == b->op && a->first == b->first &&
                !a->field == !b->field && (!a->field || a->field->field == b->field->field) &&
                !a->worth == !b->worth && (!a->worth || expr_equal(a->worth, b->worth));
    for (int i = 0; same && i < a->nsets; ++i)
        same = set_at(b, a->sets[i]->args[0]) != NULL;
    return same;
}

static bool overlap(const struct trace *t, const struct expr *a, const struct expr *b) {
    if (base_of(t, a) != base_of(t, b))
        return false;
    bool fields = a->kind == EXPR_MEMBER && b->kind == EXPR_MEMBER;
    return !fields || (a->field->offset_bits < b->field->offset_bits + 8 * b->type->size &&
                       b->field->offset_bits < a->field->offset_bits + 8 * a->type->size);
}

static bool sets_twice(const struct trace *t, const struct choosing *c) {
    for (int i = 0; i < c->nsets; ++i) {
        for (int j = 0; j < i; ++j)
            if (overlap(t, c->sets[i]->args[0], c->sets[j]->args[0]))
                return true;
    }
    return false;
}

/* What a local holds of a comparison is out of date where another choice was made meanwhile. */
static bool is_outdated(const struct choosing *a, const struct choosing *b) {
    return a != b && (a->held || b->held);
}

/* Each touch of the members is one of some `if` that chooses the same. */
static bool is_sole(const struct choosings *all, const struct choosing *c) {
    const struct trace *t = all->t;
    for (int i = 0; i < all->count; ++i) {
        const struct choosing *other = &all->items[i];
        if (other->best == c->best &&
            (!same_members(c, other) || sets_twice(t, other) || is_outdated(c, other) ||
             choosing_speculates(all->t, other))) {
            return false;
        }
    }
    for (int r = 0; r < t->nrefs; ++r) {
        bool member = is_member(t, c, &t->refs[r]), expected = !member;
        for (int i = 0; i < all->count && !(expected && !member); ++i) {
            const struct choosing *other = &all->items[i];
            expected = expected || (other->best == c->best && choosing_expects(other, &t->refs[r]));
        }
        if (!expected || changes_else(c, &t->refs[r]))
            return false;
    }
    return true;
}

/* ---- what is made of it ---------------------------------------------------------------------- */

/* The variable, or fields of it, and nothing that is reached otherwise. */
static bool is_of_scalars(const struct loop_facts *facts, const struct variable *var) {
    int count = 0;
    for (int i = 0; i < facts->nobjects; ++i) {
        if (facts->objects[i]->var == var && facts->objects[i]->kind != OBJECT_SCALAR)
            return false;
        count += facts->objects[i]->var == var;
    }
    return count > 0;
}

static void mark(struct loop_facts *facts, const struct object *object, int reduction) {
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].object == object)
            facts->accesses[i].reduction = reduction;
}

static enum reduction_op op_of(struct arena *arena, const struct argmin *argmin,
                               const struct object *object) {
    enum reduction_op along = argmin->op == REDUCE_MIN ? REDUCE_ARGMIN : REDUCE_ARGMAX;
    bool beside = argmin->field && strcmp(object->name, object->var->name) != 0 &&
                  strcmp(object->name, expr_print(arena, argmin->field)) != 0;
    bool best = object->var == argmin->best && !argmin->worth && !beside;
    return best || argmin->op == REDUCE_LAST ? argmin->op : along;
}

static bool has_member(const struct argmin *argmin, const struct variable *var) {
    for (int m = 0; m < argmin->nmembers; ++m)
        if (argmin->members[m] == var)
            return true;
    return false;
}

static void push_member(struct loop_facts *facts, struct argmin *argmin, struct variable *var,
                        const struct expr *place) {
    int count = argmin->nmembers;
    ARENA_PUSH(facts->unit->arena, argmin->places, count, place);
    ARENA_PUSH(facts->unit->arena, argmin->members, argmin->nmembers, var);
}

static void add_place(const struct trace *t, struct argmin *argmin, const struct choosing *c,
                      int member) {
    struct loop_facts *facts = t->facts;
    struct variable *var = (struct variable *)c->bases[member];
    struct object *object = object_of(t, c, member);
    struct reduction reduction = {.op = argmin->op == REDUCE_MIN ? REDUCE_ARGMIN : REDUCE_ARGMAX,
                                  .object = object,
                                  .type = var->type,
                                  .argmin = argmin,
                                  .place = place_of(t, var),
                                  .range = c->sets[member]->range};
    if (has_member(argmin, var))
        return;
    if (var == argmin->best)
        reduction.op = argmin->op;
    push_member(facts, argmin, var, reduction.place);
    ARENA_PUSH(t->arena, facts->reductions, facts->nreductions, reduction);
    mark(facts, object, facts->nreductions - 1);
}

static void add_member(struct loop_facts *facts, struct argmin *argmin, struct variable *var,
                       struct expr *set) {
    struct arena *arena = facts->unit->arena;
    if (has_member(argmin, var))
        return;
    push_member(facts, argmin, var, NULL);
    for (int i = 0; i < facts->nobjects; ++i) {
        struct object *object = facts->objects[i];
        if (object->var != var)
            continue;
        struct reduction reduction = {.op = op_of(arena, argmin, object),
                                      .object = object,
                                      .type = object->element ? object->element : var->type,
                                      .argmin = argmin,
                                      .range = set->range};
        ARENA_PUSH(arena, facts->reductions, facts->nreductions, reduction);
        mark(facts, object, facts->nreductions - 1);
    }
}

static bool is_reduced(const struct loop_facts *facts, const struct variable *var) {
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].object->var == var)
            return true;
    return false;
}

/* What the place is behind of is there in each iteration, whether or not that one sets it. */
static bool is_read_always(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object == object && !ref->write && !ref->conditional &&
            ref->nloops == 0)
            return true;
    }
    return false;
}

static const struct expr *pointer_of(const struct expr *place) {
    while (place->kind != EXPR_DEREF)
        place = place->args[0];
    return place->args[0];
}

/* The number is one of its own, and where it is the loop's head may look. */
static bool place_fits(const struct trace *t, const struct choosing *c, int member) {
    const struct loop_facts *facts = t->facts;
    const struct object *object = object_of(t, c, member);
    bool there = false;
    for (int i = 0; object && i < facts->nreductions; ++i)
        if (facts->reductions[i].object == object)
            return false;
    for (int i = 0; object && i < c->nsets && !there; ++i) {
        const struct expr *place = place_of(t, c->bases[i]);
        there = place && is_read_always(t, object_of(t, c, i)) &&
                expr_equal(pointer_of(place), pointer_of(c->sets[member]->args[0]));
    }
    return there;
}

static bool members_fit(const struct trace *t, const struct choosing *c) {
    for (int i = 0; i < c->nsets; ++i) {
        const struct variable *var = c->bases[i];
        bool fits = place_of(t, var) ? place_fits(t, c, i)
                                     : is_of_scalars(t->facts, var) && !is_reduced(t->facts, var);
        if (!fits)
            return false;
    }
    return true;
}

static void add_choice(const struct choosings *all, const struct choosing *c) {
    struct arena *arena = all->t->arena;
    struct argmin *argmin = arena_alloc(arena, sizeof *argmin);
    *argmin = (struct argmin){
        .op = c->op, .first = c->first, .best = c->best, .field = c->field, .worth = c->worth};
    for (int i = 0; i < c->nsets; ++i)
        if (place_of(all->t, c->bases[i]))
            add_place(all->t, argmin, c, i);
        else
            add_member(all->t->facts, argmin, (struct variable *)c->bases[i], c->sets[i]);
    for (int i = 0; i < all->count; ++i) {
        if (all->items[i].best == c->best) {
            ARENA_PUSH(arena, argmin->sets, argmin->nsets,
                       choosing_set_of(&all->items[i], c->best));
        }
    }
}

void argmin_collect(const struct trace *t) {
    struct choosings all = {.t = t};
    behind_of(t)->chosen = arena_alloc(t->arena, sizeof *behind_of(t)->chosen);
    stmt_each(t->loop->stmt, see_choosing, &all);
    for (int i = 0; i < all.count; ++i)
        if (members_fit(t, &all.items[i]) && is_sole(&all, &all.items[i]))
            add_choice(&all, &all.items[i]);
}

/* ---- variables that some iterations set ------------------------------------------------------ */

struct settings {
    const struct trace *t;
    const struct variable *var;
    int nsets;
    struct expr **sets;
};

static void settings_of_expr(struct settings *all, struct expr *e) {
    if (e->kind == EXPR_COMMA) {
        settings_of_expr(all, e->args[0]);
        settings_of_expr(all, e->args[1]);
    } else if (e->kind == EXPR_ASSIGN && e->op == OP_NONE && e->args[0]->kind == EXPR_VAR &&
               e->args[0]->var == all->var) {
        ARENA_PUSH(all->t->arena, all->sets, all->nsets, e);
    }
}

static void see_setting(void *data, struct stmt *s) {
    if (s->kind == STMT_EXPR)
        settings_of_expr(data, s->expr);
}

/* The text of every touch is one of the assignments, or reads what the iteration has set. */
static bool are_plain(const struct settings *all) {
    for (int r = 0; r < all->t->nrefs; ++r) {
        const struct ref *ref = &all->t->refs[r];
        const struct region *region = ref->address->region;
        if (region->kind != REGION_VARIABLE || region->var != all->var)
            continue;
        bool plain = !ref->write && !ref->exposed;
        for (int i = 0; i < all->nsets; ++i)
            plain = plain || all->sets[i]->args[0] == ref->expr;
        if (!plain || ref->header || ref->via || !ref->scalar)
            return false;
    }
    return all->nsets > 0;
}

bool argmin_last(const struct trace *t, const struct variable *var) {
    struct settings all = {.t = t, .var = var};
    stmt_each(t->loop->body, see_setting, &all);
    if (!is_of_scalars(t->facts, var) || !are_plain(&all))
        return false;
    struct argmin *argmin = arena_alloc(t->arena, sizeof *argmin);
    *argmin = (struct argmin){.op = REDUCE_LAST, .nsets = all.nsets, .sets = all.sets};
    add_member(t->facts, argmin, (struct variable *)var, all.sets[0]);
    return true;
}
