/* C text of expressions, in functions that have the environment. */
#include "scheduler/outline/outline.h"

#include <string.h>

const char *emit_localize(const struct outline *job, const char *text) {
    for (int i = 0; i < job->nfields; ++i) {
        const struct env_field *field = &job->fields[i];
        if (field->role != FIELD_REFERENCE || !token_uses(text, field->var->name))
            continue;
        struct text_edits edits = {.arena = job->arena};
        struct token_scan scan = token_scan_start(text, 0, strlen(text));
        bool member = false, minus = false;
        for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
            if (!member && token_spells(&scan, t, field->var->name))
                text_edit_add(&edits, t.begin, t.end,
                              arena_printf(job->arena, "(*%s)", field->name));
            member = token_spells(&scan, t, ".") || (minus && token_spells(&scan, t, ">"));
            minus = token_spells(&scan, t, "-");
        }
        struct text out;
        text_start(&out, job->arena);
        text_edits_apply(&edits, text, 0, strlen(text), false, &out);
        text = out.bytes;
    }
    return text;
}

const char *emit_listed_name(const struct outline *job, const struct variable *var) {
    const struct emit_touch *touch = job->listed;
    for (int l = 0; touch && l < touch->nloops; ++l)
        if (job->facts->inner[touch->loops[l]].loop->variable == var)
            return arena_printf(job->arena, "orrery_j%d", l);
    return NULL;
}

static const char *listed_name(void *data, const struct variable *var) {
    return emit_listed_name(data, var);
}

const char *emit_expr(const struct outline *job, const struct expr *expr) {
    struct outline named = *job;
    return emit_localize(job, expr_print_renamed(job->arena, expr, listed_name, &named));
}
