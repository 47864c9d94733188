/* Rows that end with a mark: from the loops over their entries to counted ones. */
#include "scheduler/transform/ends.h"

#include "scheduler/transform/nest.h"
#include "scheduler/transform/plain.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

/* `for (var = first; condition; ++var)`, or `while (condition) { ...; ++var; }` behind `var`'s
 * declaration with `first`. */
struct row {
    const struct loop *loop;
    const struct variable *var;
    const struct expr *first;
    const struct stmt *step; /* the last statement of a `while`; NULL: it stands in the header */
    bool sure;               /* every iteration of the outer loop comes to it */
    bool in_block;           /* as a statement of its own */
    int list;                /* of its counts */
};

/* How many entries each row has, by the first loop over such rows; `sure`: of one of them. */
struct list {
    const struct row *row;
    const char *first, *condition, *counts;
    bool sure;
};

struct ends {
    struct unit *unit;        /* that the loop stands in */
    const struct loop *outer; /* the marked loop */
    int nrows, nlists;        /* of `rows`, `lists` */
    struct row *rows;         /* in the order of the text */
    struct list *lists;       /* of their counts */
    const char *at_end;       /* names that begin those of values: of the mark's condition, */
    const char *at_entry;     /* ... of an entry's */
    const char *entry;        /* an entry's number */
};

/* ---- what leaves ----------------------------------------------------------------------------- */

/* `around`: kinds of statements around it that a `break`, and a `continue`, would be of. */
struct leaving {
    bool breaks, continues;
    bool may_continue; /* it goes on with the next round */
};

static bool leaves(const struct stmt *s, struct leaving around) {
    if (!s)
        return false;
    bool ends = s->kind == STMT_RETURN || s->kind == STMT_GOTO || s->kind == STMT_LABEL ||
                s->kind == STMT_UNKNOWN || (s->kind == STMT_BREAK && !around.breaks) ||
                (s->kind == STMT_CONTINUE && !around.continues && !around.may_continue);
    around.breaks = around.breaks || s->loop || s->kind == STMT_SWITCH;
    around.continues = around.continues || s->loop;
    ends = ends || leaves(s->then, around) || leaves(s->other, around) ||
           (s->loop && s->kind == STMT_FOR && leaves(s->loop->body, around));
    for (int i = 0; i < s->nbody && !ends; ++i)
        ends = leaves(s->body[i], around);
    return ends;
}

/* ---- what conditions and first entries name ------------------------------------------------------ */

static struct stmt *const *statements_of(const struct stmt *body, int *count) {
    *count = body->kind == STMT_BLOCK ? body->nbody : 1;
    return body->kind == STMT_BLOCK ? body->body : NULL;
}

/* A declaration in front of a row that may be evaluated in front of the loop, too. */
static bool is_value(const struct ends *ends, const struct stmt *stmt) {
    bool all = stmt->kind == STMT_DECL && !stmt->expr && text_is_written(ends->unit, &stmt->range);
    for (int i = 0; i < stmt->nvars && all; ++i)
        all = variable_is_value(stmt->vars[i]) && !stmt_sets(ends->outer->body, stmt->vars[i]);
    return all;
}

static bool is_declared(const struct ends *ends, const struct variable *var, unsigned before) {
    int count;
    struct stmt *const *all = statements_of(ends->outer->body, &count);
    for (int i = 0; all && i < count && all[i]->range.end.offset <= before; ++i)
        for (int v = 0; v < all[i]->nvars; ++v)
            if (all[i]->vars[v] == var)
                return is_value(ends, all[i]);
    return false;
}

struct naming {
    const struct ends *ends;
    const struct variable *own; /* that goes through the row */
    unsigned before;
    bool is_unfit, names_own, reads;
};

static void name_see(void *data, struct expr *e) {
    struct naming *naming = data;
    const struct ends *ends = naming->ends;
    const struct variable *v = e->kind == EXPR_VAR ? e->var : NULL;
    naming->reads = naming->reads || e->kind == EXPR_DEREF || e->kind == EXPR_SUBSCRIPT;
    naming->is_unfit = naming->is_unfit || e->kind == EXPR_COMPOUND || e->kind == EXPR_STRING ||
                       e->kind == EXPR_FUNCTION || (e->type && e->type->is_volatile);
    if (!v)
        return;
    naming->names_own = naming->names_own || v == naming->own;
    if (v == naming->own || v == ends->outer->variable)
        return;
    bool inside = v->function && range_holds(&ends->outer->stmt->range, &v->range);
    naming->is_unfit =
        naming->is_unfit || v->type->is_volatile ||
        (inside ? !is_declared(ends, v, naming->before) : stmt_sets(ends->outer->body, v));
}

