#define _GNU_SOURCE
/* Text -> struct unit: the list of passes of the front end. */
#include "analyzer/parse.h"
#include "analyzer/pragma/private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading the options and the file */

static struct range nowhere(void) {
    return (struct range){.begin.file = -1, .end.file = -1};
}

static bool file_missing(const struct parse_options *options, struct diag_list *diags) {
    struct stat status;
    if (options->text)
        return false;
    int failure = stat(options->file, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (!failure && access(options->file, R_OK) != 0)
        failure = errno;
    if (failure)
        diag_add(diags, SEVERITY_ERROR, ORR9002, nowhere(), "cannot read '%s': %s", options->file,
                 strerror(failure))
            ->fix = "check the path, which counts from the current folder, and its permissions";
    return failure != 0;
}

/* ---- messages of the C text */

/* gcc knows options that clang does not: they say nothing about what the text means. */
static bool is_about_options(const struct door_message *message) {
    return !message->has_place && (strstr(message->text, "unknown argument") ||
                                   strstr(message->text, "unsupported option") ||
                                   strstr(message->text, "unsupported argument") ||
                                   strstr(message->text, "optimization flag") ||
                                   strstr(message->text, "unknown warning option"));
}

/* gcc's own headers use attributes that clang lacks;
 * what they fail to declare shows where it is used. */
static bool is_in_gcc_header(struct translator *t, const struct door_message *message) {
    return message->has_place &&
           strstr(door_file_entry(t->door, message->span.file)->name, "/lib/gcc/");
}

/* Of the first error only: it is the same for all. */
static const char fix_of_c[] =
    "correct the text; if your compiler takes it, give the flags that it "
    "gets (-I, -D, -U, -std, -include)";

static void report(struct translator *t) {
    int count = door_nmessages(t->door);
    for (int i = 0; i < count; ++i) {
        struct door_message message = door_message(t->door, i);
        if (message.severity < 3 || is_about_options(&message) || is_in_gcc_header(t, &message))
            continue;
        struct range range = nowhere();
        if (message.has_place)
            range = parse_place_range(t, message.span);
        struct diag *diag = diag_add(t->diags, SEVERITY_ERROR, ORR9001, range, "%s", message.text);
        diag->fix = t->diags->nerrors == 1 ? fix_of_c : NULL;
    }
}

/* ---- the unit */

static void take_files(struct translator *t) {
    int count = door_nfiles(t->door);
    for (int i = 0; i < count; ++i)
        ARENA_PUSH(t->arena, t->unit->files, t->unit->nfiles, *door_file_entry(t->door, i));
}

/* What follows a directive that gives lines other numbers, or may. */
static void take_line_marks(struct translator *t) {
    const struct source_file *file = door_file(t->door, t->unit->main_file);
    struct lexer lexer = lex_open(file->text, 0, (unsigned)file->size);
    struct token token;
    bool more = lex_next(&lexer, &token);
    while (more) {
        bool directive = token.line_start && token_is(file->text, &token, "#");
        more = lex_next(&lexer, &token);
        if (!directive || !more || token.line_start ||
            (token.kind != TOKEN_NUMBER && !token_is(file->text, &token, "line")))
            continue;
        while (more && !token.line_start)
            more = lex_next(&lexer, &token);
        struct line_mark mark = {.line = parse_place_loc(t, t->unit->main_file, token.begin).line};
        mark.file = door_line_of(t->door, token.begin, &mark.number);
        if (more)
            ARENA_PUSH(t->arena, t->unit->line_marks, t->unit->nline_marks, mark);
    }
}

static void take_types(struct translator *t) {
    for (int i = 0; i < t->types.count; ++i)
        ARENA_PUSH(t->arena, t->unit->types, t->unit->ntypes, t->types.values[i]);
    t->unit->nvariables = t->nvariables;
}

/* Types that may name any memory: the flags' word on types is then not that of the text. */
static bool says_may_alias(struct translator *t) {
    int count = door_nfiles(t->door);
    for (int i = 0; i < count; ++i)
        if (!door_file_is_system(t->door, i) && strstr(parse_place_text(t, i), "may_alias"))
            return true;
    return false;
}

static void translate(struct translator *t, const struct parse_options *options) {
    t->unit->main_file = door_main_file(t->door);
    parse_place_text(t, t->unit->main_file);
    report(t);
    door_visit(t->door, parse_decl_top, t);
    parse_loop_recognize(t);
    parse_place_verify(t);
    pragma_bind(t);
    parse_loop_settle(t);
    parse_names_find(t, options);
    take_files(t);
    take_line_marks(t);
    take_types(t);
    t->unit->strict_aliasing = t->unit->strict_aliasing && !says_may_alias(t);
}

/* Reads `request`'s text into a new unit, in which `expansions` (NULL: none) were made. */
static bool read_text(struct translator *t, const struct parse_options *options,
                      const struct door_request *request, const struct unit *expansions) {
    t->door = door_open(t->arena, request);
    if (!t->door)
        return false;
    t->unit = arena_alloc(t->arena, sizeof *t->unit);
    t->unit->arena = t->arena;
    t->unit->nexpansions = expansions ? expansions->nexpansions : 0;
    t->unit->expansions = expansions ? expansions->expansions : NULL;
    t->unit->strict_aliasing = parse_args_strict_aliasing(options);
    t->unit->signed_wraps = parse_args_signed_wraps(options);
    t->unit->signed_traps = parse_args_signed_traps(options);
    t->unit->openmp = parse_args_openmp(options);
    t->unit->reassociates = parse_args_reassociates(options);
    translate(t, options);
    return true;
}

static bool has_errors_of_c(const struct diag_list *diags) {
    for (int i = 0; i < diags->count; ++i)
        if (diags->items[i].code == ORR9001)
            return true;
    return false;
}

/* True: the text with more macros replaced says the same, and has become the one of `t`. */
static bool take_expanded(struct translator *t, const struct parse_options *options,
                          struct door_request request, const struct expansion_round *round) {
    struct diag_list *diags = arena_alloc(t->arena, sizeof *diags);
    struct translator next = {.arena = t->arena, .diags = diags, .effects = t->effects};
    diags->arena = t->arena;
    bool opened = read_text(&next, options, &request, &round->after);
    bool same = opened && !has_errors_of_c(diags) && door_digest(next.door) == door_digest(t->door);
    if (opened)
        door_close(same ? t->door : next.door);
    if (same)
        *t = next;
    return same;
}

/* Macros in macros are replaced one layer a time; what recurs through others would never end. */
static void expand(struct translator *t, const struct parse_options *options,
                   struct door_request request) {
    enum { ROUNDS = 24 };
    struct expansion_round round = {0};
    for (int i = 0; i < ROUNDS && !has_errors_of_c(t->diags); ++i) {
        request.text = parse_expand(t, &round);
        if (!request.text)
            return;
        if (!take_expanded(t, options, request, &round))
            parse_expand_failed(t, &round);
    }
}

/* The messages of the text that was kept; edits are for lines as the user wrote them. */
static void take_messages(const struct translator *t, struct diag_list *diags) {
    for (int i = 0; i < t->diags->count; ++i) {
        struct diag *diag = &t->diags->items[i];
        if (unit_is_expanded(t->unit, &diag->range))
            diag->nedits = 0;
        ARENA_PUSH(diags->arena, diags->items, diags->count, *diag);
    }
    diags->nerrors += t->diags->nerrors;
}

static void take_left_out(struct translator *t) {
    struct text_span span;
    for (int i = 0; door_skipped(t->door, t->unit->main_file, i, &span.begin, &span.end); ++i)
        ARENA_PUSH(t->arena, t->unit->left_out, t->unit->nleft_out, span);
}

/* Texts end there for most who read them. */
static bool has_zero(const struct translator *t, struct diag_list *diags) {
    const struct source_file *file = door_file(t->door, door_main_file(t->door));
    const char *zero = memchr(file->text, 0, file->size);
    int line = 1;
    for (const char *c = file->text; zero && c < zero; ++c)
        line += *c == '\n';
    if (zero)
        diag_add(diags, SEVERITY_ERROR, ORR9002, nowhere(), "%s:%d: a byte of the text is 0",
                 file->name, line)
            ->fix = "remove it";
    return zero != NULL;
}

struct unit *parse_unit(struct arena *arena, const struct parse_options *options,
                        struct diag_list *diags) {
    if (file_missing(options, diags))
        return NULL;
    struct diag_list own = {.arena = arena};
    struct translator t = {.arena = arena, .diags = &own, .effects = effect_files_new(arena)};
    struct door_request request = {
        .file = options->file, .text = options->text, .want_skipped = true};
    request.nargs = parse_args_make(&t, options, &request.args);
    if (!read_text(&t, options, &request, NULL)) {
        diag_add(diags, SEVERITY_ERROR, ORR9002, nowhere(), "cannot parse '%s'", options->file)
            ->fix = "check that it is C, and what else stands among the options";
        return NULL;
    }
    if (has_zero(&t, diags)) {
        door_close(t.door);
        return NULL;
    }
    expand(&t, options, request);
    take_left_out(&t);
    take_messages(&t, diags);
    door_close(t.door);
    return t.unit;
}

const char *parse_clang_version(struct arena *arena) {
    return door_version(arena);
}
