/* Scalar expansion: from the nest to its text with arrays. */
#include "scheduler/transform/expansion.h"

#include "scheduler/base/walk.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

struct row_arrays {
    const struct rows *rows;
    struct text_edits edits;
    struct text arrays; /* their declarations */
    int narrays;
    const struct variable **numbers; /* that have become arrays, of `names` */
    const char **names;
    bool unfit; /* one of them stays a number */
};

/* ---- which ----------------------------------------------------------------------------------- */

static bool names_number(const void *data, const struct expr *e) {
    const struct row_arrays *x = data;
    for (int i = 0; e->kind == EXPR_VAR && i < x->narrays; ++i)
        if (x->numbers[i] == e->var)
            return true;
    return false;
}

/* The body changes memory of that name. */
static bool changes_memory(const void *data, const struct expr *e) {
    return (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) && e->args[0]->kind != EXPR_VAR &&
           emit_root(e->args[0]) == data;
}

static bool reads_changing(const void *data, const struct expr *e) {
    const struct stmt *body = data;
    const struct variable *root = e->kind == EXPR_SUBSCRIPT ? emit_root(e) : NULL;
    return root && stmt_any_expr(body, changes_memory, root);
}

/* Made anew for every record it would be another number. */
static bool is_kept(const struct row_arrays *x, const struct variable *v) {
    const struct stmt *body = x->rows->outer->body;
    if (rows_go_with(x->rows, v) || (!v->init && rows_set_anew(x->rows, v)))
        return false;
    return stmt_sets(body, v) ||
           (v->init && type_is_number(v->type) &&
            (expr_any(v->init, names_number, x) || expr_any(v->init, reads_changing, body)));
}

static bool may_be_element(const struct variable *v) {
    return type_is_number(v->type) && v->storage == STORAGE_LOCAL && !v->type->is_volatile &&
           !v->type->is_atomic && !v->address_taken &&
           (!v->init || (v->init->kind != EXPR_INIT && !expr_has_effect(v->init)));
}

/* ---- its uses -------------------------------------------------------------------------------- */

struct uses {
    struct row_arrays *x;
    const struct variable *number;
    const char *element;
    int count;
};

static void see_use(void *data, struct expr *expr, struct expr *parent) {
    struct uses *uses = data;
    struct row_arrays *x = uses->x;
    (void)parent;
    if (expr->kind != EXPR_VAR || expr->var != uses->number)
        return;
    ++uses->count;
    x->unfit = x->unfit || !text_is_written(x->rows->unit, &expr->range);
    if (!x->unfit)
        text_edit_add(&x->edits, expr->range.begin.offset, expr->range.end.offset, uses->element);
}

static int count_tokens(const struct row_arrays *x, const char *word) {
    const struct unit *unit = x->rows->unit;
    const struct range *nest = &x->rows->outer->stmt->range;
    struct token_scan scan =
        token_scan_start(unit->files[unit->main_file].text, nest->begin.offset, nest->end.offset);
    int count = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        count += token_spells(&scan, t, word);
    return count;
}

static const char *element_of(const struct row_arrays *x, int i) {
    return arena_printf(x->rows->unit->arena, "%s[%s]", x->names[i],
                        x->rows->outer->variable->name);
}

/* Whatever the nest's text says by its name is seen as a use: there is no second of that name, and
 * nothing that this reader does not understand. */
static void replace_uses(struct row_arrays *x, int i) {
    struct uses uses = {x, x->numbers[i], element_of(x, i), 0};
    emit_walk_stmt(x->rows->outer->body, see_use, &uses);
    x->unfit = x->unfit || uses.count + 1 != count_tokens(x, x->numbers[i]->name);
}

/* ---- its declaration ------------------------------------------------------------------------- */

static void add_number(struct row_arrays *x, const struct variable *v) {
    struct arena *arena = x->rows->unit->arena;
    const char *name = text_new_name(x->rows->unit, v->name, "_of");
    int n = x->narrays;
    x->unfit = x->unfit || !may_be_element(v);
    ARENA_PUSH(arena, x->numbers, x->narrays, v);
    ARENA_PUSH(arena, x->names, n, name);
    text_print(&x->arrays, "%s", loop_values_text(x->rows->unit, x->rows->outer, name, v->type));
}

