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

static const struct expr *strip(const struct expr *e) {
    while (e && e->kind == EXPR_CAST)
        e = e->args[0];
    return e;
}

static void admit(struct mentions *m, const struct expr *e) {
    e = strip(e);
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

/* `again`: the function may be entered again with the object as it was left. */
static bool is_mentioned(const struct trace *t, const struct variable *var, bool again) {
    struct mentions m = {.t = t, .var = var, .around = t->loop->stmt, .again = again};
    stmt_each(t->loop->function->body, see_around, &m);
    for (int i = 0; i < t->unit->nfunctions; ++i)
        if (t->unit->functions[i]->body)
            stmt_visit(t->unit->functions[i]->body, see_mention, &m);
    for (int i = 0; i < t->unit->nglobals; ++i)
        if (t->unit->globals[i]->init)
            expr_visit(t->unit->globals[i]->init, see_mention, &m);
    return m.used;
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
    return !own || var->address_taken || is_mentioned(t, var, true);
}
