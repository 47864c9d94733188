/* Nests of rows as text: what may be written anew, and the words of it. */
#include "scheduler/transform/rows_text.h"

#include "scheduler/transform/front.h"
#include "scheduler/transform/leaving.h"
#include "scheduler/transform/output.h"

#include <string.h>

bool text_is_written(const struct unit *unit, const struct range *range) {
    return range->exact && !range->in_macro && range->begin.file == unit->main_file;
}

/* What begins it sets nothing but its variable: it may be evaluated again. */
static bool begins_plainly(const struct loop *loop) {
    const struct expr *set = loop->init && loop->init->kind == STMT_EXPR ? loop->init->expr : NULL;
    return !set || (set->kind == EXPR_ASSIGN && set->args[0]->kind == EXPR_VAR &&
                    !expr_has_effect(set->args[1]));
}

bool type_is_whole(const struct type *type) {
    return type && type->kind == TYPE_INT && !type->is_volatile && !type->is_atomic &&
           (type->size == 4 || type->size == 8);
}

bool loop_is_written(const struct unit *unit, const struct loop *loop) {
    const struct range *const parts[] = {
        &loop->stmt->range, &loop->header, loop->cond ? &loop->cond->range : NULL,
        loop->init ? &loop->init->range : NULL, loop->next ? &loop->next->range : NULL};
    bool written = loop->form != LOOP_DO && loop->cond && begins_plainly(loop);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        written = written && (!parts[i] || text_is_written(unit, parts[i]));
    return written;
}

bool loop_counts_by_one(const struct unit *unit, const struct loop *loop) {
    return loop->canonical && (loop->step == 1 || loop->step == -1) && !loop->stride &&
           !loop->positive && !loop->within && !loop->limited && loop->nentries == 0 &&
           !loop->variable->address_taken && loop_is_written(unit, loop);
}

bool loop_counts_alone(const struct unit *unit, const struct loop *loop) {
    return loop_counts_by_one(unit, loop) && loop->init && loop->next &&
           loop->next->kind != EXPR_COMMA && !loop->steps_in_body &&
           type_is_whole(loop->variable->type) &&
           (loop->init->kind == STMT_EXPR || loop->init->nvars == 1);
}

bool loop_counts_up(const struct unit *unit, const struct loop *loop) {
    return loop_counts_alone(unit, loop) && loop->step == 1;
}

/* Another variable of its name would be meant. */
static bool declares_name(const void *data, const struct stmt *stmt) {
    const struct variable *counter = data;
    for (int i = 0; i < stmt->nvars; ++i)
        if (strcmp(stmt->vars[i]->name, counter->name) == 0)
            return true;
    return false;
}

bool loop_begins_at_number(const struct loop *loop) {
    const struct expr *lower = loop->lower;
    return lower && lower->kind == EXPR_INT && lower->int_value >= 0 && loop->relation == OP_LT &&
           !expr_has_effect(loop->upper) && !stmt_any(loop->body, declares_name, loop->variable);
}

static bool is_jump(const void *data, const struct stmt *stmt) {
    (void)data;
    return stmt->kind == STMT_GOTO || stmt->kind == STMT_LABEL || stmt->kind == STMT_UNKNOWN;
}

bool loop_runs_all(const struct unit *unit, const struct loop *loop) {
    const struct leaving leaving = leaving_find(unit, loop);
    return loop_is_marked(loop) && !output_is_collected(loop->body) && loop_counts_up(unit, loop) &&
           loop_begins_at_number(loop) && loop->body->kind == STMT_BLOCK &&
           text_is_written(unit, &loop->body->range) &&
           loop_follows_mark(unit, &loop->pragma->range, loop) &&
           !nest_has_directive(unit, &loop->stmt->range) && leaving.count == 0 &&
           !leaving.is_unfit && !stmt_any(loop->body, is_jump, NULL);
}

const char *loop_values_text(const struct unit *unit, const struct loop *loop, const char *name,
                             const struct type *type) {
    struct arena *arena = unit->arena;
    return arena_printf(
        arena,
        "static const char %s_here = 0; %s = (%s)orrery_records_values(&%s_here, (long)(%s), "
        "(long)sizeof(%s)); ",
        name, type_declare(arena, type, arena_printf(arena, "*__restrict const %s", name)),
        type_declare(arena, type, "*"), name, text_source(unit, &loop->upper->range),
        type_declare(arena, type, ""));
}

/* A local number or pointer, of a value without effects. */
bool variable_is_value(const struct variable *v) {
    bool plain = type_is_number(v->type) || v->type->kind == TYPE_POINTER;
    return plain && v->storage == STORAGE_LOCAL && !v->type->is_volatile && !v->address_taken &&
           v->init && v->init->kind != EXPR_INIT && !expr_has_effect(v->init);
}

/* Nothing but blanks and comments between the pragma and its loop; a directive has no string. */
bool loop_follows_mark(const struct unit *unit, const struct range *pragma,
                       const struct loop *loop) {
    struct token_scan scan = token_scan_start(unit->files[unit->main_file].text, pragma->end.offset,
                                              loop->stmt->range.begin.offset);
    const char *text = unit->files[unit->main_file].text + pragma->begin.offset;
    return pragma->begin.file == unit->main_file && token_next(&scan).kind == TOKEN_END &&
           (*text != '#' || !memchr(text, '"', pragma->end.offset - pragma->begin.offset));
}

/* The source of `range` on one line. */
const char *text_source(const struct unit *unit, const struct range *range) {
    struct writing w = {.source = unit->files[unit->main_file].text};
    struct text out;
    text_start(&out, unit->arena);
    write_tokens(&w, range, &out);
    return out.bytes;
}

/* As a statement: a range of an initial part may or may not have its semicolon. */
const char *text_statement(const struct unit *unit, const struct range *range) {
    const char *text = text_source(unit, range);
    size_t length = strlen(text);
    bool ends = length > 0 && text[length - 1] == ';';
    return arena_printf(unit->arena, "%s%s ", text, ends ? "" : ";");
}

/* `#pragma orrery ...` as an operator, or the operator that stands there. */
const char *text_mark(const struct unit *unit, const struct loop *loop) {
    const struct range *range = &loop->pragma->range;
    const char *source = unit->files[unit->main_file].text;
    struct token_scan scan = token_scan_start(source, range->begin.offset, range->end.offset);
    if (token_next(&scan).kind != TOKEN_DIRECTIVE)
        return text_source(unit, range);
    struct text out;
    text_start(&out, unit->arena);
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
