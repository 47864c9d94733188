/* Nests of rows: may the statements around the inner loop run in loops of their own? */
#include "scheduler/transform/rows.h"

#include <string.h>

/* Parts of an iteration. VALUES: both headers, and declarations in front of the inner loop. */
enum { VALUES = 1, FRONT = 2, INNER = 4, BEHIND = 8 };

bool rows_is_skip(const struct stmt *stmt) {
    const struct stmt *then = stmt->kind == STMT_IF && !stmt->other ? stmt->then : NULL;
    if (then && then->kind == STMT_BLOCK && then->nbody == 1)
        then = then->body[0];
    return then && then->kind == STMT_CONTINUE && !expr_has_effect(stmt->expr);
}

bool rows_go_with(const struct rows *rows, const struct variable *var) {
    for (int i = 0; i < rows->ncompanions; ++i)
        if (rows->companions[i].var == var)
            return true;
    return var == rows->var;
}

static bool is_declaration(const struct stmt *stmt) {
    return stmt->kind == STMT_DECL || stmt->kind == STMT_EMPTY || rows_is_skip(stmt);
}

/* ---- numbers that are set anew --------------------------------------------------------------- */

static bool sets_only(const struct expr *e, const struct variable *var) {
    return e && e->kind == EXPR_ASSIGN && e->op == OP_NONE && e->args[0]->kind == EXPR_VAR &&
           e->args[0]->var == var && !expr_names(e->args[1], var);
}

static bool set_anew(int count, struct stmt *const *body, const struct variable *var) {
    for (int i = 0; i < count; ++i) {
        const struct stmt *s = body[i];
        if (!stmt_names(s, var))
            continue;
        if (s->kind == STMT_BLOCK)
            return set_anew(s->nbody, s->body, var);
        const struct stmt *init = s->kind == STMT_FOR && s->loop ? s->loop->init : NULL;
        return sets_only(s->kind == STMT_EXPR ? s->expr : NULL, var) ||
               (init && init->kind == STMT_EXPR && sets_only(init->expr, var));
    }
    return true;
}

/* By values of the row and skips, which the lists are made with, too. */
static bool is_read_in_front(const struct rows *rows, const struct variable *var) {
    bool read = false;
    for (int i = 0; i < rows->nfront; ++i) {
        const struct stmt *s = rows->front[i];
        read = read || (rows_is_skip(s) && expr_names(s->expr, var));
        for (int v = 0; s->kind == STMT_DECL && v < s->nvars; ++v)
            read = read || (s->vars[v]->init && expr_names(s->vars[v]->init, var));
    }
    return read;
}

bool rows_set_anew(const struct rows *rows, const struct variable *var) {
    const struct loop *inner = rows->inner;
    const struct expr *header[] = {inner->cond, inner->next, rows->first, rows->guard};
    for (size_t i = 0; i < sizeof header / sizeof *header; ++i)
        if (header[i] && expr_names(header[i], var))
            return false;
    return !is_read_in_front(rows, var) && !(inner->init && stmt_names(inner->init, var)) &&
           set_anew(1, &inner->body, var) && set_anew(rows->nbehind, rows->behind, var);
}

static bool may_write(const void *data, const struct expr *e) {
    (void)data;
    return e->kind == EXPR_CALL ||
           ((e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) && e->args[0]->kind != EXPR_VAR);
}

bool rows_may_write(const struct rows *rows) {
    return stmt_any_expr(rows->inner->body, may_write, NULL);
}

bool rows_have_front(const struct rows *rows) {
    for (int i = 0; i < rows->nfront; ++i)
        if (!is_declaration(rows->front[i]))
            return true;
    return false;
}

bool rows_have_behind(const struct rows *rows) {
    for (int i = 0; i < rows->nbehind; ++i)
        if (rows->behind[i]->kind != STMT_EMPTY)
            return true;
    return false;
}

/* ---- who touches what ------------------------------------------------------------------------ */

/* 0: it is not known. */
static unsigned part_of(const struct rows *rows, const struct access *a) {
    const struct range *at = a->via ? &a->via->range : &a->range;
    if (at->begin.file != rows->unit->main_file)
        return 0;
    if (range_holds_start(&rows->outer->header, at) ||
        range_holds_start(&rows->inner->header, at) ||
        (rows->guard && range_holds_start(&rows->guard->range, at)) ||
        (rows->step && range_holds_start(&rows->step->range, at)))
        return VALUES;
    if (range_holds_start(&rows->inner->stmt->range, at))
        return INNER;
    for (int i = 0; i < rows->nfront; ++i)
        if (range_holds_start(&rows->front[i]->range, at))
            return is_declaration(rows->front[i]) ? VALUES : FRONT;
    for (int i = 0; i < rows->nbehind; ++i)
        if (range_holds_start(&rows->behind[i]->range, at))
            return BEHIND;
    return 0;
}

/* By objects: parts that touch it, and those that write it. */
struct touches {
    const struct analysis *analysis;
    unsigned *all, *writes;
};

