/*
 * Names that macros hide. What our functions say of a loop is printed from its expressions, after
 * macros: `rand->A` out of `#define A (rand->A)` would be expanded once more.
 */
#include "scheduler/outline/collect.h"
#include "scheduler/outline/make.h"

#include <ctype.h>
#include <string.h>

/* ---- the main file's macros ------------------------------------------------------------------ */

/* requires: a #define. What it says behind the name, without the blanks around it. */
static void text_read(const struct outline *job, struct token directive,
                      struct macro_place *macro) {
    const char *text =
        arena_strndup(job->arena, job->source + directive.begin, directive.end - directive.begin);
    const char *word = strstr(text, "define"), *at = word ? strstr(word + 6, macro->name) : NULL;
    at = at ? at + strlen(macro->name) : "";
    macro->has_parameters = *at == '(';
    at += strspn(at, " \t\\\r\n");
    size_t length = strlen(at);
    while (length > 0 && isspace((unsigned char)at[length - 1]))
        --length;
    macro->text = arena_strndup(job->arena, at, length);
}

static void macros_read(const struct outline *job) {
    struct unit *unit = job->unit;
    struct token_scan scan = token_scan_start(job->source, 0, strlen(job->source));
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        const char *what =
            t.kind == TOKEN_DIRECTIVE ? token_directive_name(job->arena, job->source, t) : "";
        bool defines = strcmp(what, "define") == 0;
        if (!defines && strcmp(what, "undef") != 0)
            continue;
        struct macro_place macro = {.name = token_directive_word(job->arena, job->source, t),
                                    .offset = (unsigned)t.begin};
        if (defines)
            text_read(job, t, &macro);
        ARENA_PUSH(job->arena, unit->macros, unit->nmacros, macro);
    }
    unit->macros_read = true;
}

void outline_macros(const struct outline *job) {
    if (!job->unit->macros_read)
        macros_read(job);
}

const struct macro_place *emit_macro(const struct outline *job, const char *word) {
    const struct unit *unit = job->unit;
    const struct macro_place *last = NULL;
    outline_macros(job);
    for (int i = 0; i < unit->nmacros; ++i)
        if (unit->macros[i].offset < job->loop->function->range.begin.offset &&
            strcmp(unit->macros[i].name, word) == 0)
            last = &unit->macros[i];
    return last && last->text ? last : NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Of a macro with parameters (`called`) the name alone is left as it is. */
static void name_look(struct outline *job, const char *name, bool called) {
    const struct macro_place *macro = name && !job->refused ? emit_macro(job, name) : NULL;
    if (!macro || strcmp(macro->text, name) == 0 || (macro->has_parameters && !called))
        return;
    emit_refuse(job, ORR2290, job->loop->header,
                "the loop stays serial: the macro `%s` has the name of something that the loop "
                "uses, which cannot be named where the body moves to",
                name);
    emit_refuse_fix(job, arena_printf(job->arena, "give the macro another name than `%s`", name));
}

static void visit(void *data, struct expr *e, struct expr *parent) {
    (void)parent;
    if (e->kind == EXPR_VAR)
        name_look(data, e->var->name, false);
    if (e->kind == EXPR_MEMBER && e->field)
        name_look(data, e->field->name, false);
    if (e->function)
        name_look(data, e->function->name, false);
}

/* Where it begins and when it is used, as guards and tables say it. */
static void object_look(struct outline *job, const struct object *object) {
    if (object->var)
        name_look(job, object->var->name, false);
    emit_walk_expr(object->base, NULL, visit, job);
    emit_walk_expr(object->extent, NULL, visit, job);
    emit_walk_expr((struct expr *)object->when, NULL, visit, job);
}

/* Emitted text has names that begin so for itself. */
static void reserved_look(struct outline *job) {
    const struct unit *unit = job->unit;
    if (!unit->reserved)
        return;
    const struct loc *at = &unit->reserved_at.begin;
    emit_refuse(job, ORR2291, job->loop->header,
                "the loop stays serial: the program has a name `%s` (%s:%d:%d), and names that "
                "begin with `orrery_` or `ORRERY_` are those of the text that is emitted",
                unit->reserved, unit->files[at->file].name, at->line, at->column);
    emit_refuse_fix(job, arena_printf(job->arena, "give `%s` another name", unit->reserved));
}

bool emit_hidden_check(struct outline *job) {
    const struct loop_facts *facts = job->facts;
    reserved_look(job);
    emit_walk_stmt(job->loop->stmt, visit, job);
    emit_walk_expr(job->loop->lower, NULL, visit, job);
    emit_walk_expr(job->loop->upper, NULL, visit, job);
    for (int i = 0; i < facts->ncaptures; ++i)
        name_look(job, facts->captures[i].var->name, false);
    for (int i = 0; i < facts->nobjects; ++i)
        object_look(job, facts->objects[i]);
    for (int i = 0; i < facts->nguards; ++i)
        emit_walk_expr((struct expr *)facts->guards[i].when, NULL, visit, job);
    return !job->refused;
}
