/* Finds `#pragma orrery`, ORRERY_PARALLEL(...) and ORRERY_SERIAL in the tokens of a file. */
#define _GNU_SOURCE
#include "analyzer/pragma/private.h"

#include <string.h>

/* A file under scan with one token of look-ahead. */
struct scan {
    struct translator *t;    /* the unit under way */
    int file;                /* its number in the unit */
    const char *text;        /* all of it */
    struct lexer lexer;      /* behind `token` */
    struct token token;      /* the look-ahead, where `more` */
    bool more;               /* the file does not end here */
    struct markers *markers; /* macros that mark loops, those of this file added */
    int nskipped;            /* of `skipped` */
    /* ranges that the preprocessor left out, ascending; `nskipped` of them */
    unsigned (*skipped)[2];
    int count;                    /* of `directives` */
    struct directive *directives; /* ours, in the order of the text */
};

struct range pragma_range(struct translator *t, int file, unsigned begin, unsigned end) {
    struct range range = {.exact = file == t->unit->main_file};
    range.begin = parse_place_loc(t, file, begin);
    range.end = parse_place_loc(t, file, end);
    return range;
}

static bool is_skipped(const struct scan *scan, unsigned offset) {
    for (int i = 0; i < scan->nskipped; ++i)
        if (scan->skipped[i][0] <= offset && offset < scan->skipped[i][1])
            return true;
    return false;
}

/* The next token that the preprocessor has not left out. */
static void advance(struct scan *scan) {
    do
        scan->more = lex_next(&scan->lexer, &scan->token);
    while (scan->more && is_skipped(scan, scan->token.begin));
}

static bool at(const struct scan *scan, const char *spelling) {
    return scan->more && token_is(scan->text, &scan->token, spelling);
}

static bool on_this_line(const struct scan *scan) {
    return scan->more && !scan->token.line_start;
}

static bool is_macro_name(const struct scan *scan) {
    return at(scan, "ORRERY_PARALLEL") || at(scan, "ORRERY_SERIAL");
}

static bool string_mentions(const struct scan *scan) {
    return scan->token.kind == TOKEN_STRING &&
           memmem(scan->text + scan->token.begin, scan->token.end - scan->token.begin, "orrery", 6);
}

static void refuse_macro(struct scan *scan, struct token token) {
    struct diag *diag =
        diag_add(scan->t->diags, SEVERITY_ERROR, ORR9107,
                 pragma_range(scan->t, scan->file, token.begin, token.end),
                 "a loop cannot be marked through %s here: the mark would leave no place in the "
                 "text of the source file",
                 token_is(scan->text, &token, "_Pragma") ? "_Pragma" : "another macro");
    diag->fix = "write '#pragma orrery' or ORRERY_PARALLEL(...) in front of the loop itself";
}

/* The end of a directive's line: the newline after its last token, unless a comment hides it. */
static unsigned line_end(const struct scan *scan, unsigned from) {
    const struct source_file *file = door_file(scan->t->door, scan->file);
    for (unsigned i = from; i < file->size; ++i) {
        if (file->text[i] == '\n')
            return i > from && file->text[i - 1] == '\r' ? i - 1 : i;
        if (file->text[i] == '/' && i + 1 < file->size && file->text[i + 1] == '*')
            return from;
    }
    return (unsigned)file->size;
}

static bool names_marker(const struct scan *scan, const struct token *token) {
    const struct markers *markers = scan->markers;
    for (int i = 0; token->kind == TOKEN_NAME && i < markers->count; ++i)
        if (token_is(scan->text, token, markers->names[i]))
            return true;
    return false;
}

static bool is_marker(const struct scan *scan) {
    return scan->more && names_marker(scan, &scan->token);
}

/* In a #define: a macro that brings a mark, or the name of one that does, is one that does. */
static void scan_define(struct scan *scan) {
    bool pragma = false, marks = false;
    advance(scan);
    const struct token name = scan->token;
    if (on_this_line(scan))
        advance(scan);
    for (; on_this_line(scan); advance(scan)) {
        marks |= is_macro_name(scan) || is_marker(scan) || (pragma && string_mentions(scan));
        pragma |= at(scan, "_Pragma");
    }
    if (marks && name.kind == TOKEN_NAME && !names_marker(scan, &name))
        ARENA_PUSH(scan->t->arena, scan->markers->names, scan->markers->count,
                   arena_strndup(scan->t->arena, scan->text + name.begin, name.end - name.begin));
}

static void skip_line(struct scan *scan) {
    while (on_this_line(scan))
        advance(scan);
}

static void push(struct scan *scan, struct directive *directive) {
    ARENA_PUSH(scan->t->arena, scan->directives, scan->count, *directive);
}

static void scan_pragma(struct scan *scan, unsigned begin) {
    advance(scan);
    if (!on_this_line(scan) || !at(scan, "orrery")) {
        skip_line(scan);
        return;
    }
    struct directive directive = {.file = scan->file, .word = scan->token};
    unsigned end = scan->token.end;
    advance(scan);
    if (on_this_line(scan)) {
        directive.word = scan->token;
        end = scan->token.end;
        advance(scan);
    }
    for (; on_this_line(scan); advance(scan)) {
        ARENA_PUSH(scan->t->arena, directive.tokens, directive.ntokens, scan->token);
        end = scan->token.end;
    }
    directive.range = pragma_range(scan->t, scan->file, begin, line_end(scan, end));
    push(scan, &directive);
}

