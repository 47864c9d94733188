/* The call of orrery_run in the loop's place. */
#include "scheduler/emit/job.h"

#include <string.h>

/* `expr` as the user wrote it where that is one line of his own text. */
static const char *source_text(struct emit_job *job, const struct expr *expr) {
    const struct range *range = &expr->range;
    size_t length = range->end.offset - range->begin.offset;
    if (range->exact && range->begin.file == job->unit->main_file &&
        !memchr(job->source + range->begin.offset, '\n', length) &&
        !memchr(job->source + range->begin.offset, '/', length))
        return arena_strndup(job->arena, job->source + range->begin.offset, length);
    return expr_print(job->arena, expr);
}

static const char *relation_text(enum op relation) {
    return relation == OP_LT   ? "<"
           : relation == OP_LE ? "<="
           : relation == OP_GT ? ">"
           : relation == OP_GE ? ">="
                               : "!=";
}

static bool is_unsigned(const struct type *type, long size) {
    return type->kind == TYPE_INT && !type->is_signed && type->size == size;
}

/* `value` made an unsigned long so that differences come out as the comparison's own type has them.
 */
static const char *widened(struct emit_job *job, const char *value) {
    const struct type *variable = job->loop->variable->type, *upper = job->loop->upper->type;
    bool wide = variable->size == 8 || upper->size == 8;
    bool half = !wide && (is_unsigned(variable, 4) || is_unsigned(upper, 4));
    return arena_printf(job->arena, half ? "(unsigned int)(%s)" : "(unsigned long)(%s)", value);
}

/* Iterations when the first test holds. */
static const char *count_text(struct emit_job *job, const char *upper) {
    const struct loop *loop = job->loop;
    const char *high = widened(job, loop->step > 0 ? upper : "orrery_first");
    const char *low = widened(job, loop->step > 0 ? "orrery_first" : upper);
    const char *difference = arena_printf(job->arena, "(unsigned long)(%s - %s)", high, low);
    unsigned long step =
        loop->step > 0 ? (unsigned long)loop->step : 0ul - (unsigned long)loop->step;
    if (loop->relation == OP_LT || loop->relation == OP_GT)
        return arena_printf(job->arena, "(long)((%s - 1) / %luUL + 1)", difference, step);
    if (loop->relation == OP_NE)
        return arena_printf(job->arena, "(long)(%s / %luUL)", difference, step);
    return arena_printf(job->arena, "(long)(%s / %luUL + 1)", difference, step);
}

static void print_values(struct emit_job *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j)
        if (!job->reductions[j].is_array && !job->reductions[j].last)
            text_print(out, "%s orrery_value_%d = %s; ", job->reductions[j].type_text, j,
                       job->reductions[j].target);
}

static void print_targets(struct emit_job *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (r->is_array)
            text_print(out, ", .orrery_target_%d = (void *)(%s)", j, r->target);
        else if (r->last)
            text_print(out, ", .orrery_target_%d = &%s", j, r->target);
        else
            text_print(out, ", .orrery_target_%d = &orrery_value_%d", j, j);
    }
}

static void print_env(struct emit_job *job, struct text *out) {
    text_print(out, "struct orrery_env_%d orrery_env = {.orrery_lower = (long)orrery_first",
               job->number);
    for (int i = 0; i < job->nfields; ++i)
        text_print(out, ", .%s = %s", job->fields[i].name, job->fields[i].value);
    print_targets(job, out);
    text_print(out, "}; ");
}

/* Reductions back to where they belong, and the variable's value after the loop. */
static void print_results(struct emit_job *job, struct text *out) {
    const struct loop *loop = job->loop;
    for (int j = 0; j < job->nreductions; ++j)
        if (!job->reductions[j].is_array && !job->reductions[j].last)
            text_print(out, "%s = orrery_value_%d; ", job->reductions[j].target, j);
    if (!loop->declares_variable)
        text_print(out, "%s = %s; ", loop->variable->name,
                   emit_variable_of(job, "(long)orrery_first", "orrery_count"));
}

/* Variables that only the loop used would raise warnings about unused ones now. */
static void print_uses(struct emit_job *job, struct text *out) {
    for (int i = 0; i < job->facts->nprivates; ++i) {
        const struct variable *var = job->facts->privates[i].var;
        if (emit_is_outside(job, var))
            text_print(out, "(void)%s; ", var->name);
    }
    for (int i = 0; i < job->nunused; ++i)
        text_print(out, "(void)%s; ", job->unused[i]->name);
    if (!job->loop->declares_variable)
        text_print(out, "(void)%s; ", job->loop->variable->name);
}

/* A read that no linker drops: an object with these very definitions has to be there. */
static void print_needs(struct emit_job *job, struct text *out) {
    for (int i = 0; i < job->unit->nfunctions; ++i) {
        const struct function *f = job->unit->functions[i];
        if (f->origin && f->symbol)
            text_print(out, "(void)*(const volatile char *)&%s; ", f->symbol);
    }
}

const char *emit_call_text(struct emit_job *job) {
    const struct loop *loop = job->loop;
    const struct variable *var = loop->variable;
    const char *upper = source_text(job, loop->upper);
    struct text out;
    text_start(&out, job->arena);
    text_print(&out, "{ %s = %s; ", emit_declare_plain(job, var->type, "orrery_first"),
               loop->lower ? source_text(job, loop->lower) : var->name);
    text_print(&out, "long orrery_count = orrery_first %s (%s) ? %s : 0; ",
               relation_text(loop->relation), upper, count_text(job, upper));
    print_values(job, &out);
    print_needs(job, &out);
    print_env(job, &out);
    if (job->options->allow_fallback) {
        text_print(&out, "if (orrery_run(&orrery_loop_%d, &orrery_env, orrery_count) == 0) { ",
                   job->number);
        print_results(job, &out);
        text_print(&out, "} else ");
    } else {
        text_print(&out, "orrery_run(&orrery_loop_%d, &orrery_env, orrery_count); ", job->number);
        print_results(job, &out);
        print_uses(job, &out);
        text_print(&out, "}");
    }
    return out.bytes;
}
