/* Nests of rows: from the nest to the text of one loop over records. */
#include "scheduler/transform/records.h"

#include "scheduler/transform/nest.h"
#include "scheduler/transform/output.h"
#include "scheduler/transform/rounds.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

/* ---- what is such a nest --------------------------------------------------------------------- */

/* Is a bound made of memory, itself or by way of the row's values? Else rows are no lists: those
 * of a matrix, whose ends the analysis has to see. */
static bool is_read(const void *data, const struct expr *e) {
    const struct rows *rows = data;
    const struct variable *v = e->kind == EXPR_VAR ? e->var : NULL;
    if (v && v->init && !expr_names(v->init, v) &&
        range_holds(&rows->outer->stmt->range, &v->range))
        return expr_any(v->init, is_read, rows);
    return e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF;
}

static bool has_lists(const struct rows *rows) {
    const struct expr *end = rows->link ? rows->inner->cond : rows->inner->upper;
    return expr_any(rows->first, is_read, rows) || expr_any(end, is_read, rows) ||
           (rows->link && expr_any(rows->link, is_read, rows));
}

/* ---- what keeps it as it is ------------------------------------------------------------------ */

struct reading {
    struct records_form *form;
    const struct stmt
        *row; /* statement around the inner loop that is looked at; NULL: the loop's */
    struct text_edits *edits;
    bool is_unfit; /* something is named from elsewhere, or not understood */
};

static void hinder(struct records_form *form, const struct range *where, const char *words) {
    struct records_hindrance hindrance = {*where, words};
    ARENA_PUSH(form->rows.unit->arena, form->hindrances, form->nhindrances, hindrance);
}

static void leave(struct reading *r, const struct stmt *s) {
    const char *source = r->form->rows.unit->files[r->form->rows.unit->main_file].text;
    hinder(r->form, &s->range,
           r->row
               ? "it ends the row, or the loop, early; let a condition guard what follows instead"
               : "it ends the row, or the loop, early; find in front of the nest where each row "
                 "ends, and count up to that");
    if (!r->row)
        text_edit_add(r->edits, s->range.begin.offset, s->range.end.offset,
                      source[s->range.end.offset - 1] == ';' ? "continue;" : "continue");
}

/* What leaves the inner loop, or the row's other statements. `in_loop`, `in_switch`: one of them is
 * around it. */
static void find_exits(struct reading *r, const struct stmt *s, bool in_loop, bool in_switch) {
    if (!s)
        return;
    if (s->kind == STMT_RETURN || s->kind == STMT_GOTO ||
        (s->kind == STMT_BREAK && !in_loop && !in_switch) ||
        (s->kind == STMT_CONTINUE && r->row && !in_loop))
        leave(r, s);
    r->is_unfit = r->is_unfit || s->kind == STMT_LABEL || s->kind == STMT_UNKNOWN;
    bool loop = in_loop || s->loop, switched = in_switch || s->kind == STMT_SWITCH;
    if (s->loop && s->kind == STMT_FOR) {
        find_exits(r, s->loop->body, loop, switched);
        return;
    }
    find_exits(r, s->then, loop, switched);
    find_exits(r, s->other, loop, switched);
    for (int i = 0; i < s->nbody; ++i)
        find_exits(r, s->body[i], loop, switched);
}

/* `int p, k;` at the head of the row: each record has its own. */
static bool is_anew(const struct rows *rows, const struct variable *v) {
    const bool plain = type_is_number(v->type) || v->type->kind == TYPE_POINTER;
    return plain && v->storage == STORAGE_LOCAL && !v->type->is_volatile && !v->address_taken &&
           !v->init && (v == rows->var || rows_set_anew(rows, v));
}

/* Declarations in front are made anew for every record. */
static void check_values(struct reading *r, const struct stmt *stmt) {
    const struct rows *rows = &r->form->rows;
    struct arena *arena = rows->unit->arena;
    r->is_unfit = r->is_unfit || stmt->expr;
    for (int i = 0; i < stmt->nvars; ++i) {
        const struct variable *v = stmt->vars[i];
        const bool goes = rows_go_with(rows, v);
        if (is_anew(rows, v))
            continue;
        if (!goes && stmt_sets(rows->outer->body, v))
            hinder(r->form, &stmt->range,
                   arena_printf(arena,
                                "'%s' is set while the row runs, and records of other rows run in "
                                "between; keep it in an array with an element for each row",
                                v->name));
        else if (!variable_is_value(v))
            hinder(r->form, &stmt->range,
                   arena_printf(arena,
                                "'%s' is no plain value that every record could have anew; declare "
                                "it in the inner loop",
                                v->name));
    }
}

