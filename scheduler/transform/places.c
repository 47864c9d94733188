/*
 * A pointer is written as what it is set to where that says the same at every use:
 * - it is set where it is declared, and nowhere else; nobody has its address;
 * - what it is set to is made of variables of the function, subscripts, members and addresses;
 * - none of these variables is set behind the declaration, in the block that the pointer lives in:
 *   text in front of it runs before the pointer is set anew;
 * - what it reads of memory the loop does not write (places_may_move);
 * - at the uses all names mean the same.
 */
#include "scheduler/transform/places.h"

#include "scheduler/base/walk.h"
#include "scheduler/transform/nest.h"
#include "scheduler/transform/plain.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

/* A pointer that is looked at. */
struct place {
    const struct unit *unit;
    const struct loop *loop;
    struct variable *var;     /* the pointer */
    const struct stmt *decl;  /* that declares it, and nothing else */
    const struct stmt *block; /* that it lives in, behind `decl` */
    bool unfit;               /* it stays a pointer */
    int nuses;                /* edits made */
    struct text_edits *edits;
};

/* ---- what it is set to ------------------------------------------------------------------------ */

static bool is_made_of_places(const struct expr *e) {
    bool part = e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_MEMBER || e->kind == EXPR_ADDRESS ||
                e->kind == EXPR_DEREF || e->kind == EXPR_VAR || e->kind == EXPR_INT ||
                (e->kind == EXPR_CAST && e->nargs == 1) ||
                (e->kind == EXPR_BINARY && e->op >= OP_ADD && e->op <= OP_MUL);
    for (int i = 0; part && i < e->nargs; ++i)
        part = e->args[i] && is_made_of_places(e->args[i]);
    return part;
}

/* A table's entry, or what is behind a pointer: another name of a variable has one already. */
static bool is_subscript(const void *data, const struct expr *e) {
    (void)data;
    return e->kind == EXPR_SUBSCRIPT;
}

static bool is_behind(const struct place *place, const struct range *range) {
    return range->begin.offset >= place->decl->range.end.offset &&
           range->begin.offset < place->block->range.end.offset;
}

struct names {
    const struct place *place;
    const struct variable *var;
};

static bool is_set_behind(const void *data, const struct expr *e) {
    const struct names *names = data;
    return (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) &&
           lvalue_variable(e->args[0]) == names->var &&
           (!e->range.exact || is_behind(names->place, &e->range));
}

/* Another variable of that name would be meant, or this one declared anew. */
static bool is_declared_behind(const void *data, const struct stmt *stmt) {
    const struct names *names = data;
    for (int i = 0; i < stmt->nvars; ++i)
        if (strcmp(stmt->vars[i]->name, names->var->name) == 0 &&
            (stmt->vars[i] != names->var || !stmt->range.exact ||
             is_behind(names->place, &stmt->range)))
            return true;
    return false;
}

/* Memory of the body's own is none of the facts'. */
static bool is_seen(const struct place *place, const struct variable *var) {
    const bool own = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    const bool inside = range_holds(&place->loop->body->range, &var->range);
    const bool whole = var->type->kind == TYPE_ARRAY || var->type->kind == TYPE_STRUCT;
    return !var->type->is_volatile && (!own || !var->address_taken || (whole && !inside));
}

static bool says_the_same(const struct place *place, const struct variable *var) {
    const struct names names = {.place = place, .var = var};
    return is_seen(place, var) && !stmt_any_expr(place->loop->body, is_set_behind, &names) &&
           !stmt_any(place->loop->body, is_declared_behind, &names);
}

static bool changes(const void *data, const struct expr *expr) {
    const struct place *place = data;
    return expr->kind == EXPR_VAR && (expr->var == place->var || !says_the_same(place, expr->var));
}

/* ---- its uses --------------------------------------------------------------------------------- */

static void see_use(void *data, struct expr *expr, struct expr *parent) {
    struct place *place = data;
    if (expr->kind != EXPR_VAR || expr->var != place->var)
        return;
    place->unfit = place->unfit || !text_is_written(place->unit, &expr->range) ||
                   (parent && parent->kind == EXPR_ADDRESS);
    if (place->unfit)
        return;
    ++place->nuses;
    text_edit_add(place->edits, expr->range.begin.offset, expr->range.end.offset,
                  arena_printf(place->unit->arena, "(%s)",
                               text_source(place->unit, &place->var->init->range)));
}

static bool is_pointer_to_data(const struct variable *v) {
    return v->type->kind == TYPE_POINTER && v->type->element->kind != TYPE_FUNCTION &&
           v->type->element->kind != TYPE_VOID;
}