static struct naming names_of(const struct ends *ends, const struct expr *e,
                              const struct variable *own, unsigned before) {
    struct naming naming = {.ends = ends, .own = own, .before = before};
    naming.is_unfit = expr_has_effect(e) || !text_is_written(ends->unit, &e->range);
    expr_visit((struct expr *)e, name_see, &naming);
    return naming;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool read_for(const struct loop *loop, struct row *row) {
    const struct stmt *init = loop->init;
    row->var = plain_counted(loop->next);
    if (!row->var || !init || !loop->cond)
        return false;
    if (init->kind == STMT_DECL && init->nvars == 1 && init->vars[0] == row->var)
        row->first = row->var->init;
    const struct expr *set = init->kind == STMT_EXPR ? init->expr : NULL;
    if (set && set->kind == EXPR_ASSIGN && set->op == OP_NONE && set->args[0]->kind == EXPR_VAR &&
        set->args[0]->var == row->var)
        row->first = set->args[1];
    return row->first && !stmt_sets(loop->body, row->var);
}

struct search {
    const struct variable *var;
    unsigned begin, end;
};

static bool is_set_there(const void *data, const struct expr *e) {
    const struct search *search = data;
    return (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) &&
           lvalue_variable(e->args[0]) == search->var && e->range.begin.offset >= search->begin &&
           e->range.begin.offset < search->end;
}

/* Nothing sets it between its declaration, which stands in the outer loop's body, and `end`. */
static bool holds_first(const struct ends *ends, const struct variable *var, unsigned end) {
    int count;
    struct stmt *const *all = statements_of(ends->outer->body, &count);
    struct search search = {.var = var, .begin = var->range.begin.offset, .end = end};
    for (int i = 0; all && i < count && all[i]->range.end.offset <= end; ++i)
        for (int v = 0; v < all[i]->nvars; ++v)
            if (all[i]->vars[v] == var)
                return !stmt_any_expr(ends->outer->body, is_set_there, &search);
    return false;
}

static bool read_while(const struct ends *ends, const struct stmt *stmt, bool on_top,
                       struct row *row) {
    const struct stmt *body = stmt->then;
    const struct stmt *last =
        body && body->kind == STMT_BLOCK && body->nbody > 0 ? body->body[body->nbody - 1] : NULL;
    row->var = last && last->kind == STMT_EXPR ? plain_counted(last->expr) : NULL;
    if (!on_top || !row->var || !text_is_written(ends->unit, &last->range) ||
        !holds_first(ends, row->var, stmt->range.begin.offset))
        return false;
    for (int i = 0; i + 1 < body->nbody; ++i)
        if (stmt_sets(body->body[i], row->var))
            return false;
    row->first = row->var->init;
    row->step = last;
    return row->first != NULL;
}

static bool has_type(const struct variable *var) {
    const struct type *type = var->type;
    bool pointer = type->kind == TYPE_POINTER;
    bool number = type->kind == TYPE_INT && (type->size == 4 || type->size == 8);
    return (pointer || number) && !type->is_volatile && !type->is_atomic && !var->address_taken &&
           (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM);
}

static bool read_row(const struct ends *ends, const struct stmt *stmt, bool on_top,
                     struct row *row) {
    const struct loop *loop = stmt->loop;
    bool read = loop && !loop->canonical && !loop->pragma &&
                text_is_written(ends->unit, &loop->header) &&
                text_is_written(ends->unit, &stmt->range) &&
                (stmt->kind == STMT_FOR     ? read_for(loop, row)
                 : stmt->kind == STMT_WHILE ? read_while(ends, stmt, on_top, row)
                                            : false);
    if (!read || !has_type(row->var) || row->var == ends->outer->variable ||
        leaves(loop->body, (struct leaving){.may_continue = !row->step}))
        return false;
    row->loop = loop;
    const unsigned begin = stmt->range.begin.offset;
    const struct naming first = names_of(ends, row->first, row->var, begin);
    const struct naming condition = names_of(ends, loop->cond, row->var, begin);
    return !first.is_unfit && !first.names_own && !condition.is_unfit && condition.names_own &&
           condition.reads;
}

static int list_of(struct ends *ends, const struct row *row) {
    struct list list = {row, text_source(ends->unit, &row->first->range),
                        text_source(ends->unit, &row->loop->cond->range), NULL, row->sure};
    for (int i = 0; i < ends->nlists; ++i) {
        struct list *old = &ends->lists[i];
        if (strcmp(old->first, list.first) == 0 && strcmp(old->condition, list.condition) == 0 &&
            old->row->var->type == row->var->type &&
            strcmp(old->row->var->name, row->var->name) == 0) {
            old->sure = old->sure || row->sure;
            return i;
        }
    }
    ARENA_PUSH(ends->unit->arena, ends->lists, ends->nlists, list);
    return ends->nlists - 1;
}

/* `on_top`: it is a statement of the outer loop's body. */
static void find_rows(struct ends *ends, const struct stmt *stmt, bool on_top, bool in_block) {
    struct row row = {.sure = on_top, .in_block = in_block};
    if (!stmt)
        return;
    if (read_row(ends, stmt, on_top, &row)) {
        struct row *kept = arena_alloc(ends->unit->arena, sizeof *kept);
        *kept = row;
        row.list = list_of(ends, kept);
        ARENA_PUSH(ends->unit->arena, ends->rows, ends->nrows, row);
        return;
    }
    find_rows(ends, stmt->then, false, false);
    find_rows(ends, stmt->other, false, false);
    if (stmt->kind == STMT_FOR)
        find_rows(ends, stmt->loop->body, false, false);
    for (int i = 0; i < stmt->nbody; ++i)
        find_rows(ends, stmt->body[i], false, stmt->kind == STMT_BLOCK);
}

static void find_all(struct ends *ends) {
    const struct stmt *body = ends->outer->body;
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i)
        find_rows(ends, body->body[i], true, true);
    if (body->kind != STMT_BLOCK)
        find_rows(ends, body, true, false);
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char declarations[] =
    "extern int orrery_records_more(int); extern void *orrery_ends_begin(const void *); "
    "extern void orrery_ends_row(void *, long); extern const long *orrery_ends_end(void *); ";

static const char *type_text(const struct ends *ends, const struct variable *var,
                             const char *name) {
    return type_declare(ends->unit->arena, var->type, name);
}

/* The row's entries, as the loops evaluate them: `n` of each. */
static void write_rows(const struct ends *ends, const struct list *list, struct text *out) {
    int count;
    const struct variable *var = list->row->var;
    struct stmt *const *all = statements_of(ends->outer->body, &count);
    text_print(out, "while (orrery_records_more((%s) ? 1 : 0)) { ",
               text_source(ends->unit, &ends->outer->cond->range));
    for (int i = 0; all && i < count; ++i)
        if (all[i]->range.end.offset <= list->row->loop->stmt->range.begin.offset &&
            is_value(ends, all[i]))
            text_print(out, "%s", text_statement(ends->unit, &all[i]->range));
    text_print(out, "{ %s = %s; while (%s) ++%s; orrery_ends_row(%s_list, (long)(%s - (%s))); } ",
               type_text(ends, var, var->name), list->first, list->condition, var->name,
               list->counts, var->name, list->first);
    text_print(out, "%s; } ", text_source(ends->unit, &ends->outer->next->range));
}

static void write_list(const struct ends *ends, const struct list *list, struct text *out) {
    text_print(out,
               "static const char %s_here = 0; void *const %s_list = orrery_ends_begin(&%s_here); ",
               list->counts, list->counts, list->counts);
    text_print(out, "{ %s", text_statement(ends->unit, &ends->outer->init->range));
    write_rows(ends, list, out);
    text_print(out, "} const long *__restrict const %s = orrery_ends_end(%s_list); ", list->counts,
               list->counts);
}

static const char *front_of(const struct ends *ends) {
    struct text out;
    text_start(&out, ends->unit->arena);
    text_print(&out, "{ %s", declarations);
    text_print(&out, "_Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored "
                     "\\\"-Wshadow\\\"\") _Pragma(\"GCC diagnostic ignored "
                     "\\\"-Wunused-variable\\\"\") ");
    for (int i = 0; i < ends->nlists; ++i)
        write_list(ends, &ends->lists[i], &out);
    text_print(&out, "%s", text_mark(ends->unit, ends->outer));
    return out.bytes;
}

/* "n_of[u]". */
static const char *count_of(const struct ends *ends, const struct row *row) {
    const struct expr *lower = ends->outer->lower;
    const char *u = ends->outer->variable->name, *counts = ends->lists[row->list].counts;
    if (lower->kind == EXPR_INT && lower->int_value == 0)
        return arena_printf(ends->unit->arena, "%s[%s]", counts, u);
    return arena_printf(ends->unit->arena, "%s[%s - (%s)]", counts, u,
                        text_source(ends->unit, &lower->range));
}

/* Entry number `number` of the row. */
static const char *entry_of(const struct ends *ends, const struct row *row, const char *number) {
    return arena_printf(ends->unit->arena, "(%s)((%s) + %s)", type_text(ends, row->var, ""),
                        ends->lists[row->list].first, number);
}

/* The condition with `entry` in the place of the row's variable. */
static const char *condition_at(const struct ends *ends, const struct row *row, const char *entry) {
    const char *source = ends->lists[row->list].condition;
    struct token_scan scan = token_scan_start(source, 0, strlen(source));
    struct text out;
    bool member = false, minus = false;
    size_t end = 0;
    text_start(&out, ends->unit->arena);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        bool own = t.kind == TOKEN_NAME && !member && token_spells(&scan, t, row->var->name);
        text_append(&out, source + end, t.begin - end);
        text_print(&out, own ? "(%.*s)" : "%.*s", own ? (int)strlen(entry) : (int)(t.end - t.begin),
                   own ? entry : source + t.begin);
        member = token_spells(&scan, t, ".") || (minus && token_spells(&scan, t, ">"));
        minus = token_spells(&scan, t, "-");
        end = t.end;
    }
    return out.bytes;
}