static void check_around(struct reading *r, int count, struct stmt *const *body, bool front) {
    for (int i = 0; i < count; ++i) {
        r->row = body[i];
        r->is_unfit = r->is_unfit || !text_is_written(r->form->rows.unit, &body[i]->range);
        if (front && body[i]->kind == STMT_DECL)
            check_values(r, body[i]);
        if (!front || !rows_is_skip(body[i]))
            find_exits(r, body[i], false, false);
    }
    r->row = NULL;
}

void records_check_rows(struct records_form *form, const struct analysis *analysis) {
    const struct rows *rows = &form->rows;
    if (form->nhindrances > 0 || (!rows_have_front(rows) && !rows_have_behind(rows)))
        return;
    if (analysis->facts->nrefusals > 0) {
        hinder(form, &analysis->facts->refusals[0].range, analysis->facts->refusals[0].message);
        return;
    }
    const struct rows_reason why = rows_why_together(rows, analysis);
    if (why.words)
        hinder(form, &why.where, why.words);
}

/* ---- reading it ------------------------------------------------------------------------------ */

/* `if (guard) for (inner) ...`, or the loop alone; braces may stand around it. */
static void set_inner(struct rows *rows, const struct stmt *stmt) {
    const struct stmt *then = stmt->kind == STMT_IF && !stmt->other ? stmt->then : NULL;
    if (then && then->kind == STMT_BLOCK && then->nbody == 1)
        then = then->body[0];
    rows->stmt = stmt;
    rows->guard = then ? stmt->expr : NULL;
    rows->inner = then ? then->loop : stmt->loop;
}

static bool is_inner(struct rows *rows) {
    const struct range *at = &rows->stmt->range;
    return rows->inner && !rows->inner->pragma && text_is_written(rows->unit, at) &&
           (!rows->guard ||
            (!expr_has_effect(rows->guard) && text_is_written(rows->unit, &rows->guard->range))) &&
           rounds_read(rows) && has_lists(rows);
}

/* The last loop in the body over a list. */
static bool find_inner(struct rows *rows, const struct loop *outer) {
    struct stmt *body = outer->body;
    int count = body->kind == STMT_BLOCK ? body->nbody : 1;
    struct stmt *const *all = body->kind == STMT_BLOCK ? body->body : &outer->body;
    for (int i = count - 1; i >= 0; --i) {
        *rows = (struct rows){.unit = rows->unit,
                              .outer = outer,
                              .nfront = i,
                              .nbehind = count - 1 - i,
                              .front = all,
                              .behind = all + i + 1};
        set_inner(rows, all[i]);
        if (is_inner(rows))
            return true;
    }
    return false;
}

/* In front of the inner loop it is what the row's declaration says. */
static bool names_counter(const struct rows *rows) {
    const struct variable *var = rows->var;
    bool named = false;
    for (int i = 0; i < rows->nfront && !rows->first_in_front; ++i)
        named = named || (stmt_names(rows->front[i], var) && !stmt_declares(rows->front[i], var));
    for (int i = 0; i < rows->nbehind; ++i)
        named = named || stmt_names(rows->behind[i], var);
    return named || (rows->guard && !rows->first_in_front && expr_names(rows->guard, var));
}

static bool read_rows(struct reading *r, const struct loop *loop) {
    struct rows *rows = &r->form->rows;
    if (!loop_is_marked(loop) || output_is_collected(loop->body) ||
        !loop_counts_alone(rows->unit, loop) || expr_has_effect(loop->cond) ||
        !text_is_written(rows->unit, &loop->body->range) ||
        !loop_follows_mark(rows->unit, &loop->pragma->range, loop) || !find_inner(rows, loop))
        return false;
    if (nest_has_directive(rows->unit, &loop->stmt->range))
        hinder(r->form, &loop->header, "a directive stands inside; take it out of the nest");
    check_around(r, rows->nfront, rows->front, true);
    find_exits(r, rows->inner->body, false, false);
    check_around(r, rows->nbehind, rows->behind, false);
    if (names_counter(rows))
        hinder(r->form, &loop->header,
               arena_printf(rows->unit->arena,
                            "statements around the inner loop use its counter '%s'; let each loop "
                            "declare its own",
                            rows->var->name));
    return !r->is_unfit;
}

/* ---- its text -------------------------------------------------------------------------------- */

/* Names that the file does not use: of the list, the record, and each counter's values. */
struct names {
    const char *list, *record, *count, *outer, *inner;
};

static struct names new_names(const struct rows *rows) {
    const char *outer = rows->outer->variable->name, *inner = rows->var->name;
    const bool same = strcmp(inner, outer) == 0;
    return (struct names){
        .list = text_new_name(rows->unit, "records", ""),
        .record = text_new_name(rows->unit, "record", ""),
        .count = text_new_name(rows->unit, "nrecords", ""),
        .outer = text_new_name(rows->unit, outer, "_of"),
        .inner = text_new_name(rows->unit, inner, same ? "_of_inner" : rounds_list(rows)),
    };
}

