/*
 * Pipelines: what a stage has of the text: its own statements, and declarations in place of the
 * others'. What earlier stages have made of an iteration's variables is read from the iteration's
 * slot in front of them, what later stages need is stored behind them.
 */
#include "scheduler/outline/collect.h"

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
bool emit_pipe_travels(const struct pipe_value *value) {
    return (value->touched & (value->touched - 1)) != 0 && value->written;
}

static bool is_read_from_slot(const struct pipe_value *value, int stage) {
    return emit_pipe_travels(value) && touches(value, stage) && touched_before(value, stage);
}

/* The first stage makes all of it; later ones what they change. */
static bool is_stored(const struct pipe_value *value, int stage) {
    return emit_pipe_travels(value) && touches(value, stage) && touched_behind(value, stage) &&
           ((value->written >> stage & 1) || !touched_before(value, stage));
}

static bool is_array(const struct type *type) {
    return type->kind == TYPE_ARRAY;
}

/* Copies: `name` from the slot, or back. Arrays as bytes. */
static const char *copy_text(const struct outline *job, int index, bool load) {
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
        if (emit_pipe_travels(&pipe->values[i]))
            outline_declare_plain(job, pipe->values[i].var->type, "orrery_v");
    return !job->refused;
}

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

bool emit_pipe_declares(const struct outline *job, const struct variable *var, int stage) {
    const struct plan_pipe *pipe = job->plan->pipe;
    bool found = false;
    for (int s = 0; stage >= 0 && s < pipe->nstages + pipe->nlate; ++s)
        found = found || (s != stage && is_named(job, var, s));
    return found;
}

/* What the stage has of another one's declaration, or behind its own (`declared`). */
static const char *declarations_text(const struct outline *job, const struct stmt *stmt, int stage,
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
static const char *loads_text(const struct outline *job, int stage) {
    const struct plan_pipe *pipe = job->plan->pipe;
    const char *text = " ";
    for (int i = 0; i < pipe->nvalues; ++i)
        if (!is_declared_in_body(job, pipe->values[i].var) &&
            is_read_from_slot(&pipe->values[i], stage))
            text = arena_printf(job->arena, "%s%s ", text, copy_text(job, i, true));
    return text;
}

static const char *stores_text(const struct outline *job, int stage) {
    const struct plan_pipe *pipe = job->plan->pipe;
    const char *text = "";
    for (int i = 0; i < pipe->nvalues; ++i)
        if (is_stored(&pipe->values[i], stage))
            text = arena_printf(job->arena, "%s%s ", text, copy_text(job, i, false));
    return text;
}

static void edit_part(const struct outline *job, struct text_edits *edits,
                      const struct pipe_part *part, int stage) {
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

void emit_pipe_edits(const struct outline *job, struct text_edits *edits, int stage) {
    const struct plan_pipe *pipe = job->plan->pipe;
    const struct range *body = &job->loop->body->range;
    for (int i = 0; i < pipe->nparts; ++i)
        edit_part(job, edits, &pipe->parts[i], stage);
    text_edit_add(edits, body->begin.offset + 1, body->begin.offset + 1, loads_text(job, stage));
    text_edit_add(edits, body->end.offset - 1, body->end.offset - 1, stores_text(job, stage));
}
