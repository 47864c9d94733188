/*
 * Uses of macros that bring loops, or marks of loops, become the text that they stand for: one
 * layer of one use at a time, on the line where the use begins. libclang then reads that text, and
 * what it reads has to be what it read before.
 */
#include "analyzer/lex.h"
#include "analyzer/parse/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows. */
struct chars {
    int count;
    char *items;
};

/* A use under replacement: bytes [begin, end) of `text`, its definition, and its arguments, one
 * string each. */
struct use {
    struct translator *t;          /* the unit under way */
    const char *text;              /* of the file, or of the layer above */
    unsigned begin, end, name_end; /* bytes of `text`: the use, and where its name ends */
    struct macro macro;            /* its definition */
    /* the token of `macro` at which its body begins; of `params`, of `arguments` */
    int body, nparams, narguments;
    const char **params, **arguments; /* names; texts without blanks around them */
    struct chars out;                 /* what takes its place, so far */
    bool after_argument;              /* that ends with an argument */
};

static void chars_add(struct arena *arena, struct chars *chars, const char *text, size_t length) {
    for (size_t i = 0; i < length; ++i)
        ARENA_PUSH(arena, chars->items, chars->count, text[i]);
}

static const char *chars_end(struct arena *arena, const struct chars *chars) {
    return chars->count ? arena_strndup(arena, chars->items, (size_t)chars->count) : "";
}

static bool is_word(const char *token, const char *word) {
    return strcmp(token, word) == 0;
}

/* ---- the definition */

/* `name(a, b, ...)`: false where the list cannot be read. */
static bool read_params(struct use *use) {
    const struct macro *macro = &use->macro;
    int i = 2;
    use->body = 1;
    if (!macro->takes_arguments)
        return true;
    for (; i < macro->ntokens && !is_word(macro->tokens[i], ")"); ++i) {
        const char *name = is_word(macro->tokens[i], "...") ? "__VA_ARGS__" : macro->tokens[i];
        if (!is_word(name, ","))
            ARENA_PUSH(use->t->arena, use->params, use->nparams, name);
        else if (!use->nparams)
            return false;
    }
    use->body = i + 1;
    return i < macro->ntokens;
}

/* What would stand for something else the second time, or is not read here. */
static bool can_replace(const struct use *use) {
    for (int i = use->body; i < use->macro.ntokens; ++i)
        if (is_word(use->macro.tokens[i], "__VA_OPT__") ||
            is_word(use->macro.tokens[i], "__COUNTER__") ||
            is_word(use->macro.tokens[i], use->macro.tokens[0]))
            return false;
    return true;
}

/* ---- definitions that are there for one compiler only */

enum { CONDITIONALS = 64 };

/* The conditionals that are open at a place; `apart`: one of their lines tells compilers apart. */
struct conditionals {
    int depth;
    bool apart[CONDITIONALS];
};

static bool names_compiler(const char *text, const struct token *token) {
    static const char *const stems[] = {"__clang", "__GNUC", "__has_", "__llvm", "__VERSION__"};
    for (size_t i = 0; token->kind == TOKEN_NAME && i < sizeof stems / sizeof *stems; ++i)
        if (strncmp(text + token->begin, stems[i], strlen(stems[i])) == 0)
            return true;
    return false;
}

/* `#` has been read; leaves `token` at the first token of the next line. */
static bool read_directive(struct lexer *lexer, struct token *token, struct conditionals *open) {
    bool more = lex_next(lexer, token);
    const char *word = lexer->text + token->begin;
    bool opens = more && token->end - token->begin >= 2 && strncmp(word, "if", 2) == 0;
    bool closes = more && token_is(lexer->text, token, "endif");
    open->depth += opens - (closes && open->depth);
    if (opens && open->depth < CONDITIONALS)
        open->apart[open->depth] = false;
    for (bool asks = opens || strncmp(word, "el", 2) == 0; more && !token->line_start;
         more = lex_next(lexer, token))
        if (asks && open->depth < CONDITIONALS)
            open->apart[open->depth] |= names_compiler(lexer->text, token);
    return more;
}

