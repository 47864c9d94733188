/* Nests of rows: how inner loops go through rows, and the text of it. */
#include "scheduler/transform/rounds.h"

#include "scheduler/transform/rows_text.h"

#include <string.h>

/* ---- what is such a loop --------------------------------------------------------------------- */

/* The list has how far the variable is from its first value. */
static bool is_offset(const struct rows *rows) {
    return rows->var->type->kind == TYPE_POINTER && !rows->link;
}

static bool has_type(const struct type *type) {
    const struct type *to = type->kind == TYPE_POINTER ? type->element : NULL;
    return type_is_whole(type) ||
           (to && to->kind != TYPE_VOID && to->size > 0 && !type->is_volatile && !type->is_atomic);
}

/* `int p = ptr[u], end = ptr[u + 1]`: the others are values of the row, or go along. */
static bool declares_values(const struct rows *rows) {
    const struct stmt *init = rows->inner->init;
    for (int i = 0; init && init->kind == STMT_DECL && i < init->nvars; ++i) {
        const struct variable *v = init->vars[i];
        if (!rows_go_with(rows, v) && (!variable_is_value(v) || v->writes > 0))
            return false;
    }
    return true;
}

static bool moves(const struct expr *e) {
    return e && (e->kind == EXPR_INCREMENT || e->kind == EXPR_ASSIGN) &&
           e->args[0]->kind == EXPR_VAR;
}

/* `{ ...; p = next[p]; }`. NULL: there is no such statement. */
static const struct stmt *last_step(const struct rows *rows) {
    const struct stmt *body = rows->inner->body;
    const struct stmt *last =
        body->kind == STMT_BLOCK && body->nbody > 0 ? body->body[body->nbody - 1] : NULL;
    return last && last->kind == STMT_EXPR && moves(last->expr) &&
                   text_is_written(rows->unit, &last->range)
               ? last
               : NULL;
}

static bool is_continue(const void *data, const struct stmt *stmt) {
    (void)data;
    return stmt->kind == STMT_CONTINUE;
}

/* What the header sets the variable to. */
static const struct expr *first_in_header(const struct rows *rows) {
    const struct stmt *init = rows->inner->init;
    for (int i = 0; init && init->kind == STMT_DECL && i < init->nvars; ++i)
        if (init->vars[i] == rows->var)
            return rows->var->init;
    const struct expr *set = init && init->kind == STMT_EXPR ? init->expr : NULL;
    return moves(set) && set->op == OP_NONE && set->args[0]->var == rows->var ? set->args[1] : NULL;
}

/* What the variable holds where the inner loop begins, by its declaration in front. */
static const struct expr *first_in_front(const struct rows *rows) {
    const struct expr *first = NULL;
    for (int i = 0; i < rows->nfront; ++i) {
        if (stmt_sets(rows->front[i], rows->var))
            return NULL;
        if (rows->front[i]->kind == STMT_DECL && stmt_declares(rows->front[i], rows->var))
            first = rows->var->init;
    }
    return first && first->kind != EXPR_INIT ? first : NULL;
}

/* Behind the header's declaration its name means something else. */
static bool is_renamed(const void *data, const struct expr *e) {
    const struct stmt *init = data;
    for (int i = 0; e->kind == EXPR_VAR && init && i < init->nvars; ++i)
        if (init->vars[i] != e->var && strcmp(init->vars[i]->name, e->var->name) == 0)
            return true;
    return false;
}

static bool read_first(struct rows *rows) {
    const struct expr *first = first_in_header(rows);
    const struct stmt *init = rows->inner->init;
    rows->first_in_front = !first;
    rows->first = first ? first : first_in_front(rows);
    return rows->first && (first || !init) && !expr_has_effect(rows->first) &&
           !expr_names(rows->first, rows->var) && !expr_any(rows->first, is_renamed, init);
}

/* ---- what goes along ------------------------------------------------------------------------- */

/* Counts what sets the variable; `step`: by how much the last of them moves it, 0: not known. */
struct moves {
    const struct variable *var;
    int count, step;
};

