/* What the body's text needs of its surroundings. */
#include "analyzer/access/internal.h"

struct names {
    const struct trace *t;
    int ndeclared;
    struct variable **declared;
};

static void see_declared(void *data, struct stmt *s) {
    struct names *names = data;
    for (int i = 0; i < s->nvars; ++i)
        ARENA_PUSH(names->t->arena, names->declared, names->ndeclared, s->vars[i]);
}

static bool is_declared_inside(const struct names *names, const struct variable *var) {
    for (int i = 0; i < names->ndeclared; ++i)
        if (names->declared[i] == var)
            return true;
    return false;
}

/* The object whose base this variable is: the table rather than its rows. */
static struct object *object_of(const struct loop_facts *facts, const struct variable *var) {
    struct object *rows = NULL;
    for (int i = 0; i < facts->nobjects; ++i) {
        struct object *object = facts->objects[i];
        if (object->var != var)
            continue;
        if (object->kind != OBJECT_ROWS)
            return object;
        rows = object;
    }
    return rows;
}

static void add_global(const struct trace *t, struct variable *var) {
    struct loop_facts *facts = t->facts;
    for (int i = 0; i < facts->nglobals; ++i)
        if (facts->globals[i].var == var)
            return;
    ARENA_PUSH(t->arena, facts->globals, facts->nglobals, ((struct used_global){var}));
}

static void add_capture(const struct trace *t, struct variable *var) {
    struct loop_facts *facts = t->facts;
    for (int i = 0; i < facts->ncaptures; ++i)
        if (facts->captures[i].var == var)
            return;
    struct capture capture = {.var = var, .object = object_of(facts, var)};
    ARENA_PUSH(t->arena, facts->captures, facts->ncaptures, capture);
}

static void capture_variable(struct names *names, struct variable *var) {
    const struct trace *t = names->t;
    bool moves = inductions_has(t->facts, var) && !var->entry_of;
    if (var == t->loop->variable || var == t->number || moves || is_declared_inside(names, var))
        return;
    if (var->function) {
        add_capture(t, var);
        return;
    }
    struct object *object = object_of(t->facts, var);
    if (object && (object->kind != OBJECT_SCALAR || object->captured))
        add_capture(t, var);
    add_global(t, var);
}

static void see_type(struct names *names, const struct type *type);

static void see_variable(void *data, struct expr *e) {
    struct names *names = data;
    if (e->kind == EXPR_VAR) {
        capture_variable(names, e->var);
        see_type(names, e->var->type);
    }
    if (e->kind == EXPR_CAST || e->kind == EXPR_COMPOUND || e->kind == EXPR_SIZEOF)
        see_type(names, e->type);
}

/* Row lengths of variable arrays are named in the types. */
static void see_type(struct names *names, const struct type *type) {
    for (; type; type = type->element) {
        if (type->kind == TYPE_VLA && type->vla_count)
            expr_visit((struct expr *)type->vla_count, see_variable, names);
        if (type->kind != TYPE_POINTER && type->kind != TYPE_ARRAY && type->kind != TYPE_VLA)
            return;
    }
}

static void see_declared_type(void *data, struct stmt *s) {
    for (int i = 0; i < s->nvars; ++i)
        see_type(data, s->vars[i]->type);
}

/* What keys, guards and streams name: a callee's globals become names of the gather. */
static void see_symbols(struct names *names) {
    struct loop_facts *facts = names->t->facts;
    for (int i = 0; i < facts->nsymbols; ++i) {
        const struct symbol *symbol = facts->symbols[i];
        for (int g = 0; g < symbol->nguards && !symbol->inner; ++g)
            expr_visit(symbol->guards[g], see_variable, names);
        if (symbol->kind != SYMBOL_LOOP && !symbol->inner)
            expr_visit(symbol->expr, see_variable, names);
    }
    for (int i = 0; i < facts->nstreams; ++i) {
        expr_visit(facts->streams[i].expr, see_variable, names);
        for (int g = 0; g < facts->streams[i].nguards; ++g)
            expr_visit(facts->streams[i].guards[g], see_variable, names);
    }
}

