/* Served arrays: the body that finds their elements in what its chunk was sent (docs/served.md). */
#include "scheduler/outline/outline.h"

#include <string.h>

static bool is_served(const struct outline *job, int j) {
    return job->reductions[j].merged && job->reductions[j].object &&
           plan_is_served(job->plan, job->reductions[j].object);
}

int emit_serve_touch(const struct outline *job, int j) {
    for (int t = 0; is_served(job, j) && t < job->plan->ntouches; ++t)
        if (job->plan->touches[t].object == job->reductions[j].object)
            return t;
    return -1;
}

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
static void edit_access(struct outline *job, int j, const struct access *access,
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

static void edit_accesses(struct outline *job, int j, struct text_edits *all) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (access->object == job->reductions[j].object && !is_seen(job, i))
            edit_access(job, j, access, all);
    }
}

void emit_serve_edits(struct outline *job, bool served, struct text_edits *all) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct text_edits *leads = &job->reductions[j].leads;
        if (served && is_served(job, j)) {
            edit_accesses(job, j, all);
            continue;
        }
        for (int i = 0; i < leads->count; ++i)
            text_edit_add(all, leads->items[i].begin, leads->items[i].end, leads->items[i].with);
    }
}

void emit_serve_print_locals(struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j)
        if (is_served(job, j))
            text_print(out,
                       "    const struct orrery_served orrery_served_%d = orrery_b->served[%d];\n",
                       j, j);
}

/* ---- the user's function, on the owner ------------------------------------------------------- */

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

int emit_serve_globals(struct outline *job) {
    job->napplied = 0;
    for (int j = 0; j < job->nreductions; ++j) {
        struct reading reading = {job, 0};
        if (is_served(job, j) && job->reductions[j].buffered)
            emit_walk_stmt(job->facts->reductions[job->reductions[j].facts_index].apply->body,
                           see_global, &reading);
    }
    return job->napplied;
}

/* The table stands in front of the function around the loop, and names them. */
bool emit_serve_check(struct outline *job) {
    size_t at = emit_insertion_point(job->unit, job->source, job->loop->function);
    int n = emit_serve_globals(job);
    for (int i = 0; i < n; ++i) {
        const struct loc *place = &job->applied[i]->range.begin;
        if (place->file == job->unit->main_file && place->offset >= at)
            return false;
    }
    return true;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Sums that the compiler may reorder would not be the same in two bodies. */
void emit_serve_print(struct outline *job, struct text *out) {
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

void emit_serve_table_print(struct outline *job, struct text *out) {
    if (plan_serves(job->plan))
        text_print(out, "#ifdef ORRERY_SERVE\n    .served = orrery_chunk_%d,\n#endif\n",
                   job->number);
}