static void see_move(void *data, struct expr *e) {
    struct moves *moves = data;
    if ((e->kind != EXPR_INCREMENT && e->kind != EXPR_ASSIGN) ||
        lvalue_variable(e->args[0]) != moves->var)
        return;
    ++moves->count;
    moves->step = e->kind == EXPR_INCREMENT && e->args[0]->kind == EXPR_VAR ? e->delta : 0;
}

/* Evaluating `e` moves it, whatever values are. */
static bool surely_moves(const struct expr *e, const struct variable *var) {
    bool found =
        e->kind == EXPR_INCREMENT && e->args[0]->kind == EXPR_VAR && e->args[0]->var == var;
    const bool all = e->kind != EXPR_CONDITIONAL && e->kind != EXPR_AND && e->kind != EXPR_OR &&
                     e->kind != EXPR_SIZEOF;
    for (int i = 0; all && i < e->nargs && !found; ++i)
        found = e->args[i] && surely_moves(e->args[i], var);
    return found;
}

static bool each_round_moves(const struct loop *inner, const struct variable *var) {
    const struct stmt *body = inner->body;
    bool found = body->kind == STMT_EXPR && surely_moves(body->expr, var);
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i) {
        const struct stmt *s = body->body[i];
        found = found || (s->kind == STMT_EXPR && surely_moves(s->expr, var));
        for (int v = 0; s->kind == STMT_DECL && v < s->nvars; ++v)
            found = found || (s->vars[v]->init && surely_moves(s->vars[v]->init, var));
    }
    return (inner->next && surely_moves(inner->next, var)) ||
           (found && !stmt_any(body, is_continue, NULL));
}

/* Its initial value is that of the first round, and says the same in a record. */
static bool begins_known(const struct rows *rows, const struct variable *v) {
    bool known = variable_is_value(v) && has_type(v->type) &&
                 text_is_written(rows->unit, &v->init->range) &&
                 !expr_any(v->init, is_renamed, rows->inner->init) &&
                 (rows->first_in_front || !expr_names(v->init, rows->var)) &&
                 !expr_names(rows->first, v) && !expr_names(rows->inner->cond, v);
    for (int i = 0; i < rows->ncompanions; ++i)
        known = known && !expr_names(v->init, rows->companions[i].var);
    for (int i = 0; i < rows->nbehind; ++i)
        known = known && !stmt_names(rows->behind[i], v);
    return known;
}

static void find_companions(struct rows *rows, const struct stmt *decl) {
    for (int i = 0; decl && decl->kind == STMT_DECL && i < decl->nvars; ++i) {
        const struct variable *v = decl->vars[i];
        struct moves moves = {.var = v};
        if (v == rows->var || !begins_known(rows, v))
            continue;
        stmt_visit(rows->outer->body, see_move, &moves);
        struct companion companion = {v, moves.step};
        if (moves.count == 1 && moves.step != 0 && each_round_moves(rows->inner, v))
            ARENA_PUSH(rows->unit->arena, rows->companions, rows->ncompanions, companion);
    }
}

/* What the header moves. */
static bool moves_known(const struct rows *rows, const struct expr *next) {
    if (next && next->kind == EXPR_COMMA)
        return moves_known(rows, next->args[0]) && moves_known(rows, next->args[1]);
    return !next || (moves(next) && rows_go_with(rows, next->args[0]->var));
}

/* ---- how it goes ----------------------------------------------------------------------------- */

static bool goes_by_one(struct rows *rows) {
    const struct loop *inner = rows->inner;
    const struct stmt *last = last_step(rows);
    rows->var = inner->variable;
    rows->step = last && last->expr->args[0]->var == rows->var ? last : NULL;
    if (!loop_counts_by_one(rows->unit, inner) || !has_type(rows->var->type) || !read_first(rows))
        return false;
    for (int i = 0; i < rows->nfront; ++i)
        find_companions(rows, rows->front[i]);
    find_companions(rows, inner->init);
    return moves_known(rows, inner->next) && declares_values(rows) &&
           !expr_has_effect(inner->upper) && (inner->ahead != 0 || !expr_has_effect(inner->cond));
}

/* Nothing else in the body sets the variable, or comes around its last statement. */
static bool moves_alone(const struct rows *rows) {
    const struct stmt *body = rows->inner->body;
    const int rest = rows->step ? body->nbody - 1 : 0;
    if (!rows->step || stmt_any(body, is_continue, NULL))
        return !rows->step && !stmt_sets(body, rows->var);
    for (int i = 0; i < rest; ++i)
        if (stmt_sets(body->body[i], rows->var))
            return false;
    return true;
}

