/* Statements that touch what evaluating an expression reads. */
#include "scheduler/emit/print.h"

#include <string.h>

static int span_of(const struct outline *job, const char *behind) {
    int i = 0;
    while (i < job->nspans && strcmp(job->spans[i], behind) != 0)
        ++i;
    return i;
}

/* Does the name begin with a variable that is another one in each iteration? */
static bool begins_with(const char *text, const struct variable *var) {
    size_t length = var && var->name ? strlen(var->name) : 0;
    return length && strncmp(text, var->name, length) == 0 && strchr("-.", text[length]);
}

/*
 * Is the memory behind the name in one piece? Behind `r`, and behind `d->user` where d stays: what
 * these lead to is the same in all iterations. Not behind `d[i].user`.
 */
static bool is_one_array(const struct outline *job, const char *behind) {
    bool stays = !begins_with(behind, job->loop->variable);
    for (int i = 0; i < job->facts->ninductions; ++i)
        stays = stays && !begins_with(behind, job->facts->inductions[i].var);
    return stays && !strpbrk(behind, "[(*?+");
}

/* Files that stand alone compare what was read with a copy of it. */
bool emit_tells_reads(const struct outline *job) {
    bool all = true;
    for (int i = 0; i < job->nspans; ++i)
        all = all && is_one_array(job, job->spans[i]);
    return !job->standalone || (job->plan->by_key && all && !emit_has_intervals(job));
}

void emit_touches_print(const struct outline *job, const struct touches *touches, int from,
                        int indent, struct text *out) {
    if (!emit_tells_reads(job))
        return;
    for (int i = from; i < touches->count; ++i) {
        const struct touch *t = &touches->items[i];
        const char *text = t->expr ? emit_expr(job, t->expr) : "";
        text_print(out, "%*s", indent + 4 * t->depth, "");
        if (t->kind == TOUCH_READ)
            text_print(out, "orrery_touch(&orrery_s[%d], &(%s), sizeof(%s));\n",
                       span_of(job, t->behind), text, text);
        else if (t->kind == TOUCH_IF)
            text_print(out, "if (%s(%s)) {\n", t->negated ? "!" : "", text);
        else
            text_print(out, "}\n");
    }
}

void emit_reads_print(const struct outline *job, const struct touches *touches, int indent,
                      struct text *out) {
    if (!touches->count || !emit_tells_reads(job))
        return;
    text_print(out, "%*sif (orrery_s) {\n", indent, "");
    emit_touches_print(job, touches, 0, indent, out);
    text_print(out, "%*s}\n", indent, "");
}

void emit_affine_reads(const struct outline *job, const struct affine *affine, int indent,
                       struct text *out) {
    struct touches reads = {.depth = 1};
    touches_add_affine(job, affine, &reads);
    emit_reads_print(job, &reads, indent, out);
}
