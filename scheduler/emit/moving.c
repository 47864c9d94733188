/*
 * Loops whose variables are more than (type)(lower + index * step): pointers, several variables,
 * steps that are no constants, variables that the body itself moves. At the start of an iteration
 * each is set to what it would be: entry + index * by.
 */
#include "scheduler/emit/print.h"

/* ---- at the call ----------------------------------------------------------------------------- */

static void print_declarations(const struct outline *job, const struct stmt *init,
                               struct text *out) {
    for (int i = 0; i < init->nvars; ++i) {
        const struct variable *var = init->vars[i];
        text_print(out, "%s", emit_declare(job, var->type, var->name));
        if (var->init)
            text_print(out, " = %s", expr_print(job->arena, var->init));
        text_print(out, "; (void)%s; ", var->name);
    }
}

void emit_moving_print_start(const struct outline *job, struct text *out) {
    const struct loop *loop = job->loop;
    const struct variable *var = loop->variable;
    if (loop->init && loop->init->kind == STMT_DECL)
        print_declarations(job, loop->init, out);
    else if (loop->init && loop->init->kind == STMT_EXPR)
        text_print(out, "%s; ", expr_print(job->arena, loop->init->expr));
    if (var->type->kind == TYPE_POINTER)
        text_print(out, "__typeof__(%s) orrery_first = %s; ", var->name, var->name);
    else
        text_print(out, "%s = (%s)(%s + (%ld)); ",
                   emit_declare_plain(job, var->type, "orrery_first"),
                   emit_type_plain(job, var->type), var->name, loop->ahead);
}

void emit_moving_print_end(const struct outline *job, struct text *out) {
    const struct variable *var = job->loop->variable;
    if (!job->facts->by_number)
        text_print(out, "%s = %s; ", var->name,
                   emit_variable_of(job, "(long)orrery_first", "orrery_count"));
    for (int i = 0; i < job->facts->ninductions; ++i) {
        const struct induction *induction = &job->facts->inductions[i];
        const char *name = induction->var->name;
        if (induction->var->type->kind == TYPE_POINTER)
            text_print(out, "%s += orrery_count * orrery_env.%s; ", name,
                       emit_by_name(job, induction));
        else
            text_print(out, "%s = (%s)(%s + orrery_count * orrery_env.%s); ", name,
                       emit_type_plain(job, induction->var->type), name,
                       emit_by_name(job, induction));
    }
}
