/* C's tokens, as far as an emitter needs them: words, directives, and what is neither. */
#include "scheduler/base/text.h"

#include <ctype.h>
#include <string.h>

struct token_scan token_scan_start(const char *source, size_t begin, size_t end) {
    size_t at = begin;
    while (at > 0 && (source[at - 1] == ' ' || source[at - 1] == '\t'))
        --at;
    bool first = at == 0 || source[at - 1] == '\n';
    if (begin == 0 && end >= 3 && memcmp(source, "\xef\xbb\xbf", 3) == 0)
        begin = 3;
    return (struct token_scan){source, begin, end, first};
}

static char peek(const struct token_scan *scan, size_t ahead) {
    return scan->at + ahead < scan->end ? scan->source[scan->at + ahead] : 0;
}

/* Length of a backslash and the end of its line, which compilers see through blanks; or 0. */
static size_t splice(const struct token_scan *scan) {
    size_t length = 1;
    if (peek(scan, 0) != '\\')
        return 0;
    while (peek(scan, length) && strchr(" \t\r\v\f", peek(scan, length)))
        ++length;
    return peek(scan, length) == '\n' ? length + 1 : 0;
}

static void skip_line(struct token_scan *scan) {
    while (scan->at < scan->end && peek(scan, 0) != '\n') {
        size_t length = splice(scan);
        scan->at += length ? length : 1;
    }
}

static void skip_block_comment(struct token_scan *scan) {
    scan->at += 2;
    while (scan->at < scan->end && !(peek(scan, 0) == '*' && peek(scan, 1) == '/'))
        ++scan->at;
    scan->at = scan->at + 2 < scan->end ? scan->at + 2 : scan->end;
}

static void skip_blanks(struct token_scan *scan) {
    while (scan->at < scan->end) {
        char c = peek(scan, 0);
        size_t length = splice(scan);
        if (c == '\n')
            scan->line_start = true, ++scan->at;
        else if (isspace((unsigned char)c))
            ++scan->at;
        else if (length)
            scan->at += length;
        else if (c == '/' && peek(scan, 1) == '/')
            skip_line(scan);
        else if (c == '/' && peek(scan, 1) == '*')
            skip_block_comment(scan);
        else
            return;
    }
}

static void skip_quoted(struct token_scan *scan, char quote) {
    ++scan->at;
    while (scan->at < scan->end && peek(scan, 0) != quote && peek(scan, 0) != '\n') {
        size_t length = splice(scan);
        bool escapes = peek(scan, 0) == '\\' && scan->at + 1 < scan->end;
        scan->at += length ? length : escapes ? 2 : 1;
    }
    scan->at += peek(scan, 0) == quote;
}

/* The end of a directive's logical line; block comments in it may hold line ends. */
static void skip_directive(struct token_scan *scan) {
    while (scan->at < scan->end && peek(scan, 0) != '\n') {
        char c = peek(scan, 0);
        size_t length = splice(scan);
        if (c == '/' && peek(scan, 1) == '*')
            skip_block_comment(scan);
        else if (c == '/' && peek(scan, 1) == '/')
            skip_line(scan);
        else if (c == '"')
            skip_quoted(scan, c);
        else
            scan->at += length ? length : 1;
    }
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

/* C23: 1'000'000 is one number. */
static bool is_separator(const struct token_scan *scan) {
    return peek(scan, 0) == '\'' && isalnum((unsigned char)peek(scan, 1));
}

static enum token_kind skip_token(struct token_scan *scan, bool line_start) {
    char c = peek(scan, 0);
    if (c == '#' && line_start) {
        skip_directive(scan);
        return TOKEN_DIRECTIVE;
    }
    if (c == '"' || c == '\'') {
        skip_quoted(scan, c);
        return TOKEN_STRING;
    }
    if (is_word(c)) {
        bool number = isdigit((unsigned char)c);
        while (is_word(peek(scan, 0)) || (number && (peek(scan, 0) == '.' || is_separator(scan))))
            ++scan->at;
        return number ? TOKEN_NUMBER : TOKEN_WORD;
    }
    ++scan->at;
    return TOKEN_MARK;
}

struct token token_next(struct token_scan *scan) {
    skip_blanks(scan);
    struct token token = {TOKEN_END, scan->at, scan->at};
    if (scan->at >= scan->end)
        return token;
    bool line_start = scan->line_start;
    scan->line_start = false;
    token.kind = skip_token(scan, line_start);
    token.end = scan->at;
    return token;
}

bool token_spells(const struct token_scan *scan, struct token token, const char *word) {
    return token.end - token.begin == strlen(word) &&
           memcmp(scan->source + token.begin, word, strlen(word)) == 0;
}

bool token_uses(const char *source, const char *word) {
    struct token_scan scan = token_scan_start(source, 0, strlen(source));
    bool member = false, minus = false;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.kind == TOKEN_WORD && !member && token_spells(&scan, t, word))
            return true;
        member = token_spells(&scan, t, ".") || (minus && token_spells(&scan, t, ">"));
        minus = token_spells(&scan, t, "-");
    }
    return false;
}

/* The `index`-th word of a directive, counted after its `#`. */
static const char *directive_word(struct arena *arena, const char *source, struct token token,
                                  int index) {
    struct token_scan scan = token_scan_start(source, token.begin + 1, token.end);
    scan.line_start = false;
    struct token word = token_next(&scan);
    while (index-- > 0)
        word = token_next(&scan);
    return arena_strndup(arena, source + word.begin, word.end - word.begin);
}

const char *token_directive_name(struct arena *arena, const char *source, struct token token) {
    return directive_word(arena, source, token, 0);
}

const char *token_directive_word(struct arena *arena, const char *source, struct token token) {
    return directive_word(arena, source, token, 1);
}
