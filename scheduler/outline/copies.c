/*
 * Addresses of copies. Workers have scratch space, private variables, values from outside and what
 * arrays are folded into for themselves; behind the loop the address of such a copy leads nowhere,
 * and it is none that the program has elsewhere. So none may be stored where it outlives the
 * iteration, compared with another, or made a number.
 */
#include "scheduler/outline/collect.h"

enum { CALLS_DEEP = 8, TRAIL = 32 };

/* A search for addresses of copies in the body, and in what it calls. */
struct search {
    struct outline *job;                 /* whose loop it is */
    const struct inside *inside;         /* the call that is looked into */
    int depth;                           /* of calls */
    bool rows;                           /* only copies behind tables are looked for */
    int ntrail;                          /* of `trail` */
    const struct variable *trail[TRAIL]; /* variables that are looked into */
    const struct variable *copy;         /* whose copy the address found is of */
    const struct expr *kept;             /* where it would stay, NULL: nowhere */
    const struct expr *told;             /* what depends on it, NULL: nothing */
};

static const struct reduction *fold_of(const struct outline *job, const struct emit_reduction *r) {
    return r->facts_index >= 0 ? &job->facts->reductions[r->facts_index] : NULL;
}

/* The array that the variable is, or leads to, is a worker's own, or the structure that leads to a
 * sum. `rows`: those behind a table. */
static bool is_own(const struct outline *job, const struct variable *var, bool rows) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        const struct reduction *fold = fold_of(job, r);
        const struct object *object = r->object ? r->object : fold ? fold->object : NULL;
        const struct expr *base = object ? object->base : NULL;
        if (!rows && r->holder == var)
            return true;
        if (r->is_array && object && (!rows || object->kind == OBJECT_ROWS) &&
            (object->var == var || (base && emit_root(base) == var)))
            return true;
    }
    return false;
}

static bool is_own_value(const struct outline *job, const struct variable *var) {
    const struct env_field *field = emit_field_of(job, var);
    return emit_is_private(job, var) || emit_reduction_of(job, var) ||
           (field && field->role == FIELD_VALUE) ||
           (type_is_array(var->type) && is_own(job, var, false));
}

/* It belongs to the iteration, or nobody looks at it behind the loop. */
static bool is_lost(const struct search *s, const struct variable *var) {
    const struct loop_facts *facts = s->job->facts;
    if (var->function && (s->inside || !emit_is_outside(s->job, var)))
        return var->storage != STORAGE_STATIC;
    for (int i = 0; i < facts->nprivates; ++i)
        if (facts->privates[i].var == var)
            return !facts->privates[i].last_value;
    for (int i = 0; i < facts->nscratches; ++i)
        if (facts->scratches[i].object->var == var && type_is_array(var->type))
            return !facts->scratches[i].last_value;
    return false;
}

static bool enters(struct search *s, const struct variable *var) {
    for (int i = 0; i < s->ntrail; ++i)
        if (s->trail[i] == var)
            return false;
    if (s->ntrail == TRAIL)
        return false;
    s->trail[s->ntrail++] = var;
    return true;
}

static struct stmt *text_of(const struct search *s) {
    return s->inside ? s->inside->call->function->body : s->job->loop->body;
}

/* What the text puts into a variable, or into what is a part of it. */
struct sets {
    const struct variable *var;
    int count;
    const struct expr **values;
    struct arena *arena;
};

static const struct variable *part_of(const struct expr *e) {
    while (e->kind == EXPR_MEMBER || (e->kind == EXPR_SUBSCRIPT && type_is_array(e->args[0]->type)))
        e = e->args[0];
    return e->kind == EXPR_VAR ? e->var : NULL;
}

static void see_set(void *data, struct expr *expr, struct expr *parent) {
    struct sets *sets = data;
    (void)parent;
    if (expr->kind == EXPR_ASSIGN && expr->op == OP_NONE && part_of(expr->args[0]) == sets->var)
        ARENA_PUSH(sets->arena, sets->values, sets->count, expr->args[1]);
}

static struct sets sets_of(const struct search *s, const struct variable *var) {
    struct sets sets = {.var = var, .arena = s->job->arena};
    if (var->init)
        ARENA_PUSH(sets.arena, sets.values, sets.count, var->init);
    emit_walk_stmt(text_of(s), see_set, &sets);
    return sets;
}