struct uses {
    const struct ends *ends;
    const struct variable *var;
};

static bool is_outside(const void *data, const struct expr *e) {
    const struct uses *uses = data;
    bool inside = e->kind != EXPR_VAR || e->var != uses->var;
    for (int i = 0; i < uses->ends->nrows && !inside; ++i)
        inside = range_holds(&uses->ends->rows[i].loop->stmt->range, &e->range);
    return !inside;
}

/* What is behind the row's loop names its variable. */
static bool is_used_outside(const struct ends *ends, const struct row *row) {
    const struct uses uses = {.ends = ends, .var = row->var};
    return stmt_any_expr(ends->outer->function->body, is_outside, &uses);
}

/* In the place of the header: a whole number goes on to count, a pointer is counted for. */
static const char *head_of(const struct ends *ends, const struct row *row, int number) {
    struct arena *arena = ends->unit->arena;
    const char *count = count_of(ends, row), *name = row->var->name;
    const char *at_end = arena_printf(arena, "const int %s_%d = (%s) != 0; ", ends->at_end, number,
                                      condition_at(ends, row, entry_of(ends, row, count)));
    if (row->var->type->kind == TYPE_POINTER)
        return arena_printf(arena, "%sfor (long %s = 0; %s < %s; ++%s)", at_end, ends->entry,
                            ends->entry, count, ends->entry);
    const char *init = row->step ? "" : text_statement(ends->unit, &row->loop->init->range);
    const char *bound = entry_of(ends, row, count);
    return row->step ? arena_printf(arena, "%swhile (%s < %s)", at_end, name, bound)
                     : arena_printf(arena, "%sfor (%s%s < %s; %s)", at_end, init, name, bound,
                                    text_source(ends->unit, &row->loop->next->range));
}