static int index_of(const struct row_arrays *x, const struct variable *v) {
    for (int i = 0; i < x->narrays; ++i)
        if (x->numbers[i] == v)
            return i;
    return -1;
}

/* An initial value's text, with elements for the numbers in it. */
static const char *value_of(struct row_arrays *x, const struct variable *v) {
    const struct unit *unit = x->rows->unit;
    struct text out;
    text_start(&out, unit->arena);
    x->unfit =
        x->unfit || !text_is_written(unit, &v->init->range) ||
        v->init->range.begin.line != v->init->range.end.line ||
        !text_edits_apply(&x->edits, unit->files[unit->main_file].text, v->init->range.begin.offset,
                          v->init->range.end.offset, false, &out);
    return out.bytes;
}

/* One statement for each variable; the others stay declarations. */
static const char *declared_anew(struct row_arrays *x, const struct stmt *decl) {
    struct arena *arena = x->rows->unit->arena;
    struct text out;
    text_start(&out, arena);
    for (int i = 0; i < decl->nvars; ++i) {
        const struct variable *v = decl->vars[i];
        const int at = index_of(x, v);
        const char *value = v->init ? arena_printf(arena, " = %s", value_of(x, v)) : "";
        x->unfit = x->unfit || (at < 0 && v->type->kind == TYPE_VLA);
        if (at < 0)
            text_print(&out, "%s%s; ", type_declare(arena, v->type, v->name), value);
        else if (v->init)
            text_print(&out, "%s%s; ", element_of(x, at), value);
    }
    return out.bytes;
}

/* ---- the nest -------------------------------------------------------------------------------- */

static bool has_number(const struct row_arrays *x, const struct stmt *decl) {
    for (int i = 0; i < decl->nvars; ++i)
        if (index_of(x, decl->vars[i]) >= 0)
            return true;
    return false;
}

/* Behind the uses: their edits are in the initial values, too. */
static void declare_anew(struct row_arrays *x) {
    struct text_edits uses = x->edits;
    for (int i = 0; i < x->rows->nfront; ++i) {
        const struct stmt *decl = x->rows->front[i];
        if (decl->kind != STMT_DECL || !has_number(x, decl))
            continue;
        x->unfit = x->unfit || !text_is_written(x->rows->unit, &decl->range);
        const char *anew = declared_anew(x, decl);
        text_edit_add(&uses, decl->range.begin.offset, decl->range.end.offset, anew);
    }
    x->edits = uses;
}

const char *expansion_text(const struct rows *rows) {
    struct unit *unit = rows->unit;
    const struct source_file *file = &unit->files[unit->main_file];
    const struct range *pragma = &rows->outer->pragma->range, *nest = &rows->outer->stmt->range;
    struct row_arrays x = {.rows = rows, .edits = {.arena = unit->arena}};
    struct text out;
    text_start(&x.arrays, unit->arena);
    text_start(&out, unit->arena);
    for (int i = 0; i < rows->nfront; ++i)
        for (int v = 0; rows->front[i]->kind == STMT_DECL && v < rows->front[i]->nvars; ++v)
            if (is_kept(&x, rows->front[i]->vars[v]))
                add_number(&x, rows->front[i]->vars[v]);
    if (x.narrays == 0 || !loop_begins_at_number(rows->outer) || !rows_may_write(rows))
        return NULL;
    for (int i = 0; i < x.narrays; ++i)
        replace_uses(&x, i);
    declare_anew(&x);
    text_edit_add(
        &x.edits, pragma->begin.offset, pragma->end.offset,
        arena_printf(unit->arena,
                     "{ extern void *orrery_records_values(const void *, long, long); %s%s",
                     x.arrays.bytes, text_mark(unit, rows->outer)));
    text_edit_add(&x.edits, nest->end.offset, nest->end.offset, " }");
    return !x.unfit && text_edits_apply(&x.edits, file->text, 0, file->size, true, &out) ? out.bytes
                                                                                         : NULL;
}
