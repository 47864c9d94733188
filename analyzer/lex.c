#include "analyzer/lex.h"

#include <ctype.h>
#include <string.h>

struct lexer lex_open(const char *text, unsigned begin, unsigned end) {
    bool mark = begin == 0 && end >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    return (struct lexer){.text = text, .at = mark ? 3 : begin, .limit = end, .line_start = true};
}

static char peek(const struct lexer *lexer, unsigned ahead) {
    return lexer->at + ahead < lexer->limit ? lexer->text[lexer->at + ahead] : '\0';
}

/* Length of a backslash-newline at hand, 0 when there is none;
 * compilers let blanks stand between. */
static unsigned splice(const struct lexer *lexer) {
    unsigned length = 1;
    if (peek(lexer, 0) != '\\')
        return 0;
    while (peek(lexer, length) && strchr(" \t\r\v\f", peek(lexer, length)))
        ++length;
    return peek(lexer, length) == '\n' ? length + 1 : 0;
}

static void skip_line_comment(struct lexer *lexer) {
    while (lexer->at < lexer->limit && peek(lexer, 0) != '\n') {
        unsigned length = splice(lexer);
        lexer->at += length ? length : 1;
    }
}

static void skip_block_comment(struct lexer *lexer) {
    lexer->at += 2;
    while (lexer->at < lexer->limit && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/'))
        ++lexer->at;
    lexer->at = lexer->at + 2 < lexer->limit ? lexer->at + 2 : lexer->limit;
}

static void skip_blanks(struct lexer *lexer) {
    while (lexer->at < lexer->limit) {
        char c = peek(lexer, 0);
        unsigned length = splice(lexer);
        if (length) {
            lexer->at += length;
        } else if (isspace((unsigned char)c)) {
            lexer->line_start |= c == '\n';
            ++lexer->at;
        } else if (c == '/' && peek(lexer, 1) == '/') {
            skip_line_comment(lexer);
        } else if (c == '/' && peek(lexer, 1) == '*') {
            skip_block_comment(lexer);
        } else {
            return;
        }
    }
}

static bool is_name_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static void take_quoted(struct lexer *lexer, char quote) {
    ++lexer->at;
    while (lexer->at < lexer->limit && peek(lexer, 0) != quote && peek(lexer, 0) != '\n') {
        unsigned length = splice(lexer);
        lexer->at += length ? length : peek(lexer, 0) == '\\' ? 2 : 1;
    }
    if (lexer->at < lexer->limit && peek(lexer, 0) == quote)
        ++lexer->at;
    if (lexer->at > lexer->limit)
        lexer->at = lexer->limit;
}

static void take_number(struct lexer *lexer) {
    while (lexer->at < lexer->limit) {
        char c = peek(lexer, 0), next = peek(lexer, 1);
        bool exponent = strchr("eEpP", c) && c && (next == '+' || next == '-');
        if (exponent || (c == '\'' && isalnum((unsigned char)next)))
            lexer->at += 2;
        else if (is_name_byte(c) || c == '.')
            ++lexer->at;
        else
            return;
    }
}

/* Of the longest punctuator at hand. */
static unsigned punctuator_length(const struct lexer *lexer) {
    char a = peek(lexer, 0), b = peek(lexer, 1), c = peek(lexer, 2);
    if (((a == '<' || a == '>') && b == a && c == '=') || (a == '.' && b == '.' && c == '.'))
        return 3;
    bool twice = b == a && a && strchr("+-<>&|=#", a);
    bool assigns = b == '=' && a && strchr("<>=!*/%+-&^|", a);
    return twice || assigns || (a == '-' && b == '>') ? 2 : 1;
}

/* A string or character constant, perhaps with an encoding prefix; TOKEN_END when it is neither. */
static enum token_kind quoted_kind(const struct lexer *lexer, unsigned *prefix) {
    static const char *const prefixes[] = {"", "L", "u8", "u", "U"};
    if (!strchr("\"'LuU", peek(lexer, 0)))
        return TOKEN_END;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i) {
        *prefix = (unsigned)strlen(prefixes[i]);
        if (lexer->limit - lexer->at <= *prefix ||
            memcmp(lexer->text + lexer->at, prefixes[i], *prefix) != 0)
            continue;
        char c = peek(lexer, *prefix);
        if (c == '"' || c == '\'')
            return c == '"' ? TOKEN_STRING : TOKEN_CHAR;
    }
    return TOKEN_END;
}

static enum token_kind take(struct lexer *lexer) {
    unsigned prefix;
    char c = peek(lexer, 0);
    enum token_kind quoted = quoted_kind(lexer, &prefix);
    if (quoted != TOKEN_END) {
        lexer->at += prefix;
        take_quoted(lexer, quoted == TOKEN_STRING ? '"' : '\'');
        return quoted;
    }
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(lexer, 1)))) {
        take_number(lexer);
        return TOKEN_NUMBER;
    }
    if (is_name_byte(c)) {
        while (lexer->at < lexer->limit && is_name_byte(peek(lexer, 0)))
            ++lexer->at;
        return TOKEN_NAME;
    }
    lexer->at += punctuator_length(lexer);
    return TOKEN_PUNCTUATOR;
}

bool lex_next(struct lexer *lexer, struct token *token) {
    skip_blanks(lexer);
    *token = (struct token){.begin = lexer->at, .end = lexer->at, .line_start = lexer->line_start};
    if (lexer->at >= lexer->limit)
        return false;
    token->kind = take(lexer);
    token->end = lexer->at;
    lexer->line_start = false;
    return true;
}

void lex_directive(struct lexer *lexer) {
    while (lexer->at < lexer->limit && peek(lexer, 0) != '\n') {
        char c = peek(lexer, 0);
        unsigned length = splice(lexer);
        if (c == '/' && peek(lexer, 1) == '*')
            skip_block_comment(lexer);
        else if (c == '/' && peek(lexer, 1) == '/')
            skip_line_comment(lexer);
        else if (c == '"')
            take_quoted(lexer, c);
        else
            lexer->at += length ? length : 1;
    }
}

bool token_is(const char *text, const struct token *token, const char *spelling) {
    size_t length = strlen(spelling);
    return token->end - token->begin == length &&
           memcmp(text + token->begin, spelling, length) == 0;
}

bool lex_balanced(const char *text, unsigned begin, unsigned end) {
    enum { DEEPEST = 256 };
    char open[DEEPEST];
    int depth = 0;
    struct lexer lexer = lex_open(text, begin, end);
    struct token token;
    while (lex_next(&lexer, &token)) {
        if (token.kind != TOKEN_PUNCTUATOR || token.end - token.begin != 1)
            continue;
        char c = text[token.begin];
        if (strchr("([{", c)) {
            if (depth == DEEPEST)
                return false;
            open[depth++] = c == '(' ? ')' : c == '[' ? ']' : '}';
        } else if (strchr(")]}", c) && (!depth || open[--depth] != c)) {
            return false;
        }
    }
    return depth == 0;
}
