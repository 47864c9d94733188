/*
 * Switches inside the analyzed loop. One whose sections all end before the next begins is a chain
 * of choices; of any other, what stands behind a label may be reached without what stands in front.
 */
#include "analyzer/access/interp/interp.h"

#include <limits.h>

/* What stands behind the labels at one place. `match`: NULL for those of a default. */
struct section {
    const struct value *match;
    bool others;
    int nbody;
    struct stmt **body;
};

struct sections {
    struct interp *w;
    const struct value *value;
    struct expr *expr;
    int count;
    struct section *items;
};

/* ---- the shape ------------------------------------------------------------------------------- */

static bool has_own_break(const struct stmt *s) {
    if (!s || s->kind == STMT_FOR || s->kind == STMT_WHILE || s->kind == STMT_DO ||
        s->kind == STMT_SWITCH) {
        return false;
    }
    for (int i = 0; i < s->nbody; ++i)
        if (has_own_break(s->body[i]))
            return true;
    return s->kind == STMT_BREAK || has_own_break(s->then) || has_own_break(s->other);
}

/* Labels of this switch, wherever they stand in a statement. */
static int labels_in(const struct stmt *s) {
    if (!s || s->kind == STMT_SWITCH)
        return 0;
    int count = s->kind == STMT_CASE;
    for (int i = 0; i < s->nbody; ++i)
        count += labels_in(s->body[i]);
    if (s->kind == STMT_FOR)
        return count + labels_in(s->loop->body);
    return count + labels_in(s->then) + labels_in(s->other);
}

/* Labels in front of the body's own statements, where the interpretation looks for them. */
static int labels_outside(const struct stmt *body) {
    int count = 0;
    for (int i = 0; i < body->nbody; ++i)
        for (const struct stmt *s = body->body[i]; s && s->kind == STMT_CASE; s = s->then)
            ++count;
    return count;
}

static bool is_jump(const struct stmt *s) {
    return s->kind == STMT_BREAK || s->kind == STMT_CONTINUE || s->kind == STMT_RETURN ||
           s->kind == STMT_GOTO;
}

/* The statements without the `break` at their end; false when they may go on into what follows. */
static bool close_section(struct interp *w, struct section *section) {
    if (!section->nbody)
        return false;
    struct stmt **last = &section->body[section->nbody - 1];
    if ((*last)->kind == STMT_BLOCK) {
        struct section inner = {.nbody = (*last)->nbody, .body = (*last)->body};
        if (!close_section(w, &inner))
            return false;
        struct stmt *block = arena_alloc(w->arena, sizeof *block);
        *block = **last;
        block->nbody = inner.nbody;
        block->body = inner.body;
        *last = block;
        return true;
    }
    section->nbody -= (*last)->kind == STMT_BREAK;
    return is_jump(*last);
}

/* ---- what leads to a section ----------------------------------------------------------------- */

static const struct value *either(struct interp *w, const struct value *a, const struct value *b) {
    struct expr *pure = NULL;
    if (a->pure && b->pure) {
        pure = expr_binary(w->arena, OP_NONE, a->pure, b->pure);
        pure->kind = EXPR_OR;
        pure->type = a->pure->type;
    }
    struct value *v = arena_alloc(w->arena, sizeof *v);
    *v = *value_opaque(w, pure, pure ? pure->type : NULL, a, b);
    v->joined = EXPR_OR;
    v->sides[0] = a;
    v->sides[1] = b;
    return v;
}

/* A label is converted to the type of the switch's value: one that it holds stays what it is. */
static bool holds(const struct type *type, long number) {
    long top = type->size < 8 ? (1L << (8 * type->size - type->is_signed)) - 1 : LONG_MAX;
    return number <= top && number >= (type->is_signed ? -top - 1 : 0);
}

