/* Served arrays: the body that finds their elements in what its chunk was sent (docs/served.md). */
#include "scheduler/emit/print.h"

void emit_serve_print_locals(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j)
        if (emit_is_served(job, j))
            text_print(out,
                       "    const struct orrery_served orrery_served_%d = orrery_b->served[%d];\n",
                       j, j);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Sums that the compiler may reorder would not be the same in two bodies. */
void emit_serve_print(const struct outline *job, struct text *out) {
    if (!plan_serves(job->plan))
        return;
    text_print(out, "#ifdef ORRERY_SERVE\n");
    emit_serve_body_print(job, out);
    text_print(out,
               "static void orrery_chunk_%d(const struct orrery_block *orrery_b) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_b->env;\n"
               "    (void)orrery_env;\n",
               job->number, job->number);
    emit_body_call_print(job, "served", "orrery_b", out);
    text_print(out, "}\n#endif\n\n");
}

void emit_serve_table_print(const struct outline *job, struct text *out) {
    if (plan_serves(job->plan))
        text_print(out, "#ifdef ORRERY_SERVE\n    .served = orrery_chunk_%d,\n#endif\n",
                   job->number);
}
