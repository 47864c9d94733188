/*
 * Pipelines: a function per stage. Of the user's text it has the stage's own statements, and
 * declarations in place of the others'; what earlier stages have made of an iteration's variables
 * is read from the iteration's slot in front of them, what later stages need is stored behind them.
 */
#include "scheduler/outline/outline.h"

#include <string.h>

static bool touches(const struct pipe_value *value, int stage) {
    return value->touched >> stage & 1;
}

static bool touched_before(const struct pipe_value *value, int stage) {
    return (value->touched & ((1u << stage) - 1)) != 0;
}

static bool touched_behind(const struct pipe_value *value, int stage) {
    return value->touched >> stage >> 1 != 0;
}

/* Has the value a place in the slots? */
static bool travels(const struct pipe_value *value) {
    return (value->touched & (value->touched - 1)) != 0 && value->written;
}

static bool is_read_from_slot(const struct pipe_value *value, int stage) {
    return travels(value) && touches(value, stage) && touched_before(value, stage);
}

/* The first stage makes all of it; later ones what they change. */
static bool is_stored(const struct pipe_value *value, int stage) {
    return travels(value) && touches(value, stage) && touched_behind(value, stage) &&
           ((value->written >> stage & 1) || !touched_before(value, stage));
}

static bool is_array(const struct type *type) {
    return type->kind == TYPE_ARRAY;
}

/* Copies: `name` from the slot, or back. Arrays as bytes. */
static const char *copy_text(struct outline *job, int index, bool load) {
    const struct variable *var = job->plan->pipe->values[index].var;
    const char *slot = arena_printf(job->arena, "orrery_slot->orrery_v%d", index);
    const char *to = load ? var->name : slot, *from = load ? slot : var->name;
    return is_array(var->type)
               ? arena_printf(job->arena, "__builtin_memcpy(%s, %s, sizeof %s);", to, from, slot)
               : arena_printf(job->arena, "%s = %s;", to, from);
}

static const struct pipe_value *value_of(const struct outline *job, const struct variable *var,
                                         int *index) {
    const struct plan_pipe *pipe = job->plan->pipe;
    for (*index = 0; *index < pipe->nvalues; ++*index)
        if (pipe->values[*index].var == var)
            return &pipe->values[*index];
    return NULL;
}

/* ---- the text -------------------------------------------------------------------------------- */

/* A structure or an enumeration that the declaration itself defines: `struct { int a; } v`. */
static bool defines_type(const struct outline *job, const struct stmt *stmt) {
    struct token_scan scan =
        token_scan_start(job->source, stmt->range.begin.offset, stmt->range.end.offset);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (token_spells(&scan, t, "="))
            return false;
        if (token_spells(&scan, t, "{"))
            return true;
    }
    return false;
}