/* The body makes it anew, in front of the step. */
static bool is_of_round(const void *data, const struct expr *e) {
    const struct rows *rows = data;
    const struct stmt *body = rows->inner->body;
    return e->kind == EXPR_VAR && e->var != rows->var &&
           (range_holds(&body->range, &e->var->range) || stmt_sets(body, e->var));
}

static bool is_node(const struct rows *rows, const struct expr *e) {
    const struct type *node = rows->var->type->element;
    return e->type && e->type->record && e->type->record == node->record;
}

/* A node, or a part of one, is set by another name than the variable's: the list of nodes would have
 * to be apart from them. */
static bool sets_node(const void *data, const struct expr *e) {
    const struct rows *rows = data;
    if (e->kind != EXPR_ASSIGN && e->kind != EXPR_INCREMENT)
        return false;
    for (const struct expr *part = e->args[0]; part->nargs > 0; part = part->args[0])
        if (is_node(rows, part) && !(part->kind == EXPR_DEREF && part->args[0]->kind == EXPR_VAR &&
                                     part->args[0]->var == rows->var))
            return true;
    return false;
}

/* Numbers are what they are; pointers lead from node to node. */
static bool leads_on(const struct rows *rows) {
    const struct expr *to = rows->link->kind == EXPR_ASSIGN ? rows->link->args[1] : NULL;
    while (to && to->kind == EXPR_CAST)
        to = to->args[0];
    if (rows->var->type->kind != TYPE_POINTER)
        return true;
    return rows->link->op == OP_NONE && to && to->kind == EXPR_MEMBER &&
           rows->var->type->element->record && !stmt_any_expr(rows->outer->body, sets_node, rows);
}

static bool goes_by_links(struct rows *rows) {
    const struct loop *inner = rows->inner;
    rows->step = inner->next ? NULL : last_step(rows);
    rows->link = inner->next ? inner->next : rows->step ? rows->step->expr : NULL;
    rows->ncompanions = 0;
    if (!loop_is_written(rows->unit, inner) || !moves(rows->link))
        return false;
    const struct variable *v = rows->var = rows->link->args[0]->var;
    const bool own = v->storage == STORAGE_LOCAL || v->storage == STORAGE_PARAM;
    return own && !v->address_taken && has_type(v->type) && read_first(rows) &&
           declares_values(rows) && moves_alone(rows) && leads_on(rows) &&
           expr_names(inner->cond, v) && !expr_has_effect(inner->cond) &&
           (rows->link->kind == EXPR_INCREMENT ||
            (!expr_has_effect(rows->link->args[1]) &&
             !expr_any(rows->link->args[1], is_of_round, rows)));
}

bool rounds_read(struct rows *rows) {
    return goes_by_one(rows) || goes_by_links(rows);
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
    return is_offset(rows)
               ? arena_printf(rows->unit->arena, "(%s)%s", bound, over)
               : arena_printf(rows->unit->arena, "(1 ? (%s) : %s)%s", bound, rows->var->name, over);
}

const char *rounds_declare(const struct rows *rows, const char *name) {
    return is_offset(rows) ? arena_printf(rows->unit->arena, "long %s", name)
                           : type_declare(rows->unit->arena, rows->var->type, name);
}

const char *rounds_list(const struct rows *rows) {
    return !is_offset(rows) ? "_of" : rows->ncompanions == 0 ? "_at" : "_past";
}

/* The variable keeps what the loop leaves; the condition tells whether it does. */
static void write_bounds(const struct rows *rows, const char *list, struct text *out) {
    const struct loop *inner = rows->inner;
    const char *p = rows->var->name, *behind = value_behind(rows);
    const char *cond = text_source(rows->unit, &inner->cond->range);
    text_print(out, "if (%s) { ", cond);
    text_print(out, "orrery_records_%s(%s, (long)%s, ", inner->step > 0 ? "row" : "down", list,
               rows->outer->variable->name);
    text_print(out, is_offset(rows) ? "0L, (long)(%s - %s)); " : "(long)%2$s, (long)(%1$s)); ",
               behind, p);
    text_print(out, "%s = (%s)(%s - (%ld)); ", p,
               type_declare(rows->unit->arena, rows->var->type, ""), behind, inner->ahead);
    text_print(out, "if (orrery_records_more((%s) ? 1 : 0)) orrery_records_endless(); } ", cond);
}

