/*
 * Conditionals of the preprocessor across the border of what is copied. The copy is compiled where
 * the original is, so a conditional that is whole inside goes with it; of one that is not, the text
 * keeps what the preprocessor takes.
 */
#include "scheduler/outline/collect.h"

#include <string.h>

bool emit_is_word(const char *word, const char *const *words) {
    for (; *words; ++words)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static const char *const opens[] = {"if", "ifdef", "ifndef", NULL};
static const char *const inner[] = {"else", "elif", "elifdef", "elifndef", "endif", NULL};

static bool is_balanced(const struct outline *job, size_t begin, size_t end) {
    struct token_scan scan = token_scan_start(job->source, begin, end);
    int depth = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.kind != TOKEN_DIRECTIVE)
            continue;
        const char *name = token_directive_name(job->arena, job->source, t);
        if (emit_is_word(name, inner) && depth == 0)
            return false;
        depth += emit_is_word(name, opens) - (strcmp(name, "endif") == 0);
    }
    return depth == 0;
}

static bool is_left_out(const struct unit *unit, size_t at) {
    for (int i = 0; i < unit->nleft_out; ++i)
        if (unit->left_out[i].begin <= at && at < unit->left_out[i].end)
            return true;
    return false;
}

bool emit_directive_speaks(const struct outline *job, size_t begin, size_t end) {
    struct token_scan scan = token_scan_start(job->source, begin, end);
    bool conditional = false;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.kind != TOKEN_DIRECTIVE)
            continue;
        const char *name = token_directive_name(job->arena, job->source, t);
        if (emit_is_word(name, opens) || emit_is_word(name, inner))
            conditional = true;
        else if (!is_left_out(job->unit, t.begin) && !emit_directive_is_ours(job, t.begin))
            return true;
    }
    return conditional && !is_balanced(job, begin, end);
}

/* A file that stands alone is compiled with -fopenmp, whatever the user's was. */
static bool brings_openmp(const struct outline *job) {
    return job->standalone == STANDALONE_OPENMP && !job->unit->openmp;
}

const char *emit_compiler_word(const struct outline *job, struct token directive) {
    static const char *const stems[] = {"_OPENMP", "__clang", "__GNUC",
                                        "__has_",  "__llvm",  "__VERSION__"};
    struct token_scan scan = token_scan_start(job->source, directive.begin + 1, directive.end);
    scan.line_start = false;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        for (size_t i = !brings_openmp(job);
             t.kind == TOKEN_NAME && i < sizeof stems / sizeof *stems; ++i)
            if (strncmp(job->source + t.begin, stems[i], strlen(stems[i])) == 0)
                return arena_strndup(job->arena, job->source + t.begin, t.end - t.begin);
    return NULL;
}

/* ---- taking conditionals out ----------------------------------------------------------------- */

/* A directive of a conditional, and the number of its #if. */
struct branch {
    struct token token;
    int group;
};

enum { MOST_DEEP = 64 };

/* All conditionals of the file, in its order. False: too deep. */
static bool find_branches(struct outline *job, struct branch **branches, int *count, int *groups) {
    struct token_scan scan =
        token_scan_start(job->source, 0, job->unit->files[job->unit->main_file].size);
    int open[MOST_DEEP], depth = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.kind != TOKEN_DIRECTIVE)
            continue;
        const char *name = token_directive_name(job->arena, job->source, t);
        if (emit_is_word(name, opens)) {
            if (depth == MOST_DEEP)
                return false;
            open[depth++] = (*groups)++;
        } else if (!emit_is_word(name, inner)) {
            continue;
        }
        if (depth == 0)
            return false;
        struct branch branch = {t, open[depth - 1]};
        ARENA_PUSH(job->arena, *branches, *count, branch);
        depth -= strcmp(name, "endif") == 0;
    }
    return depth == 0;
}

static bool is_inside(const struct branch *branch, size_t begin, size_t end) {
    return branch->token.begin >= begin && branch->token.end <= end;
}

static bool crosses(const struct branch *branches, int count, int group, size_t begin, size_t end) {
    int all = 0, there = 0;
    for (int i = 0; i < count; ++i) {
        all += branches[i].group == group;
        there += branches[i].group == group && is_inside(&branches[i], begin, end);
    }
    return there > 0 && there < all;
}

static void blank(char *text, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
        if (text[i] != '\n')
            text[i] = ' ';
}

/* A directive goes with the comment that it ends with. What the compilers may see apart stays. */
static bool take_out(const struct outline *job, const struct branch *branches, int count, int group,
                     char *text) {
    const struct branch *last = NULL;
    for (int i = 0; i < count; ++i)
        if (branches[i].group == group && emit_compiler_word(job, branches[i].token))
            return false;
    for (int i = 0; i < count; ++i) {
        if (branches[i].group != group)
            continue;
        if (last && is_left_out(job->unit, last->token.end))
            blank(text, last->token.end, branches[i].token.begin);
        blank(text, branches[i].token.begin, branches[i].token.end);
        last = &branches[i];
    }
    return true;
}

bool emit_conditionals_end(struct outline *job, size_t begin, size_t end) {
    struct source_file *file = &job->unit->files[job->unit->main_file];
    struct branch *branches = NULL;
    int count = 0, groups = 0;
    if (is_balanced(job, begin, end))
        return true;
    if (!find_branches(job, &branches, &count, &groups))
        return false;
    char *text = arena_strndup(job->arena, file->text, file->size);
    for (int group = 0; group < groups; ++group)
        if (crosses(branches, count, group, begin, end) &&
            !take_out(job, branches, count, group, text))
            return false;
    file->text = job->source = text;
    return is_balanced(job, begin, end);
}
