/*
 * Which variables a loop's mark names. A variable whose address is taken lives in memory, so the
 * compiler's instrumentation sees it: naming those that the loop changes makes their accesses
 * visible. The others are named to tell them from what an iteration declares itself.
 */
#include "scheduler/emit/marks_private.h"

#include <string.h>

/* ---- what a loop does to a variable ---------------------------------------------------------- */

/* By id of the variable: the last loop that names it, and that changes it. */
struct mentions {
    const struct loop *loop;
    const struct loop **named, **changed;
};

/* What is visible where the walk is:
 * `at` grows with declarations, and shrinks at ends of blocks. */
struct scope {
    struct marks *marks;
    const struct function *function;
    int count;
    struct variable **at;
    bool *addressed; /* by id: some loop of the function names it */
    struct mentions mentions;
};

/* The variable that an assignment to `e` changes in place, or NULL. */
static const struct variable *root_of(const struct expr *e) {
    while (e) {
        if (e->kind == EXPR_VAR)
            return e->var;
        bool member = e->kind == EXPR_MEMBER && !e->arrow;
        bool element = e->kind == EXPR_SUBSCRIPT && type_is_array(e->args[0]->type);
        if (!member && !element)
            return NULL;
        e = e->args[0];
    }
    return NULL;
}

static void mention_each(void *data, const struct expr *e) {
    struct mentions *m = data;
    if (e->kind == EXPR_VAR)
        m->named[e->var->id] = m->loop;
    bool writes = e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT;
    const struct variable *root = writes ? root_of(e->args[0]) : NULL;
    if (root)
        m->changed[root->id] = m->loop;
}

static bool is_aggregate(const struct variable *variable) {
    enum type_kind kind = variable->type->kind;
    return kind == TYPE_ARRAY || kind == TYPE_VLA || kind == TYPE_STRUCT || kind == TYPE_UNION;
}

/* ---- counters of loops inside ---------------------------------------------------------------- */

struct outside {
    const struct variable *variable;
    int count;
};

static void outside_each(void *data, const struct expr *e) {
    struct outside *o = data;
    o->count += e->kind == EXPR_VAR && e->var == o->variable;
}

static bool contains(const struct loop *outer, const struct loop *loop) {
    for (; loop; loop = loop->around)
        if (loop == outer)
            return true;
    return false;
}

/*
 * The variable is only used inside of counted loops that are inside of `loop` and set it first:
 * each iteration has its own, and there is nothing to see.
 */
