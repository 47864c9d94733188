/*
 * What is read before the loop that the loop reads under a condition only, or not at all when it
 * has no iteration: the arrays' places and sizes behind pointers to structures, what is summed
 * into. Where a pointer leads nowhere the loop runs as it was written, which is said.
 */
#include "scheduler/emit/job.h"

#include <ctype.h>
#include <string.h>

/* `asked`: the checks so far, in the order of the text's needs; `reads`: what the run reads. */
struct ready {
    struct emit_job *job;
    const char *reads;
    int count;
    const char **asked;
};

static bool is_conditional(const struct emit_job *job, const struct object *object) {
    for (int i = 0; i < job->facts->naccesses; ++i)
        if (job->facts->accesses[i].object == object && !job->facts->accesses[i].conditional)
            return false;
    return true;
}

static bool is_pointer(const struct variable *var) {
    return var && var->type->kind == TYPE_POINTER;
}

/* Who evaluates `expr` follows the pointer that is `text`. */
static bool follows(const struct emit_job *job, const struct expr *expr, const char *text) {
    if (!expr || expr->kind == EXPR_CONDITIONAL || expr->kind == EXPR_AND || expr->kind == EXPR_OR)
        return false;
    bool leads = expr->kind == EXPR_DEREF || expr->kind == EXPR_SUBSCRIPT;
    if (leads && strcmp(expr_print(job->arena, expr->args[0]), text) == 0)
        return true;
    for (int i = 0; i < expr->nargs; ++i)
        if (follows(job, expr->args[i], text))
            return true;
    return false;
}

/* The header, or an access that is in every iteration, leads through the pointer that is `text`. */
static bool is_sure(const struct emit_job *job, const char *text) {
    if (follows(job, job->loop->lower, text) || follows(job, job->loop->upper, text))
        return true;
    for (int i = 0; i < job->facts->nobjects; ++i) {
        const struct object *object = job->facts->objects[i];
        const char *base = object->base              ? expr_print(job->arena, object->base)
                           : is_pointer(object->var) ? object->var->name
                                                     : NULL;
        if (base && object->kind == OBJECT_POINTER && strcmp(base, text) == 0 &&
            !is_conditional(job, object))
            return true;
    }
    return false;
}

static void ask(struct ready *ready, const char *pointer, const char *size) {
    struct emit_job *job = ready->job;
    const char *check = arena_printf(job->arena, "orrery_readable(%s, %s)", pointer, size);
    for (int i = 0; i < ready->count; ++i)
        if (strcmp(ready->asked[i], check) == 0)
            return;
    ARENA_PUSH(job->arena, ready->asked, ready->count, check);
}

/* What leads to the value of `expr`, the innermost pointer first. */
static void ask_way(struct ready *ready, const struct expr *expr) {
    struct emit_job *job = ready->job;
    for (int i = 0; i < expr->nargs; ++i)
        if (expr->args[i])
            ask_way(ready, expr->args[i]);
    bool element = expr->kind == EXPR_SUBSCRIPT && expr->args[0]->type->kind == TYPE_POINTER;
    if (expr->kind != EXPR_DEREF && !element)
        return;
    const char *pointer = expr_print(job->arena, expr->args[0]);
    if (is_sure(job, pointer))
        return;
    if (element)
        pointer = arena_printf(job->arena, "&%s", expr_print(job->arena, expr));
    ask(ready, pointer,
        arena_printf(job->arena, "sizeof %s",
                     element ? pointer + 1 : arena_printf(job->arena, "*(%s)", pointer)));
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '>';
}

/* Somewhere in `reads` `pointer` is not just the place of an array. */
static bool is_followed(const char *reads, const char *pointer) {
    size_t length = strlen(pointer);
    for (const char *at = strstr(reads, pointer); at; at = strstr(at + 1, pointer)) {
        bool place = at - reads >= 9 && at[length] == ')' &&
                     (strncmp(at - 9, "(char *)(", 9) == 0 || strncmp(at - 9, "char **)(", 9) == 0);
        bool own = (at == reads || !is_word(at[-1])) &&
                   !(isalnum((unsigned char)at[length]) || at[length] == '_');
        if (own && !place)
            return true;
    }
    return false;
}

static void ask_object(struct ready *ready, const struct object *object) {
    struct emit_job *job = ready->job;
    if (!is_conditional(job, object))
        return;
    if (object->base)
        ask_way(ready, object->base);
    const char *name = object->base              ? expr_print(job->arena, object->base)
                       : is_pointer(object->var) ? object->var->name
                                                 : NULL;
    bool leads = object->kind == OBJECT_POINTER || object->kind == OBJECT_ROWS;
    if (name && leads && !(object->kind == OBJECT_POINTER && is_sure(job, name)) &&
        (object->kind == OBJECT_ROWS || is_followed(ready->reads, emit_localize(job, name))))
        ask(ready, name,
            object->size_text && object->kind == OBJECT_POINTER ? object->size_text : "1");
}

/* Reading it follows a pointer. */
static bool leads_away(const char *target) {
    return target && (strstr(target, "->") || strchr(target, '[') || strchr(target, '*'));
}

static bool chooses_behind(const struct emit_job *job, const struct emit_reduction *r) {
    const struct choice *choice =
        r->facts_index >= 0 ? job->facts->reductions[r->facts_index].choice : NULL;
    for (int m = 0; choice && m < choice->nmembers; ++m)
        if (choice->places[m])
            return true;
    return false;
}

bool emit_ready_is_early(const struct emit_job *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (leads_away(job->reductions[j].target) || chooses_behind(job, &job->reductions[j]))
            return true;
    return false;
}

/* What the run reads before any iteration: shapes, conditions, what is summed into. */
static const char *reads_of(struct emit_job *job) {
    struct text out;
    text_start(&out, job->arena);
    emit_shapes_lines(job, &out);
    for (int i = 0; i < job->facts->nguards; ++i)
        if (job->facts->guards[i].kind == GUARD_CONDITION)
            text_print(&out, "%s\n", emit_localize(job, job->facts->guards[i].text));
    for (int i = 0; i < job->facts->nobjects; ++i)
        if (job->facts->objects[i]->origin_text)
            text_print(&out, "%s\n", emit_localize(job, job->facts->objects[i]->origin_text));
    for (int j = 0; j < job->nreductions; ++j)
        if (leads_away(job->reductions[j].target))
            text_print(&out, "%s\n", emit_localize(job, job->reductions[j].target));
    return out.bytes;
}

/* Passes that were put off come before one that runs as it was written. */
const char *emit_ready_text(struct emit_job *job) {
    if (job->ready_text)
        return job->ready_text;
    struct ready ready = {.job = job, .reads = reads_of(job)};
    struct text out;
    text_start(&out, job->arena);
    for (int i = 0; i < job->facts->nobjects; ++i)
        ask_object(&ready, job->facts->objects[i]);
    if (emit_ready_is_early(job))
        text_print(&out, "orrery_count > 0 && ");
    for (int i = 0; i < ready.count; ++i)
        text_print(&out, "%s%s", i ? " && " : "((", ready.asked[i]);
    if (ready.count)
        text_print(&out, ") || orrery_not_ready(&orrery_loop_%d)) && ", job->number);
    job->ready_text = out.bytes;
    if (job->passes && out.length)
        job->ready_text =
            arena_printf(job->arena, "((%s1) || (orrery_passes_end(&orrery_loop_%d, 1), 0)) && ",
                         out.bytes, job->number);
    return job->ready_text;
}

bool emit_keeps_serial(struct emit_job *job) {
    return emit_falls_back(job) || emit_ready_text(job)[0];
}