/* Which definition counts may depend on the compiler: clang reads this one, another may not. */
static bool is_for_one_compiler(struct translator *t, const struct macro *macro) {
    const char *text = macro->file < 0 ? "" : parse_place_text(t, macro->file);
    struct lexer lexer = lex_open(text, 0, macro->file < 0 ? 0 : macro->offset);
    struct token token;
    struct conditionals open = {0};
    bool apart = macro->file < 0;
    bool more = lex_next(&lexer, &token);
    while (more)
        more = token.line_start && token_is(text, &token, "#")
                   ? read_directive(&lexer, &token, &open)
                   : lex_next(&lexer, &token);
    for (int i = 1; i <= open.depth && i < CONDITIONALS; ++i)
        apart |= open.apart[i];
    return apart || open.depth >= CONDITIONALS;
}

/* ---- the arguments */

/* Comments and ends of lines become blanks. */
static const char *plain(struct use *use, unsigned begin, unsigned end) {
    struct lexer lexer = lex_open(use->text, begin, end);
    struct token token;
    struct chars out = {0};
    unsigned last = begin;
    while (lex_next(&lexer, &token)) {
        chars_add(use->t->arena, &out, " ", out.count && token.begin > last);
        chars_add(use->t->arena, &out, use->text + token.begin, token.end - token.begin);
        last = token.end;
    }
    return chars_end(use->t->arena, &out);
}

static bool is_variadic(const struct use *use) {
    return use->nparams && is_word(use->params[use->nparams - 1], "__VA_ARGS__");
}

/* Commas that split arguments; those of the last, variable, one do not. */
static bool splits(const struct use *use, const struct token *token, int depth) {
    bool rest = is_variadic(use) && use->narguments == use->nparams - 1;
    return depth == 1 && !rest && token_is(use->text, token, ",");
}

static void push_argument(struct use *use, unsigned begin, unsigned end) {
    ARENA_PUSH(use->t->arena, use->arguments, use->narguments, plain(use, begin, end));
}

static bool read_arguments(struct use *use, unsigned limit) {
    struct lexer lexer = lex_open(use->text, use->name_end, limit);
    struct token token;
    int depth = 1;
    use->end = use->name_end;
    if (!use->macro.takes_arguments)
        return true;
    if (!lex_next(&lexer, &token) || !token_is(use->text, &token, "("))
        return false;
    unsigned begin = token.end;
    while (lex_next(&lexer, &token)) {
        if (token.line_start && token_is(use->text, &token, "#"))
            return false;
        depth += token_is(use->text, &token, "(") - token_is(use->text, &token, ")");
        if (depth == 0 || splits(use, &token, depth)) {
            push_argument(use, begin, token.begin);
            begin = token.end;
        }
        if (depth == 0) {
            use->end = token.end;
            return use->narguments == use->nparams || (use->nparams == 0 && !*use->arguments[0]);
        }
    }
    return false;
}

/* ---- the text that takes its place */

static const char *argument_of(const struct use *use, const char *token) {
    for (int i = 0; i < use->nparams; ++i)
        if (is_word(use->params[i], token))
            return use->arguments[i];
    return NULL;
}

static const char *quoted(struct use *use, const char *argument) {
    struct arena *arena = use->t->arena;
    struct chars out = {0};
    struct lexer lexer = lex_open(argument, 0, (unsigned)strlen(argument));
    struct token token;
    unsigned last = 0;
    chars_add(arena, &out, "\"", 1);
    while (lex_next(&lexer, &token)) {
        bool quotes = token.kind == TOKEN_STRING || token.kind == TOKEN_CHAR;
        chars_add(arena, &out, " ", token.begin > last);
        for (unsigned i = token.begin; i < token.end; ++i) {
            chars_add(arena, &out, "\\", quotes && strchr("\"\\", argument[i]));
            chars_add(arena, &out, argument + i, 1);
        }
        last = token.end;
    }
    chars_add(arena, &out, "\"", 1);
    return chars_end(arena, &out);
}

