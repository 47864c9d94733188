/*
 * What the user says of how the loop's function is compiled holds for its body as well:
 * __attribute__((optimize("no-fast-math"))), __attribute__((target("avx2"))), as they stand or as a
 * macro of the main file.
 */
#include "scheduler/outline/outline.h"

#include <string.h>

static bool is_about_code(const char *text) {
    static const char *const words[] = {"optimize", "__optimize__", "target", "__target__",
                                        "optnone"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (token_uses(text, words[i]))
            return true;
    return false;
}

/* The end of what stands in parentheses from here on. */
static size_t parentheses_end(struct token_scan scan) {
    int depth = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        depth += token_spells(&scan, t, "(") - token_spells(&scan, t, ")");
        if (depth == 0)
            return t.end;
    }
    return scan.end;
}

const char *emit_attributes(const struct outline *job) {
    const struct function *function = job->loop->function;
    struct token_scan scan = token_scan_start(job->source, function->range.begin.offset,
                                              function->body->range.begin.offset);
    const char *all = "";
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        const char *word = arena_strndup(job->arena, job->source + t.begin, t.end - t.begin);
        bool spelled = strcmp(word, "__attribute__") == 0 || strcmp(word, "__attribute") == 0;
        const struct macro_place *macro =
            t.kind == TOKEN_NAME && !spelled ? emit_macro(job, word) : NULL;
        const char *text = "", *said = "";
        if (spelled)
            text = said =
                arena_strndup(job->arena, job->source + t.begin, parentheses_end(scan) - t.begin);
        else if (macro && !macro->has_parameters && strstr(macro->text, "__attribute"))
            text = macro->text, said = word;
        if (is_about_code(text))
            all = arena_printf(job->arena, "%s%s ", all, said);
    }
    return all;
}