/* What is handed over for a parameter, seen from where the call stands; NULL: not known. */
static const struct expr *argument_of(const struct search *s, const struct variable *var) {
    bool param = s->inside && var->storage == STORAGE_PARAM;
    return param && var->param_index < s->inside->call->nargs
               ? s->inside->call->args[var->param_index]
               : NULL;
}

/* ---- may a value be the address of a copy ---------------------------------------------------- */

static bool from_copy(struct search *s, const struct expr *value);

static bool any_of(struct search *s, int count, struct expr *const *values) {
    for (int i = 0; i < count; ++i)
        if (values[i] && from_copy(s, values[i]))
            return true;
    return false;
}

static bool argument_from_copy(struct search *s, const struct expr *argument) {
    const struct inside *inside = s->inside;
    s->inside = inside->outer;
    bool found = from_copy(s, argument);
    s->inside = inside;
    return found;
}

/* What the variable, or one of its parts, is set to. */
static bool content_from_copy(struct search *s, const struct variable *var) {
    if (!emit_holds_address(var->type) || !enters(s, var))
        return false;
    const struct expr *argument = argument_of(s, var);
    const struct sets sets = sets_of(s, var);
    bool found = (argument && argument_from_copy(s, argument)) ||
                 any_of(s, sets.count, (struct expr *const *)sets.values);
    --s->ntrail;
    return found;
}

/* The value of a variable, or what one of its parts holds. */
static bool variable_from_copy(struct search *s, const struct variable *var) {
    if ((type_is_array(var->type) || var->type->kind == TYPE_POINTER) &&
        is_own(s->job, var, s->rows)) {
        s->copy = var;
        return true;
    }
    return !type_is_array(var->type) && content_from_copy(s, var);
}

/* &lvalue, and arrays that decay. */
static bool place_from_copy(struct search *s, const struct expr *lvalue) {
    while (lvalue->kind == EXPR_MEMBER ||
           (lvalue->kind == EXPR_SUBSCRIPT && type_is_array(lvalue->args[0]->type)))
        lvalue = lvalue->args[0];
    if (lvalue->kind == EXPR_SUBSCRIPT || lvalue->kind == EXPR_DEREF)
        return from_copy(s, lvalue->args[0]);
    if (lvalue->kind != EXPR_VAR || s->rows || !is_own_value(s->job, lvalue->var))
        return false;
    s->copy = lvalue->var;
    return true;
}

/* What is read from memory is the address of a copy where that is a row of a table. */
static bool row_from_copy(struct search *s, const struct expr *load) {
    const bool rows = s->rows;
    const struct variable *root = emit_root(load);
    if (root && is_own(s->job, root, true)) {
        s->copy = root;
        return true;
    }
    s->rows = true;
    bool found = root && root->type->kind == TYPE_POINTER && variable_from_copy(s, root);
    s->rows = rows;
    return found;
}

static bool from_copy(struct search *s, const struct expr *value) {
    switch (value->kind) {
    case EXPR_VAR:
        return type_is_array(value->type)
                   ? place_from_copy(s, value) || variable_from_copy(s, value->var)
                   : variable_from_copy(s, value->var);
    case EXPR_ADDRESS:
        return place_from_copy(s, value->args[0]);
    case EXPR_MEMBER:
    case EXPR_SUBSCRIPT:
    case EXPR_DEREF:
        if (type_is_array(value->type))
            return place_from_copy(s, value);
        return row_from_copy(s, value) || (part_of(value) && content_from_copy(s, part_of(value)));
    case EXPR_BINARY:
    case EXPR_CONDITIONAL:
    case EXPR_CAST:
    case EXPR_INIT:
    case EXPR_COMPOUND:
    case EXPR_CALL:
        return (!value->type || emit_holds_address(value->type)) &&
               any_of(s, value->nargs, value->args);
    case EXPR_COMMA:
    case EXPR_ASSIGN:
        return from_copy(s, value->args[1]);
    case EXPR_INCREMENT:
        return from_copy(s, value->args[0]);
    default:
        return false;
    }
}

/* ---- where addresses are put ----------------------------------------------------------------- */

static bool pointer_stays(struct search *s, const struct expr *pointer);