/* Whether the switch's value is that of a label; NULL when the label is no plain number for it. */
static const struct value *matches(const struct sections *s, struct expr *label) {
    struct interp *w = s->w;
    const struct type *type = s->expr->type;
    const struct value *number = eval(w, label);
    long constant;
    if (number->kind != VALUE_INT || !number->poly || !poly_is_constant(number->poly, &constant) ||
        !type || type->kind != TYPE_INT || type->size > 8 || !holds(type, constant)) {
        return NULL;
    }
    struct expr *pure = NULL;
    if (s->value->pure) {
        pure = expr_binary(w->arena, OP_EQ, s->value->pure, expr_integer(w->arena, constant));
        pure->range = s->expr->range;
        pure->range.exact = false;
    }
    struct value *v = arena_alloc(w->arena, sizeof *v);
    *v = *value_opaque(w, pure, pure ? pure->type : NULL, s->value, NULL);
    v->compared = meaning_difference(w, s->value, type, number, label->type);
    v->relation = OP_EQ;
    return v;
}

static bool add_label(struct sections *s, const struct stmt *label, bool begins) {
    if (begins)
        ARENA_PUSH(s->w->arena, s->items, s->count, (struct section){0});
    struct section *section = &s->items[s->count - 1];
    if (!label->expr) {
        section->others = true;
        return true;
    }
    const struct value *match = matches(s, label->expr);
    if (match)
        section->match = section->match ? either(s->w, section->match, match) : match;
    return match;
}

static bool add_statement(struct sections *s, struct stmt *stmt) {
    bool begins = true;
    for (; stmt && stmt->kind == STMT_CASE; stmt = stmt->then) {
        if (!add_label(s, stmt, begins))
            return false;
        begins = false;
    }
    if (!s->count || !stmt || stmt->kind == STMT_DECL)
        return false;
    struct section *section = &s->items[s->count - 1];
    ARENA_PUSH(s->w->arena, section->body, section->nbody, stmt);
    return true;
}

static bool is_chain(struct sections *s, const struct stmt *body) {
    for (int i = 0; i < body->nbody; ++i)
        if (!add_statement(s, body->body[i]))
            return false;
    for (int i = 0; i < s->count; ++i) {
        struct section *section = &s->items[i];
        if (!close_section(s->w, section) && i + 1 < s->count)
            return false;
        for (int j = 0; j < section->nbody; ++j)
            if (has_own_break(section->body[j]))
                return false;
    }
    return s->count > 0;
}

/* ---- the interpretation ---------------------------------------------------------------------- */

static void interp_section(struct interp *w, const struct section *section) {
    struct stmt block = {.kind = STMT_BLOCK, .nbody = section->nbody, .body = section->body};
    interp_stmt(w, &block);
}

static void interp_otherwise(const struct sections *s) {
    for (int i = 0; i < s->count; ++i)
        if (s->items[i].others)
            interp_section(s->w, &s->items[i]);
}

/* The sections from number `at` on; none of those before was taken. */
static void interp_sections(const struct sections *s, int at) {
    struct interp *w = s->w;
    while (at < s->count && s->items[at].others)
        ++at;
    if (at == s->count) {
        interp_otherwise(s);
        return;
    }
    const struct value *match = s->items[at].match;
    int conditions = w->nconditions;
    struct env before = env_copy(w, &w->env);
    interp_push_condition(w, match, true);
    interp_section(w, &s->items[at]);
    w->nconditions = conditions;
    bool taken_dead = w->dead;
    struct env taken = w->env;
    w->env = before;
    w->dead = false;
    interp_push_condition(w, match, false);
    interp_sections(s, at + 1);
    w->nconditions = conditions;
    if (w->dead) {
        w->env = taken;
        w->dead = taken_dead;
    } else if (!taken_dead) {
        w->env = env_join(w, &taken, &w->env, match);
    }
}

void interp_switch(struct interp *w, struct stmt *s) {
    struct sections sections = {.w = w, .expr = s->expr};
    int conditions = w->nconditions;
    sections.value = eval_consumed(w, s->expr);
    if (s->then->kind == STMT_BLOCK && labels_in(s->then) == labels_outside(s->then) &&
        is_chain(&sections, s->then)) {
        interp_sections(&sections, 0);
        w->nconditions = conditions;
        return;
    }
    if (s->then->kind == STMT_BLOCK && labels_in(s->then) != labels_outside(s->then)) {
        interp_refuse(&w->trace, ORR2226, interp_place(w, s->range),
                      "use `if` and loops in its place",
                      "a `case` of this `switch` stands inside of another statement");
    }
    interp_inner_loop(w, s);
}
