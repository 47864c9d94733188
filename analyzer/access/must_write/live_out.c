/* Is what a loop leaves in an array ever looked at? */
#include "analyzer/access/must_write/live_out.h"

#include <string.h>

/* `around`: the outermost statement that may come back to the loop,
 * the loop's own if there is none. */
struct mentions {
    const struct trace *t;
    const struct variable *var;
    const struct stmt *around;
    bool again, jumps, used;
    int nharmless;
    const struct expr **harmless;
};

static void admit(struct mentions *m, const struct expr *e) {
    e = expr_without_casts(e);
    if (e && e->kind == EXPR_VAR && e->var == m->var)
        ARENA_PUSH(m->t->arena, m->harmless, m->nharmless, e);
}

/* Uses of a pointer that do not look at what it points to. */
static void see_harmless(struct mentions *m, const struct expr *e) {
    bool pointer = m->var->type->kind == TYPE_POINTER;
    if (e->kind == EXPR_CALL && e->function && effects_free(e->function) && e->nargs == 1) {
        admit(m, e->args[0]);
    } else if (pointer && e->kind == EXPR_ASSIGN && e->op == OP_NONE) {
        admit(m, e->args[0]);
    } else if (pointer && e->kind == EXPR_UNARY && e->op == OP_NOT) {
        admit(m, e->args[0]);
    } else if (pointer && e->kind == EXPR_BINARY && (e->op == OP_EQ || e->op == OP_NE)) {
        admit(m, e->args[0]);
        admit(m, e->args[1]);
    }
}

static bool is_before(const struct mentions *m, const struct expr *e) {
    return !m->again && !m->jumps && e->range.begin.file == m->around->range.begin.file &&
           e->range.begin.offset < m->around->range.begin.offset;
}

static void see_mention(void *data, struct expr *e) {
    struct mentions *m = data;
    see_harmless(m, e);
    m->used = m->used || e->kind == EXPR_UNKNOWN;
    if (e->kind != EXPR_VAR || e->var != m->var || m->used)
        return;
    for (int i = 0; i < m->nharmless; ++i)
        if (m->harmless[i] == e)
            return;
    m->used = !range_holds_start(&m->t->loop->stmt->range, &e->range) && !is_before(m, e);
}

static void see_around(void *data, struct stmt *s) {
    struct mentions *m = data;
    bool loop = s->kind == STMT_FOR || s->kind == STMT_WHILE || s->kind == STMT_DO;
    m->jumps = m->jumps || s->kind == STMT_GOTO || s->kind == STMT_UNKNOWN;
    if (loop && range_holds_start(&s->range, &m->t->loop->stmt->range) &&
        range_holds_start(&s->range, &m->around->range)) {
        m->around = s;
    }
}

/* ---- functions that may run in front of the loop or behind it ---------------------------------- */

/* `outside`: by id; `nwaiting` of these are to be looked into. */
struct reached {
    const struct trace *t;
    bool *outside;
    int nwaiting;
    const struct function **waiting;
};

static void reach(struct reached *r, const struct function *f) {
    if (!f || !f->body || r->outside[f->id])
        return;
    r->outside[f->id] = true;
    r->waiting[r->nwaiting++] = f;
}

/* Whose address is taken may be called from anywhere. */
static void see_address(void *data, struct expr *e) {
    if (e->kind == EXPR_FUNCTION)
        reach(data, e->function);
}

static void see_named(void *data, struct expr *e) {
    struct reached *r = data;
    if (e->kind == EXPR_CALL && !range_holds_start(&r->t->loop->stmt->range, &e->range))
        reach(r, e->function);
}

static bool may_be_entered(const struct unit *unit, const struct function *f) {
    return !f->is_static || f->is_entry || f->is_weak || f->is_alias || f->is_replaceable ||
           unit->cleans_up;
}

/*
 * All but functions that only the loop calls. requires: each iteration sets what it reads, so that
 * what those find is none of an earlier run of the loop.
 */
static const bool *reached_outside(const struct trace *t) {
    const struct unit *unit = t->unit;
    const size_t count = (size_t)unit->nfunctions + 1;
    struct reached r = {.t = t,
                        .outside = arena_alloc(t->arena, count * sizeof *r.outside),
                        .waiting = arena_alloc(t->arena, count * sizeof(void *))};
    reach(&r, t->loop->function);
    for (int i = 0; i < unit->nfunctions; ++i) {
        if (may_be_entered(unit, unit->functions[i]))
            reach(&r, unit->functions[i]);
        if (unit->functions[i]->body)
            stmt_visit(unit->functions[i]->body, see_address, &r);
    }
    for (int i = 0; i < unit->nglobals; ++i)
        if (unit->globals[i]->init)
            expr_visit(unit->globals[i]->init, see_address, &r);
    while (r.nwaiting > 0)
        stmt_visit(r.waiting[--r.nwaiting]->body, see_named, &r);
    return r.outside;
}

/* `again`: the function may be entered again with the object as it was left. */
static bool is_mentioned(const struct trace *t, const struct variable *var, bool again) {
    struct mentions m = {.t = t, .var = var, .around = t->loop->stmt, .again = again};
    const bool *outside = reached_outside(t);
    stmt_each(t->loop->function->body, see_around, &m);
    for (int i = 0; i < t->unit->nfunctions; ++i)
        if (t->unit->functions[i]->body && outside[i])
            stmt_visit(t->unit->functions[i]->body, see_mention, &m);
    for (int i = 0; i < t->unit->nglobals; ++i)
        if (t->unit->globals[i]->init)
            expr_visit(t->unit->globals[i]->init, see_mention, &m);
    return m.used;
}

bool live_out_if_static(const struct trace *t, const struct object *object) {
    const struct variable *var = object->var;
    return !var || object->kind != OBJECT_ARRAY || var->storage != STORAGE_GLOBAL ||
           var->is_extern || (var->address_taken && !origins_keep_static(t->origins, var)) ||
           is_mentioned(t, var, true);
}

bool live_out_of(const struct trace *t, const struct object *object) {
    const struct variable *var = object->var;
    if (!var || (object->kind != OBJECT_ARRAY && object->kind != OBJECT_POINTER &&
                 object->kind != OBJECT_SCALAR)) {
        return true;
    }
    if (object->kind == OBJECT_POINTER || var->type->kind == TYPE_POINTER) {
        return object->kind == OBJECT_SCALAR || !origins_own(t->origins, var) ||
               is_mentioned(t, var, false);
    }
    bool kept = !var->address_taken || origins_keep_private(t->origins, var);
    if (var->storage == STORAGE_LOCAL)
        return !kept || is_mentioned(t, var, false);
    bool own = var->storage == STORAGE_STATIC || var->storage == STORAGE_STATIC_LOCAL;
    kept = !var->address_taken || origins_keep_static(t->origins, var);
    return !own || !kept || is_mentioned(t, var, true);
}
