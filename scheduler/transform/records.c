/* Nests of rows: from the nest to the text of one loop over records. */
#include "scheduler/transform/records.h"

#include "scheduler/transform/front.h"

#include <string.h>

/* ---- what is such a nest --------------------------------------------------------------------- */

static bool is_written_here(const struct unit *unit, const struct range *range) {
    return range->exact && !range->in_macro && range->begin.file == unit->main_file;
}

/* It counts up by one in its header, and its variable is a whole number. */
static bool counts_up(const struct unit *unit, const struct loop *loop) {
    const struct type *type = loop->canonical ? loop->variable->type : NULL;
    return type && loop->form == LOOP_FOR && loop->init && loop->next && loop->step == 1 &&
           !loop->stride && !loop->positive && !loop->within && !loop->limited &&
           !loop->steps_in_body && loop->nentries == 0 && type->kind == TYPE_INT &&
           !type->is_volatile && !type->is_atomic && (type->size == 4 || type->size == 8) &&
           !loop->variable->address_taken && is_written_here(unit, &loop->cond->range) &&
           is_written_here(unit, &loop->next->range) && is_written_here(unit, &loop->init->range) &&
           is_written_here(unit, &loop->header) && is_written_here(unit, &loop->stmt->range) &&
           (loop->next->kind == EXPR_INCREMENT || loop->next->kind == EXPR_ASSIGN) &&
           (loop->init->kind == STMT_EXPR || loop->init->nvars == 1);
}

/* `p < end`. */
static bool has_plain_end(const struct loop *loop) {
    const struct expr *cond = loop->cond;
    return cond->kind == EXPR_BINARY && cond->op == OP_LT && cond->args[0]->kind == EXPR_VAR &&
           cond->args[0]->var == loop->variable && cond->args[1] == loop->upper;
}

static bool is_set_in(const struct stmt *body, const struct variable *var) {
    struct setting setting = {.var = var};
    stmt_visit((struct stmt *)body, setting_see, &setting);
    return setting.found;
}

/* A local number or pointer, of a value without effects. */
static bool is_value(const struct variable *v) {
    bool plain = type_is_number(v->type) || v->type->kind == TYPE_POINTER;
    return plain && v->storage == STORAGE_LOCAL && !v->type->is_volatile && !v->address_taken &&
           v->init && v->init->kind != EXPR_INIT && !expr_has_effect(v->init);
}

/* Is a bound made of memory, itself or by way of the row's values? Else rows are no lists: those
 * of a matrix, whose ends the analysis has to see. */
struct bound {
    const struct rows *rows;
    bool reads;
};

static void bound_see(void *data, struct expr *e) {
    struct bound *bound = data;
    bound->reads = bound->reads || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF;
    for (int i = 0; e->kind == EXPR_VAR && i < bound->rows->nfront; ++i)
        for (int v = 0; v < bound->rows->front[i]->nvars; ++v)
            if (bound->rows->front[i]->vars[v] == e->var)
                expr_visit(e->var->init, bound_see, bound);
}

static bool has_lists(const struct rows *rows) {
    struct bound bound = {rows, false};
    expr_visit(rows->inner->lower, bound_see, &bound);
    expr_visit(rows->inner->upper, bound_see, &bound);
    return bound.reads;
}

/* ---- what keeps it as it is ------------------------------------------------------------------ */

