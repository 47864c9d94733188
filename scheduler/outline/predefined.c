/*
 * What the compiler says of the place it stands at: the name of the function (C11 6.4.2.2), and a
 * number that is another one each time. The body moves to a function of another name, and is there
 * twice.
 */
#include "scheduler/outline/collect.h"

#include <string.h>

static bool is_function_name(const char *text) {
    static const char *const names[] = {"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"};
    for (size_t i = 0; text && i < sizeof names / sizeof *names; ++i)
        if (strcmp(text, names[i]) == 0)
            return true;
    return false;
}

/* `places`: out of macros, where no text can be put in their place; `told`: of them those that only
 * a failing assertion prints. */
struct names {
    const char *function;
    int places, told;
    struct range first;
};

static bool is_assertion(const struct expr *e) {
    return e->kind == EXPR_CALL && e->function && effect_of_function(e->function) == EFFECT_ASSERT;
}

/* Out of a macro a name of the function looks like any string with that name (clang's
 * __PRETTY_FUNCTION__ has the parameters too). */
static bool is_out_of_macro(const struct names *names, const struct expr *e) {
    if (e->kind != EXPR_STRING || e->range.exact)
        return false;
    const char *at = strstr(e->text, names->function);
    char behind = at ? at[strlen(names->function)] : 0;
    return behind == '"' || behind == '(';
}

static int count_names(const struct names *names, const struct expr *e) {
    int n = is_out_of_macro(names, e);
    for (int i = 0; i < e->nargs; ++i)
        n += e->args[i] ? count_names(names, e->args[i]) : 0;
    return n;
}

static void visit(void *data, struct expr *e, struct expr *parent) {
    struct names *names = data;
    (void)parent;
    if (is_assertion(e))
        names->told += count_names(names, e);
    if (is_out_of_macro(names, e))
        names->first = names->places++ ? names->first : e->range;
}

static void refuse(struct outline *job, struct range where, const char *what) {
    emit_refuse(job, ORR2289, where, "the loop stays serial: %s", what);
    emit_refuse_fix(job, "take the value in front of the loop, into a variable, and use that");
}

/* Where the text itself names them it gets the name. */
static void rename_words(struct outline *job) {
    const struct range *body = &job->loop->body->range;
    struct token_scan scan = token_scan_start(job->source, body->begin.offset, body->end.offset);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        const char *word = arena_strndup(job->arena, job->source + t.begin, t.end - t.begin);
        if (strcmp(word, "__COUNTER__") == 0)
            refuse(job, job->loop->header,
                   "its body uses `__COUNTER__`, which would be another number where the body "
                   "moves to");
        if (t.kind == TOKEN_NAME && is_function_name(word))
            text_edit_add(&job->renames, t.begin, t.end,
                          arena_printf(job->arena, "(\"%s\")", job->loop->function->name));
    }
}

bool emit_predefined_name(struct outline *job) {
    struct names names = {.function = job->loop->function->name};
    emit_walk_stmt(job->loop->body, visit, &names);
    rename_words(job);
    if (names.places > names.told)
        refuse(job, names.first,
               "a macro in its body names the function that it stands in, and the body moves to "
               "another one");
    return !job->refused;
}
