/* What relax() and buffer() name: edits of the body (relaxed.md). */
#include "scheduler/outline/collect.h"

const struct reduction *emit_merged_at(const struct outline *job, int j) {
    int index = job->reductions[j].facts_index;
    const struct reduction *r = index < 0 ? NULL : &job->facts->reductions[index];
    return r && reduction_is_merged(r) ? r : NULL;
}

/* `(*(float *)orrery_mark(orrery_update(&(` w[j] `), shift), base, marks))` */
static void lead_write(struct outline *job, int j, const struct range *range) {
    const struct reduction *r = emit_merged_at(job, j);
    bool buffered = r->op == REDUCE_BUFFER;
    struct text_edits *leads = &job->reductions[j].leads;
    const char *type = outline_type_plain(job, r->type);
    text_edit_add(leads, range->begin.offset, range->begin.offset,
                  arena_printf(job->arena, "(*(%s *)%s%s&(", type, r->marked ? "orrery_mark(" : "",
                               buffered ? "orrery_update(" : ""));
    const char *end = ")";
    if (buffered)
        end = arena_printf(job->arena, "%s, orrery_shift_%d)", end, j);
    if (r->marked)
        end = arena_printf(job->arena, "%s, orrery_base_%d, orrery_marks_%d)", end, j, j);
    text_edit_add(leads, range->end.offset, range->end.offset,
                  arena_printf(job->arena, "%s)", end));
}

static bool is_seen(const struct outline *job, int upto, const struct access *access) {
    for (int i = 0; i < upto; ++i) {
        const struct access *other = &job->facts->accesses[i];
        if (other->object == access->object && other->write && other->expr == access->expr)
            return true;
    }
    return false;
}

/* Arrays of the file of which the function touches the element that it is called for. */
struct besides {
    const struct outline *job;
    struct emit_reduction *made;
};

static void see_beside(void *data, struct expr *e, struct expr *parent) {
    struct besides *besides = data;
    struct emit_reduction *made = besides->made;
    const struct expr *array, *index;
    (void)parent;
    if (!expr_is_element(e, &array, &index) || array->kind != EXPR_VAR || array->var->function)
        return;
    for (int i = 0; i < made->nbesides; ++i)
        if (made->besides[i] == array->var)
            return;
    ARENA_PUSH(besides->job->arena, made->besides, made->nbesides, array->var);
}

bool emit_merged_collect(struct outline *job, int index) {
    const struct reduction *r = &job->facts->reductions[index];
    job->reductions[job->nreductions - 1].leads.arena = job->arena;
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        bool leads = access->object == r->object && access->write && !is_seen(job, i, access);
        if (leads && (r->marked || r->op == REDUCE_BUFFER))
            lead_write(job, job->nreductions - 1, &access->expr->range);
    }
    struct besides besides = {job, &job->reductions[job->nreductions - 1]};
    if (r->op == REDUCE_BUFFER)
        emit_walk_stmt(r->apply->body, see_beside, &besides);
    return true;
}

/* The functions stand in front of the enclosing one, and name the arrays. */
bool emit_merged_check(struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct reduction *r = emit_merged_at(job, j);
        if (!r || r->op != REDUCE_BUFFER)
            continue;
        size_t at = emit_insertion_point(job->unit, job->source, job->loop->function);
        for (int i = 0; i < job->reductions[j].nbesides; ++i) {
            const struct variable *var = job->reductions[j].besides[i];
            if (var->range.begin.file == job->unit->main_file && var->range.begin.offset >= at)
                return emit_refuse(
                    job, ORR2311, var->range,
                    "the loop stays serial: `%s` has to be declared in front of `%s`", var->name,
                    job->loop->function->name);
        }
    }
    return true;
}
