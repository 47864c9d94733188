/* A line of a file of effects: NAME(PARAMETER, ...): CLAUSE, ... */
#include "analyzer/effects/private.h"
#include "analyzer/lex.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct arena *arena;
    const char *at, *end;
    struct effects *to;
    struct effect_error *error;
};

/* ---- words ----------------------------------------------------------------------------------- */

static bool fail(struct reader *r, const char *at, const char *what) {
    if (!r->error->what)
        *r->error = (struct effect_error){.at = at, .what = what};
    return false;
}

static void skip_blanks(struct reader *r) {
    while (r->at < r->end && isspace((unsigned char)*r->at))
        ++r->at;
}

static bool take(struct reader *r, const char *mark) {
    size_t length = strlen(mark);
    skip_blanks(r);
    bool found = (size_t)(r->end - r->at) >= length && strncmp(r->at, mark, length) == 0;
    r->at += found ? length : 0;
    return found;
}

static bool expect(struct reader *r, const char *mark) {
    return take(r, mark) || fail(r, r->at, arena_printf(r->arena, "expected `%s`", mark));
}

/* The bytes of the word that comes next, 0: none does. */
static size_t word_length(struct reader *r) {
    skip_blanks(r);
    size_t length = 0;
    while (r->at + length < r->end && lex_is_name_byte(r->at[length]))
        ++length;
    return length;
}

static bool take_word(struct reader *r, const char *word) {
    size_t length = word_length(r);
    bool found = length == strlen(word) && strncmp(r->at, word, length) == 0;
    r->at += found ? length : 0;
    return found;
}

/* The clause ends here. */
static bool is_over(struct reader *r) {
    skip_blanks(r);
    return r->at == r->end || *r->at == ',';
}

/* ---- parameters and numbers ------------------------------------------------------------------ */

static int param_find(const struct reader *r, const char *word, size_t length) {
    for (int i = 0; i < r->to->nparams; ++i)
        if (strlen(r->to->params[i]) == length && strncmp(r->to->params[i], word, length) == 0)
            return i;
    return EFFECT_NONE;
}

static bool no_param(struct reader *r, size_t length) {
    const char *word = arena_strndup(r->arena, r->at, length);
    fail(r, r->at,
         length ? arena_printf(r->arena, "`%s` is none of the parameters", word)
                : "expected a parameter");
    r->error->nearest = diag_nearest(word, r->to->params, r->to->nparams);
    return false;
}

static bool read_param(struct reader *r, int *param) {
    size_t length = word_length(r);
    *param = param_find(r, r->at, length);
    if (*param < 0)
        return no_param(r, length);
    r->at += length;
    return true;
}

static bool read_long(struct reader *r, long *number) {
    char *end;
    skip_blanks(r);
    errno = 0;
    *number = r->at < r->end ? strtol(r->at, &end, 10) : 0;
    if (r->at == r->end || end == r->at || errno)
        return fail(r, r->at, "expected a whole number");
    r->at = end;
    return true;
}

static const struct effect_number *number_new(struct reader *r, enum op op,
                                              const struct effect_number *a,
                                              const struct effect_number *b) {
    struct effect_number *number = arena_alloc(r->arena, sizeof *number);
    *number = (struct effect_number){.op = op, .param = EFFECT_NONE, .a = a, .b = b};
    return number;
}

static const struct effect_number *read_sum(struct reader *r, int depth);

/* abs(E) or (E). */
static const struct effect_number *read_inner(struct reader *r, int depth) {
    bool abs = take_word(r, "abs");
    if (depth > 8)
        fail(r, r->at, "parentheses in parentheses in parentheses: too deep");
    if (depth > 8 || !expect(r, "("))
        return NULL;
    const struct effect_number *inner = read_sum(r, depth + 1);
    if (!inner || !expect(r, ")"))
        return NULL;
    return abs ? number_new(r, OP_PLUS, inner, NULL) : inner;
}