/* Two tokens stay two without a blank: a bracket beside anything, a name beside an operator. */
static bool stays_apart(char last, char first) {
    bool name = lex_is_name_byte(last);
    return strchr("()[];,", last) || strchr("()[];,", first) ||
           (name != lex_is_name_byte(first) && !strchr(name ? "+-.\"'" : ".", name ? first : last));
}

/* What stood together in the definition does, where an argument cannot make one token of two. */
static bool needs_blank(const struct use *use, int i, const char *word, bool argument) {
    if (!use->out.count || !*word)
        return false;
    bool as_written = !argument && !use->after_argument;
    char last = use->out.items[use->out.count - 1];
    return !use->macro.touches[i] || !(as_written || stays_apart(last, *word));
}

/* Adds the token number `i` of the definition; returns how many that took. */
static int add_token(struct use *use, int i, bool pastes) {
    const char *const *tokens = use->macro.tokens;
    bool quotes = use->macro.takes_arguments && is_word(tokens[i], "#") &&
                  i + 1 < use->macro.ntokens && argument_of(use, tokens[i + 1]);
    const char *argument = argument_of(use, tokens[i + quotes]);
    const char *word = quotes ? quoted(use, argument) : argument ? argument : tokens[i];
    chars_add(use->t->arena, &use->out, " ", !pastes && needs_blank(use, i, word, argument));
    chars_add(use->t->arena, &use->out, word, strlen(word));
    use->after_argument = argument;
    return 1 + quotes;
}

static void replace(struct use *use) {
    bool pastes = false;
    for (int i = use->body; i < use->macro.ntokens;) {
        bool joins = is_word(use->macro.tokens[i], "##");
        i += joins ? 1 : add_token(use, i, pastes);
        pastes = joins;
    }
    for (unsigned i = use->begin; i < use->end; ++i)
        chars_add(use->t->arena, &use->out, "\n", use->text[i] == '\n');
}

/* ---- which uses */

static bool is_banned(const struct expansion_round *round, const char *name) {
    for (int i = 0; i < round->nbanned; ++i)
        if (is_word(round->banned[i], name))
            return true;
    return round->single && round->count && !is_word(round->items[0].name, name);
}

static bool use_read(struct use *use, const struct source_file *file) {
    struct lexer lexer = lex_open(use->text, use->begin, (unsigned)file->size);
    struct token token;
    if (!lex_next(&lexer, &token) || token.kind != TOKEN_NAME)
        return false;
    use->name_end = token.end;
    return door_macro_at(use->t->door, use->begin, &use->macro) && read_params(use) &&
           can_replace(use) && !is_for_one_compiler(use->t, &use->macro) &&
           read_arguments(use, (unsigned)file->size);
}

static void use_add(struct translator *t, struct expansion_round *round, unsigned begin) {
    const struct source_file *file = door_file(t->door, t->unit->main_file);
    struct use use = {.t = t, .text = file->text, .begin = begin};
    for (int i = 0; i < round->count; ++i)
        if (round->items[i].begin <= begin && begin < round->items[i].end)
            return;
    if (!use_read(&use, file) || is_banned(round, use.macro.tokens[0]))
        return;
    replace(&use);
    struct replacement item = {use.begin, use.end, use.macro.tokens[0],
                               chars_end(t->arena, &use.out)};
    ARENA_PUSH(t->arena, round->items, round->count, item);
}

/* Marked loops around, whose bodies may be what they are. */
static bool is_inside_marked(const struct loop *loop) {
    for (const struct loop *outer = loop->parent; outer; outer = outer->parent)
        if (outer->pragma && outer->stmt->range.exact)
            return true;
    return false;
}

