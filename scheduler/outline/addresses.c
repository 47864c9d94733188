/*
 * What a loop leaves behind that is an address. The body of a rank works on that rank's memory, a
 * kernel on the device's: an address made there means nothing elsewhere.
 */
#include "scheduler/outline/collect.h"

#include <string.h>

bool emit_holds_address(const struct type *type) {
    while (type_is_array(type))
        type = type->element;
    if (!type || (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION))
        return type && type->kind == TYPE_POINTER;
    for (int i = 0; type->record && i < type->record->nfields; ++i)
        if (emit_holds_address(type->record->fields[i].type))
            return true;
    return !type->record;
}

/* The same on every rank: text, functions, NULL. */
static bool is_constant(const struct expr *value) {
    while (value->kind == EXPR_CAST || value->kind == EXPR_ADDRESS)
        value = value->args[0];
    if (value->kind == EXPR_CONDITIONAL)
        return value->args[1] && is_constant(value->args[1]) && is_constant(value->args[2]);
    return value->kind == EXPR_STRING || value->kind == EXPR_INT || value->kind == EXPR_FUNCTION;
}

/* Places that an address is put into: a variable, or an lvalue. */
struct put {
    const struct variable *var;
    const struct expr *lvalue;
    bool seen, varies;
};

static void see_put(void *data, struct expr *expr, struct expr *parent) {
    struct put *put = data;
    bool sets = expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT;
    (void)parent;
    if (!sets || (put->lvalue ? expr->args[0] != put->lvalue
                              : expr->args[0]->kind != EXPR_VAR || expr->args[0]->var != put->var))
        return;
    put->seen = true;
    put->varies = put->varies || expr->kind != EXPR_ASSIGN || expr->op != OP_NONE ||
                  !is_constant(expr->args[1]);
}

static bool varies(const struct outline *job, const struct variable *var,
                   const struct expr *lvalue) {
    struct put put = {.var = var, .lvalue = lvalue};
    emit_walk_stmt(job->loop->body, see_put, &put);
    return put.varies || !put.seen || (var && var->address_taken);
}

static bool chooses_address(const struct outline *job, const struct argmin *argmin) {
    for (int m = 0; m < argmin->nmembers; ++m)
        if (emit_holds_address(argmin->members[m]->type) && varies(job, argmin->members[m], NULL))
            return true;
    return false;
}

static const char *kept_address(const struct outline *job, const struct emit_reduction *r) {
    const struct argmin *argmin =
        r->facts_index >= 0 ? job->facts->reductions[r->facts_index].argmin : NULL;
    if (argmin)
        return chooses_address(job, argmin) ? r->title : NULL;
    if (!r->last || r->lost)
        return NULL;
    if (r->object)
        return emit_holds_address(r->object->element) ? r->title : NULL;
    return r->var && emit_holds_address(r->var->type) && varies(job, r->var, NULL) ? r->title
                                                                                   : NULL;
}

static bool is_own(const struct outline *job, const struct object *object) {
    for (int i = 0; i < job->facts->nscratches; ++i)
        if (job->facts->scratches[i].object == object)
            return true;
    return emit_is_copied(job, object);
}

/* A library's function may leave an address there: not in numbers, and memset never. */
static bool fills_with_addresses(const struct access *access) {
    const struct type *element = access->object->element;
    bool bytes = !element || element->kind == TYPE_VOID || element->size == 1;
    return !effects_say(access->called, EFFECT_NUMBERS) && (bytes || emit_holds_address(element));
}

static bool stores_address(const struct outline *job, const struct access *access) {
    if (!access->write || is_own(job, access->object))
        return false;
    if (access->called)
        return fills_with_addresses(access);
    return access->expr && emit_holds_address(access->expr->type) &&
           varies(job, NULL, access->expr);
}

bool outline_makes_number(const struct expr *expr) {
    const struct type *from = expr->kind == EXPR_CAST && expr->args[0] ? expr->args[0]->type : NULL;
    return from && from->kind == TYPE_POINTER && expr->type && expr->type->kind == TYPE_INT;
}

static void see_number(void *data, struct expr *expr, struct expr *parent) {
    (void)parent;
    bool *found = data;
    *found = *found || outline_makes_number(expr);
}

const char *emit_addresses(const struct outline *job) {
    const struct plan_pipe *pipe = job->plan->pipe;
    for (int j = 0; j < job->nreductions; ++j) {
        const char *kept = kept_address(job, &job->reductions[j]);
        if (kept)
            return kept;
    }
    for (int i = 0; pipe && i < pipe->nvalues; ++i)
        if (pipe->values[i].written && emit_holds_address(pipe->values[i].var->type))
            return pipe->values[i].var->name;
    for (int i = 0; i < job->facts->naccesses; ++i)
        if (stores_address(job, &job->facts->accesses[i]))
            return job->facts->accesses[i].text;
    bool number = false;
    emit_walk_stmt(job->loop->body, see_number, &number);
    return number ? "an address as a number" : NULL;
}