static const char *begin_of(const struct ends *ends, const struct row *row, int number) {
    struct arena *arena = ends->unit->arena;
    const char *entry =
        row->var->type->kind == TYPE_POINTER
            ? arena_printf(arena, "%s = %s; ", type_text(ends, row->var, row->var->name),
                           entry_of(ends, row, ends->entry))
            : "";
    return arena_printf(arena, " %sconst int %s_%d = (%s) != 0; ", entry, ends->at_entry, number,
                        ends->lists[row->list].condition);
}

static const char *end_of(const struct ends *ends, const struct row *row) {
    bool pointer = row->var->type->kind == TYPE_POINTER;
    if (!pointer || row->var->declared_by == row->loop || !is_used_outside(ends, row))
        return "";
    return arena_printf(ends->unit->arena, " %s = %s;", row->var->name,
                        entry_of(ends, row, count_of(ends, row)));
}

static void edit_row(const struct ends *ends, const struct row *row, int number,
                     struct text_edits *edits) {
    struct arena *arena = ends->unit->arena;
    const struct stmt *stmt = row->loop->stmt, *body = row->loop->body;
    const struct range *header = &row->loop->header;
    const bool block = body->kind == STMT_BLOCK;
    const char *begin = begin_of(ends, row, number);
    text_edit_add(edits, header->begin.offset, header->end.offset,
                  arena_printf(arena, "%s%s%s%s", row->in_block ? "" : "{ ",
                               head_of(ends, row, number), block ? "" : " {", block ? "" : begin));
    if (block)
        text_edit_add(edits, body->range.begin.offset + 1, body->range.begin.offset + 1, begin);
    if (row->step && row->var->type->kind == TYPE_POINTER)
        text_edit_add(edits, row->step->range.begin.offset, row->step->range.end.offset, "");
    text_edit_add(edits, stmt->range.end.offset, stmt->range.end.offset,
                  arena_printf(arena, "%s%s%s", block ? "" : " }", end_of(ends, row),
                               row->in_block ? "" : " }"));
}

