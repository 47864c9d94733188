/* Served arrays: edits of the body, and what owners read when they apply updates. */
#include "scheduler/outline/collect.h"

#include <string.h>

static bool is_written(const struct outline *job, const struct access *access) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *other = &job->facts->accesses[i];
        if (other->object == access->object && other->expr == access->expr && other->write)
            return true;
    }
    return false;
}

static bool is_seen(const struct outline *job, int upto) {
    for (int i = 0; i < upto; ++i)
        if (job->facts->accesses[i].expr == job->facts->accesses[upto].expr)
            return true;
    return false;
}

/* `(*(float *)orrery_served_at(&(` w[j] `), &orrery_served_1))`, marked when it is written. */
static void edit_access(const struct outline *job, int j, const struct access *access,
                        struct text_edits *all) {
    const struct emit_reduction *r = &job->reductions[j];
    const struct range *range = &access->expr->range;
    const char *type = emit_type_plain(job, job->facts->reductions[r->facts_index].type),
               *door = !is_written(job, access) ? "at"
                       : r->buffered            ? "update"
                                                : "write";
    text_edit_add(all, range->begin.offset, range->begin.offset,
                  arena_printf(job->arena, "(*(%s *)orrery_served_%s(&(", type, door));
    text_edit_add(all, range->end.offset, range->end.offset,
                  arena_printf(job->arena, "), &orrery_served_%d))", j));
}

static void edit_accesses(const struct outline *job, int j, struct text_edits *all) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (access->object == job->reductions[j].object && !is_seen(job, i))
            edit_access(job, j, access, all);
    }
}

void emit_serve_edits(const struct outline *job, bool served, struct text_edits *all) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct text_edits *leads = &job->reductions[j].leads;
        if (served && emit_is_served(job, j)) {
            edit_accesses(job, j, all);
            continue;
        }
        for (int i = 0; i < leads->count; ++i)
            text_edit_add(all, leads->items[i].begin, leads->items[i].end, leads->items[i].with);
    }
}

enum { DEPTH = 8 };

/* `depth`: of functions around the one that is looked at. */
struct reading {
    struct outline *job;
    int depth;
};

static bool is_known(const struct outline *job, const struct variable *var) {
    for (int i = 0; i < job->facts->nglobals; ++i)
        if (job->facts->globals[i].var == var)
            return true;
    for (int i = 0; i < job->napplied; ++i)
        if (job->applied[i] == var)
            return true;
    return false;
}

/* Arrays and pointers are those beside the element. */
static void see_global(void *data, struct expr *e, struct expr *parent) {
    struct reading *reading = data;
    struct outline *job = reading->job;
    (void)parent;
    if (e->kind == EXPR_CALL && e->function && e->function->body && reading->depth < DEPTH) {
        struct reading inner = {job, reading->depth + 1};
        emit_walk_stmt(e->function->body, see_global, &inner);
    }
    bool number = e->kind == EXPR_VAR && !e->var->function && e->var->type->kind != TYPE_ARRAY &&
                  e->var->type->kind != TYPE_POINTER && e->var->type->kind != TYPE_FUNCTION;
    if (number && !is_known(job, e->var))
        ARENA_PUSH(job->arena, job->applied, job->napplied, (const struct variable *)e->var);
}

static void collect_globals(struct outline *job) {
    job->napplied = 0;
    for (int j = 0; j < job->nreductions; ++j) {
        struct reading reading = {job, 0};
        if (emit_is_served(job, j) && job->reductions[j].buffered)
            emit_walk_stmt(job->facts->reductions[job->reductions[j].facts_index].apply->body,
                           see_global, &reading);
    }
}

/* The table stands in front of the function around the loop, and names them. */
bool emit_serve_check(struct outline *job) {
    size_t at = emit_insertion_point(job->unit, job->source, job->loop->function);
    collect_globals(job);
    for (int i = 0; i < job->napplied; ++i) {
        const struct loc *place = &job->applied[i]->range.begin;
        if (place->file == job->unit->main_file && place->offset >= at)
            return false;
    }
    return true;
}