static const char declarations[] =
    "extern void *orrery_records_begin(const void *); extern int orrery_records_more(int); "
    "extern void orrery_records_row(void *, long, long, long); "
    "extern void orrery_records_down(void *, long, long, long); "
    "extern void orrery_records_link(void *, long, long); extern void "
    "orrery_records_endless(void); "
    "extern long orrery_records_end(void *, int, int); "
    "extern const void *orrery_records_counter(const void *, int); ";

/* Where rows are skipped: a part of the list, of a record, of a loop over rows. */
enum skips { SKIP_ROWS, SKIP_NONE, SKIP_ON };

static const char *skip_text(const struct rows *rows, const struct stmt *skip, enum skips skips) {
    struct arena *arena = rows->unit->arena;
    const char *cond = text_source(rows->unit, &skip->expr->range);
    if (skips == SKIP_NONE)
        return arena_printf(arena, "(void)(%s); ", cond);
    return skips == SKIP_ROWS ? arena_printf(arena, "if (!(%s)) { ", cond)
                              : arena_printf(arena, "if (%s) continue; ", cond);
}

/* Returns how many braces stay open. */
static int write_values(const struct rows *rows, enum skips skips, struct text *out) {
    int open = 0;
    for (int i = 0; i < rows->nfront; ++i) {
        const struct stmt *s = rows->front[i];
        const bool skip = rows_is_skip(s);
        open += skip && skips == SKIP_ROWS;
        if (skip || s->kind == STMT_DECL)
            text_print(out, "%s",
                       skip ? skip_text(rows, s, skips) : text_statement(rows->unit, &s->range));
    }
    return open;
}

/* The rows' headers, as the loops evaluate them; the counters keep what the loops leave. */
static void write_list(const struct rows *rows, const struct names *names, struct text *out) {
    text_print(out,
               "{ %sstatic const char %s_here = 0; void *%s = orrery_records_begin(&%s_here); ",
               declarations, names->list, names->list, names->list);
    text_print(out, "_Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored "
                    "\\\"-Wshadow\\\"\") _Pragma(\"GCC diagnostic ignored "
                    "\\\"-Wunused-variable\\\"\") ");
    text_print(out, "{ %s", text_statement(rows->unit, &rows->outer->init->range));
    text_print(out, "while (orrery_records_more((%s) ? 1 : 0)) { ",
               text_source(rows->unit, &rows->outer->cond->range));
    int open = write_values(rows, SKIP_ROWS, out);
    rounds_write_row(rows, names->list, out);
    while (open-- > 0)
        text_print(out, "} ");
    text_print(out, "%s; } } ", text_source(rows->unit, &rows->outer->next->range));
}

/* "int const *__restrict const u_of = ...". */
static void write_counter(const struct rows *rows, const struct names *names, int which,
                          struct text *out) {
    struct arena *arena = rows->unit->arena;
    const struct type *outer = rows->outer->variable->type;
    const char *list =
        arena_printf(arena, "const *__restrict const %s", which ? names->inner : names->outer);
    text_print(out, "%s = (%s)orrery_records_counter(%s, %d); ",
               which ? rounds_declare(rows, list) : type_declare(arena, outer, list),
               which ? rounds_declare(rows, "const *") : type_declare(arena, outer, "const *"),
               names->list, which);
}

/* In front of the mark: the list, and what the new loop counts by. */
static const char *list_of(const struct rows *rows, const struct names *names) {
    struct arena *arena = rows->unit->arena;
    struct text list;
    text_start(&list, arena);
    write_list(rows, names, &list);
    text_print(&list, "const long %s = orrery_records_end(%s, (int)sizeof(%s), (int)sizeof(%s)); ",
               names->count, names->list, type_declare(arena, rows->outer->variable->type, ""),
               rounds_declare(rows, ""));
    write_counter(rows, names, 0, &list);
    write_counter(rows, names, 1, &list);
    text_print(&list, "long %s; ", names->record);
    return list.bytes;
}

/* The new loop's header, up to its body. */
static const char *head_of(const struct rows *rows, const struct names *names) {
    return arena_printf(rows->unit->arena, "%s for (%s = 0; %s < %s; ++%s)",
                        text_mark(rows->unit, rows->outer), names->record, names->record,
                        names->count, names->record);
}

/* The row that a record is of, in front of the values: "int u = u_of[record]; (void)u; ...". */
static const char *row_of(const struct rows *rows, const struct names *names) {
    const struct variable *v = rows->outer->variable;
    return arena_printf(rows->unit->arena, "%s = %s[%s]; (void)%s; (void)(%s); ",
                        type_declare(rows->unit->arena, v->type, v->name), names->outer,
                        names->record, v->name, text_source(rows->unit, &rows->outer->cond->range));
}