static bool collect(const struct rows *rows, struct touches *touches) {
    const struct loop_facts *facts = touches->analysis->facts;
    const size_t size = (size_t)(facts->nobjects + 1) * sizeof *touches->all;
    touches->all = arena_alloc(rows->unit->arena, size);
    touches->writes = arena_alloc(rows->unit->arena, size);
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        unsigned part = part_of(rows, a);
        if (part == 0)
            return false;
        touches->all[a->object->id] |= part;
        touches->writes[a->object->id] |= a->write ? part : 0;
    }
    return true;
}

/* One part writes what another one touches. */
static bool meet(unsigned writes, unsigned all) {
    return writes != 0 && ((all & ~writes) != 0 || (writes & (writes - 1)) != 0);
}

/* The same of two objects. What the inner loop writes of what headers and values may read is a
 * guard of the loop over records (records_may_move). */
static bool may_meet(const struct touches *touches, int a, int b) {
    for (unsigned part = FRONT; part <= BEHIND; part *= 2) {
        unsigned others = ~part & ~(part == INNER ? (unsigned)VALUES : 0u);
        if (((touches->writes[a] & part) && (touches->all[b] & others)) ||
            ((touches->writes[b] & part) && (touches->all[a] & others)))
            return true;
    }
    return false;
}

/* ---- the proof ------------------------------------------------------------------------------- */

/* No two iterations share an element of it, whatever the run's data is. */
static bool is_own(const struct analysis *analysis, const struct object *object) {
    int refuted = 0;
    if (object->kind == OBJECT_ROWS || object->kind == OBJECT_HIDDEN || object->apart)
        return false;
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        if (dep->source->object != object || dep->sink->object != object)
            continue;
        if (dep->status != DEP_REFUTED)
            return false;
        ++refuted;
    }
    return refuted > 0;
}

static bool are_apart(struct loop_facts *facts, const struct object *a, const struct object *b) {
    int guard = -1;
    switch (facts_alias(facts, a, b, &guard)) {
    case ALIAS_NO:
        return true;
    case ALIAS_GUARDED:
        return guard >= 0 && facts->guards[guard].assumed;
    case ALIAS_MAY:
        break;
    }
    return false;
}

/* Conditions on values may stand behind any answer. */
static bool has_condition(const struct loop_facts *facts) {
    for (int i = 0; i < facts->nguards; ++i) {
        const struct guard *guard = &facts->guards[i];
        if (guard->kind != GUARD_NO_OVERLAP && guard->kind != GUARD_APART &&
            guard->kind != GUARD_ROWS_DISJOINT)
            return true;
    }
    return false;
}

/* Where a statement around the inner loop touches one of them. */
static struct rows_reason reason_at(const struct rows *rows, const struct touches *touches,
                                    const struct object *a, const struct object *b,
                                    const char *words) {
    const struct loop_facts *facts = touches->analysis->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        unsigned part = part_of(rows, access);
        if ((access->object == a || access->object == b) && (part == FRONT || part == BEHIND))
            return (struct rows_reason){
                access->via ? access->via->range : access->range,
                arena_printf(rows->unit->arena, "it stands %s the inner loop; %s",
                             part == FRONT ? "in front of" : "behind", words)};
    }
    return (struct rows_reason){rows->outer->header, words};
}

/* The inner loop's counter is its own business: nothing around names it (rows.h). */
static struct rows_reason why_shared(const struct rows *rows, const struct touches *touches) {
    const struct loop_facts *facts = touches->analysis->facts;
    struct arena *arena = rows->unit->arena;
    for (int i = 0; i < facts->nobjects; ++i) {
        const struct object *object = facts->objects[i];
        if (object->kind == OBJECT_SCALAR && rows_go_with(rows, object->var))
            continue;
        unsigned all = touches->all[i], writes = touches->writes[i];
        bool values = (all & VALUES) && (writes & ~(unsigned)INNER);
        if (values || (meet(writes, all & ~(unsigned)VALUES) && !is_own(touches->analysis, object)))
            return reason_at(rows, touches, object, object,
                             arena_printf(arena, "as far as is known other rows share %s with it",
                                          object_words(arena, object)));
    }
    return (struct rows_reason){0};
}

static struct rows_reason why_overlap(const struct rows *rows, const struct touches *touches) {
    struct loop_facts *facts = touches->analysis->facts;
    struct arena *arena = rows->unit->arena;
    for (int i = 0; i < facts->nobjects; ++i)
        for (int j = 0; j < i; ++j) {
            const struct object *a = facts->objects[j], *b = facts->objects[i];
            if (may_meet(touches, i, j) && !are_apart(facts, a, b))
                return reason_at(rows, touches, a, b,
                                 arena_printf(arena,
                                              "%s and %s may overlap: restrict or "
                                              "assume(noalias(...)) says that they do not",
                                              object_words(arena, a), object_words(arena, b)));
        }
    return (struct rows_reason){0};
}

struct rows_reason rows_why_together(const struct rows *rows, const struct analysis *analysis) {
    struct touches touches = {.analysis = analysis};
    if (has_condition(analysis->facts) || !collect(rows, &touches))
        return (struct rows_reason){rows->outer->header,
                                    "what stands around the inner loop is not known well enough"};
    const struct rows_reason why = why_shared(rows, &touches);
    return why.words ? why : why_overlap(rows, &touches);
}
