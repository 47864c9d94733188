/*
 * The parts of a body, and the variables that they share: an iteration's own (declared in the body,
 * or private), or carried from one iteration to the next.
 */
#include "scheduler/strategy/pipeline/pipe.h"

#include <string.h>

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_number(const struct type *type) {
    return !type->is_volatile && !type->is_atomic &&
           (type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_FLOAT);
}

/* Bytes that mean the same to every stage, and that can be set: no pointer in them, no constant. */
static bool is_flat(const struct type *type, int depth) {
    bool constant = depth > 0 && type->is_const;
    while (type->kind == TYPE_ARRAY) {
        type = type->element;
        constant = constant || type->is_const;
    }
    if (constant)
        return false;
    if (type->kind != TYPE_STRUCT || type->is_local || !type->record || depth > 8)
        return is_number(type);
    bool flat = !type->is_volatile && !type->is_atomic;
    for (int i = 0; flat && i < type->record->nfields; ++i)
        flat = is_flat(type->record->fields[i].type, depth + 1);
    return flat;
}

/* ---- which variables ------------------------------------------------------------------------- */

/* The loop reaches it by its name only, and only in its own text. */
static bool is_plain_scalar(const struct loop_facts *facts, const struct variable *var) {
    bool plain = !var->address_taken && is_number(var->type) && !var->type->is_const;
    for (int i = 0; i < facts->naccesses && plain; ++i) {
        const struct access *a = &facts->accesses[i];
        plain = a->object->var != var || (a->object->kind == OBJECT_SCALAR && !a->via && a->expr &&
                                          a->expr->kind == EXPR_VAR);
    }
    return plain;
}

static bool has(const struct pipe_uses *uses, const struct variable *var) {
    for (int i = 0; i < uses->count; ++i)
        if (uses->items[i].var == var)
            return true;
    return false;
}

static void add(const struct loop_facts *facts, struct pipe_uses *uses, struct variable *var,
                bool carried) {
    struct pipe_use use = {.var = var, .carried = carried};
    use.pinned = !is_flat(var->type, 0);
    if (!has(uses, var))
        ARENA_PUSH(facts->unit->arena, uses->items, uses->count, use);
}

static void collect(const struct loop_facts *facts, const struct plan_pipe *pipe,
                    struct pipe_uses *uses) {
    for (int p = 0; p < pipe->nparts; ++p) {
        const struct stmt *stmt = pipe->parts[p].stmt;
        for (int i = 0; stmt->kind == STMT_DECL && i < stmt->nvars; ++i)
            if (stmt->vars[i]->storage == STORAGE_LOCAL)
                add(facts, uses, stmt->vars[i], false);
    }
    for (int i = 0; i < facts->nprivates; ++i)
        add(facts, uses, facts->privates[i].var, false);
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->write && a->object->kind == OBJECT_SCALAR && a->object->var &&
            a->object->var != facts->loop->variable && is_plain_scalar(facts, a->object->var)) {
            add(facts, uses, a->object->var, true);
        }
    }
}

bool pipe_is_value(const struct pipe_uses *uses, const struct object *object) {
    return object->kind == OBJECT_SCALAR && object->var && has(uses, object->var);
}

/* ---- declarations that every stage makes for itself ------------------------------------------ */

static bool is_bare(const struct stmt *stmt) {
    bool bare = true;
    for (int i = 0; i < stmt->nvars; ++i) {
        const struct variable *var = stmt->vars[i];
        bare = bare && !var->init && !(pipe_mention(stmt, var) & PIPE_WRITES) &&
               var->storage == STORAGE_LOCAL;
    }
    return bare;
}

/* Each stage gives it its value. */
static bool is_everywhere(const struct plan_pipe *pipe, const struct variable *var) {
    for (int p = 0; p < pipe->nparts; ++p)
        if (pipe->parts[p].stmt->kind == STMT_DECL && stmt_declares(pipe->parts[p].stmt, var))
            return pipe->parts[p].stage == PIPE_EVERYWHERE && var->init;
    return false;
}

struct repeated {
    const struct plan_pipe *pipe;
    const struct pipe_uses *uses;
};

/* It has an effect, or needs what the loop changes. */
static bool is_once(const void *data, const struct expr *expr) {
    const struct repeated *r = data;
    switch (expr->kind) {
    case EXPR_ASSIGN:
    case EXPR_INCREMENT:
    case EXPR_UNKNOWN:
    case EXPR_COMPOUND:
    case EXPR_INIT:
    case EXPR_CALL:
        return true;
    default:
        return expr->kind == EXPR_VAR && has(r->uses, expr->var) &&
               !is_everywhere(r->pipe, expr->var);
    }
}

static bool reads_what_changes(const struct loop_facts *facts, const struct plan_pipe *pipe,
                               int part) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (pipe_part_of(pipe, a) == part && plan_is_written(facts, a->object))
            return true;
    }
    return false;
}

