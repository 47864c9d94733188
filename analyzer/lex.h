/* C tokens of a text that nobody preprocesses. */
#ifndef ORRERY_ANALYZER_LEX_H
#define ORRERY_ANALYZER_LEX_H

#include <ctype.h>
#include <stdbool.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING, /* prefix included */
    TOKEN_CHAR,
    TOKEN_PUNCTUATOR,
    TOKEN_DIRECTIVE /* of who calls lex_directive */
};

/* Bytes [begin, end) of the text. `line_start`: the first token of its logical line. */
struct token {
    enum token_kind kind;
    unsigned begin, end;
    bool line_start;
};

struct lexer {
    const char *text;
    unsigned at, limit;
    bool line_start;
};

static inline bool lex_is_name_byte(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* A lexer over [begin, end) of `text`; begin must be between two tokens. */
struct lexer lex_open(const char *text, unsigned begin, unsigned end);

/* The next token; false (and TOKEN_END) at the end. Comments and line splices are skipped. */
bool lex_next(struct lexer *lexer, struct token *token);

/* On to the end of the logical line that a directive ends with; block comments may hold line ends. */
void lex_directive(struct lexer *lexer);

bool token_is(const char *text, const struct token *token, const char *spelling);

/* Brackets of all three kinds close in order within [begin, end). */
bool lex_balanced(const char *text, unsigned begin, unsigned end);

#endif
