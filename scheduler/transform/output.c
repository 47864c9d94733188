/* Loops that print: calls of printf and its like become calls that collect. */
#include "scheduler/transform/output.h"

#include "scheduler/transform/nest.h"
#include "scheduler/transform/rows_text.h"

#include <string.h>

struct prints {
    struct unit *unit;
    const struct loop *loop;
    const char *out; /* name of what collects */
    struct text_edits edits;
    int statements, calls; /* calls that print, as statements; all */
    bool is_unfit;
};

/*
 * Functions that print. stream: which argument it is, -1: none, it is stdout; format: the one that
 * the function prints by, NULL: its argument in front of the others. To print nothing is to flush.
 */
struct printer {
    const char *name;
    int stream, arguments;
    const char *format;
};

static const struct printer printers[] = {
    {"printf", -1, 0, NULL},      {"fprintf", 0, 0, NULL},
    {"puts", -1, 1, "\"%s\\n\""}, {"fputs", 1, 2, "\"%s\""},
    {"putchar", -1, 1, "\"%c\""}, {"putc", 1, 2, "\"%c\""},
    {"fputc", 1, 2, "\"%c\""},    {"fflush", 0, 1, ", \"%s\", \"\""},
};

static const struct printer *printer_of(const struct function *f) {
    for (size_t i = 0; f && !f->body && i < sizeof printers / sizeof *printers; ++i)
        if (strcmp(f->name, printers[i].name) == 0)
            return &printers[i];
    return NULL;
}

/* Numbers and whole strings: nothing that an argument leads to is written. As spelled. */
static bool takes_values(const char *format) {
    for (const char *c = format; *c; ++c) {
        if (*c == '\\' && !strchr("abfnrtv\\\"'?", *++c))
            return false;
        if (*c != '%')
            continue;
        const char *flags = ++c;
        c += strspn(c, "-+ #0'123456789.hlLzjt");
        const bool plain = strcspn(flags, ".hlLzjt") >= (size_t)(c - flags);
        if (*c == '\0' || !strchr("diuoxXcfFeEgGaAs%", *c) || (*c == 's' && !plain))
            return false;
    }
    return true;
}

static void call_see(void *data, struct expr *e) {
    struct prints *prints = data;
    prints->calls += e->kind == EXPR_CALL && printer_of(e->function);
    bool ends = e->kind == EXPR_CALL && e->function && e->function->is_noreturn;
    prints->is_unfit =
        prints->is_unfit || ends || (e->kind == EXPR_FUNCTION && printer_of(e->function));
}

/* The name and `(` of a call as the file has them. */
static bool find_open(const struct prints *prints, const struct expr *call, struct token *name,
                      struct token *open) {
    const char *source = prints->unit->files[prints->unit->main_file].text;
    struct token_scan scan =
        token_scan_start(source, call->range.begin.offset, call->range.end.offset);
    *name = token_next(&scan);
    if (!token_spells(&scan, *name, call->function->name))
        return false;
    *open = token_next(&scan);
    return token_spells(&scan, *open, "(");
}

/* `, stream` behind the argument that is printed: cut out, and given back without its comma. */
static const char *cut_stream(struct prints *prints, const struct expr *call) {
    const char *source = prints->unit->files[prints->unit->main_file].text;
    const size_t begin = call->args[0]->range.end.offset, end = call->range.end.offset - 1;
    struct token_scan scan = token_scan_start(source, begin, call->range.end.offset);
    if (!token_spells(&scan, token_next(&scan), ",") || source[end] != ')')
        return NULL;
    text_edit_add(&prints->edits, begin, end, "");
    return arena_printf(prints->unit->arena, "%.*s", (int)(end - begin - 1), source + begin + 1);
}

