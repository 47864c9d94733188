/* Nests of rows: how inner loops go through rows, and the text of it. */
#include "scheduler/transform/rounds.h"

#include "scheduler/transform/rows_text.h"

/* ---- what is such a loop --------------------------------------------------------------------- */

static bool is_pointer(const struct rows *rows) {
    return rows->inner->variable->type->kind == TYPE_POINTER;
}

static bool has_type(const struct type *type) {
    const struct type *to = type->kind == TYPE_POINTER ? type->element : NULL;
    return type_is_whole(type) ||
           (to && to->kind != TYPE_VOID && to->size > 0 && !type->is_volatile && !type->is_atomic);
}

/* `int p = ptr[u], end = ptr[u + 1]`: the others are values of the row. */
static bool declares_values(const struct loop *inner) {
    const struct stmt *init = inner->init;
    for (int i = 0; init && init->kind == STMT_DECL && i < init->nvars; ++i) {
        const struct variable *v = init->vars[i];
        if (v != inner->variable && (!variable_is_value(v) || v->writes > 0))
            return false;
    }
    return true;
}

/* What the variable holds where the inner loop begins, by its declaration in front. */
static const struct expr *first_in_front(const struct rows *rows) {
    const struct variable *var = rows->inner->variable;
    const struct expr *first = NULL;
    for (int i = 0; i < rows->nfront; ++i) {
        if (stmt_sets(rows->front[i], var))
            return NULL;
        if (rows->front[i]->kind == STMT_DECL && stmt_declares(rows->front[i], var))
            first = var->init;
    }
    return first && first->kind != EXPR_INIT ? first : NULL;
}

bool rounds_read(struct rows *rows) {
    const struct loop *inner = rows->inner;
    if (!loop_counts_by_one(rows->unit, inner) || !has_type(inner->variable->type) ||
        !declares_values(inner))
        return false;
    rows->first_in_front = !inner->lower;
    rows->first = inner->lower ? inner->lower : first_in_front(rows);
    return rows->first && !expr_has_effect(rows->first) && !expr_has_effect(inner->upper) &&
           (inner->ahead != 0 || !expr_has_effect(inner->cond));
}

const struct stmt *rounds_step(const struct rows *rows) {
    const struct stmt *body = rows->inner->body;
    const struct stmt *last =
        body->kind == STMT_BLOCK && body->nbody > 0 ? body->body[body->nbody - 1] : NULL;
    const struct expr *e = last && last->kind == STMT_EXPR ? last->expr : NULL;
    const bool moves = e && (e->kind == EXPR_INCREMENT || e->kind == EXPR_ASSIGN) &&
                       e->args[0]->kind == EXPR_VAR && e->args[0]->var == rows->inner->variable;
    return moves && text_is_written(rows->unit, &last->range) ? last : NULL;
}

/* ---- its text -------------------------------------------------------------------------------- */

static const char *text_of(const struct rows *rows, const struct expr *e) {
    return text_is_written(rows->unit, &e->range) ? text_source(rows->unit, &e->range)
                                                  : expr_print(rows->unit->arena, e);
}

/* What the variable would be one round behind the last one, in the type that the loop compares in. */
static const char *value_behind(const struct rows *rows) {
    const struct loop *inner = rows->inner;
    const char *over = inner->relation == OP_LE ? " + 1" : inner->relation == OP_GE ? " - 1" : "";
    const char *bound = text_of(rows, inner->upper);
    return is_pointer(rows) ? arena_printf(rows->unit->arena, "(%s)%s", bound, over)
                            : arena_printf(rows->unit->arena, "(1 ? (%s) : %s)%s", bound,
                                           inner->variable->name, over);
}

const char *rounds_type(const struct rows *rows) {
    return is_pointer(rows) ? "long"
                            : type_declare(rows->unit->arena, rows->inner->variable->type, "");
}

/* The variable keeps what the loop leaves; the condition tells whether it does. */
void rounds_write_row(const struct rows *rows, const char *list, struct text *out) {
    const struct loop *inner = rows->inner;
    struct arena *arena = rows->unit->arena;
    const char *p = inner->variable->name, *behind = value_behind(rows);
    const char *cond = text_source(rows->unit, &inner->cond->range);
    if (rows->guard)
        text_print(out, "if (%s) ", text_source(rows->unit, &rows->guard->range));
    text_print(out, "{ %sif (%s) { ",
               inner->init ? text_statement(rows->unit, &inner->init->range) : "", cond);
    text_print(out, "orrery_records_%s(%s, (long)%s, ", inner->step > 0 ? "row" : "down", list,
               rows->outer->variable->name);
    text_print(out, is_pointer(rows) ? "0L, (long)(%s - %s)); " : "(long)%2$s, (long)(%1$s)); ",
               behind, p);
    text_print(out, "%s = (%s)(%s - (%ld)); ", p, type_declare(arena, inner->variable->type, ""),
               behind, inner->ahead);
    text_print(out, "if (orrery_records_more(%s)) orrery_records_endless(); } } ", cond);
}

const char *rounds_of_record(const struct rows *rows, const char *value) {
    const struct loop *inner = rows->inner;
    const struct variable *v = inner->variable;
    struct arena *arena = rows->unit->arena;
    const bool declares = inner->init && inner->init->kind == STMT_DECL;
    struct text out;
    text_start(&out, arena);
    text_print(&out, "{ ");
    if (rows->guard)
        text_print(&out, "(void)(%s); ", text_source(rows->unit, &rows->guard->range));
    if (declares && inner->init->nvars > 1)
        text_print(&out, "%s", text_statement(rows->unit, &inner->init->range));
    else if (!rows->first_in_front)
        text_print(&out, "(void)(%s); ", text_of(rows, rows->first));
    text_print(&out, "(void)(%s); { %s = ", text_of(rows, inner->upper),
               type_declare(arena, v->type, v->name));
    if (is_pointer(rows))
        text_print(&out, "(%s)((%s) + %s)", type_declare(arena, v->type, ""),
                   text_of(rows, rows->first), value);
    else
        text_print(&out, "%s", value);
    text_print(&out, "; (void)%s; ", v->name);
    return out.bytes;
}