static bool wants_loop(const struct translator *t, const struct loop *loop) {
    const struct range *range = &loop->stmt->range;
    return range->begin.file == t->unit->main_file && range->in_macro && !range->exact &&
           !is_inside_marked(loop);
}

static int compare(const void *a, const void *b) {
    const struct replacement *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* ---- the whole text */

/* Where earlier replacements stand once [begin, end) has become `length` bytes. */
static void shift(struct unit *unit, unsigned begin, unsigned end, unsigned length) {
    unsigned gone = end - begin;
    for (int i = 0; i < unit->nexpansions; ++i) {
        struct expansion *e = &unit->expansions[i];
        if (e->begin > begin)
            e->begin += length - gone;
        if (e->end > begin)
            e->end += length - gone;
    }
}

static bool is_in_expansion(const struct unit *unit, unsigned offset) {
    for (int i = 0; i < unit->nexpansions; ++i)
        if (unit->expansions[i].begin <= offset && offset < unit->expansions[i].end)
            return true;
    return false;
}

static const char *whole(struct translator *t, struct expansion_round *round) {
    const struct source_file *file = door_file(t->door, t->unit->main_file);
    struct chars out = {0};
    unsigned at = 0;
    for (int i = 0; i < round->count; ++i) {
        const struct replacement *item = &round->items[i];
        chars_add(t->arena, &out, file->text + at, item->begin - at);
        chars_add(t->arena, &out, item->text, strlen(item->text));
        at = item->end;
    }
    chars_add(t->arena, &out, file->text + at, file->size - at);
    return chars_end(t->arena, &out);
}

/* Where all replacements stand in the text that the round makes: the last ones first. */
static void note_expansions(struct translator *t, struct expansion_round *round) {
    struct unit *after = &round->after;
    *after = (struct unit){.arena = t->arena};
    for (int i = 0; i < t->unit->nexpansions; ++i)
        ARENA_PUSH(t->arena, after->expansions, after->nexpansions, t->unit->expansions[i]);
    for (int i = round->count; i-- > 0;) {
        const struct replacement *item = &round->items[i];
        unsigned length = (unsigned)strlen(item->text);
        bool inside = is_in_expansion(after, item->begin);
        shift(after, item->begin, item->end, length);
        struct expansion added = {item->begin, item->begin + length,
                                  parse_place_loc(t, t->unit->main_file, item->begin).line};
        if (!inside)
            ARENA_PUSH(t->arena, after->expansions, after->nexpansions, added);
    }
}

const char *parse_expand(struct translator *t, struct expansion_round *round) {
    round->count = 0;
    for (int i = 0; i < t->nmarks; ++i)
        use_add(t, round, t->marks[i]);
    for (int i = 0; i < t->unit->nloops; ++i)
        if (wants_loop(t, t->unit->loops[i]))
            use_add(t, round, t->unit->loops[i]->stmt->range.begin.offset);
    if (!round->count)
        return NULL;
    qsort(round->items, (size_t)round->count, sizeof *round->items, compare);
    note_expansions(t, round);
    return whole(t, round);
}

void parse_expand_failed(struct translator *t, struct expansion_round *round) {
    if (round->single)
        ARENA_PUSH(t->arena, round->banned, round->nbanned, round->items[0].name);
    round->single = true;
}

const struct other_words *other_words_of(const struct unit *unit, const struct loop *loop) {
    for (int i = 0; i < unit->nothers; ++i)
        if (unit->others[i].line == loop->header.begin.line && loop->variable &&
            strcmp(unit->others[i].counter, loop->variable->name) == 0)
            return &unit->others[i];
    return NULL;
}

bool unit_is_expanded(const struct unit *unit, const struct range *range) {
    for (int i = 0; i < unit->nexpansions; ++i)
        if (range->begin.file == unit->main_file && range->begin.line <= unit->expansions[i].line &&
            unit->expansions[i].line <= range->end.line)
            return true;
    return false;
}
