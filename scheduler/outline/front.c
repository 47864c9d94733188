/* Directives that speak of the statement behind them, and those that OpenMP obeys. */
#include "scheduler/outline/collect.h"

#include <string.h>

/* ---- macros that bring directives ------------------------------------------------------------ */

static bool brings_directive(const struct outline *job, struct token_scan text, int depth);

/* What a `#define` of `word` stands for, when `t` is one. */
static bool is_definition(const struct outline *job, const char *source, struct token t,
                          const char *word, struct token_scan *inside) {
    if (t.kind != TOKEN_DIRECTIVE ||
        strcmp(token_directive_name(job->arena, source, t), "define") != 0 ||
        strcmp(token_directive_word(job->arena, source, t), word) != 0)
        return false;
    *inside = token_scan_start(source, t.begin + 1, t.end);
    inside->line_start = false;
    token_next(inside);
    token_next(inside);
    return true;
}

static bool defines_pragma(const char *source, struct token directive) {
    struct token_scan inside = token_scan_start(source, directive.begin + 1, directive.end);
    inside.line_start = false;
    for (struct token t = token_next(&inside); t.kind != TOKEN_END; t = token_next(&inside))
        if (token_spells(&inside, t, "_Pragma"))
            return true;
    return false;
}

/* Some definition in the files of the unit has `_Pragma` in it. Looked for once. */
static bool has_pragma_macros(struct unit *unit) {
    for (int i = 0; !unit->pragmas_read && i < unit->nfiles; ++i) {
        const struct source_file *file = &unit->files[i];
        struct token_scan scan = token_scan_start(file->text, 0, file->text ? file->size : 0);
        for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
            if (t.kind == TOKEN_DIRECTIVE && defines_pragma(file->text, t))
                unit->pragma_macros = true;
    }
    unit->pragmas_read = true;
    return unit->pragma_macros;
}

/* Some definition of `word` in the files of the unit brings a directive. */
static bool macro_brings(const struct outline *job, const char *word, int depth) {
    if (!has_pragma_macros(job->unit))
        return false;
    for (int i = 0; i < job->unit->nfiles; ++i) {
        const struct source_file *file = &job->unit->files[i];
        if (!file->text)
            continue;
        struct token_scan inside, scan = token_scan_start(file->text, 0, file->size);
        for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
            if (is_definition(job, file->text, t, word, &inside) &&
                brings_directive(job, inside, depth + 1))
                return true;
    }
    return false;
}

/* `_Pragma("...")`, none of ours, in a text or in the macros that it uses. */
static bool brings_directive(const struct outline *job, struct token_scan text, int depth) {
    for (struct token t = token_next(&text); t.kind != TOKEN_END; t = token_next(&text)) {
        const char *word = arena_strndup(job->arena, text.source + t.begin, t.end - t.begin);
        bool pragma = strcmp(word, "_Pragma") == 0;
        if (pragma)
            token_next(&text);
        struct token what = pragma ? token_next(&text) : t;
        if (pragma && strncmp(text.source + what.begin, "\"orrery", strlen("\"orrery")) != 0)
            return true;
        if (!pragma && t.kind == TOKEN_NAME && depth < 4 && macro_brings(job, word, depth))
            return true;
    }
    return false;
}

/* ---- what stands in front -------------------------------------------------------------------- */

/*
 * What stands right in front of a statement: the directives since the last other token. `word`: the
 * last token was a word, perhaps with arguments, that brings a directive; `from` is its place.
 */
struct front {
    int count;
    struct token *items;
    bool word;
    struct token from;
};

/* Goes behind the arguments of a macro. */
static void skip_arguments(struct token_scan *scan) {
    struct token_scan ahead = *scan;
    if (!token_spells(&ahead, token_next(&ahead), "("))
        return;
    for (int depth = 1; depth > 0;) {
        struct token t = token_next(&ahead);
        if (t.kind == TOKEN_END)
            return;
        depth += token_spells(&ahead, t, "(") - token_spells(&ahead, t, ")");
    }
    *scan = ahead;
}

/* The directives in front of `at`, in the function of the loop. */
static struct front front_of(const struct outline *job, size_t at) {
    struct front front = {0};
    struct token_scan scan =
        token_scan_start(job->source, job->loop->function->body->range.begin.offset, at);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.kind == TOKEN_DIRECTIVE) {
            ARENA_PUSH(job->arena, front.items, front.count, t);
            continue;
        }
        front.count = 0;
        front.word = t.kind == TOKEN_NAME;
        front.from = t;
        if (front.word)
            skip_arguments(&scan);
    }
    if (front.word) {
        struct token_scan text = token_scan_start(job->source, front.from.begin, at);
        text.line_start = false;
        front.word = brings_directive(job, text, 0);
    }
    return front;
}

/* The words behind `#pragma`, or NULL when the directive is another one. */
static const char *pragma_text(const struct outline *job, struct token directive) {
    if (strcmp(token_directive_name(job->arena, job->source, directive), "pragma") != 0)
        return NULL;
    struct token_scan scan = token_scan_start(job->source, directive.begin + 1, directive.end);
    struct text out;
    scan.line_start = false;
    text_start(&out, job->arena);
    token_next(&scan);
    struct token before = {.begin = (unsigned)scan.at, .end = (unsigned)scan.at};
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; before = t, t = token_next(&scan))
        text_print(&out, "%s%.*s", out.length && t.begin > before.end ? " " : "",
                   (int)(t.end - t.begin), job->source + t.begin);
    return out.length ? out.bytes : "";
}

