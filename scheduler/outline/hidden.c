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

const struct macro_place *emit_macro(const struct outline *job, const char *word) {
    const struct unit *unit = job->unit;
    const struct macro_place *last = NULL;
    if (!unit->macros_read)
        macros_read(job);
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

/* Of text that is printed from expressions. */
static void text_look(struct outline *job, const char *text) {
    struct token_scan scan = token_scan_start(text, 0, strlen(text));
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        struct token_scan ahead = scan;
        if (t.kind == TOKEN_WORD)
            name_look(job, arena_strndup(job->arena, text + t.begin, t.end - t.begin),
                      token_spells(&ahead, token_next(&ahead), "("));
    }
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
        text_look(job, facts->objects[i]->name ? facts->objects[i]->name : "");
    for (int i = 0; i < facts->nguards; ++i)
        text_look(job, facts->guards[i].text ? facts->guards[i].text : "");
    return !job->refused;
}

/* ---- words of our own ------------------------------------------------------------------------ */

enum { LETTERS = 64, LENGTHS = 64 };

static int slot_of(const char *name, size_t length) {
    return ((unsigned char)*name % LETTERS) * LENGTHS + (int)(length % LENGTHS);
}

/* `orrery_b->end`: 1 behind `orrery_b`, 2 behind `-`, 3 behind `->` or `.`; else 0. */
static int member_state(const struct token_scan *scan, struct token t, int before) {
    if (t.kind == TOKEN_WORD)
        return strncmp(scan->source + t.begin, "orrery_", strlen("orrery_")) == 0;
    if (before == 1 && token_spells(scan, t, "-"))
        return 2;
    return (before == 1 && token_spells(scan, t, ".")) ||
                   (before == 2 && token_spells(scan, t, ">"))
               ? 3
               : 0;
}

static bool says(const char *text, const char *word) {
    struct token_scan scan = token_scan_start(text, 0, strlen(text));
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_WORD && token_spells(&scan, t, word))
            return true;
    return false;
}

/* Words of C, which programs define for compilers that lack them, and under conditions that are not
 * looked at here. */
static bool is_of_c(const char *word) {
    static const char *const words[] = {
        "auto",    "bool",   "break",    "case",   "char",     "const",  "continue", "default",
        "do",      "double", "else",     "enum",   "extern",   "false",  "float",    "for",
        "goto",    "if",     "inline",   "int",    "long",     "NULL",   "register", "restrict",
        "return",  "short",  "signed",   "sizeof", "static",   "struct", "switch",   "true",
        "typedef", "union",  "unsigned", "void",   "volatile", "while"};
    bool found = strncmp(word, "__", 2) == 0;
    for (size_t i = 0; !found && i < sizeof words / sizeof *words; ++i)
        found = strcmp(word, words[i]) == 0;
    return found;
}

/* `own`: the function's text, whose words its macros stand for; `ours`: a member of our own. */
static void word_look(struct outline *job, const char *own, const char *word, bool ours,
                      bool called) {
    const struct macro_place *macro = emit_macro(job, word);
    if (!macro || is_of_c(word) || strcmp(macro->text, word) == 0 ||
        (macro->has_parameters && !called) || (!ours && says(own, word)))
        return;
    emit_refuse(job, ORR2290, job->loop->header,
                "the loop stays serial: the macro `%s` has the name of something that stands in "
                "the text which is emitted for it",
                word);
    emit_refuse_fix(job, arena_printf(job->arena,
                                      "give the macro another name than `%s`, or define it behind "
                                      "the loop's function",
                                      word));
}

void outline_words(struct outline *job) {
    struct unit *unit = job->unit;
    const struct range *function = &job->loop->function->range;
    if (!unit->macros_read)
        macros_read(job);
    const char *own = arena_strndup(job->arena, job->source + function->begin.offset,
                                    function->end.offset - function->begin.offset);
    bool *some = arena_alloc(job->arena, LETTERS * LENGTHS);
    memset(some, 0, LETTERS * LENGTHS);
    for (int i = 0; i < unit->nmacros; ++i)
        some[slot_of(unit->macros[i].name, strlen(unit->macros[i].name))] = true;
    const char *text = job->functions.bytes;
    struct token_scan scan = token_scan_start(text, 0, strlen(text));
    int member = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END && !job->refused;
         t = token_next(&scan)) {
        struct token_scan ahead = scan;
        if (t.kind == TOKEN_WORD && some[slot_of(text + t.begin, t.end - t.begin)])
            word_look(job, own, arena_strndup(job->arena, text + t.begin, t.end - t.begin),
                      member == 3, token_spells(&ahead, token_next(&ahead), "("));
        member = member_state(&scan, t, member);
    }
}