/* ---- addresses that are compared ------------------------------------------------------------- */

enum { ROOTS = 32, CALLS_DEEP = 8, CALLS_LOOKED_INTO = 10000 };

/*
 * What pointers of one expression may have been made of: variables declared outside of the loop, and
 * what the iteration sets them to. `inside`: where the expression stands. `any`: of something else,
 * too. `load`: the pointer that was read from memory on the way. `trail`: variables that have been
 * looked into.
 */
struct roots {
    const struct outline *job;
    const struct inside *inside;
    const struct expr *load;
    int count, ntrail;
    const struct variable *items[ROOTS], *trail[ROOTS];
    bool any;
};

static bool is_among(const struct variable *const *items, int count, const struct variable *var) {
    for (int i = 0; i < count; ++i)
        if (items[i] == var)
            return true;
    return false;
}

static bool is_root(const struct roots *roots, const struct variable *var) {
    return !var->function || (!roots->inside && emit_is_outside(roots->job, var));
}

static void roots_of(struct roots *roots, const struct expr *value);

struct set_search {
    struct roots *roots;
    const struct variable *var;
};

/* The variable that the lvalue is part of, or of what it leads to. */
static const struct variable *variable_of(const struct expr *e) {
    while (e->kind == EXPR_MEMBER || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF)
        e = e->args[0];
    return e->kind == EXPR_VAR ? e->var : NULL;
}

static void see_set(void *data, struct expr *expr, struct expr *parent) {
    struct set_search *search = data;
    (void)parent;
    if (expr->kind == EXPR_ASSIGN && expr->op == OP_NONE &&
        emit_holds_address(expr->args[0]->type) && variable_of(expr->args[0]) == search->var)
        roots_of(search->roots, expr->args[1]);
}

static struct stmt *text_of(const struct roots *roots) {
    return roots->inside ? roots->inside->call->function->body : roots->job->loop->body;
}

/* What the text sets the variable to. */
static void roots_of_sets(struct roots *roots, const struct variable *var) {
    if (is_among(roots->trail, roots->ntrail, var))
        return;
    roots->any = roots->any || roots->ntrail == ROOTS;
    if (roots->any)
        return;
    roots->trail[roots->ntrail++] = var;
    struct set_search search = {roots, var};
    emit_walk_stmt(text_of(roots), see_set, &search);
}

/* What the call hands over. */
static void roots_of_argument(struct roots *roots, const struct variable *param) {
    const struct inside *inside = roots->inside;
    roots->any = roots->any || param->address_taken || param->param_index >= inside->call->nargs;
    if (roots->any)
        return;
    roots_of_sets(roots, param);
    roots->inside = inside->outer;
    roots_of(roots, inside->call->args[param->param_index]);
    roots->inside = inside;
}

/* A variable of the body: what it is set to. */
static void roots_of_local(struct roots *roots, const struct variable *var) {
    bool known = is_among(roots->trail, roots->ntrail, var);
    roots->any = roots->any || var->address_taken || var->type->kind != TYPE_POINTER;
    if (roots->any || known)
        return;
    roots_of_sets(roots, var);
    if (var->init)
        roots_of(roots, var->init);
}

/* The loop changes a variable of the file, perhaps in a function that it calls. */
static bool is_written_global(const struct roots *roots, const struct variable *var) {
    const struct loop_facts *facts = roots->job->facts;
    for (int i = 0; !var->function && var->type->kind == TYPE_POINTER && i < facts->nobjects; ++i)
        if (facts->objects[i]->var == var && facts->objects[i]->kind == OBJECT_SCALAR &&
            facts->objects[i]->written)
            return true;
    return false;
}

static void roots_of_variable(struct roots *roots, const struct variable *var) {
    if (roots->inside && var->storage == STORAGE_PARAM) {
        roots_of_argument(roots, var);
    } else if (!is_root(roots, var)) {
        roots_of_local(roots, var);
    } else {
        bool seen = is_among(roots->items, roots->count, var);
        roots->any =
            roots->any || (!seen && roots->count == ROOTS) || is_written_global(roots, var);
        if (!roots->any && !seen)
            roots->items[roots->count++] = var;
        roots_of_sets(roots, var);
    }
}

/* A pointer that memory holds: another may lie beside it. */
static void note_load(struct roots *roots, const struct expr *value) {
    bool loads = value->type && value->type->kind == TYPE_POINTER;
    roots->any = roots->any || (loads && roots->load && !expr_equal(roots->load, value));
    roots->load = loads ? value : roots->load;
}