struct reading {
    struct records_form *form;
    const struct stmt
        *row; /* statement around the inner loop that is looked at; NULL: the loop's */
    struct text_edits *edits;
    bool is_strange; /* something is named from elsewhere, or not understood */
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
    r->is_strange = r->is_strange || s->kind == STMT_LABEL || s->kind == STMT_UNKNOWN;
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

/* Declarations in front are made anew for every record. */
static void check_values(struct reading *r, const struct stmt *stmt) {
    const struct rows *rows = &r->form->rows;
    struct arena *arena = rows->unit->arena;
    r->is_strange = r->is_strange || stmt->expr;
    for (int i = 0; i < stmt->nvars; ++i) {
        const struct variable *v = stmt->vars[i];
        if (is_set_in(rows->outer->body, v))
            hinder(r->form, &stmt->range,
                   arena_printf(arena,
                                "'%s' is set while the row runs, and records of other rows run in "
                                "between; keep it in an array with an element for each row",
                                v->name));
        else if (!is_value(v))
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
        r->is_strange = r->is_strange || !is_written_here(r->form->rows.unit, &body[i]->range);
        if (front && body[i]->kind == STMT_DECL)
            check_values(r, body[i]);
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

/* Nothing but blanks and comments between the pragma and its loop; a directive has no string. */
static bool follows(const struct unit *unit, const struct range *pragma, const struct loop *loop) {
    struct token_scan scan = token_scan_start(unit->files[unit->main_file].text, pragma->end.offset,
                                              loop->stmt->range.begin.offset);
    const char *text = unit->files[unit->main_file].text + pragma->begin.offset;
    return pragma->begin.file == unit->main_file && token_next(&scan).kind == TOKEN_END &&
           (*text != '#' || !memchr(text, '"', pragma->end.offset - pragma->begin.offset));
}

static bool is_inner(const struct rows *rows) {
    const struct loop *inner = rows->inner;
    return inner && !inner->pragma && counts_up(rows->unit, inner) && has_plain_end(inner) &&
           !expr_has_effect(inner->lower) && !expr_has_effect(inner->upper) && has_lists(rows);
}

/* The last loop in the body over a list. */
static bool find_inner(struct rows *rows, const struct loop *outer) {
    struct stmt *body = outer->body;
    int count = body->kind == STMT_BLOCK ? body->nbody : 1;
    struct stmt *const *all = body->kind == STMT_BLOCK ? body->body : &outer->body;
    for (int i = count - 1; i >= 0; --i) {
        *rows = (struct rows){.unit = rows->unit,
                              .outer = outer,
                              .inner = all[i]->loop,
                              .nfront = i,
                              .nbehind = count - 1 - i,
                              .front = all,
                              .behind = all + i + 1};
        if (is_inner(rows))
            return true;
    }
    return false;
}

struct mention {
    const struct variable *var;
    bool found;
};

static void mention_see(void *data, struct expr *e) {
    struct mention *mention = data;
    mention->found = mention->found || (e->kind == EXPR_VAR && e->var == mention->var);
}

/* Functions that are called may use one that is no local, too. */
static bool names_counter(const struct rows *rows) {
    struct mention mention = {.var = rows->inner->variable};
    for (int i = 0; i < rows->nfront; ++i)
        stmt_visit(rows->front[i], mention_see, &mention);
    for (int i = 0; i < rows->nbehind; ++i)
        stmt_visit(rows->behind[i], mention_see, &mention);
    bool local = mention.var->storage == STORAGE_LOCAL || mention.var->storage == STORAGE_PARAM;
    return mention.found || (!local && (rows_have_front(rows) || rows_have_behind(rows)));
}

static bool read_rows(struct reading *r, const struct loop *loop) {
    struct rows *rows = &r->form->rows;
    if (!loop_is_marked(loop) || !counts_up(rows->unit, loop) || expr_has_effect(loop->cond) ||
        !is_written_here(rows->unit, &loop->body->range) ||
        !follows(rows->unit, &loop->pragma->range, loop) || !find_inner(rows, loop))
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
                            rows->inner->variable->name));
    return !r->is_strange;
}

/* ---- its text -------------------------------------------------------------------------------- */

/* Names that the file does not use: of the list, the record, and each counter's values. */
struct names {
    const char *list, *record, *count, *outer, *inner;
};

static const char *new_name(const struct unit *unit, const char *begin, const char *end) {
    const char *source = unit->files[unit->main_file].text;
    const char *name = arena_printf(unit->arena, "%s%s", begin, end);
    for (int i = 2; token_uses(source, name); ++i)
        name = arena_printf(unit->arena, "%s%s_%d", begin, end, i);
    return name;
}

static struct names new_names(const struct rows *rows) {
    const char *outer = rows->outer->variable->name, *inner = rows->inner->variable->name;
    return (struct names){
        .list = new_name(rows->unit, "records", ""),
        .record = new_name(rows->unit, "record", ""),
        .count = new_name(rows->unit, "nrecords", ""),
        .outer = new_name(rows->unit, outer, "_of"),
        .inner = new_name(rows->unit, inner, strcmp(inner, outer) == 0 ? "_of_inner" : "_of"),
    };
}

/* The source of `range` on one line. */
static const char *source_of(const struct rows *rows, const struct range *range) {
    struct writing w = {.source = rows->unit->files[rows->unit->main_file].text};
    struct text out;
    text_start(&out, rows->unit->arena);
    write_tokens(&w, range, &out);
    return out.bytes;
}

/* As a statement: a range of an initial part may or may not have its semicolon. */
static const char *statement_of(const struct rows *rows, const struct range *range) {
    const char *text = source_of(rows, range);
    size_t length = strlen(text);
    bool ends = length > 0 && text[length - 1] == ';';
    return arena_printf(rows->unit->arena, "%s%s ", text, ends ? "" : ";");
}

static const char declarations[] =
    "extern void *orrery_records_begin(const void *); extern int orrery_records_more(int); "
    "extern void orrery_records_row(void *, long, long, long); "
    "extern long orrery_records_end(void *, int, int); "
    "extern const void *orrery_records_counter(const void *, int); ";

static void write_values(const struct rows *rows, struct text *out) {
    for (int i = 0; i < rows->nfront; ++i)
        if (rows->front[i]->kind == STMT_DECL)
            text_print(out, "%s", statement_of(rows, &rows->front[i]->range));
}

/* The rows' headers, as the loops evaluate them; the counters keep what the loops leave. */
static void write_list(const struct rows *rows, const struct names *names, struct text *out) {
    const char *u = rows->outer->variable->name, *p = rows->inner->variable->name;
    const char *end = source_of(rows, &rows->inner->upper->range);
    text_print(out,
               "{ %sstatic const char %s_here = 0; void *%s = orrery_records_begin(&%s_here); ",
               declarations, names->list, names->list, names->list);
    text_print(out, "_Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored "
                    "\\\"-Wshadow\\\"\") _Pragma(\"GCC diagnostic ignored "
                    "\\\"-Wunused-variable\\\"\") ");
    text_print(out, "{ %s", statement_of(rows, &rows->outer->init->range));
    text_print(out, "while (orrery_records_more(%s)) { ",
               source_of(rows, &rows->outer->cond->range));
    write_values(rows, out);
    text_print(out, "{ %s", statement_of(rows, &rows->inner->init->range));
    text_print(out, "if (%s) { ", source_of(rows, &rows->inner->cond->range));
    text_print(out, "orrery_records_row(%s, (long)%s, (long)%s, (long)(1 ? (%s) : %s)); ",
               names->list, u, p, end, p);
    if (!rows->inner->declares_variable)
        text_print(out, "%s = %s; ", p, end);
    text_print(out, "} } %s; } } ", source_of(rows, &rows->outer->next->range));
}

static void write_counter(const struct rows *rows, const struct names *names, int which,
                          struct text *out) {
    const struct variable *v = which ? rows->inner->variable : rows->outer->variable;
    const char *name = which ? names->inner : names->outer;
    const char *type = type_declare(rows->unit->arena, v->type, "");
    text_print(out, "const %s *__restrict const %s = (const %s *)orrery_records_counter(%s, %d); ",
               type, name, type, names->list, which);
}

/* `#pragma orrery ...` as an operator, or the operator that stands there. */
static const char *mark_of(const struct rows *rows) {
    const struct range *range = &rows->outer->pragma->range;
    const char *source = rows->unit->files[rows->unit->main_file].text;
    struct token_scan scan = token_scan_start(source, range->begin.offset, range->end.offset);
    if (token_next(&scan).kind != TOKEN_DIRECTIVE)
        return source_of(rows, range);
    struct text out;
    text_start(&out, rows->unit->arena);
    text_print(&out, "_Pragma(\"");
    scan = token_scan_start(source, range->begin.offset + 1, range->end.offset);
    token_next(&scan); /* pragma */
    size_t end = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (token_spells(&scan, t, "\\"))
            continue;
        text_print(&out, "%s%.*s", end && t.begin > end ? " " : "", (int)(t.end - t.begin),
                   source + t.begin);
        end = t.end;
    }
    text_print(&out, "\")");
    return out.bytes;
}

