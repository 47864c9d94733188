/* Nests of rows: from the nest to the text of one loop over records. */
#include "scheduler/transform/records.h"

#include "scheduler/transform/front.h"

#include <string.h>

/* The nest. `values`: the statements of the outer body in front of the inner loop, `nvalues` of
 * them. */
struct rows {
    const struct unit *unit;
    const struct loop *outer, *inner;
    int nvalues;
    struct stmt *const *values;
};

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

static bool is_set_in(const struct loop *loop, struct variable *var) {
    struct setting setting = {.var = var};
    stmt_visit(loop->body, setting_see, &setting);
    return setting.found;
}

/* A local number or pointer that the inner loop leaves alone, of a value without effects. */
static bool is_value(const struct rows *rows, const struct stmt *stmt) {
    if (stmt->kind == STMT_EMPTY)
        return true;
    if (stmt->kind != STMT_DECL || stmt->expr || !is_written_here(rows->unit, &stmt->range))
        return false;
    for (int i = 0; i < stmt->nvars; ++i) {
        struct variable *v = stmt->vars[i];
        bool plain = type_is_number(v->type) || v->type->kind == TYPE_POINTER;
        if (!plain || v->storage != STORAGE_LOCAL || v->type->is_volatile || v->address_taken ||
            !v->init || v->init->kind == EXPR_INIT || expr_has_effect(v->init) ||
            is_set_in(rows->inner, v))
            return false;
    }
    return true;
}

/* Is a bound made of memory, itself or by way of the row's values? Else rows are no lists: those of a
 * matrix, whose ends the analysis has to see. */
struct bound {
    const struct rows *rows;
    bool reads;
};

static void bound_see(void *data, struct expr *e) {
    struct bound *bound = data;
    bound->reads = bound->reads || e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF;
    for (int i = 0; e->kind == EXPR_VAR && i < bound->rows->nvalues; ++i)
        for (int v = 0; v < bound->rows->values[i]->nvars; ++v)
            if (bound->rows->values[i]->vars[v] == e->var)
                expr_visit(e->var->init, bound_see, bound);
}

static bool has_lists(const struct rows *rows) {
    struct bound bound = {rows, false};
    expr_visit(rows->inner->lower, bound_see, &bound);
    expr_visit(rows->inner->upper, bound_see, &bound);
    return bound.reads;
}

/* What leaves the inner loop, or is named from elsewhere. `depth`: loops and switches around. */
static bool leaves(const struct stmt *s, int depth) {
    if (!s)
        return false;
    if (s->kind == STMT_RETURN || s->kind == STMT_GOTO || s->kind == STMT_LABEL ||
        s->kind == STMT_UNKNOWN || (s->kind == STMT_BREAK && depth == 0))
        return true;
    int inside = depth + (s->loop != NULL || s->kind == STMT_SWITCH);
    if ((s->loop && leaves(s->loop->body, inside)) || leaves(s->then, inside) ||
        leaves(s->other, inside))
        return true;
    for (int i = 0; i < s->nbody; ++i)
        if (leaves(s->body[i], inside))
            return true;
    return false;
}

/* Nothing but blanks and comments between the pragma and its loop; a directive has no string. */
static bool follows(const struct unit *unit, const struct range *pragma, const struct loop *loop) {
    struct token_scan scan = token_scan_start(unit->files[unit->main_file].text, pragma->end.offset,
                                              loop->stmt->range.begin.offset);
    const char *text = unit->files[unit->main_file].text + pragma->begin.offset;
    return pragma->begin.file == unit->main_file && token_next(&scan).kind == TOKEN_END &&
           (*text != '#' || !memchr(text, '"', pragma->end.offset - pragma->begin.offset));
}

static bool read_rows(const struct unit *unit, const struct loop *loop, struct rows *rows) {
    struct stmt *body = loop->body;
    bool block = body->kind == STMT_BLOCK;
    if (!loop_is_marked(loop) || !counts_up(unit, loop) || (block && body->nbody == 0))
        return false;
    const struct stmt *last = block ? body->body[body->nbody - 1] : body;
    *rows = (struct rows){unit, loop, last->loop, block ? body->nbody - 1 : 0, body->body};
    const struct loop *inner = rows->inner;
    if (!inner || inner->pragma || !counts_up(unit, inner) || !has_plain_end(inner) ||
        expr_has_effect(inner->lower) || expr_has_effect(inner->upper) ||
        expr_has_effect(loop->cond) || leaves(inner->body, 0))
        return false;
    for (int i = 0; i < rows->nvalues; ++i)
        if (!is_value(rows, rows->values[i]))
            return false;
    return has_lists(rows) && is_written_here(unit, &body->range) &&
           !nest_has_directive(unit, &loop->stmt->range) &&
           follows(unit, &loop->pragma->range, loop);
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
    for (int i = 0; i < rows->nvalues; ++i)
        text_print(out, "%s", statement_of(rows, &rows->values[i]->range));
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

static void edit(const struct rows *rows, const struct names *names, struct text_edits *edits) {
    struct arena *arena = rows->unit->arena;
    const struct loop *outer = rows->outer, *inner = rows->inner;
    const struct range *pragma = &outer->pragma->range;
    struct text list;
    text_start(&list, arena);
    write_list(rows, names, &list);
    text_print(&list, "const long %s = orrery_records_end(%s, (int)sizeof(%s), (int)sizeof(%s)); ",
               names->count, names->list, type_declare(arena, outer->variable->type, ""),
               type_declare(arena, inner->variable->type, ""));
    write_counter(rows, names, 0, &list);
    write_counter(rows, names, 1, &list);
    text_print(&list, "long %s; ", names->record);
    text_edit_add(edits, pragma->begin.offset, pragma->end.offset, list.bytes);
    text_edit_add(edits, outer->header.begin.offset, outer->header.end.offset,
                  arena_printf(arena, "%s for (%s = 0; %s < %s; ++%s)", mark_of(rows),
                               names->record, names->record, names->count, names->record));
    const bool block = outer->body->kind == STMT_BLOCK;
    const char *own =
        arena_printf(arena, "%s(void)(%s); ", local_of(rows, names, outer->variable, names->outer),
                     source_of(rows, &outer->cond->range));
    if (block)
        text_edit_add(edits, outer->body->range.begin.offset + 1,
                      outer->body->range.begin.offset + 1, arena_printf(arena, " %s", own));
    text_edit_add(edits, inner->header.begin.offset, inner->header.end.offset,
                  arena_printf(arena, "%s%s{ (void)(%s); (void)(%s); %s", block ? "" : "{ ",
                               block ? "" : own, source_of(rows, &inner->lower->range),
                               source_of(rows, &inner->upper->range),
                               local_of(rows, names, inner->variable, names->inner)));
    text_edit_add(edits, inner->stmt->range.end.offset, inner->stmt->range.end.offset,
                  block ? " }" : " } }");
    text_edit_add(edits, outer->stmt->range.end.offset, outer->stmt->range.end.offset,
                  " _Pragma(\"GCC diagnostic pop\") }");
}

const char *records_text(struct unit *unit, const struct loop *loop, const char **name) {
    const struct source_file *file = &unit->files[unit->main_file];
    struct text_edits edits = {.arena = unit->arena};
    struct rows rows;
    if (!read_rows(unit, loop, &rows))
        return NULL;
    const struct names names = new_names(&rows);
    edit(&rows, &names, &edits);
    struct text out;
    text_start(&out, unit->arena);
    *name = names.record;
    return text_edits_apply(&edits, file->text, 0, file->size, true, &out) ? out.bytes : NULL;
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