static bool begins(const char *text, const char *words) {
    size_t length = strlen(words);
    return strncmp(text, words, length) == 0 &&
           (!text[length] || text[length] == ' ' || text[length] == '(');
}

/* Advice to the compiler, which changes no result and has to stand in front of a loop. */
static bool is_advice(const char *text) {
    static const char *const words[] = {"GCC ivdep",  "GCC unroll",       "GCC novector",
                                        "unroll",     "nounroll",         "unroll_and_jam",
                                        "clang loop", "nounroll_and_jam", NULL};
    for (int i = 0; words[i]; ++i)
        if (begins(text, words[i]))
            return !strpbrk(text, "\"\\");
    return false;
}

const char *emit_advice_text(const struct outline *job) {
    struct front front = front_of(job, job->loop->stmt->range.begin.offset);
    const char *all = "";
    for (int i = 0; i < front.count; ++i) {
        const char *text = pragma_text(job, front.items[i]);
        if (text && is_advice(text))
            all = arena_printf(job->arena, "%s_Pragma(\"%s\") ", all, text);
    }
    return all;
}

void emit_advice_edit(const struct outline *job, struct text_edits *edits) {
    struct front front = front_of(job, job->loop->stmt->range.begin.offset);
    for (int i = 0; i < front.count; ++i) {
        const char *text = pragma_text(job, front.items[i]);
        struct text out;
        text_start(&out, job->arena);
        for (size_t at = front.items[i].begin; at < front.items[i].end; ++at)
            if (job->source[at] == '\n')
                text_append(&out, "\n", 1);
        if (text && is_advice(text))
            text_edit_add(edits, front.items[i].begin, front.items[i].end, out.bytes);
    }
}

bool emit_front_is_free(const struct outline *job, size_t at) {
    struct front front = front_of(job, at);
    bool free = !front.word;
    for (int i = 0; i < front.count; ++i) {
        const char *text = pragma_text(job, front.items[i]);
        free &= !text || begins(text, "orrery");
    }
    return free;
}

/* ---- OpenMP ---------------------------------------------------------------------------------- */

static bool is_openmp(const struct outline *job, struct token directive) {
    const char *text = pragma_text(job, directive);
    return text && (begins(text, "omp") || begins(text, "acc"));
}

/* The first directive of OpenMP in [begin, end) of the source that has `word`; NULL: any. */
static bool has_openmp(const struct outline *job, size_t begin, size_t end, const char *word) {
    struct token_scan scan = token_scan_start(job->source, begin, end);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (token_spells(&scan, t, "_Pragma") ? !word
                                              : t.kind == TOKEN_DIRECTIVE && is_openmp(job, t) &&
                                                    (!word || strstr(pragma_text(job, t), word)))
            return true;
    return false;
}

static void note_call(void *data, struct expr *expr, struct expr *parent) {
    bool *calls = data;
    (void)parent;
    *calls |= expr->kind == EXPR_CALL && (!expr->function || expr->function->body);
}

/* Does the loop call a function whose text is here, or one that a pointer leads to? */
static bool calls_functions(const struct outline *job) {
    bool calls = false;
    emit_walk_stmt(job->loop->stmt, note_call, &calls);
    return calls;
}

/* A directive of OpenMP in some file of the unit. */
static bool is_anywhere(const struct outline *job, const char *word) {
    struct outline there = *job;
    for (int i = 0; i < job->unit->nfiles; ++i) {
        there.source = job->unit->files[i].text;
        if (there.source && has_openmp(&there, 0, job->unit->files[i].size, word))
            return true;
    }
    return false;
}

static bool check_openmp(struct outline *job) {
    const struct range *function = &job->loop->function->range;
    const char *why = NULL;
    if (has_openmp(job, function->begin.offset, function->end.offset, NULL))
        why = arena_printf(job->arena,
                           "`%s` has directives of OpenMP, which would meet in another "
                           "function or on other threads",
                           job->loop->function->name);
    else if (is_anywhere(job, "threadprivate"))
        why = "OpenMP gives each thread its own copies of variables here (`threadprivate`)";
    else if (calls_functions(job) && is_anywhere(job, NULL))
        why = "it calls functions, and there are directives of OpenMP that they may come to";
    if (!why)
        return true;
    emit_refuse(job, ORR2276, job->loop->header, "the loop stays serial: %s", why);
    emit_refuse_fix(job, "compile without `-fopenmp`: the directives are ignored then, and Orrery "
                         "runs the loop; or leave the loop to OpenMP");
    return false;
}

bool emit_front_check(struct outline *job) {
    struct front front = front_of(job, job->loop->stmt->range.begin.offset);
    if (job->unit->openmp && !check_openmp(job))
        return false;
    if (!front.word)
        return true;
    emit_refuse(job, ORR2277, job->loop->header,
                "the loop stays serial: `%.*s` in front of it brings a directive, which would "
                "speak of something else",
                (int)(front.from.end - front.from.begin), job->source + front.from.begin);
    emit_refuse_fix(job, "write the directive as `#pragma` on a line of its own");
    return false;
}