static bool edit_call(struct prints *prints, const struct expr *call, const struct printer *how) {
    struct arena *arena = prints->unit->arena;
    const char *stream = how->stream < 0 ? "0, " : "";
    struct token name, open;
    if (!find_open(prints, call, &name, &open))
        return false;
    if (how->stream > 0) {
        stream = cut_stream(prints, call);
        if (!stream)
            return false;
        stream = arena_printf(arena, "%s, ", stream);
    }
    const bool flushes = how->format && how->stream == 0;
    const size_t end = call->range.end.offset - 1;
    if (flushes)
        text_edit_add(&prints->edits, end, end, how->format);
    text_edit_add(&prints->edits, name.begin, open.end,
                  arena_printf(arena, "orrery_output_print(%s, (long)%s, %s%s%s", prints->out,
                               prints->loop->variable->name, stream,
                               how->format && !flushes ? how->format : "",
                               how->format && !flushes ? ", " : ""));
    return true;
}

/* A macro of its name may be anything. */
static bool is_macro(const struct unit *unit, const char *name) {
    for (int i = 0; i < unit->nmacros; ++i)
        if (strcmp(unit->macros[i].name, name) == 0)
            return true;
    return false;
}

/* The call stands in the file from its name to its `)`; arguments may be macros (`stderr`). */
static bool stands_here(const struct unit *unit, const struct expr *call) {
    const struct range *range = &call->range;
    const struct source_file *file = &unit->files[unit->main_file];
    return range->exact && range->begin.file == unit->main_file && range->end.offset > 0 &&
           file->text[range->end.offset - 1] == ')' && !is_macro(unit, call->function->name);
}

/* Text of the program's own: of other memory the run would have to find out what it overlaps. */
static bool is_text(const struct expr *e) {
    while (e->kind == EXPR_CAST && e->nargs == 1)
        e = e->args[0];
    if (e->kind == EXPR_CONDITIONAL)
        return e->nargs == 3 && e->args[1] && is_text(e->args[1]) && is_text(e->args[2]);
    return e->kind == EXPR_STRING;
}

static bool prints_values(const struct expr *call, int stream) {
    bool values = true;
    for (int i = 0; i < call->nargs; ++i)
        values = values && (i == stream || !call->args[i]->type || !call->args[i]->type->element ||
                            is_text(call->args[i]));
    return values;
}

/* The stream is the value of a variable, which tells nothing of the iteration. */
static bool is_taken(const struct prints *prints, const struct expr *call,
                     const struct printer *how) {
    const int at = how->stream + 1;
    const struct expr *stream =
        how->stream >= 0 && how->stream < call->nargs ? call->args[how->stream] : NULL;
    const struct expr *format = !how->format && at < call->nargs ? call->args[at] : NULL;
    bool streams = how->stream < 0 || (stream && stream->kind == EXPR_VAR &&
                                       !variable_is_set_in(prints->loop->body, stream->var));
    bool formats =
        how->format ? call->nargs == how->arguments &&
                          (how->stream <= 0 || text_is_written(prints->unit, &call->args[0]->range))
                    : format && format->kind == EXPR_STRING && takes_values(format->text) &&
                          text_is_written(prints->unit, &format->range);
    return streams && formats && prints_values(call, how->stream) &&
           stands_here(prints->unit, call);
}

/* What leaves the loop, or ends the program, would take the collected text with it. */
static void statement_see(void *data, struct stmt *stmt) {
    struct prints *prints = data;
    const struct expr *call = stmt->kind == STMT_EXPR ? stmt->expr : NULL;
    while (call && call->kind == EXPR_CAST && call->type->kind == TYPE_VOID)
        call = call->args[0];
    prints->is_unfit = prints->is_unfit || stmt->kind == STMT_RETURN || stmt->kind == STMT_GOTO;
    for (int i = 0; i < stmt->nvars; ++i)
        prints->is_unfit =
            prints->is_unfit || strcmp(stmt->vars[i]->name, prints->loop->variable->name) == 0;
    const struct printer *how = call && call->kind == EXPR_CALL ? printer_of(call->function) : NULL;
    if (!how)
        return;
    ++prints->statements;
    prints->is_unfit =
        prints->is_unfit || !is_taken(prints, call, how) || !edit_call(prints, call, how);
}

static const char declarations[] =
    "extern void *orrery_output_begin(const void *); "
    "extern void orrery_output_print(void *, long, const void *, const char *, ...) "
    "__attribute__((__format__(__printf__, 4, 5))); "
    "extern void orrery_output_end(void *); ";

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
    if (prints.is_unfit || prints.calls == 0 || prints.calls != prints.statements)
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