/* if(P == N, A, B): A where the argument P is the number N, else B. */
static const struct effect_number *read_choice(struct reader *r, int depth) {
    struct effect_number *choice = (struct effect_number *)number_new(r, OP_EQ, NULL, NULL);
    if (depth > 8) {
        fail(r, r->at, "parentheses in parentheses in parentheses: too deep");
        return NULL;
    }
    if (!expect(r, "(") || !read_param(r, &choice->param) || !expect(r, "==") ||
        !read_long(r, &choice->number) || !expect(r, ","))
        return NULL;
    choice->a = read_sum(r, depth + 1);
    choice->b = choice->a && expect(r, ",") ? read_sum(r, depth + 1) : NULL;
    return choice->b && expect(r, ")") ? choice : NULL;
}

static const struct effect_number *read_factor(struct reader *r, int depth) {
    if (take_word(r, "if"))
        return read_choice(r, depth);
    struct effect_number *number = (struct effect_number *)number_new(r, OP_NONE, NULL, NULL);
    size_t length = word_length(r);
    if ((length == 3 && strncmp(r->at, "abs", 3) == 0) || (!length && r->at < r->end))
        return read_inner(r, depth);
    bool digits = length && isdigit((unsigned char)*r->at);
    bool good = digits ? read_long(r, &number->number) : read_param(r, &number->param);
    return good ? number : NULL;
}

static const struct effect_number *read_product(struct reader *r, int depth) {
    const struct effect_number *a = read_factor(r, depth);
    while (a && take(r, "*")) {
        const struct effect_number *b = read_factor(r, depth);
        a = b ? number_new(r, OP_MUL, a, b) : NULL;
    }
    return a;
}

static const struct effect_number *read_sum(struct reader *r, int depth) {
    const struct effect_number *a = read_product(r, depth);
    while (a) {
        enum op op = take(r, "+") ? OP_ADD : take(r, "-") ? OP_SUB : OP_NONE;
        if (op == OP_NONE)
            break;
        const struct effect_number *b = read_product(r, depth);
        a = b ? number_new(r, op, a, b) : NULL;
    }
    return a;
}

/* [string], [n], [n bytes], or nothing. */
static bool read_extent(struct reader *r, enum effect_extent *extent,
                        const struct effect_number **count) {
    *extent = EFFECT_ALL;
    *count = NULL;
    if (!take(r, "["))
        return true;
    if (take_word(r, "string")) {
        *extent = EFFECT_STRING;
        return expect(r, "]");
    }
    *count = read_sum(r, 0);
    *extent = *count && take_word(r, "bytes") ? EFFECT_BYTES : EFFECT_ELEMENTS;
    return *count && expect(r, "]");
}

/* ---- clauses --------------------------------------------------------------------------------- */

/* One kind each; a function that touches memory may be of any. */
static bool set_effect(struct reader *r, const char *at, enum effect effect) {
    struct effects *to = r->to;
    bool first = to->effect == EFFECT_UNKNOWN || to->effect == EFFECT_MEMORY;
    if (effect == EFFECT_UNKNOWN || effect == to->effect)
        return true;
    if (effect == EFFECT_MEMORY || effect == EFFECT_PURE) {
        if (to->effect == EFFECT_UNKNOWN || to->effect == EFFECT_PURE)
            to->effect = effect;
        return first || to->effect == EFFECT_MEMORY || effect == EFFECT_MEMORY ||
               fail(r, at, "a function that does this is not pure");
    }
    if (!first)
        return fail(r, at, "a function is of one kind only, and this is a second");
    to->effect = effect;
    return true;
}

static bool read_touch(struct reader *r, const char *at, bool read, bool write) {
    struct effect_touch touch = {.param = EFFECT_REST, .read = read, .write = write};
    bool rest = r->to->variadic && take(r, "...");
    if ((!rest && !read_param(r, &touch.param)) || !read_extent(r, &touch.extent, &touch.count))
        return false;
    ARENA_PUSH(r->arena, r->to->touches, r->to->ntouches, touch);
    return set_effect(r, at, EFFECT_MEMORY);
}

static bool read_reads(struct reader *r, const char *at) {
    return read_touch(r, at, true, false);
}

static bool read_writes(struct reader *r, const char *at) {
    return read_touch(r, at, false, true);
}