/* "int u = u_of[record]; (void)u; ". */
static const char *local_of(const struct rows *rows, const struct names *names,
                            const struct variable *v, const char *values) {
    return arena_printf(rows->unit->arena, "%s = %s[%s]; (void)%s; ",
                        type_declare(rows->unit->arena, v->type, v->name), values, names->record,
                        v->name);
}

/* In front of the mark: the list, and what the new loop counts by. */
static const char *list_of(const struct rows *rows, const struct names *names) {
    struct arena *arena = rows->unit->arena;
    const struct type *outer = rows->outer->variable->type, *inner = rows->inner->variable->type;
    struct text list;
    text_start(&list, arena);
    write_list(rows, names, &list);
    text_print(&list, "const long %s = orrery_records_end(%s, (int)sizeof(%s), (int)sizeof(%s)); ",
               names->count, names->list, type_declare(arena, outer, ""),
               type_declare(arena, inner, ""));
    write_counter(rows, names, 0, &list);
    write_counter(rows, names, 1, &list);
    text_print(&list, "long %s; ", names->record);
    return list.bytes;
}

/* The new loop's header, up to its body. */
static const char *head_of(const struct rows *rows, const struct names *names) {
    return arena_printf(rows->unit->arena, "%s for (%s = 0; %s < %s; ++%s)", mark_of(rows),
                        names->record, names->record, names->count, names->record);
}