static void write_links(const struct rows *rows, const char *list, struct text *out) {
    text_print(out, "while (orrery_records_more((%s) ? 1 : 0)) { ",
               text_source(rows->unit, &rows->inner->cond->range));
    text_print(out, "orrery_records_link(%s, (long)%s, (long)%s); %s; } ", list,
               rows->outer->variable->name, rows->var->name,
               text_source(rows->unit, &rows->link->range));
}

void rounds_write_row(const struct rows *rows, const char *list, struct text *out) {
    const struct stmt *init = rows->inner->init;
    if (rows->guard)
        text_print(out, "if (%s) ", text_source(rows->unit, &rows->guard->range));
    text_print(out, "{ %s", init ? text_statement(rows->unit, &init->range) : "");
    if (rows->link)
        write_links(rows, list, out);
    else
        write_bounds(rows, list, out);
    text_print(out, "} ");
}

/* What the header, or the step, reads with the variable. */
static void write_link_reads(const struct rows *rows, struct text *out) {
    text_print(out, "(void)(%s); ", text_source(rows->unit, &rows->inner->cond->range));
    if (rows->link->kind == EXPR_ASSIGN)
        text_print(out, "(void)(%s); ", text_of(rows, rows->link->args[1]));
}

/* How many rounds of the row come in front of the record's. */
static const char *round_number(const struct rows *rows, const char *value) {
    struct arena *arena = rows->unit->arena;
    const struct expr *first = rows->first;
    if (is_offset(rows))
        return arena_printf(arena, "%s%s", rows->inner->step > 0 ? "(long)" : "-", value);
    if (rows->inner->step > 0 && first->kind == EXPR_INT && first->int_value == 0)
        return arena_printf(arena, "(long)%s", value);
    return rows->inner->step > 0
               ? arena_printf(arena, "((long)%s - (long)(%s))", value, text_of(rows, first))
               : arena_printf(arena, "((long)(%s) + (%ld) - (long)%s)", text_of(rows, first),
                              rows->inner->ahead, value);
}

/* Their values name the row's variables, so they stand in front of the loop's own. */
static void write_companions(const struct rows *rows, const char *value, struct text *out) {
    for (int i = 0; i < rows->ncompanions; ++i) {
        const struct variable *v = rows->companions[i].var;
        text_print(out, "%s = (%s)((%s) %c %s); (void)%s; ",
                   type_declare(rows->unit->arena, v->type, v->name),
                   type_declare(rows->unit->arena, v->type, ""), text_of(rows, v->init),
                   rows->companions[i].step > 0 ? '+' : '-', round_number(rows, value), v->name);
    }
}

const char *rounds_of_record(const struct rows *rows, const char *value) {
    const struct stmt *init = rows->inner->init;
    struct arena *arena = rows->unit->arena;
    const struct variable *v = rows->var;
    struct text out;
    text_start(&out, arena);
    text_print(&out, "{ ");
    if (rows->guard)
        text_print(&out, "(void)(%s); ", text_source(rows->unit, &rows->guard->range));
    if (init && init->kind == STMT_DECL && init->nvars > 1)
        text_print(&out, "%s", text_statement(rows->unit, &init->range));
    else if (!rows->first_in_front)
        text_print(&out, "(void)(%s); ", text_of(rows, rows->first));
    if (!rows->link)
        text_print(&out, "(void)(%s); ", text_of(rows, rows->inner->upper));
    text_print(&out, "{ ");
    write_companions(rows, value, &out);
    text_print(&out, "%s = ", type_declare(arena, v->type, v->name));
    if (is_offset(rows))
        text_print(&out, "(%s)((%s) + %s)", type_declare(arena, v->type, ""),
                   text_of(rows, rows->first), value);
    else
        text_print(&out, "%s", value);
    text_print(&out, "; (void)%s; ", v->name);
    if (rows->link)
        write_link_reads(rows, &out);
    return out.bytes;
}
