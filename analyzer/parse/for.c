#include "analyzer/parse/private.h"

#include <string.h>

/*
 * The header of a `for` in the text: offsets of its two semicolons and one past its closing
 * parenthesis. libclang leaves absent parts out of the children, so they are told apart by where
 * they stand. `found` is false when the header comes out of a macro or holds one that hides them.
 */
struct header {
    bool found;
    unsigned semicolons[2], end;
};

static bool header_scan(const char *text, struct lexer *lexer, struct header *header) {
    struct token token;
    int depth = 0, nsemicolons = 0;
    while (lex_next(lexer, &token)) {
        char c = token.kind == TOKEN_PUNCTUATOR ? text[token.begin] : '\0';
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (c == ';' && depth == 1 && nsemicolons < 2)
            header->semicolons[nsemicolons] = token.begin;
        nsemicolons += c == ';' && depth == 1;
        if (depth == 0) {
            header->end = token.end;
            return c == ')' && nsemicolons == 2;
        }
    }
    return false;
}

static struct header header_find(struct translator *t, struct span span) {
    struct header header = {0};
    if (span.file < 0 || (!span.direct && span.file == t->unit->main_file))
        return header;
    const struct source_file *file = door_file(t->door, span.file);
    struct lexer lexer = lex_open(file->text, span.begin, (unsigned)file->size);
    struct token token;
    if (!lex_next(&lexer, &token) || !token_is(file->text, &token, "for"))
        return header;
    header.found = header_scan(file->text, &lexer, &header);
    return header;
}

/* Nodes of the three parts of a header; kind NODE_NONE where a part is absent. */
struct parts {
    struct node init, cond, next;
    bool sure;
};

static struct parts parts_of(struct translator *t, const struct header *header, struct span span,
                             const struct node *children, int count) {
    struct parts parts = {.sure = true};
    if (count == 4) {
        parts.init = children[0];
        parts.cond = children[1];
        parts.next = children[2];
        return parts;
    }
    for (int i = 0; i + 1 < count && header->found; ++i) {
        struct span at = node_span(t->door, children[i]);
        if (at.file != span.file)
            parts.sure = false;
        struct node *part = at.expansion < header->semicolons[0]   ? &parts.init
                            : at.expansion < header->semicolons[1] ? &parts.cond
                                                                   : &parts.next;
        parts.sure &= part->kind == NODE_NONE;
        *part = children[i];
    }
    parts.sure &= header->found || count == 1;
    return parts;
}

static struct stmt *init_make(struct translator *t, struct node node) {
    if (node.kind == NODE_NONE)
        return NULL;
    return parse_stmt_make(t, node);
}

static struct loop *loop_new(struct translator *t, enum loop_form form, const char *why_not) {
    static const enum stmt_kind kinds[] = {STMT_FOR, STMT_WHILE, STMT_DO};
    struct loop *loop = arena_alloc(t->arena, sizeof *loop);
    loop->form = form;
    loop->stmt = arena_alloc(t->arena, sizeof *loop->stmt);
    loop->stmt->kind = kinds[form];
    loop->stmt->loop = loop;
    loop->function = t->function;
    loop->parent = t->loop;
    loop->depth = t->loop ? t->loop->depth + 1 : 1;
    loop->why_not = why_not;
    loop->id = t->unit->nloops;
    ARENA_PUSH(t->arena, t->unit->loops, t->unit->nloops, loop);
    ARENA_PUSH(t->arena, t->bodies, t->nbodies, (struct body_ids){0});
    return loop;
}

/* The parts as far as they are known; unclear ones are spoilt and make the header unknown. */
static void header_make(struct translator *t, struct loop *loop, const struct parts *parts,
                        const struct node *children, int count) {
    if (parts->sure) {
        loop->init = init_make(t, parts->init);
        loop->cond = parts->cond.kind ? parse_expr_make(t, parts->cond) : NULL;
        loop->next = parts->next.kind ? parse_expr_make(t, parts->next) : NULL;
        return;
    }
    loop->why_not = "its header comes out of a macro and parts of it are left out";
    for (int i = 0; i + 1 < count; ++i)
        loop->cond = node_is_expression(children[i])
                         ? parse_expr_unknown(t, children[i], "a part of a loop's header")
                         : loop->cond;
    for (int i = 0; i + 1 < count; ++i)
        if (!node_is_expression(children[i]))
            loop->init = parse_stmt_make(t, children[i]);
}

static void header_place(struct translator *t, struct loop *loop, const struct header *header,
                         struct span span) {
    loop->header = parse_place_range(t, span);
    loop->header.exact = false;
    if (!header->found)
        return;
    loop->header.end = parse_place_loc(t, span.file, header->end);
    loop->header.exact = span.direct;
}

/*
 * A header that comes whole out of a macro: the use begins the loop in the text when the macro's
 * replacement begins with `for`.
 */
static bool begins_with_for(struct translator *t, struct node node, struct span span) {
    if (span.direct || !span.whole || span.begin != span.expansion ||
        span.file != t->unit->main_file)
        return false;
    const char *first = node_macro_begin(t->door, node);
    return first && strcmp(first, "for") == 0;
}

static const char *inside_words(struct translator *t) {
    return t->inside ? arena_printf(t->arena, "it stands inside %s", t->inside) : NULL;
}

static struct stmt *body_make(struct translator *t, struct loop *loop, struct node node) {
    t->bodies[loop->id].first = t->unit->nexprs;
    struct stmt *body = parse_stmt_make(t, node);
    t->bodies[loop->id].last = t->unit->nexprs;
    return body;
}

