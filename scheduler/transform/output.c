/* Loops that print: calls of printf become calls that collect. */
#include "scheduler/transform/output.h"

#include "scheduler/transform/nest.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

struct prints {
    struct unit *unit;
    const struct loop *loop;
    const char *out; /* name of what collects */
    struct text_edits edits;
    int statements, calls; /* calls of printf as statements; all */
    bool is_strange;
};

static bool is_printf(const struct expr *e) {
    return e->kind == EXPR_CALL && e->function && !e->function->body &&
           strcmp(e->function->name, "printf") == 0;
}

/* Numbers and no more: nothing that an argument leads to is read or written. As spelled. */
static bool takes_numbers(const char *format) {
    for (const char *c = format; *c; ++c) {
        if (*c == '\\' && !strchr("abfnrtv\\\"'?", *++c))
            return false;
        if (*c != '%')
            continue;
        c += 1 + strspn(c + 1, "-+ #0'123456789.hlLzjt");
        if (*c == '\0' || !strchr("diuoxXcfFeEgGaA%", *c))
            return false;
    }
    return true;
}

static void call_see(void *data, struct expr *e) {
    struct prints *prints = data;
    prints->calls += is_printf(e);
    bool ends = e->kind == EXPR_CALL && e->function && e->function->is_noreturn;
    prints->is_strange = prints->is_strange || ends ||
                         (e->kind == EXPR_FUNCTION && strcmp(e->function->name, "printf") == 0);
}

/* `printf(`: NULL where it is not written so. */
static const char *edit_call(struct prints *prints, const struct expr *call) {
    const char *source = prints->unit->files[prints->unit->main_file].text;
    struct token_scan scan =
        token_scan_start(source, call->range.begin.offset, call->range.end.offset);
    struct token name = token_next(&scan);
    if (!token_spells(&scan, name, "printf"))
        return NULL;
    struct token open = token_next(&scan);
    if (!token_spells(&scan, open, "("))
        return NULL;
    text_edit_add(&prints->edits, name.begin, open.end,
                  arena_printf(prints->unit->arena, "orrery_output_print(%s, (long)%s, ",
                               prints->out, prints->loop->variable->name));
    return source;
}

/* What leaves the loop, or ends the program, would take the collected text with it. */
static void statement_see(void *data, struct stmt *stmt) {
    struct prints *prints = data;
    const struct expr *call = stmt->kind == STMT_EXPR ? stmt->expr : NULL;
    prints->is_strange = prints->is_strange || stmt->kind == STMT_RETURN || stmt->kind == STMT_GOTO;
    for (int i = 0; i < stmt->nvars; ++i)
        prints->is_strange =
            prints->is_strange || strcmp(stmt->vars[i]->name, prints->loop->variable->name) == 0;
    if (!call || !is_printf(call))
        return;
    const struct expr *format = call->nargs > 0 ? call->args[0] : NULL;
    ++prints->statements;
    prints->is_strange = prints->is_strange || !format || format->kind != EXPR_STRING ||
                         !takes_numbers(format->text) ||
                         !text_is_written(prints->unit, &call->range) ||
                         !text_is_written(prints->unit, &format->range) || !edit_call(prints, call);
}

static const char declarations[] =
    "extern void *orrery_output_begin(const void *); "
    "extern void orrery_output_print(void *, long, const char *, ...) "
    "__attribute__((__format__(__printf__, 3, 4))); extern void orrery_output_end(void *); ";

static bool may_collect(const struct unit *unit, const struct loop *loop) {
    return loop_is_marked(loop) && loop_counts_up(unit, loop) &&
           text_is_written(unit, &loop->body->range) &&
           loop_follows_mark(unit, &loop->pragma->range, loop) &&
           !nest_has_directive(unit, &loop->stmt->range) && !output_is_collected(loop);
}

const char *output_text(struct unit *unit, const struct loop *loop) {
    struct prints prints = {.unit = unit, .loop = loop, .edits = {.arena = unit->arena}};
    const struct source_file *file = &unit->files[unit->main_file];
    struct text out;
    if (!may_collect(unit, loop))
        return NULL;
    prints.out = arena_printf(unit->arena, "%sout", text_new_prefix(unit, "printed"));
    stmt_visit(loop->body, call_see, &prints);
    stmt_each(loop->body, statement_see, &prints);
    if (prints.is_strange || prints.calls == 0 || prints.calls != prints.statements)
        return NULL;
    const struct range *pragma = &loop->pragma->range;
    const unsigned end = loop->stmt->range.end.offset;
    text_edit_add(&prints.edits, pragma->begin.offset, pragma->end.offset,
                  arena_printf(unit->arena,
                               "{ %sstatic const char %s_here = 0; void *const %s = "
                               "orrery_output_begin(&%s_here); %s",
                               declarations, prints.out, prints.out, prints.out,
                               text_mark(unit, loop)));
    text_edit_add(&prints.edits, end, end,
                  arena_printf(unit->arena, " orrery_output_end(%s); }", prints.out));
    text_start(&out, unit->arena);
    return text_edits_apply(&prints.edits, file->text, 0, file->size, true, &out) ? out.bytes
                                                                                  : NULL;
}

/* ---- loops that collect ---------------------------------------------------------------------- */

static void collecting_see(void *data, struct expr *e) {
    bool *found = data;
    *found = *found || (e->kind == EXPR_CALL && e->function &&
                        strcmp(e->function->name, "orrery_output_print") == 0);
}

bool output_is_collected(const struct loop *loop) {
    bool found = false;
    stmt_visit(loop->body, collecting_see, &found);
    return found;
}
