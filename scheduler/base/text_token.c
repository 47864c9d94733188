/* C's tokens as an emitter needs them: directives are one, punctuators have one byte. */
#include "scheduler/base/text.h"

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

struct token token_next(struct token_scan *scan) {
    struct lexer lexer = {scan->source, (unsigned)scan->at, (unsigned)scan->end, scan->line_start};
    struct token token;
    bool more = lex_next(&lexer, &token);
    if (more && token.line_start && scan->source[token.begin] == '#') {
        lexer.at = token.begin;
        lex_directive(&lexer);
        token.kind = TOKEN_DIRECTIVE;
    } else if (token.kind == TOKEN_PUNCTUATOR) {
        lexer.at = token.begin + 1;
    }
    token.end = lexer.at;
    scan->at = lexer.at;
    scan->line_start = lexer.line_start;
    return token;
}

bool token_spells(const struct token_scan *scan, struct token token, const char *word) {
    return token_is(scan->source, &token, word);
}

bool token_uses(const char *source, const char *word) {
    struct token_scan scan = token_scan_start(source, 0, strlen(source));
    bool member = false, minus = false;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.kind == TOKEN_NAME && !member && token_spells(&scan, t, word))
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

bool text_follows_directive(const struct unit *unit, const struct range *range) {
    const char *text = unit->files[unit->main_file].text;
    size_t at = range->begin.offset;
    while (at > 0 && strchr(" \t\r\n", text[at - 1]))
        --at;
    size_t begin = at;
    while (begin > 0 && text[begin - 1] != '\n')
        --begin;
    begin += strspn(text + begin, " \t");
    return begin < at && (text[begin] == '#' || strncmp(text + begin, "_Pragma", 7) == 0);
}