/* The row that a record is of: in front of the values. */
static const char *row_of(const struct rows *rows, const struct names *names) {
    return arena_printf(rows->unit->arena, "%s(void)(%s); ",
                        local_of(rows, names, rows->outer->variable, names->outer),
                        source_of(rows, &rows->outer->cond->range));
}

/* In the place of the inner loop's header. */
static const char *round_of(const struct rows *rows, const struct names *names) {
    const struct loop *inner = rows->inner;
    return arena_printf(rows->unit->arena, "{ (void)(%s); (void)(%s); %s",
                        source_of(rows, &inner->lower->range),
                        source_of(rows, &inner->upper->range),
                        local_of(rows, names, inner->variable, names->inner));
}

static const char *values_of(const struct rows *rows) {
    struct text out;
    text_start(&out, rows->unit->arena);
    text_print(&out, "%s", "");
    write_values(rows, &out);
    return out.bytes;
}

static void insert(struct text_edits *edits, unsigned at, const char *text) {
    text_edit_add(edits, at, at, text);
}

/* The user's loop runs what stands in front, or becomes the one over records itself. */
static void edit_front(const struct rows *rows, const struct names *names,
                       struct text_edits *edits) {
    struct arena *arena = rows->unit->arena;
    const struct loop *outer = rows->outer, *inner = rows->inner;
    const bool block = outer->body->kind == STMT_BLOCK;
    const char *head = head_of(rows, names), *row = row_of(rows, names);
    const char *in_front = block ? "" : arena_printf(arena, "{ %s", row);
    if (rows_have_front(rows)) {
        in_front = arena_printf(arena, "} %s { %s%s", head, row, values_of(rows));
    } else {
        text_edit_add(edits, outer->header.begin.offset, outer->header.end.offset, head);
        if (block)
            insert(edits, outer->body->range.begin.offset + 1, arena_printf(arena, " %s", row));
    }
    text_edit_add(edits, inner->header.begin.offset, inner->header.end.offset,
                  arena_printf(arena, "%s%s", in_front, round_of(rows, names)));
}

static void edit_behind(const struct rows *rows, struct text_edits *edits) {
    struct arena *arena = rows->unit->arena;
    const bool block = rows->outer->body->kind == STMT_BLOCK;
    const char *end = block ? " }" : " } }";
    if (rows_have_behind(rows))
        end = arena_printf(arena, " } } %s { %s", source_of(rows, &rows->outer->header),
                           values_of(rows));
    insert(edits, rows->inner->stmt->range.end.offset, end);
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
    if (text_edits_apply(&edits, file->text, 0, file->size, true, &out))
        form.text = out.bytes;
    return form;
}

/* ---- what the new loop's facts say ----------------------------------------------------------- */

/* Where the inner loop's own text begins: behind what was written in front of it. */
static unsigned end_of_values(const struct loop *loop) {
    const struct stmt *body = loop->body;
    const struct stmt *rest = body->body[body->nbody - 1];
    return rest->body[rest->nbody - 1]->range.begin.offset;
}

bool records_may_move(const struct loop_facts *facts) {
    const unsigned begin = facts->loop->body->range.begin.offset, end = end_of_values(facts->loop);
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        const struct loc *at = &a->range.begin;
        bool in_front =
            at->file == facts->unit->main_file && at->offset >= begin && at->offset < end;
        if ((a->object->kind == OBJECT_ROWS && a->object->written) ||
            (in_front && (a->write || a->object->written)))
            return false;
    }
    return true;
}