static bool read_updates(struct reader *r, const char *at) {
    return read_touch(r, at, true, true);
}

static bool read_returns(struct reader *r, const char *at) {
    (void)at;
    return read_param(r, &r->to->returns);
}

static bool read_calls(struct reader *r, const char *at) {
    int param;
    (void)at;
    r->to->marks |= EFFECT_CALLS;
    return read_param(r, &param);
}

static bool read_allocates(struct reader *r, const char *at) {
    enum effect_extent extent;
    int param;
    if (!set_effect(r, at, EFFECT_ALLOCATE))
        return false;
    if (word_length(r))
        return read_param(r, &param);
    r->to->marks |= EFFECT_NEW;
    const char *bracket = r->at;
    if (!read_extent(r, &extent, &r->to->bytes))
        return false;
    return extent == EFFECT_ALL || extent == EFFECT_BYTES ||
           fail(r, bracket, "say how many bytes: [n bytes]");
}

static bool read_frees(struct reader *r, const char *at) {
    return set_effect(r, at, EFFECT_ALLOCATE) && read_param(r, &r->to->frees);
}

static bool read_stream(struct reader *r, const char *at, unsigned marks) {
    r->to->marks |= marks;
    r->to->stream = EFFECT_NONE;
    if (!set_effect(r, at, EFFECT_IO))
        return false;
    if (take_word(r, "stdout") || take_word(r, "stderr") || take_word(r, "files"))
        r->to->stream = EFFECT_SAFE;
    else if (!take_word(r, "stdin") && !is_over(r))
        return read_param(r, &r->to->stream);
    return true;
}

static bool read_input(struct reader *r, const char *at) {
    return read_stream(r, at, EFFECT_INPUT);
}

static bool read_output(struct reader *r, const char *at) {
    return read_stream(r, at, EFFECT_OUTPUT);
}

static bool read_io(struct reader *r, const char *at) {
    return read_stream(r, at, 0);
}

static bool read_opens(struct reader *r, const char *at) {
    r->to->stream = EFFECT_SAFE;
    return set_effect(r, at, EFFECT_IO);
}

static bool read_instead(struct reader *r, const char *at) {
    size_t length = word_length(r);
    (void)at;
    r->to->instead = arena_strndup(r->arena, r->at, length);
    r->at += length;
    return length > 0 || fail(r, r->at, "expected the name of a function");
}

/* P in LOW..HIGH */
static bool read_domain(struct reader *r) {
    return read_param(r, &r->to->domain) && expect(r, "in") && read_long(r, &r->to->low) &&
           expect(r, "..") && read_long(r, &r->to->high);
}

static const struct verb {
    const char *word;
    bool (*read)(struct reader *r, const char *at);
} verbs[] = {
    {"reads", read_reads},     {"writes", read_writes}, {"updates", read_updates},
    {"returns", read_returns}, {"calls", read_calls},   {"allocates", read_allocates},
    {"frees", read_frees},     {"input", read_input},   {"output", read_output},
    {"io", read_io},           {"opens", read_opens},   {"instead", read_instead},
};

static const struct flag {
    const char *words;
    enum effect effect;
    unsigned marks;
} flags[] = {
    {"pure", EFFECT_PURE, 0},
    {"local", EFFECT_UNKNOWN, EFFECT_LOCAL},
    {"random", EFFECT_RANDOM, 0},
    {"entropy", EFFECT_RANDOM, EFFECT_ENTROPY},
    {"asks", EFFECT_CLOCK, 0},
    {"state", EFFECT_STATE, 0},
    {"static", EFFECT_STATE, EFFECT_STATIC},
    {"stack", EFFECT_ALLOCATE, EFFECT_STACK},
    {"maps", EFFECT_ALLOCATE, EFFECT_MAPS},
    {"ends", EFFECT_EXIT, EFFECT_ENDS},
    {"may end", EFFECT_EXIT, 0},
    {"jumps", EFFECT_EXIT, EFFECT_JUMPS},
    {"marks", EFFECT_SETJMP, 0},
    {"asserts", EFFECT_ASSERT, 0},
    {"unevaluated", EFFECT_UNEVALUATED, 0},
    {"total", EFFECT_UNKNOWN, EFFECT_TOTAL},
    {"smooth", EFFECT_UNKNOWN, EFFECT_SMOOTH},
    {"no -0.0", EFFECT_UNKNOWN, EFFECT_POSITIVE},
    {"no new -0.0", EFFECT_UNKNOWN, EFFECT_KEEPS_ZERO},
    {"sign", EFFECT_UNKNOWN, EFFECT_SIGN},
    {"gpu", EFFECT_UNKNOWN, EFFECT_GPU},
    {"no addresses", EFFECT_UNKNOWN, EFFECT_NUMBERS},
};