/* Is it reached by way of a pointer, so that its base names what is no object of its own? */
static bool is_behind(const struct object *object) {
    const struct expr *e = object->base;
    while (e->kind == EXPR_ADDRESS || e->kind == EXPR_CAST)
        e = e->args[0];
    return e->kind != EXPR_VAR;
}

/* Where the moving variables begin, and what the run checks. */
static void see_header(struct names *names) {
    const struct trace *t = names->t;
    for (int i = 0; i < t->facts->ninductions; ++i) {
        add_capture(t, t->facts->inductions[i].entry);
        expr_visit(t->facts->inductions[i].by, see_variable, names);
    }
    for (int i = 0; i < t->ndemands; ++i)
        expr_visit(t->demands[i].condition, see_variable, names);
    const struct facts_behind *behind = (const struct facts_behind *)t->facts;
    for (int i = 0; i < behind->nnamed; ++i)
        expr_visit(behind->named[i], see_variable, names);
    for (int i = 0; i < t->facts->nobjects; ++i) {
        const struct object *object = t->facts->objects[i];
        expr_visit(((const struct object_behind *)object)->origin, see_variable, names);
        /* What only a called function reaches through a global stays a global, which travels. */
        bool global = object->var && !object->var->function && !object->captured;
        if (object->base && !global && object->kind != OBJECT_UNKNOWN &&
            (object->kind != OBJECT_SCALAR || is_behind(object))) {
            expr_visit(object->base, see_variable, names);
        }
    }
}

/* Where objects are touched, guards needed and invariant values evaluated. */
static void see_whens(struct names *names) {
    const struct loop_facts *facts = names->t->facts;
    for (int i = 0; i < facts->nobjects; ++i)
        expr_visit((struct expr *)facts->objects[i]->when, see_variable, names);
    for (int g = 0; g < facts->nguards; ++g)
        expr_visit((struct expr *)facts->guards[g].when, see_variable, names);
    for (int i = 0; i < facts->nfronts; ++i)
        expr_visit((struct expr *)facts->fronts[i].when, see_variable, names);
}

/* What guards compare. */
static void see_intervals(struct names *names) {
    const struct loop_facts *facts = names->t->facts;
    for (int g = 0; g < facts->nguards; ++g) {
        const struct intervals *intervals = facts->guards[g].intervals;
        for (int i = 0; intervals && i < intervals->count; ++i) {
            const struct interval *interval = &intervals->items[i];
            struct expr *all[] = {interval->when, interval->low, interval->high};
            for (int e = 0; e < 3; ++e)
                if (all[e])
                    expr_visit(all[e], see_variable, names);
        }
    }
    for (int i = 0; i < facts->nobjects; ++i)
        if (facts->objects[i]->extent)
            expr_visit(facts->objects[i]->extent, see_variable, names);
}

static bool is_inner_variable(const struct trace *t, const struct variable *var) {
    for (int i = 0; i < t->ninner; ++i)
        if (t->inner[i].loop->variable == var)
            return true;
    return false;
}

static void drop_inner_variables(const struct trace *t, const struct names *names) {
    struct loop_facts *facts = t->facts;
    int kept = 0;
    for (int i = 0; i < facts->ncaptures; ++i) {
        const struct variable *var = facts->captures[i].var;
        bool foreign = var->function && var->function != t->loop->function;
        if (!foreign && !(is_inner_variable(t, var) && is_declared_inside(names, var)))
            facts->captures[kept++] = facts->captures[i];
    }
    facts->ncaptures = kept;
}

void facts_captures(const struct trace *t) {
    struct names names = {.t = t};
    stmt_each(t->loop->body, see_declared, &names);
    stmt_visit(t->loop->body, see_variable, &names);
    stmt_each(t->loop->body, see_declared_type, &names);
    see_symbols(&names);
    see_header(&names);
    see_intervals(&names);
    see_whens(&names);
    drop_inner_variables(t, &names);
    for (int i = 0; i < t->nused; ++i)
        add_global(t, t->used[i]);
}
