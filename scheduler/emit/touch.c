/* Statements that touch what evaluating an expression reads. */
#include "scheduler/emit/print.h"

#include <string.h>

static int span_of(const struct outline *job, const char *behind) {
    int i = 0;
    while (i < job->nspans && strcmp(job->spans[i], behind) != 0)
        ++i;
    return i;
}

const char *emit_spans_text(const struct outline *job) {
    return job->standalone ? "" : ",\n                          struct orrery_span *orrery_s";
}

void emit_touches_print(const struct outline *job, const struct touches *touches, int from,
                        int indent, struct text *out) {
    if (job->standalone)
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
    if (!touches->count || job->standalone)
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