/* The same type: no conversion goes with it, but to `const`. */
static bool has_its_type(const struct variable *v) {
    static const char constant[] = "const ";
    const struct type *from = v->init->type;
    const char *to = v->type->element->spelling;
    if (!from || (from->kind != TYPE_ARRAY && from->kind != TYPE_POINTER))
        return false;
    const bool same = strcmp(from->element->spelling, to) == 0;
    return same || (strncmp(to, constant, strlen(constant)) == 0 &&
                    strcmp(from->element->spelling, to + strlen(constant)) == 0);
}

static void look_at(struct place *place, struct places_form *form) {
    struct variable *v = place->var;
    struct text_edits edits = {.arena = place->unit->arena}, *all = place->edits;
    if (!variable_is_value(v) || !is_pointer_to_data(v) || v->writes > 0 ||
        !is_made_of_places(v->init) || !expr_any(v->init, is_subscript, NULL) || !has_its_type(v) ||
        !text_is_written(place->unit, &v->init->range) ||
        !text_is_written(place->unit, &place->decl->range) || form->nnames == PLACES_MOST)
        return;
    place->edits = &edits;
    place->unfit = expr_any(v->init, changes, place);
    emit_walk_stmt((struct stmt *)place->block, see_use, place);
    place->edits = all;
    if (place->unfit || place->nuses == 0)
        return;
    for (int i = 0; i < edits.count; ++i)
        text_edit_add(all, edits.items[i].begin, edits.items[i].end, edits.items[i].with);
    text_edit_add(all, place->decl->range.end.offset, place->decl->range.end.offset,
                  arena_printf(place->unit->arena, " (void)%s;", v->name));
    form->names[form->nnames++] = v->name;
}

/* ---- the loop --------------------------------------------------------------------------------- */

struct search {
    struct unit *unit;
    const struct loop *loop;
    struct places_form *form;
    struct text_edits edits;
    bool unfit; /* the body's text does not run from front to end */
};

static void see_block(void *data, struct stmt *stmt) {
    struct search *s = data;
    s->unfit = s->unfit || stmt->kind == STMT_GOTO || stmt->kind == STMT_LABEL ||
               stmt->kind == STMT_SWITCH || stmt->kind == STMT_UNKNOWN;
    for (int i = 0; stmt->kind == STMT_BLOCK && !s->unfit && i < stmt->nbody; ++i) {
        const struct stmt *decl = stmt->body[i];
        struct place place = {
            .unit = s->unit, .loop = s->loop, .decl = decl, .block = stmt, .edits = &s->edits};
        if (decl->kind != STMT_DECL || decl->nvars != 1)
            continue;
        place.var = decl->vars[0];
        look_at(&place, s->form);
    }
}

struct places_form places_form(struct unit *unit, const struct loop *loop) {
    const struct source_file *file = &unit->files[unit->main_file];
    struct places_form form = {0};
    struct search s = {.unit = unit, .loop = loop, .form = &form, .edits = {.arena = unit->arena}};
    struct text out;
    if (!loop_is_marked(loop) || !text_is_written(unit, &loop->body->range) ||
        nest_has_directive(unit, &loop->stmt->range))
        return form;
    stmt_each(loop->body, see_block, &s);
    text_start(&out, unit->arena);
    if (form.nnames > 0 && !s.unfit &&
        text_edits_apply(&s.edits, file->text, 0, file->size, true, &out))
        form.text = out.bytes;
    return form;
}

/* ---- what the new loop's facts say ------------------------------------------------------------ */

struct reads {
    const struct places_form *form;
    const struct loop_facts *facts;
    int found;
    bool changes;
};

static bool is_named(const struct places_form *form, const struct stmt *stmt) {
    for (int i = 0; stmt->kind == STMT_DECL && stmt->nvars == 1 && i < form->nnames; ++i)
        if (strcmp(stmt->vars[0]->name, form->names[i]) == 0)
            return true;
    return false;
}

static void see_reads(void *data, struct stmt *stmt) {
    struct reads *reads = data;
    if (!is_named(reads->form, stmt))
        return;
    ++reads->found;
    reads->changes = reads->changes || plain_reads_written(reads->facts, &stmt->range);
}

bool places_may_move(const struct places_form *form, const struct loop_facts *facts) {
    struct reads reads = {.form = form, .facts = facts};
    stmt_each(facts->loop->body, see_reads, &reads);
    return reads.found >= form->nnames && !reads.changes;
}