/* Behind one macro's use that begins at `at`; the token that follows. */
static unsigned use_end(const struct source_file *file, unsigned at, struct token *next) {
    struct lexer lexer = lex_open(file->text, at, (unsigned)file->size);
    int depth = 0;
    unsigned end = at;
    if (lex_next(&lexer, next))
        end = next->end;
    while (lex_next(&lexer, next) && (depth > 0 || token_is(file->text, next, "("))) {
        depth += token_is(file->text, next, "(") - token_is(file->text, next, ")");
        end = next->end;
        if (depth == 0) {
            lex_next(&lexer, next);
            break;
        }
    }
    return end;
}

/* Where the body begins: behind the header, or behind the macro's use that it comes out of. */
static unsigned body_begin(const struct source_file *file, const struct loop *loop) {
    struct token token = {0};
    if (!loop->header.exact) {
        use_end(file, loop->stmt->range.begin.offset, &token);
        return token.begin;
    }
    struct lexer lexer = lex_open(file->text, loop->header.end.offset, (unsigned)file->size);
    return lex_next(&lexer, &token) ? token.begin : 0;
}

/*
 * A body that is one macro's use and no more: the use is its text. What else comes out of it, and
 * stands behind the loop, takes that away again (parse_place_separate, parse_place_cut).
 */
static bool is_one_use(const struct source_file *file, const struct range *range, unsigned begin) {
    struct token next = {0};
    unsigned end = use_end(file, begin, &next);
    return range->end.offset == end ||
           (token_is(file->text, &next, ";") && range->end.offset == next.end);
}

static void accept_body(struct translator *t, struct loop *loop, struct node node) {
    struct span span = node_span(t->door, node);
    struct range *range = &loop->body->range;
    if (range->exact || span.direct || !span.whole || span.file != t->unit->main_file)
        return;
    const struct source_file *file = door_file(t->door, span.file);
    unsigned begin = body_begin(file, loop);
    if (begin == span.begin && begin == span.expansion && is_one_use(file, range, begin))
        range->exact = node_macro_balanced(t->door, node);
    if (!range->exact)
        parse_place_lead(t, loop->body, node, begin);
}

struct stmt *parse_for_make(struct translator *t, struct node node) {
    struct node *children;
    int count = node_children(t->door, node, &children);
    struct span span = node_span(t->door, node);
    struct header header = header_find(t, span);
    struct loop *loop = loop_new(t, LOOP_FOR, inside_words(t));
    t->loop = loop;
    struct parts parts = parts_of(t, &header, span, children, count);
    header_make(t, loop, &parts, children, count);
    loop->body = body_make(t, loop, children[count - 1]);
    t->loop = loop->parent;
    header_place(t, loop, &header, span);
    parse_place_stmt(t, loop->stmt, node, false);
    accept_body(t, loop, children[count - 1]);
    parse_place_extend(t, loop->stmt, loop->body);
    if (begins_with_for(t, node, span))
        parse_place_accept(t, loop->stmt);
    return loop->stmt;
}

/* Behind the parenthesis that stands next, if one does. */
static struct loc closing_after(struct translator *t, struct loc at) {
    const struct source_file *file = door_file(t->door, at.file);
    struct lexer lexer = lex_open(file->text, at.offset, (unsigned)file->size);
    struct token token;
    bool closes = lex_next(&lexer, &token) && token_is(file->text, &token, ")");
    return closes ? parse_place_loc(t, at.file, token.end) : at;
}

struct stmt *parse_while_make(struct translator *t, struct node node, const struct node *children) {
    struct loop *loop = loop_new(t, LOOP_WHILE, inside_words(t));
    struct stmt *stmt = loop->stmt;
    t->loop = loop;
    stmt->expr = loop->cond = parse_expr_make(t, children[0]);
    stmt->then = loop->body = body_make(t, loop, children[1]);
    t->loop = loop->parent;
    parse_place_parts(t, stmt, children + 1, node);
    parse_place_stmt(t, stmt, node, false);
    parse_place_extend(t, stmt, stmt->then);
    loop->header = stmt->range;
    if (loop->cond->range.begin.file == stmt->range.begin.file)
        loop->header.end = closing_after(t, loop->cond->range.end);
    return stmt;
}

struct stmt *parse_do_make(struct translator *t, struct node node, const struct node *children) {
    struct loop *loop = loop_new(t, LOOP_DO, inside_words(t));
    struct stmt *stmt = loop->stmt;
    t->loop = loop;
    stmt->then = loop->body = body_make(t, loop, children[0]);
    stmt->expr = loop->cond = parse_expr_make(t, children[1]);
    t->loop = loop->parent;
    parse_place_stmt(t, stmt, node, true);
    parse_place_cut(loop->body, &loop->cond->range);
    loop->header = stmt->range;
    loop->header.end = parse_place_loc(t, stmt->range.begin.file, stmt->range.begin.offset + 2);
    return stmt;
}

void parse_for_hidden(struct translator *t, struct node node, const char *words) {
    struct loop *loop = loop_new(t, LOOP_FOR, arena_printf(t->arena, "it %s", words));
    loop->body = arena_alloc(t->arena, sizeof *loop->body);
    loop->body->kind = STMT_UNKNOWN;
    loop->body->text = "something that is not understood";
    loop->header = parse_place_range(t, node_span(t->door, node));
    loop->stmt->range = loop->body->range = loop->header;
}