static bool only_counts(const struct marks *marks, const struct loop *loop,
                        const struct variable *variable) {
    struct outside all = {variable, 0}, counted = {variable, 0};
    marks_walk_stmt(loop->stmt, outside_each, &all);
    for (int i = 0; i < marks->nloops; ++i) {
        const struct loop *inner = marks->loops[i].loop;
        bool outermost = inner != loop && contains(loop, inner) && inner->variable == variable &&
                         inner->canonical && inner->lower;
        for (const struct loop *up = inner->around; outermost && up && up != loop; up = up->around)
            outermost = up->variable != variable;
        if (outermost)
            marks_walk_stmt(inner->stmt, outside_each, &counted);
    }
    return all.count > 0 && all.count == counted.count;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static bool is_name_of_other(const struct function *function, const char *name) {
    for (int i = 0; i < function->nlocal_names; ++i)
        if (strcmp(function->local_names[i].name, name) == 0)
            return true;
    return false;
}

static bool is_hidden(const struct scope *scope, int index) {
    for (int i = index + 1; i < scope->count; ++i)
        if (strcmp(scope->at[i]->name, scope->at[index]->name) == 0)
            return true;
    return is_name_of_other(scope->function, scope->at[index]->name);
}

static bool has_size(const struct variable *variable) {
    const struct type *type = variable->type;
    return type->kind == TYPE_VLA || (type->size > 0 && type->kind != TYPE_FUNCTION);
}

static bool is_wanted(const struct scope *scope, const struct loop *loop,
                      const struct variable *variable) {
    bool named = scope->mentions.named[variable->id] == loop;
    if (variable->address_taken || (is_aggregate(variable) && named))
        return true;
    bool counter = loop->canonical && variable == loop->variable;
    return scope->mentions.changed[variable->id] == loop && !counter &&
           !only_counts(scope->marks, loop, variable);
}

static void add(struct scope *scope, struct marked_loop *marked, struct variable *variable) {
    ARENA_PUSH(scope->marks->unit->arena, marked->variables, marked->nvariables, variable);
    scope->addressed[variable->id] = true;
}

static void name_locals(struct scope *scope, struct marked_loop *marked) {
    for (int i = 0; i < scope->count; ++i)
        if (!is_hidden(scope, i) && has_size(scope->at[i]) &&
            is_wanted(scope, marked->loop, scope->at[i]))
            add(scope, marked, scope->at[i]);
}

/* ---- global variables, by the names that stand in the loop ----------------------------------- */

struct globals {
    struct scope *scope;
    struct marked_loop *marked;
};

static bool is_global(const struct variable *variable) {
    return variable->storage == STORAGE_STATIC || variable->storage == STORAGE_GLOBAL;
}

static void global_each(void *data, const struct expr *e) {
    struct globals *g = data;
    if (e->kind != EXPR_VAR || !is_global(e->var) || !has_size(e->var))
        return;
    for (int i = 0; i < g->marked->nvariables; ++i)
        if (g->marked->variables[i] == e->var)
            return;
    for (int i = 0; i < g->scope->count; ++i)
        if (strcmp(g->scope->at[i]->name, e->var->name) == 0)
            return;
    if (!is_name_of_other(g->scope->function, e->var->name))
        add(g->scope, g->marked, e->var);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void walk(struct scope *scope, const struct stmt *stmt);

static void walk_loop(struct scope *scope, const struct loop *loop) {
    struct marked_loop *marked = marks_of(scope->marks, loop);
    int before = scope->count;
    if (marked && !marked->why_not) {
        scope->mentions.loop = loop;
        marks_walk_stmt(loop->stmt, mention_each, &scope->mentions);
        name_locals(scope, marked);
        struct globals globals = {scope, marked};
        marks_walk_stmt(loop->stmt, global_each, &globals);
    }
    if (loop->init)
        walk(scope, loop->init);
    walk(scope, loop->body);
    scope->count = before;
}

static void declare(struct scope *scope, struct variable *variable) {
    ARENA_PUSH(scope->marks->unit->arena, scope->at, scope->count, variable);
}

static void walk(struct scope *scope, const struct stmt *stmt) {
    if (!stmt)
        return;
    int before = scope->count;
    if (stmt->loop) {
        walk_loop(scope, stmt->loop);
        return;
    }
    for (int i = 0; i < stmt->nvars; ++i)
        declare(scope, stmt->vars[i]);
    for (int i = 0; i < stmt->nbody; ++i)
        walk(scope, stmt->body[i]);
    walk(scope, stmt->then);
    walk(scope, stmt->other);
    if (stmt->kind == STMT_BLOCK)
        scope->count = before;
}

/* A loop's own variable that another mark made visible is named, too: what it is, is known then. */
static void name_own(struct scope *scope) {
    for (int i = 0; i < scope->marks->nloops; ++i) {
        struct marked_loop *marked = &scope->marks->loops[i];
        struct variable *own = marked->loop->variable;
        bool local = own && (own->storage == STORAGE_LOCAL || own->storage == STORAGE_PARAM);
        if (marked->why_not || !local || marked->loop->declares_variable ||
            marked->loop->function != scope->function)
            continue;
        bool known = false;
        for (int k = 0; k < marked->nvariables; ++k)
            known |= marked->variables[k] == own;
        if (!known && scope->addressed[own->id])
            ARENA_PUSH(scope->marks->unit->arena, marked->variables, marked->nvariables, own);
    }
}

void marks_name(struct marks *marks) {
    struct unit *unit = marks->unit;
    const size_t count = (size_t)unit->nvariables + 1;
    const struct mentions mentions = {
        .named = arena_alloc(unit->arena, count * sizeof *mentions.named),
        .changed = arena_alloc(unit->arena, count * sizeof *mentions.changed)};
    bool *addressed = arena_alloc(unit->arena, count);
    for (int i = 0; i < unit->nfunctions; ++i) {
        struct function *function = unit->functions[i];
        if (!function->body || function->origin)
            continue;
        struct scope scope = {.marks = marks, .function = function, .mentions = mentions};
        scope.addressed = addressed;
        for (int k = 0; k < function->nparams; ++k)
            declare(&scope, function->params[k]);
        walk(&scope, function->body);
        name_own(&scope);
    }
}