/* Nobody looks at the place behind the iteration. */
static bool place_is_lost(struct search *s, const struct expr *lvalue) {
    while (lvalue->kind == EXPR_MEMBER ||
           (lvalue->kind == EXPR_SUBSCRIPT && type_is_array(lvalue->args[0]->type)))
        lvalue = lvalue->args[0];
    if (lvalue->kind == EXPR_SUBSCRIPT || lvalue->kind == EXPR_DEREF)
        return pointer_stays(s, lvalue->args[0]);
    return lvalue->kind == EXPR_VAR && is_lost(s, lvalue->var);
}

/* It leads to places of the iteration's own alone. */
static bool pointer_stays(struct search *s, const struct expr *pointer) {
    while (pointer->kind == EXPR_CAST)
        pointer = pointer->args[0];
    if (pointer->kind == EXPR_ADDRESS)
        return place_is_lost(s, pointer->args[0]);
    if (pointer->kind != EXPR_VAR)
        return false;
    const struct variable *var = pointer->var;
    if (type_is_array(var->type))
        return is_lost(s, var);
    if (!is_lost(s, var) || var->address_taken || !enters(s, var))
        return false;
    const struct expr *argument = argument_of(s, var);
    const struct inside *inside = s->inside;
    const struct sets sets = sets_of(s, var);
    bool stays = argument || sets.count > 0;
    for (int i = 0; i < sets.count && stays; ++i)
        stays = pointer_stays(s, sets.values[i]);
    if (argument && stays) {
        s->inside = inside->outer;
        stays = pointer_stays(s, argument);
        s->inside = inside;
    }
    --s->ntrail;
    return stays;
}

/* memcpy and its like, of what holds such an address. */
static bool copies_address(struct search *s, const struct expr *call) {
    const bool library = call->function && !call->function->body && call->nargs > 1;
    for (int i = 1; library && i < call->nargs; ++i) {
        const struct expr *from = call->args[i];
        while (from->kind == EXPR_CAST)
            from = from->args[0];
        const struct variable *var = from->kind == EXPR_ADDRESS ? part_of(from->args[0]) : NULL;
        if (var && emit_holds_address(var->type) && !type_is_array(var->type) &&
            variable_from_copy(s, var))
            return !pointer_stays(s, call->args[0]);
    }
    return false;
}

/* It is another for the address of a copy than for that of what is copied. */
static bool tells_copies(struct search *s, const struct expr *expr) {
    if (outline_makes_number(expr))
        return from_copy(s, expr->args[0]);
    return outline_compares_unlike(s->job, s->inside, expr) &&
           (from_copy(s, expr->args[0]) || from_copy(s, expr->args[1]));
}

static void see_use(void *data, struct expr *expr, struct expr *parent) {
    struct search *s = data;
    (void)parent;
    if (s->kept || s->told)
        return;
    if (tells_copies(s, expr))
        s->told = expr;
    bool stores = expr->kind == EXPR_ASSIGN && emit_holds_address(expr->args[0]->type);
    if (stores && !place_is_lost(s, expr->args[0]) && from_copy(s, expr->args[1]))
        s->kept = expr->args[0];
    else if (expr->kind == EXPR_CALL && copies_address(s, expr))
        s->kept = expr;
    bool looks = expr->kind == EXPR_CALL && expr->function && expr->function->body;
    for (const struct inside *i = s->inside; i; i = i->outer)
        looks = looks && i->call->function != expr->function;
    if (s->kept || s->told || !looks || s->depth == CALLS_DEEP)
        return;
    const struct inside inside = {expr, s->inside};
    s->inside = &inside;
    ++s->depth;
    emit_walk_stmt(expr->function->body, see_use, s);
    --s->depth;
    s->inside = inside.outer;
}

bool outline_copies_check(struct outline *job) {
    struct search search = {.job = job};
    emit_walk_stmt(job->loop->body, see_use, &search);
    const struct expr *expr = search.kept ? search.kept : search.told;
    if (!expr)
        return true;
    emit_refuse(job, ORR2286, search.inside ? job->loop->header : expr->range,
                "the loop stays serial: `%s` %s the address of `%s`, of which every worker has a "
                "copy",
                expr_print(job->arena, expr), search.kept ? "keeps" : "tells",
                search.copy ? search.copy->name : "memory");
    emit_refuse_fix(job, search.kept
                             ? "keep a subscript in its place, and make the address behind the loop"
                             : "compare subscripts in its place");
    return false;
}
