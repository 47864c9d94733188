/*
 * Minima and maxima of the form `m = m < x ? m : x`: an x that is no number is taken, and the next
 * x takes its place, so that what came before is lost. Blocks cannot know of each other's, and the
 * program stops when it happens. `m = x < m ? x : m` and `if (x < m) m = x` pass it by.
 */
#include "scheduler/emit/print.h"

void emit_nan_print_locals(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].watched)
            text_print(out, "    int orrery_nan_%d = 0;\n", j);
}

/* Where the serial text stays the run goes on, for nothing, and the loop begins again. */
static const char *stop_text(const struct outline *job, int j) {
    struct loc loc = job->loop->header.begin;
    const char *file = loc.file >= 0 ? job->unit->files[loc.file].name : job->file;
    const char *words = arena_printf(job->arena, "\"%s:%d\", \"%s\"", text_escape(job->arena, file),
                                     loc.line, text_escape(job->arena, job->reductions[j].title));
    return emit_falls_back(job)
               ? arena_printf(job->arena, "orrery_nan_late(%s, %d);", words, emit_fallback(job))
               : arena_printf(job->arena, "orrery_nan_stop(%s);", words);
}

void emit_nan_print_check(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].watched)
            text_print(out, "    if (__builtin_expect(orrery_nan_%d, 0))\n        %s\n", j,
                       stop_text(job, j));
}

void emit_nan_print_start(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions && !emit_falls_back(job); ++j)
        if (job->reductions[j].watched && !job->reductions[j].is_array)
            text_print(out, "if (__builtin_isnan(%s)) %s ", job->reductions[j].target,
                       stop_text(job, j));
}

const char *emit_nan_known(const struct outline *job) {
    struct text out;
    text_start(&out, job->arena);
    for (int j = 0; j < job->nreductions && emit_falls_back(job); ++j)
        if (job->reductions[j].watched && !job->reductions[j].is_array)
            text_print(&out, "!__builtin_isnan(%s) && ", job->reductions[j].target);
    return out.bytes;
}
