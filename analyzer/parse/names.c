/*
 * Names that matter to text which is emitted: those that begin with `orrery_` or `ORRERY_`, which
 * it has for itself, and the macros of the user's headers and flags, which replace words in it.
 */
#include "analyzer/parse/private.h"

#include <string.h>

/* One file under way, and what of it the preprocessor leaves out. */
struct names {
    struct translator *t;
    int file;
    const char *text;
    struct lexer lexer;
    struct token token;
    bool more;
    int nskipped;
    struct text_span *skipped;
};

/* ---- names of ours */

static bool starts(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

/* What orrery.h declares, for programs to use, and what rewritten nests call. */
static bool is_public(const char *name) {
    static const char *const begins[] = {
        "orrery_load_", "orrery_save",     "orrery_free_", "orrery_random",  "orrery_uniform",
        "ORRERY_NPY_",  "orrery_records_", "orrery_ends_", "orrery_output_", "orrery_blocks_"};
    static const char *const whole[] = {"ORRERY_H",           "ORRERY_PARALLEL", "ORRERY_SERIAL",
                                        "ORRERY_ROUND",       "ORRERY_WAYS",     "orrery_bag_entry",
                                        "orrery_bags",        "orrery_examples", "orrery_npy_type",
                                        "orrery_model_array", "orrery_npy",      "orrery_rating",
                                        "orrery_ratings",     "orrery_table",    "orrery_tensor"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; ++i)
        if (starts(name, begins[i]))
            return true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; ++i)
        if (strcmp(name, whole[i]) == 0)
            return true;
    return false;
}

static void load_skipped(struct names *names) {
    struct text_span span;
    for (int i = 0; door_skipped(names->t->door, names->file, i, &span.begin, &span.end); ++i)
        ARENA_PUSH(names->t->arena, names->skipped, names->nskipped, span);
}

static bool is_left_out(const struct names *names) {
    for (int i = 0; i < names->nskipped; ++i)
        if (names->skipped[i].begin <= names->token.begin &&
            names->token.begin < names->skipped[i].end)
            return true;
    return false;
}

static void take_name(struct names *names) {
    struct unit *unit = names->t->unit;
    const struct token *token = &names->token;
    const char *at = names->text + token->begin;
    bool ours = token->kind == TOKEN_NAME && token->end - token->begin > 7 &&
                (starts(at, "orrery_") || starts(at, "ORRERY_"));
    if (!ours || unit->reserved || is_left_out(names))
        return;
    const char *name = arena_strndup(unit->arena, at, token->end - token->begin);
    if (is_public(name))
        return;
    unit->reserved = name;
    unit->reserved_at.begin = parse_place_loc(names->t, names->file, token->begin);
    unit->reserved_at.end = parse_place_loc(names->t, names->file, token->end);
}

/* ---- tokens and lines */

static void advance(struct names *names) {
    names->more = lex_next(&names->lexer, &names->token);
}

static bool at(const struct names *names, const char *word) {
    return names->more && token_is(names->text, &names->token, word);
}

static void skip_line(struct names *names) {
    while (names->more && !names->token.line_start)
        advance(names);
}

/* ---- macros */

/* The last of that name is gone. */
static void forget_macro(struct unit *unit, const char *name) {
    for (int i = unit->nmacros - 1; i >= 0; --i)
        if (unit->macros[i].text && strcmp(unit->macros[i].name, name) == 0) {
            unit->macros[i].text = NULL;
            return;
        }
}

/* Behind `define` or `undef` of a header. */
static void take_macro(struct names *names, bool defines) {
    struct unit *unit = names->t->unit;
    const struct token name = names->token;
    struct macro_place macro = {
        .name = arena_strndup(unit->arena, names->text + name.begin, name.end - name.begin)};
    advance(names);
    macro.has_parameters = at(names, "(") && names->token.begin == name.end;
    unsigned begin = names->more && !names->token.line_start ? names->token.begin : name.end;
    unsigned end = begin;
    for (; names->more && !names->token.line_start; advance(names))
        end = names->token.end;
    macro.text = arena_strndup(unit->arena, names->text + begin, end - begin);
    if (defines)
        ARENA_PUSH(unit->arena, unit->macros, unit->nmacros, macro);
    else
        forget_macro(unit, macro.name);
}

/* Names in `#include <orrery_user.h>` and in conditionals are no declarations. */
static void take_directive(struct names *names) {
    bool left_out = is_left_out(names);
    advance(names);
    if (!names->more || names->token.line_start)
        return;
    bool defines = at(names, "define"), undefines = at(names, "undef");
    bool header = names->file != names->t->unit->main_file;
    advance(names);
    if (!left_out && defines && names->more && !names->token.line_start)
        take_name(names);
    if (!left_out && header && (defines || undefines) && names->more && !names->token.line_start)
        take_macro(names, defines);
    skip_line(names);
}

static void read_names(struct translator *t, int file) {
    const struct source_file *source = door_file(t->door, file);
    struct names names = {.t = t, .file = file, .text = source->text};
    load_skipped(&names);
    names.lexer = lex_open(source->text, 0, (unsigned)source->size);
    advance(&names);
    while (names.more) {
        if (names.token.line_start && at(&names, "#")) {
            take_directive(&names);
            continue;
        }
        take_name(&names);
        advance(&names);
    }
}

/* ---- flags */

/* -DNAME, -DNAME=TEXT, -D NAME... */
static void take_flag(struct unit *unit, const char *text) {
    size_t length = strcspn(text, "=(");
    struct macro_place macro = {.name = arena_strndup(unit->arena, text, length)};
    macro.has_parameters = text[length] == '(';
    const char *value = strchr(text, '=');
    macro.text = value ? value + 1 : "1";
    if (strcmp(macro.name, "__ORRERY__") != 0)
        ARENA_PUSH(unit->arena, unit->macros, unit->nmacros, macro);
}

static void take_flags(struct unit *unit, const struct parse_options *options) {
    for (int i = 0; i < options->nargs; ++i) {
        const char *arg = options->args[i];
        if (!starts(arg, "-D"))
            continue;
        const char *text = arg[2] ? arg + 2 : i + 1 < options->nargs ? options->args[++i] : "";
        take_flag(unit, text);
    }
}

void parse_names_find(struct translator *t, const struct parse_options *options) {
    int count = door_nfiles(t->door);
    take_flags(t->unit, options);
    for (int file = 0; file < count; ++file) {
        const char *slash = strrchr(door_file_entry(t->door, file)->name, '/');
        const char *base = slash ? slash + 1 : door_file_entry(t->door, file)->name;
        if (!door_file_is_system(t->door, file) && strcmp(base, "orrery.h") != 0)
            read_names(t, file);
    }
}