static bool apply(const struct ends *ends, struct text *out) {
    const struct source_file *file = &ends->unit->files[ends->unit->main_file];
    const struct range *pragma = &ends->outer->pragma->range;
    struct text_edits edits = {.arena = ends->unit->arena};
    const unsigned end = ends->outer->stmt->range.end.offset;
    text_edit_add(&edits, pragma->begin.offset, pragma->end.offset, front_of(ends));
    for (int i = 0; i < ends->nrows; ++i)
        edit_row(ends, &ends->rows[i], i, &edits);
    text_edit_add(&edits, end, end, " _Pragma(\"GCC diagnostic pop\") }");
    return text_edits_apply(&edits, file->text, 0, file->size, true, out);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool is_taken(const struct ends *ends) {
    const struct loop *outer = ends->outer;
    return loop_is_marked(outer) && loop_counts_up(ends->unit, outer) &&
           !expr_has_effect(outer->cond) && text_is_written(ends->unit, &outer->body->range) &&
           loop_follows_mark(ends->unit, &outer->pragma->range, outer) &&
           !nest_has_directive(ends->unit, &outer->stmt->range) &&
           !names_of(ends, outer->lower, NULL, 0).is_unfit &&
           !leaves(outer->body, (struct leaving){0});
}

struct ends_form ends_form(struct unit *unit, const struct loop *loop) {
    struct ends ends = {.unit = unit, .outer = loop};
    struct ends_form form = {0};
    struct text out;
    if (!is_taken(&ends))
        return form;
    find_all(&ends);
    if (ends.nlists == 0)
        return form;
    const char *prefix = text_new_prefix(unit, "row");
    bool sure = true;
    for (int i = 0; i < ends.nlists; ++i) {
        sure = sure && ends.lists[i].sure;
        ends.lists[i].counts = arena_printf(unit->arena, "%scounts_%d", prefix, i);
    }
    form.at_end = ends.at_end = arena_printf(unit->arena, "%send", prefix);
    form.at_entry = ends.at_entry = arena_printf(unit->arena, "%sgoes", prefix);
    ends.entry = arena_printf(unit->arena, "%sentry", prefix);
    text_start(&out, unit->arena);
    if (sure && apply(&ends, &out))
        form.text = out.bytes;
    return form;
}

/* ---- what the new loop's facts say ----------------------------------------------------------- */

struct reads {
    const struct ends_form *form;
    const struct loop_facts *facts;
};

static bool begins(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool is_changed(const void *data, const struct stmt *stmt) {
    const struct reads *reads = data;
    const char *name = stmt->kind == STMT_DECL && stmt->nvars == 1 ? stmt->vars[0]->name : "";
    return (begins(name, reads->form->at_end) || begins(name, reads->form->at_entry)) &&
           plain_reads_written(reads->facts, &stmt->range);
}

bool ends_may_move(const struct ends_form *form, const struct loop_facts *facts) {
    const struct reads reads = {.form = form, .facts = facts};
    return !stmt_any(facts->loop->body, is_changed, &reads);
}