static const char *values_of(const struct rows *rows, enum skips skips) {
    struct text out;
    text_start(&out, rows->unit->arena);
    text_print(&out, "%s", "");
    write_values(rows, skips, &out);
    return out.bytes;
}

/* The nest without what has become loops of its own. */
static const char *written_of(const struct rows *rows) {
    const struct loop *outer = rows->outer;
    if (!rows_have_front(rows) && !rows_have_behind(rows))
        return text_statement(rows->unit, &outer->stmt->range);
    return arena_printf(rows->unit->arena, "%s { %s%s}", text_source(rows->unit, &outer->header),
                        values_of(rows, SKIP_ON), text_statement(rows->unit, &rows->stmt->range));
}

static void insert(struct text_edits *edits, unsigned at, const char *text) {
    text_edit_add(edits, at, at, text);
}

/* The user's loop runs what stands in front, or becomes the one over records itself. */
static void edit_front(const struct rows *rows, const struct names *names,
                       struct text_edits *edits) {
    struct arena *arena = rows->unit->arena;
    const struct loop *outer = rows->outer;
    const bool block = outer->body->kind == STMT_BLOCK;
    const char *head = head_of(rows, names), *row = row_of(rows, names);
    const char *in_front = block ? "" : arena_printf(arena, "{ %s", row);
    if (rows_have_front(rows)) {
        in_front = arena_printf(arena, "} %s { %s%s", head, row, values_of(rows, SKIP_NONE));
    } else {
        text_edit_add(edits, outer->header.begin.offset, outer->header.end.offset, head);
        if (block)
            insert(edits, outer->body->range.begin.offset + 1, arena_printf(arena, " %s", row));
        for (int i = 0; i < rows->nfront; ++i)
            if (rows_is_skip(rows->front[i]))
                text_edit_add(edits, rows->front[i]->range.begin.offset,
                              rows->front[i]->range.end.offset,
                              skip_text(rows, rows->front[i], SKIP_NONE));
    }
    const char *value = arena_printf(arena, "%s[%s]", names->inner, names->record);
    text_edit_add(edits, rows->stmt->range.begin.offset, rows->inner->header.end.offset,
                  arena_printf(arena, "%s%s", in_front, rounds_of_record(rows, value)));
}

static void edit_behind(const struct rows *rows, struct text_edits *edits) {
    struct arena *arena = rows->unit->arena;
    const bool block = rows->outer->body->kind == STMT_BLOCK;
    const struct stmt *step = rows->step;
    const char *end = block ? " } }" : " } } }";
    if (rows_have_behind(rows))
        end = arena_printf(arena, " } } } %s { %s", text_source(rows->unit, &rows->outer->header),
                           values_of(rows, SKIP_ON));
    text_edit_add(edits, rows->inner->stmt->range.end.offset, rows->stmt->range.end.offset, end);
    if (step)
        text_edit_add(edits, step->range.begin.offset, step->range.end.offset, "");
}

struct records_form records_form(struct unit *unit, const struct loop *loop) {
    const struct source_file *file = &unit->files[unit->main_file];
    struct records_form form = {.rows = {.unit = unit}};
    struct text_edits edits = {.arena = unit->arena};
    struct reading reading = {.form = &form, .edits = &edits};
    if (!read_rows(&reading, loop))
        return form;
    const struct names names = new_names(&form.rows);
    const struct range *pragma = &loop->pragma->range;
    text_edit_add(&edits, pragma->begin.offset, pragma->end.offset, list_of(&form.rows, &names));
    edit_front(&form.rows, &names, &edits);
    edit_behind(&form.rows, &edits);
    insert(&edits, loop->stmt->range.end.offset, " _Pragma(\"GCC diagnostic pop\") }");
    struct text out;
    text_start(&out, unit->arena);
    form.name = names.record;
    form.written = written_of(&form.rows);
    if (text_edits_apply(&edits, file->text, 0, file->size, true, &out))
        form.text = out.bytes;
    return form;
}

/* ---- what the new loop's facts say ----------------------------------------------------------- */

/* Where the inner loop's own text begins: behind what was written in front of it. */
static unsigned end_of_values(const struct loop *loop) {
    const struct stmt *body = loop->body;
    const struct stmt *rest = body->body[body->nbody - 1];
    const struct stmt *round = rest->body[rest->nbody - 1];
    return round->body[round->nbody - 1]->range.begin.offset;
}

bool records_may_move(const struct loop_facts *facts) {
    const unsigned begin = facts->loop->body->range.begin.offset, end = end_of_values(facts->loop);
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        const struct loc *at = &a->range.begin;
        bool in_front =
            at->file == facts->unit->main_file && at->offset >= begin && at->offset < end;
        if (in_front && (a->write || a->object->written))
            return false;
    }
    return true;
}
