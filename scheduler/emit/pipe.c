/*
 * Pipelines: a function per stage. Of the user's text it has the stage's own statements, and
 * declarations in place of the others'; what earlier stages have made of an iteration's variables
 * is read from the iteration's slot in front of them, what later stages need is stored behind them.
 */
#include "scheduler/emit/print.h"

/* ---- slots and calls ------------------------------------------------------------------------- */

void emit_pipe_print(const struct outline *job, struct text *out) {
    const struct plan_pipe *pipe = job->plan->pipe;
    if (!pipe)
        return;
    text_print(out, "struct orrery_slot_%d {\n", job->number);
    for (int i = 0; i < pipe->nvalues; ++i)
        if (emit_pipe_travels(&pipe->values[i]))
            text_print(out, "    %s;\n",
                       emit_declare_plain(job, pipe->values[i].var->type,
                                          arena_printf(job->arena, "orrery_v%d", i)));
    text_print(out, "    char orrery_end;\n};\n\n");
    if (job->standalone)
        return;
    text_print(out, "static const int orrery_homes_%d[] = {", job->number);
    for (int i = 0; i < job->narrays; ++i)
        text_print(out, "%d, ", plan_pipe_home(job->plan, job->arrays[i]->object));
    text_print(out, "-1};\nstatic const int orrery_delayed_%d[] = {", job->number);
    for (int i = 0; i < job->narrays; ++i)
        text_print(out, "%d, ", plan_pipe_delays(job->plan, job->arrays[i]->object));
    text_print(out, "0};\n\n");
}

void emit_pipe_slot_print(const struct outline *job, struct text *out) {
    text_print(out,
               "        struct orrery_slot_%d *const orrery_slot =\n"
               "            (struct orrery_slot_%d *)orrery_b->slots + (orrery_i - "
               "orrery_b->begin);\n"
               "        (void)orrery_slot;\n",
               job->number, job->number);
}

const char *emit_pipe_name(const struct outline *job, int stage) {
    int late = stage - job->plan->pipe->nstages;
    return late < 0 ? arena_printf(job->arena, "stage%d", stage + 1)
                    : arena_printf(job->arena, "late%d", late + 1);
}

void emit_pipe_calls_print(const struct outline *job, struct text *out) {
    text_print(out, "    switch (orrery_b->row) {\n");
    for (int s = 0; s < job->plan->pipe->nstages + job->plan->pipe->nlate; ++s) {
        text_print(out, "    case %d:\n    ", s);
        emit_body_call_print(job, emit_pipe_name(job, s), "orrery_b", out);
        text_print(out, "        break;\n");
    }
    text_print(out, "    }\n");
}

void emit_pipe_table_print(const struct outline *job, struct text *out) {
    const struct plan_pipe *pipe = job->plan->pipe;
    if (!pipe)
        return;
    text_print(out, "    .slot_size = sizeof(struct orrery_slot_%d),\n    .stages = %d,\n",
               job->number, pipe->nstages);
    if (!job->standalone)
        text_print(out, "    .homes = orrery_homes_%d,\n    .delayed = orrery_delayed_%d,\n",
                   job->number, job->number);
    text_print(out, "    .stage_costs = {");
    for (int s = 0; s < pipe->nstages; ++s)
        text_print(out, "%s%.0f", s ? ", " : "", pipe->costs[s] < 1 ? 1 : pipe->costs[s]);
    if (job->standalone) {
        text_print(out, "},\n");
        return;
    }
    text_print(out, "},\n    .nlate = %d,\n    .late = {", pipe->nlate);
    for (int g = 0; g < pipe->nlate; ++g)
        text_print(out, "%s{%d, %d}", g ? ", " : "", pipe->late[g].row, pipe->late[g].age);
    text_print(out, "%s},\n", pipe->nlate ? "" : "{0, 0}");
}