bool emit_pipe_check(struct outline *job) {
    const struct plan_pipe *pipe = job->plan->pipe;
    size_t end = job->loop->body->range.begin.offset + 1;
    for (int i = 0; pipe && i < pipe->nparts; ++i) {
        const struct stmt *stmt = pipe->parts[i].stmt;
        const struct range *range = &stmt->range;
        if (range->begin.file != job->unit->main_file ||
            emit_directive_between(job, end, range->begin.offset))
            return emit_refuse(job, ORR2474, *range,
                               "the loop stays serial: the directive in front of this statement "
                               "would speak of another one in the stages that do not have it");
        if (stmt->kind == STMT_DECL && pipe->parts[i].stage >= 0 && defines_type(job, stmt))
            return emit_refuse(job, ORR2305, *range,
                               "the loop stays serial: this type is defined inside of its body, "
                               "and a stage would not have it");
        end = range->end.offset;
    }
    for (int i = 0; pipe && i < pipe->nvalues; ++i)
        if (travels(&pipe->values[i]))
            emit_declare_plain(job, pipe->values[i].var->type, "orrery_v");
    return !job->refused;
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void edits_drop(struct text_edits *edits, const struct range *range) {
    int kept = 0;
    for (int i = 0; i < edits->count; ++i) {
        const struct text_edit *edit = &edits->items[i];
        if (edit->begin < range->begin.offset || edit->end > range->end.offset)
            edits->items[kept++] = *edit;
    }
    edits->count = kept;
}

/* Is the name in the text of one of the stage's statements, `sizeof` included? */
static bool is_named(const struct outline *job, const struct variable *var, int stage) {
    const struct plan_pipe *pipe = job->plan->pipe;
    for (int i = 0; i < pipe->nparts; ++i) {
        const struct range *range = &pipe->parts[i].stmt->range;
        size_t length = range->end.offset - range->begin.offset;
        if ((pipe->parts[i].stage == stage || pipe->parts[i].stage < 0) &&
            token_uses(arena_strndup(job->arena, job->source + range->begin.offset, length),
                       var->name))
            return true;
    }
    return false;
}

/* What the stage has of another one's declaration, or behind its own (`declared`). */
static const char *declarations_text(struct outline *job, const struct stmt *stmt, int stage,
                                     bool declared) {
    const char *text = "";
    for (int i = 0; i < stmt->nvars; ++i) {
        const struct variable *var = stmt->vars[i];
        int index;
        const struct pipe_value *value = value_of(job, var, &index);
        if (!declared && is_named(job, var, stage))
            text = arena_printf(job->arena, "%s%s; ", text,
                                emit_declare_plain(job, var->type, var->name));
        if (value && is_read_from_slot(value, stage))
            text = arena_printf(job->arena, "%s%s ", text, copy_text(job, index, true));
    }
    return text;
}

static bool is_declared_in_body(const struct outline *job, const struct variable *var) {
    return !emit_is_outside(job, var);
}

/* In front of all statements: the values of variables declared outside of the loop. */
static const char *loads_text(struct outline *job, int stage) {
    const struct plan_pipe *pipe = job->plan->pipe;
    const char *text = " ";
    for (int i = 0; i < pipe->nvalues; ++i)
        if (!is_declared_in_body(job, pipe->values[i].var) &&
            is_read_from_slot(&pipe->values[i], stage))
            text = arena_printf(job->arena, "%s%s ", text, copy_text(job, i, true));
    return text;
}

static const char *stores_text(struct outline *job, int stage) {
    const struct plan_pipe *pipe = job->plan->pipe;
    const char *text = "";
    for (int i = 0; i < pipe->nvalues; ++i)
        if (is_stored(&pipe->values[i], stage))
            text = arena_printf(job->arena, "%s%s ", text, copy_text(job, i, false));
    return text;
}

static void edit_part(struct outline *job, struct text_edits *edits, const struct pipe_part *part,
                      int stage) {
    const struct range *range = &part->stmt->range;
    bool mine = part->stage == stage || part->stage < 0;
    const char *text =
        part->stmt->kind == STMT_DECL ? declarations_text(job, part->stmt, stage, mine) : "";
    if (mine && *text)
        text_edit_add(edits, range->end.offset, range->end.offset,
                      arena_printf(job->arena, " %s", text));
    if (mine)
        return;
    edits_drop(edits, range);
    text_edit_add(edits, range->begin.offset, range->end.offset, *text ? text : ";");
}

void emit_pipe_edits(struct outline *job, struct text_edits *edits, int stage) {
    const struct plan_pipe *pipe = job->plan->pipe;
    const struct range *body = &job->loop->body->range;
    for (int i = 0; i < pipe->nparts; ++i)
        edit_part(job, edits, &pipe->parts[i], stage);
    text_edit_add(edits, body->begin.offset + 1, body->begin.offset + 1, loads_text(job, stage));
    text_edit_add(edits, body->end.offset - 1, body->end.offset - 1, stores_text(job, stage));
}

/* ---- slots and calls ------------------------------------------------------------------------- */

void emit_pipe_print(struct outline *job, struct text *out) {
    const struct plan_pipe *pipe = job->plan->pipe;
    if (!pipe)
        return;
    text_print(out, "struct orrery_slot_%d {\n", job->number);
    for (int i = 0; i < pipe->nvalues; ++i)
        if (travels(&pipe->values[i]))
            text_print(out, "    %s;\n",
                       emit_declare_plain(job, pipe->values[i].var->type,
                                          arena_printf(job->arena, "orrery_v%d", i)));
    text_print(out, "    char orrery_end;\n};\n\n");
    text_print(out, "static const int orrery_homes_%d[] = {", job->number);
    for (int i = 0; i < job->narrays; ++i)
        text_print(out, "%d, ", plan_pipe_home(job->plan, job->arrays[i]->object));
    text_print(out, "-1};\nstatic const int orrery_delayed_%d[] = {", job->number);
    for (int i = 0; i < job->narrays; ++i)
        text_print(out, "%d, ", plan_pipe_delays(job->plan, job->arrays[i]->object));
    text_print(out, "0};\n\n");
}

void emit_pipe_slot_print(struct outline *job, struct text *out) {
    text_print(out,
               "        struct orrery_slot_%d *const orrery_slot =\n"
               "            (struct orrery_slot_%d *)orrery_b->slots + (orrery_i - "
               "orrery_b->begin);\n"
               "        (void)orrery_slot;\n",
               job->number, job->number);
}

const char *emit_pipe_name(struct outline *job, int stage) {
    int late = stage - job->plan->pipe->nstages;
    return late < 0 ? arena_printf(job->arena, "stage%d", stage + 1)
                    : arena_printf(job->arena, "late%d", late + 1);
}

void emit_pipe_calls_print(struct outline *job, struct text *out) {
    text_print(out, "    switch (orrery_b->row) {\n");
    for (int s = 0; s < job->plan->pipe->nstages + job->plan->pipe->nlate; ++s) {
        text_print(out, "    case %d:\n    ", s);
        emit_body_call_print(job, emit_pipe_name(job, s), "orrery_b", out);
        text_print(out, "        break;\n");
    }
    text_print(out, "    }\n");
}

void emit_pipe_table_print(struct outline *job, struct text *out) {
    const struct plan_pipe *pipe = job->plan->pipe;
    if (!pipe)
        return;
    text_print(out, "    .slot_size = sizeof(struct orrery_slot_%d),\n    .stages = %d,\n",
               job->number, pipe->nstages);
    text_print(out,
               "    .homes = orrery_homes_%d,\n    .delayed = orrery_delayed_%d,\n"
               "    .stage_costs = {",
               job->number, job->number);
    for (int s = 0; s < pipe->nstages; ++s)
        text_print(out, "%s%.0f", s ? ", " : "", pipe->costs[s] < 1 ? 1 : pipe->costs[s]);
    text_print(out, "},\n    .nlate = %d,\n    .late = {", pipe->nlate);
    for (int g = 0; g < pipe->nlate; ++g)
        text_print(out, "%s{%d, %d}", g ? ", " : "", pipe->late[g].row, pipe->late[g].age);
    text_print(out, "%s},\n", pipe->nlate ? "" : "{0, 0}");
}
