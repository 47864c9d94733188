/* The call in the loop's place stands where the function's own macros hold: none of them may hide a
 * name that it needs. */
#include "scheduler/outline/collect.h"

#include <string.h>

static bool is_of_call(const char *macro) {
    static const char *const words[] = {
        "long", "unsigned", "int",  "char",  "double", "void",  "struct", "const", "volatile", "if",
        "else", "sizeof",   "flat", "table", "count",  "pitch", "stride", "ran",   "took"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (strcmp(words[i], macro) == 0)
            return true;
    return strncmp(macro, "orrery_", strlen("orrery_")) == 0 || strncmp(macro, "__", 2) == 0;
}

static bool in_text(const char *text, const char *macro) {
    return text && token_uses(text, macro);
}

static bool in_expr(const struct outline *job, const struct expr *expr, const char *macro) {
    return expr && token_uses(expr_print(job->arena, expr), macro);
}

static bool in_fields(const struct outline *job, const char *macro) {
    for (int i = 0; i < job->nfields; ++i)
        if (in_text(job->fields[i].value, macro) || strcmp(job->fields[i].name, macro) == 0)
            return true;
    return false;
}

static bool in_reductions(const struct outline *job, const char *macro) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        const struct argmin *argmin = emit_argmin_of(job, j);
        for (int m = 0; argmin && m < argmin->nmembers; ++m)
            if (in_text(emit_argmin_name(job, argmin, m), macro))
                return true;
        if (in_text(r->target, macro) || in_text(r->type_text, macro))
            return true;
        for (int d = 0; r->rows && d < r->object->ndims; ++d)
            if (in_text(r->object->dims[d].extent_text, macro) ||
                in_text(r->object->dims[d].stride_text, macro))
                return true;
    }
    return false;
}

/* The header: where it begins and ends, and all that moves. */
static bool in_header(const struct outline *job, const char *macro) {
    const struct loop *loop = job->loop;
    if (in_expr(job, loop->lower, macro) || in_expr(job, loop->upper, macro) ||
        in_expr(job, loop->stride, macro) || strcmp(loop->variable->name, macro) == 0 ||
        in_text(emit_type_plain(job, loop->variable->type), macro))
        return true;
    for (int i = 0; i < job->facts->ninductions; ++i)
        if (in_expr(job, job->facts->inductions[i].by, macro) ||
            strcmp(job->facts->inductions[i].var->name, macro) == 0)
            return true;
    if (loop->init && loop->init->kind == STMT_EXPR)
        return in_expr(job, loop->init->expr, macro);
    for (int i = 0; loop->init && i < loop->init->nvars; ++i)
        if (in_expr(job, loop->init->vars[i]->init, macro) ||
            in_text(emit_type_plain(job, loop->init->vars[i]->type), macro))
            return true;
    return false;
}

static bool in_uses(const struct outline *job, const char *macro) {
    for (int i = 0; i < job->facts->nprivates; ++i)
        if (emit_is_outside(job, job->facts->privates[i].var) &&
            strcmp(job->facts->privates[i].var->name, macro) == 0)
            return true;
    for (int i = 0; i < job->nunused; ++i)
        if (strcmp(job->unused[i]->name, macro) == 0)
            return true;
    for (int i = 0; i < job->nreadiness; ++i)
        if (in_text(job->readiness[i], macro))
            return true;
    return false;
}

bool outline_call_check(struct outline *job) {
    for (int i = 0; i < job->nmacros; ++i) {
        const char *macro = job->macros[i].name;
        if (is_of_call(macro) || in_fields(job, macro) || in_reductions(job, macro) ||
            in_header(job, macro) || in_uses(job, macro))
            return emit_refuse(job, ORR2304, job->loop->header,
                               "the loop stays serial: macro `%s` hides a name that the call in "
                               "its place needs",
                               macro);
    }
    return true;
}