static bool is_repeated(const struct loop_facts *facts, const struct plan_pipe *pipe,
                        const struct pipe_uses *uses, int part) {
    const struct stmt *stmt = pipe->parts[part].stmt;
    const struct repeated repeated = {pipe, uses};
    bool good = stmt->kind == STMT_DECL && !reads_what_changes(facts, pipe, part);
    for (int i = 0; good && i < stmt->nvars; ++i) {
        const struct variable *var = stmt->vars[i];
        bool plain = is_number(var->type) || var->type->kind == TYPE_POINTER;
        good = plain && var->init && var->storage == STORAGE_LOCAL && !var->address_taken &&
               var->writes == 0 && !expr_any(var->init, is_once, &repeated);
    }
    return good;
}

static void find_everywhere(const struct loop_facts *facts, struct plan_pipe *pipe,
                            const struct pipe_uses *uses) {
    for (int p = 0; p < pipe->nparts; ++p) {
        const struct stmt *stmt = pipe->parts[p].stmt;
        if (stmt->kind == STMT_DECL && (is_bare(stmt) || is_repeated(facts, pipe, uses, p)))
            pipe->parts[p].stage = PIPE_EVERYWHERE;
    }
}

/* ---- what parts do with them ----------------------------------------------------------------- */

static bool look(const struct loop_facts *facts, const struct plan_pipe *pipe, struct pipe_use *use,
                 struct strategy_miss *miss) {
    struct arena *arena = facts->unit->arena;
    for (int p = 0; p < pipe->nparts && !is_everywhere(pipe, use->var); ++p) {
        const struct stmt *stmt = pipe->parts[p].stmt;
        int flags = pipe->parts[p].stage == PIPE_EVERYWHERE ? 0 : pipe_mention(stmt, use->var);
        use->touched |= flags ? UINT64_C(1) << p : 0;
        use->written |= flags & PIPE_WRITES ? UINT64_C(1) << p : 0;
        if (flags & PIPE_ESCAPES) {
            plan_missed(miss, ORR2473, stmt->range,
                        arena_printf(arena,
                                     "no pipeline: a pointer to %s is kept here, and a stage has "
                                     "%s only while it works on the iteration",
                                     use->var->name, use->var->name),
                        arena_printf(arena, "use %s by its own name, or hand it to a function",
                                     use->var->name));
            miss->near = true;
            return false;
        }
    }
    return true;
}

/* Two variables of one name would be one word in the text of a stage. */
static bool have_names(const struct pipe_uses *uses) {
    for (int i = 0; i < uses->count; ++i) {
        for (int j = 0; j < i; ++j)
            if (strcmp(uses->items[i].var->name, uses->items[j].var->name) == 0)
                return false;
    }
    return true;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static bool part_add(const struct loop_facts *facts, struct plan_pipe *pipe, struct stmt *stmt,
                     struct strategy_miss *miss) {
    struct pipe_part part = {.stmt = stmt, .cost = pipe_cost(stmt)};
    if (stmt->kind == STMT_EMPTY)
        return true;
    if (plan_leaves(stmt)) {
        return plan_missed(
            miss, ORR2472, stmt->range,
            "no pipeline: an iteration may end early here, and the later stages would "
            "not know",
            "put what follows under the opposite condition");
    }
    if (!stmt->range.exact || pipe_has_unknown(stmt) || pipe->nparts == PIPE_PARTS)
        return plan_missed(miss, NULL, stmt->range, NULL, NULL);
    for (int i = 0; stmt->kind == STMT_DECL && i < stmt->nvars; ++i)
        if (stmt->vars[i]->storage != STORAGE_LOCAL)
            return plan_missed(miss, NULL, stmt->range, NULL, NULL);
    ARENA_PUSH(facts->unit->arena, pipe->parts, pipe->nparts, part);
    return true;
}

struct plan_pipe *pipe_parts(const struct loop_facts *facts, struct pipe_uses *uses,
                             struct strategy_miss *miss) {
    struct stmt *body = facts->loop->body;
    struct plan_pipe *pipe = arena_alloc(facts->unit->arena, sizeof *pipe);
    *pipe = (struct plan_pipe){.nparts = 0};
    *uses = (struct pipe_uses){0};
    *miss = (struct strategy_miss){0};
    if (!body || body->kind != STMT_BLOCK || facts->loop->form != LOOP_FOR || facts->by_number ||
        facts->ninductions > 0) {
        return NULL;
    }
    for (int i = 0; i < body->nbody; ++i)
        if (!part_add(facts, pipe, body->body[i], miss))
            return NULL;
    collect(facts, pipe, uses);
    find_everywhere(facts, pipe, uses);
    if (!have_names(uses))
        return NULL;
    for (int i = 0; i < uses->count; ++i)
        if (!look(facts, pipe, &uses->items[i], miss))
            return NULL;
    return pipe;
}
