/* Passes that flow into each other:
 * where the program waits for them, and what they have in common. */
#include "scheduler/emit/print.h"

/* ---- waiting --------------------------------------------------------------------------------- */

static const char *wait_text(const struct outline *job, bool keeps) {
    return arena_printf(job->arena, "orrery_passes_end(&orrery_loop_%d, %d);", job->number, keeps);
}

static void edit_wait(const struct outline *job, const struct plan_wait *wait,
                      struct text_edits *edits) {
    const struct range *at = &wait->stmt->range;
    const char *call = wait_text(job, wait->keeps);
    bool declares = wait->stmt->kind == STMT_DECL;
    text_edit_add(edits, at->begin.offset, at->begin.offset,
                  arena_printf(job->arena, declares ? "%s " : "{ %s ", call));
    if (!declares)
        text_edit_add(edits, at->end.offset, at->end.offset, " }");
}

void emit_passes_edit(const struct outline *job, struct text_edits *edits) {
    const struct plan_passes *passes = job->passes;
    const struct range *around = &passes->around->stmt->range;
    const char *call = wait_text(job, passes->keeps);
    for (int i = 0; i < passes->nwaits; ++i)
        edit_wait(job, &passes->waits[i], edits);
    if (!passes->in_block)
        text_edit_add(edits, around->begin.offset, around->begin.offset, "{ ");
    text_edit_add(edits, around->end.offset, around->end.offset,
                  arena_printf(job->arena, passes->in_block ? " %s" : " %s }", call));
}

/* ---- what does not change -------------------------------------------------------------------- */

static bool is_steady(const struct outline *job, const struct env_field *field) {
    bool varies = false;
    for (int i = 0; i < job->passes->nvaries; ++i)
        varies |= field->var == job->passes->varies[i];
    return !varies || field->role != FIELD_VALUE || field->input;
}

int emit_steady_print(const struct outline *job, struct text *out) {
    int count = 1;
    if (!job->passes)
        return 0;
    text_print(out, "static const struct orrery_input orrery_steady_%d[] = {\n", job->number);
    emit_input_print(job, NULL, out);
    for (int i = 0; i < job->nfields; ++i) {
        if (!is_steady(job, &job->fields[i]))
            continue;
        ++count;
        emit_input_print(job, job->fields[i].name, out);
    }
    text_print(out, "};\n\n");
    return count;
}