/* Any line that begins with `#`. */
static void scan_directive(struct scan *scan) {
    unsigned begin = scan->token.begin;
    advance(scan);
    if (!on_this_line(scan))
        return;
    if (at(scan, "pragma"))
        scan_pragma(scan, begin);
    else if (at(scan, "define"))
        scan_define(scan);
    else
        skip_line(scan);
}

/* Tokens up to the parenthesis that closes the one at hand. */
static unsigned take_arguments(struct scan *scan, struct directive *directive) {
    unsigned end = scan->token.end;
    int depth = 1;
    for (advance(scan); scan->more; advance(scan)) {
        depth += at(scan, "(") - at(scan, ")");
        end = scan->token.end;
        if (depth == 0) {
            advance(scan);
            return end;
        }
        ARENA_PUSH(scan->t->arena, directive->tokens, directive->ntokens, scan->token);
    }
    return end;
}

static void scan_macro(struct scan *scan) {
    struct directive directive = {.file = scan->file, .word = scan->token};
    unsigned end = scan->token.end;
    advance(scan);
    if (token_is(scan->text, &directive.word, "ORRERY_PARALLEL") && at(scan, "("))
        end = take_arguments(scan, &directive);
    directive.range = pragma_range(scan->t, scan->file, directive.word.begin, end);
    push(scan, &directive);
}

/* The words of _Pragma's string, which has no prefix and no escapes, as a directive. */
static void take_string(struct scan *scan, struct directive *directive) {
    struct lexer lexer = lex_open(scan->text, scan->token.begin + 1, scan->token.end - 1);
    struct token token;
    lex_next(&lexer, &directive->word);
    if (lex_next(&lexer, &token))
        directive->word = token;
    while (lex_next(&lexer, &token))
        ARENA_PUSH(scan->t->arena, directive->tokens, directive->ntokens, token);
}

/* _Pragma("orrery ..."), written in the text. */
static void scan_operator(struct scan *scan) {
    struct directive directive = {.file = scan->file};
    struct token pragma = scan->token;
    advance(scan);
    if (!at(scan, "("))
        return;
    advance(scan);
    if (!scan->more || !string_mentions(scan))
        return;
    struct token string = scan->token;
    size_t length = string.end - string.begin;
    if (scan->text[string.begin] != '"' || memchr(scan->text + string.begin, '\\', length)) {
        refuse_macro(scan, pragma);
        return;
    }
    take_string(scan, &directive);
    advance(scan);
    if (!at(scan, ")"))
        return;
    directive.range = pragma_range(scan->t, scan->file, pragma.begin, scan->token.end);
    advance(scan);
    push(scan, &directive);
}

/* The use of a macro that marks: in the main file its text may take its place (expand.c). */
static void scan_marker(struct scan *scan) {
    struct macro macro;
    bool main_file = scan->file == scan->t->unit->main_file;
    bool used = !main_file || door_macro_at(scan->t->door, scan->token.begin, &macro);
    if (used && main_file)
        ARENA_PUSH(scan->t->arena, scan->t->marks, scan->t->nmarks, scan->token.begin);
    if (used)
        refuse_macro(scan, scan->token);
    advance(scan);
}

static void load_skipped(struct scan *scan) {
    unsigned range[2];
    for (int i = 0; door_skipped(scan->t->door, scan->file, i, &range[0], &range[1]); ++i) {
        scan->skipped =
            arena_grow(scan->t->arena, scan->skipped, scan->nskipped, sizeof *scan->skipped);
        memcpy(scan->skipped[scan->nskipped++], range, sizeof range);
    }
}

/* A directive binds to what follows it:
 * the token at hand when no further directive came between. */
static void note_next(struct scan *scan, int from) {
    for (int i = from; i < scan->count; ++i) {
        scan->directives[i].has_next = scan->more;
        scan->directives[i].next = scan->token.begin;
        scan->directives[i].next_end = scan->token.end;
    }
}

static struct scan scan_open(struct translator *t, int file, struct markers *markers) {
    const struct source_file *source = door_file(t->door, file);
    struct scan scan = {.t = t, .file = file, .text = source->text, .markers = markers};
    scan.lexer = lex_open(source->text, 0, (unsigned)source->size);
    load_skipped(&scan);
    advance(&scan);
    return scan;
}

void pragma_scan_markers(struct translator *t, int file, struct markers *markers) {
    struct scan scan = scan_open(t, file, markers);
    while (scan.more) {
        bool directive = scan.token.line_start && at(&scan, "#");
        advance(&scan);
        if (directive && on_this_line(&scan) && at(&scan, "define"))
            scan_define(&scan);
    }
}

int pragma_scan(struct translator *t, int file, struct markers *markers,
                struct directive **directives) {
    struct scan scan = scan_open(t, file, markers);
    int pending = 0;
    while (scan.more) {
        if (scan.token.line_start && at(&scan, "#")) {
            scan_directive(&scan);
        } else if (is_macro_name(&scan)) {
            scan_macro(&scan);
        } else if (at(&scan, "_Pragma")) {
            note_next(&scan, pending);
            pending = scan.count;
            scan_operator(&scan);
        } else {
            note_next(&scan, pending);
            pending = scan.count;
            if (is_marker(&scan))
                scan_marker(&scan);
            else
                advance(&scan);
        }
    }
    *directives = scan.directives;
    return scan.count;
}