static void roots_of(struct roots *roots, const struct expr *value) {
    switch (value->kind) {
    case EXPR_VAR:
        roots_of_variable(roots, value->var);
        return;
    case EXPR_INT:
    case EXPR_STRING:
    case EXPR_FUNCTION:
        return;
    case EXPR_CONDITIONAL:
        roots->any = roots->any || !value->args[1];
        for (int i = 1; i < 3 && value->args[1]; ++i)
            roots_of(roots, value->args[i]);
        return;
    case EXPR_BINARY:
        roots_of(roots, value->args[type_is_address(value->args[0]->type) ? 0 : 1]);
        return;
    case EXPR_COMMA:
        roots_of(roots, value->args[1]);
        return;
    case EXPR_DEREF:
    case EXPR_SUBSCRIPT:
    case EXPR_MEMBER:
        note_load(roots, value);
        roots_of(roots, value->args[0]);
        return;
    case EXPR_CAST:
    case EXPR_ADDRESS:
    case EXPR_ASSIGN:
    case EXPR_INCREMENT:
        roots_of(roots, value->args[0]);
        return;
    default:
        roots->any = true;
    }
}

static bool compares(const struct expr *expr) {
    bool op = expr->op == OP_EQ || expr->op == OP_NE || expr->op == OP_LT || expr->op == OP_LE ||
              expr->op == OP_GT || expr->op == OP_GE || expr->op == OP_SUB;
    return op && expr->kind == EXPR_BINARY && type_is_address(expr->args[0]->type) &&
           type_is_address(expr->args[1]->type);
}

/* Comparisons of addresses that may be of unlike origin. `calls`: how many were looked into. */
struct comparisons {
    struct roots all;
    const char *first;
    int depth, calls;
};

static bool of_one(const struct roots *a, const struct roots *b) {
    bool loads = !a->load && !b->load;
    return a->count == 1 && b->count == 1 && a->items[0] == b->items[0] && !a->any && !b->any &&
           (loads || (a->load && b->load && expr_equal(a->load, b->load)));
}

/* NULL, which is the same everywhere, is of no origin. */
static bool is_unlike(struct roots *sides, const struct expr *expr) {
    for (int s = 0; s < 2; ++s)
        roots_of(&sides[s], expr->args[s]);
    return !of_one(&sides[0], &sides[1]) && (sides[0].count || sides[0].any) &&
           (sides[1].count || sides[1].any);
}

bool outline_compares_unlike(const struct outline *job, const struct inside *inside,
                             const struct expr *expr) {
    struct roots sides[2] = {{.job = job, .inside = inside}, {.job = job, .inside = inside}};
    return compares(expr) && is_unlike(sides, expr);
}

static void add_comparison(struct comparisons *c, const struct expr *expr) {
    struct roots sides[2] = {{.job = c->all.job, .inside = c->all.inside},
                             {.job = c->all.job, .inside = c->all.inside}};
    if (!is_unlike(sides, expr))
        return;
    c->first = c->first ? c->first : expr_print(c->all.job->arena, expr);
    c->all.any = c->all.any || sides[0].any || sides[1].any;
    for (int s = 0; s < 2; ++s) {
        for (int i = 0; !c->all.any && i < sides[s].count; ++i) {
            bool seen = is_among(c->all.items, c->all.count, sides[s].items[i]);
            c->all.any = !seen && c->all.count == ROOTS;
            if (!c->all.any && !seen)
                c->all.items[c->all.count++] = sides[s].items[i];
        }
    }
}

/* A function that calls itself, or too many calls. */
static bool too_deep(const struct comparisons *c, const struct function *function) {
    bool deep = c->depth == CALLS_DEEP || c->calls == CALLS_LOOKED_INTO;
    for (const struct inside *i = c->all.inside; i; i = i->outer)
        deep = deep || i->call->function == function;
    return deep;
}

static void see_comparison(void *data, struct expr *expr, struct expr *parent) {
    struct comparisons *c = data;
    (void)parent;
    if (compares(expr))
        add_comparison(c, expr);
    if (expr->kind != EXPR_CALL || !expr->function || !expr->function->body || c->all.any)
        return;
    if (too_deep(c, expr->function)) {
        c->all.any = true;
        c->first = c->first ? c->first : expr->function->name;
        return;
    }
    const struct inside inside = {expr, c->all.inside};
    c->all.inside = &inside;
    ++c->depth, ++c->calls;
    emit_walk_stmt(expr->function->body, see_comparison, c);
    --c->depth;
    c->all.inside = inside.outer;
}

static const struct variable *base_variable(const struct object *object) {
    const struct expr *base = object->base;
    while (base && base->kind != EXPR_VAR)
        base = base->nargs ? base->args[0] : NULL;
    return object->var ? object->var : base ? base->var : NULL;
}

const char *emit_compared(const struct outline *job, unsigned long *arrays) {
    struct comparisons c = {.all = {.job = job}};
    emit_walk_stmt(job->loop->body, see_comparison, &c);
    *arrays = c.all.any ? ~0UL : 0;
    for (int a = 0; a < job->narrays; ++a)
        if (is_among(c.all.items, c.all.count, base_variable(job->arrays[a]->object)))
            *arrays |= 1UL << (a % 64);
    return c.first;
}
