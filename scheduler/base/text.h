/*
 * Text being made: a growing buffer, a list of edits over a source text, and C's tokens as far as
 * an emitter needs them. Knows nothing of loops.
 */
#ifndef ORRERY_SCHEDULER_TEXT_H
#define ORRERY_SCHEDULER_TEXT_H

#include "analyzer/analyzer.h"

#include <stdarg.h>
#include <stdbool.h>

/* `bytes` is always NUL-terminated. `lines`: newlines so far. */
struct text {
    struct arena *arena;
    char *bytes;
    size_t length, capacity;
    int lines;
};

void text_start(struct text *text, struct arena *arena);
void text_append(struct text *text, const char *bytes, size_t length);
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprint(struct text *text, const char *format, va_list arguments);

/* `bytes` as the inside of a C string literal, or of a comment, which it neither ends nor begins. */
const char *text_escape(struct arena *arena, const char *bytes);

/*
 * Replacements of [begin, end) of one source text by `with`; begin == end inserts. Added in any
 * order; an edit inside of another one is dropped, an edit that cuts another one is an error.
 */
struct text_edit {
    size_t begin, end;
    const char *with;
    int order;
};

struct text_edits {
    struct arena *arena;
    int count;
    struct text_edit *items;
};

void text_edit_add(struct text_edits *edits, size_t begin, size_t end, const char *with);

/* No two edits of the text from `begin` to `end` overlap, and none crosses its ends. */
bool text_edits_fit(struct text_edits *edits, size_t begin, size_t end);

/*
 * Bytes [begin, end) of `source` with those edits that lie inside, appended to `out`. An edit that
 * swallows line ends gives them back behind its replacement, so that lines keep their numbers.
 * Returns false when two edits cut each other or the border.
 */
bool text_edits_apply(struct text_edits *edits, const char *source, size_t begin, size_t end,
                      bool keep_lines, struct text *out);

/*
 * A scan over [at, end) of `source`, behind a byte order mark. `line_start`: nothing but blanks
 * stood before on this line. DIRECTIVE: from `#` to the end of the logical line; punctuators are
 * one byte each. A file's end is TOKEN_END.
 */
struct token_scan {
    const char *source;
    size_t at, end;
    bool line_start;
};

struct token_scan token_scan_start(const char *source, size_t begin, size_t end);
struct token token_next(struct token_scan *scan);
bool token_spells(const struct token_scan *scan, struct token token, const char *word);

/* True when identifier `word` is a token of `source`
 * (NUL-terminated) and not behind `.` or `->`. */
bool token_uses(const char *source, const char *word);

/* In the main file a directive, or _Pragma, stands on the last line in front of `range`. */
bool text_follows_directive(const struct unit *unit, const struct range *range);

/* The word after the `#` of a directive ("define", "if"), and the word after that, or "". */
const char *token_directive_name(struct arena *arena, const char *source, struct token token);
const char *token_directive_word(struct arena *arena, const char *source, struct token token);

/* ---- text_names.c ---- */

/* `begin` and `end`, and a number where the file uses that name. */
const char *text_new_name(const struct unit *unit, const char *begin, const char *end);

/* "word_", or with a number where names or macros of the file begin so: what new names begin with. */
const char *text_new_prefix(const struct unit *unit, const char *word);

#endif