enum { NVERBS = sizeof verbs / sizeof *verbs, NFLAGS = sizeof flags / sizeof *flags };

static const struct flag *take_flag(struct reader *r) {
    for (int i = 0; i < NFLAGS; ++i) {
        const char *from = r->at;
        if (take(r, flags[i].words) && is_over(r))
            return &flags[i];
        r->at = from;
    }
    return NULL;
}

static bool no_clause(struct reader *r, size_t length) {
    const char *known[NVERBS + NFLAGS], *word = arena_strndup(r->arena, r->at, length);
    for (int i = 0; i < NVERBS; ++i)
        known[i] = verbs[i].word;
    for (int i = 0; i < NFLAGS; ++i)
        known[NVERBS + i] = flags[i].words;
    fail(r, r->at,
         length ? arena_printf(r->arena, "`%s` is no clause", word) : "expected a clause");
    r->error->nearest = diag_nearest(word, known, NVERBS + NFLAGS);
    return false;
}

static bool read_clause(struct reader *r) {
    skip_blanks(r);
    const char *at = r->at;
    const struct flag *flag = take_flag(r);
    if (flag) {
        r->to->marks |= flag->marks;
        return set_effect(r, at, flag->effect);
    }
    for (int i = 0; i < NVERBS; ++i)
        if (take_word(r, verbs[i].word))
            return verbs[i].read(r, at);
    size_t length = word_length(r);
    return param_find(r, r->at, length) >= 0 ? read_domain(r) : no_clause(r, length);
}

static bool read_clauses(struct reader *r) {
    do {
        if (!read_clause(r))
            return false;
        if (!is_over(r))
            return fail(r, r->at, "expected `,` or the end of the line");
    } while (take(r, ","));
    return true;
}

/* ---- the line -------------------------------------------------------------------------------- */

static bool read_params(struct reader *r) {
    struct effects *to = r->to;
    if (take(r, ")"))
        return true;
    do {
        size_t length = word_length(r);
        to->variadic = !length && take(r, "...");
        if (to->variadic)
            break;
        if (!length || isdigit((unsigned char)*r->at))
            return fail(r, r->at, "expected a parameter's name, or `...` as the last");
        if (param_find(r, r->at, length) >= 0)
            return fail(r, r->at, "two parameters have this name");
        const char *name = arena_strndup(r->arena, r->at, length);
        ARENA_PUSH(r->arena, to->params, to->nparams, name);
        r->at += length;
    } while (take(r, ","));
    return expect(r, ")");
}

/* What calls back, or does not say what it touches, is not known by its memory. */
static void finish(struct effects *to) {
    if (to->effect == EFFECT_MEMORY && to->marks & (EFFECT_LOCAL | EFFECT_CALLS))
        to->effect = EFFECT_UNKNOWN;
}

bool effects_read(struct arena *arena, const struct effect_line *line, struct effects *to,
                  struct effect_error *error) {
    struct reader r = {arena, line->begin, line->end, to, error};
    *error = (struct effect_error){0};
    *to = (struct effects){
        .frees = EFFECT_NONE, .returns = EFFECT_NONE, .stream = EFFECT_NONE, .domain = EFFECT_NONE};
    while (r.at < r.end && *r.at != '(')
        ++r.at;
    if (!expect(&r, "(") || !read_params(&r) || !expect(&r, ":") || !read_clauses(&r))
        return false;
    finish(to);
    return true;
}
