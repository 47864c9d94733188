#include "analyzer/parse/private.h"

#include <string.h>

const char *parse_place_text(struct translator *t, int file) {
    return door_file(t->door, file)->text;
}

static struct line_table table_of(struct translator *t, int file) {
    struct line_table table = {0};
    const struct source_file *source = door_file(t->door, file);
    ARENA_PUSH(t->arena, table.starts, table.count, 0);
    for (size_t i = 0; i < source->size; ++i)
        if (source->text[i] == '\n')
            ARENA_PUSH(t->arena, table.starts, table.count, (unsigned)i + 1);
    return table;
}

static const struct line_table *lines_of(struct translator *t, int file) {
    while (t->nlines <= file)
        ARENA_PUSH(t->arena, t->lines, t->nlines, (struct line_table){0});
    if (!t->lines[file].count)
        t->lines[file] = table_of(t, file);
    return &t->lines[file];
}

struct loc parse_place_loc(struct translator *t, int file, unsigned offset) {
    struct loc loc = {.file = file, .offset = offset};
    if (file < 0)
        return loc;
    const struct line_table *table = lines_of(t, file);
    int low = 0, high = table->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (table->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    loc.line = low + 1;
    loc.column = (int)(offset - table->starts[low]) + 1;
    return loc;
}

struct range parse_place_range(struct translator *t, struct span span) {
    bool main_file = span.file == t->unit->main_file;
    struct range range = {.in_macro = !span.direct && (main_file || span.expansion != span.begin)};
    range.begin = parse_place_loc(t, span.file, span.begin);
    range.end = parse_place_loc(t, span.file, span.end);
    return range;
}

void parse_place_expr(struct translator *t, struct expr *expr, struct node node, bool tail) {
    struct span span = node_span(t->door, node);
    expr->range = parse_place_range(t, span);
    while (t->ntails <= expr->id)
        ARENA_PUSH(t->arena, t->tails, t->ntails, false);
    t->tails[expr->id] = tail && span.direct && span.whole;
    expr->range.exact = t->tails[expr->id];
    for (int i = 0; i < expr->nargs && expr->args; ++i)
        expr->range.in_macro |= expr->args[i] && expr->args[i]->range.in_macro;
    if (!span.direct && span.whole && span.file >= 0 && span.end > span.begin &&
        (span.expansion != span.begin || span.file != t->unit->main_file))
        ARENA_PUSH(t->arena, t->arguments, t->narguments, expr);
}

static bool ends_a_statement(struct translator *t, const struct range *range) {
    if (range->begin.file < 0 || range->end.offset <= range->begin.offset)
        return false;
    const char *text = parse_place_text(t, range->begin.file);
    char last = text[range->end.offset - 1];
    return (last == ';' || last == '}') &&
           lex_balanced(text, range->begin.offset, range->end.offset);
}

/*
 * The end of a statement with its semicolon, or `span->end` where there is none. Where its last
 * token is a macro's argument, the parentheses of the macro's uses are closed before.
 */
static unsigned statement_end(const struct source_file *file, const struct span *span) {
    struct lexer lexer = lex_open(file->text, span->end, (unsigned)file->size);
    struct token token;
    bool closing = false;
    while (lex_next(&lexer, &token)) {
        if (token_is(file->text, &token, ";"))
            return !closing || lex_balanced(file->text, span->begin, token.end) ? token.end
                                                                                : span->end;
        if (!token_is(file->text, &token, ")"))
            break;
        closing = true;
    }
    return span->end;
}

void parse_place_stmt(struct translator *t, struct stmt *stmt, struct node node, bool semicolon) {
    struct span span = node_span(t->door, node);
    if (semicolon && span.file >= 0 && span.whole)
        span.end = statement_end(door_file(t->door, span.file), &span);
    stmt->range = parse_place_range(t, span);
    stmt->range.exact = span.direct && span.whole && ends_a_statement(t, &stmt->range);
}

/* Behind the first semicolon from `begin` on that no bracket holds; 0: there is none. */
static unsigned first_semicolon(const struct source_file *file, unsigned begin) {
    struct lexer lexer = lex_open(file->text, begin, (unsigned)file->size);
    struct token token;
    int depth = 0;
    while (depth >= 0 && lex_next(&lexer, &token)) {
        if (depth == 0 && token_is(file->text, &token, ";"))
            return token.end;
        char c = token.kind == TOKEN_PUNCTUATOR ? file->text[token.begin] : '\0';
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    }
    return 0;
}

void parse_place_lead(struct translator *t, struct stmt *stmt, struct node node, unsigned begin) {
    struct span span = node_span(t->door, node);
    struct range *range = &stmt->range;
    if (range->exact || !node_is_expression(node) || span.direct || !span.whole ||
        span.file != t->unit->main_file || span.expansion != begin)
        return;
    const struct source_file *file = door_file(t->door, span.file);
    if (range->end.offset != first_semicolon(file, begin) || !node_macro_balanced(t->door, node))
        return;
    range->begin = parse_place_loc(t, span.file, begin);
    range->exact = true;
}

/* Behind `word (...)` or `word`, which begins at `at`: where the next token begins. */
static unsigned behind_word(const struct source_file *file, unsigned at, bool parentheses) {
    struct lexer lexer = lex_open(file->text, at, (unsigned)file->size);
    struct token token = {0};
    int depth = 0;
    lex_next(&lexer, &token);
    while (parentheses && lex_next(&lexer, &token)) {
        depth += token_is(file->text, &token, "(") - token_is(file->text, &token, ")");
        if (depth <= 0)
            break;
    }
    return lex_next(&lexer, &token) ? token.begin : 0;
}

void parse_place_parts(struct translator *t, struct stmt *stmt, const struct node *parts,
                       struct node node) {
    struct span span = node_span(t->door, node);
    if (!span.direct || span.file != t->unit->main_file)
        return;
    const struct source_file *file = door_file(t->door, span.file);
    parse_place_lead(t, stmt->then, parts[0], behind_word(file, span.begin, true));
    if (!stmt->other || !stmt->then->range.exact)
        return;
    struct lexer lexer = lex_open(file->text, stmt->then->range.end.offset, (unsigned)file->size);
    struct token token;
    if (lex_next(&lexer, &token) && token_is(file->text, &token, "else"))
        parse_place_lead(t, stmt->other, parts[1], behind_word(file, token.begin, false));
}

void parse_place_extend(struct translator *t, struct stmt *stmt, const struct stmt *last) {
    if (!last)
        return;
    if (last->range.end.file == stmt->range.begin.file &&
        last->range.end.offset > stmt->range.begin.offset)
        stmt->range.end = last->range.end;
    bool direct = stmt->range.begin.file == t->unit->main_file && !stmt->range.in_macro;
    const char *text = direct ? parse_place_text(t, t->unit->main_file) : NULL;
    stmt->range.exact = direct && (last->range.exact ? lex_balanced(text, stmt->range.begin.offset,
                                                                    last->range.begin.offset)
                                                     : ends_a_statement(t, &stmt->range));
}

void parse_place_accept(struct translator *t, struct stmt *stmt) {
    stmt->range.exact = ends_a_statement(t, &stmt->range);
}

/* The last part of a statement loses its exactness with the whole, and so on inwards. */
static void blur(struct stmt *stmt) {
    while (stmt) {
        stmt->range.exact = false;
        stmt = stmt->kind == STMT_FOR ? stmt->loop->body : stmt->other ? stmt->other : stmt->then;
    }
}

void parse_place_cut(struct stmt *stmt, const struct range *next) {
    if (next->begin.file == stmt->range.begin.file && next->begin.offset < stmt->range.end.offset)
        blur(stmt);
}

void parse_place_separate(struct stmt **body, int count) {
    for (int i = 0; i + 1 < count; ++i) {
        const struct range *a = &body[i]->range, *b = &body[i + 1]->range;
        if (a->begin.file == b->begin.file && b->begin.offset < a->end.offset) {
            blur(body[i]);
            blur(body[i + 1]);
        }
    }
}

/* ---- macro arguments */

static bool next_but_parentheses(struct lexer *lexer, struct token *token) {
    while (lex_next(lexer, token))
        if (!token_is(lexer->text, token, "(") && !token_is(lexer->text, token, ")"))
            return true;
    return false;
}

/* The text between two offsets has the tokens of `printed`, parentheses apart. */
static bool same_tokens(const char *text, unsigned begin, unsigned end, const char *printed) {
    struct lexer a = lex_open(text, begin, end);
    struct lexer b = lex_open(printed, 0, (unsigned)strlen(printed));
    struct token ta, tb;
    for (;;) {
        bool more_a = next_but_parentheses(&a, &ta), more_b = next_but_parentheses(&b, &tb);
        if (!more_a || !more_b)
            return more_a == more_b;
        if (ta.end - ta.begin != tb.end - tb.begin ||
            memcmp(text + ta.begin, printed + tb.begin, ta.end - ta.begin) != 0)
            return false;
    }
}

/* A comma outside of brackets: then the text is more than one macro argument. */
static bool has_outer_comma(const char *text, unsigned begin, unsigned end) {
    struct lexer lexer = lex_open(text, begin, end);
    struct token token;
    int depth = 0;
    while (lex_next(&lexer, &token)) {
        if (token.kind != TOKEN_PUNCTUATOR)
            continue;
        char c = text[token.begin];
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (depth == 0 && token_is(text, &token, ","))
            return true;
    }
    return false;
}

static bool spells(struct translator *t, const struct expr *expr) {
    const char *text = parse_place_text(t, expr->range.begin.file);
    unsigned begin = expr->range.begin.offset, end = expr->range.end.offset;
    return lex_balanced(text, begin, end) && !has_outer_comma(text, begin, end) &&
           same_tokens(text, begin, end, expr_print(t->arena, expr));
}

/* A key for the map that is the same for equal places only (files below 4 GiB, as clang's). */
static const void *place_key(const struct expr *expr) {
    return (const void *)(uintptr_t)(((uint64_t)(expr->range.begin.file + 1) << 56) ^
                                     ((uint64_t)expr->range.begin.offset << 28) ^
                                     expr->range.end.offset);
}

void parse_place_verify(struct translator *t) {
    struct map seen = {0};
    for (int i = 0; i < t->narguments; ++i) {
        struct expr *expr = t->arguments[i], *first = map_get(&seen, place_key(expr));
        if (first) {
            first->range.exact = false;
            continue;
        }
        map_put(t->arena, &seen, place_key(expr), expr);
        expr->range.exact = spells(t, expr);
    }
}
