/* Sums into rows behind a table of pointers. */
#include "scheduler/outline/collect.h"

/* ORRERY_ROWS_SLOTS of the runtime. */
enum { MAX_ROWS = 16 };

bool emit_rows_fill(struct outline *job, const struct object *object, struct emit_reduction *made) {
    bool member = object->table_step || object->inner_step;
    bool both = object->table_step && object->inner_step;
    if (both || (member && made->last) || job->nreductions >= MAX_ROWS)
        return false;
    made->rows = true;
    made->size_text = arena_printf(
        job->arena, "orrery_rows_bytes(orrery_env->orrery_count_%d, orrery_env->orrery_stride_%d)",
        job->nreductions, job->nreductions);
    return true;
}

/* `cs[best].sum[j]` and `cs[best]->sum[j]` become `sums[best][j]`: two edits, around what stands in
 * the brackets. */
bool emit_rows_rename(struct outline *job, const struct object *object,
                      struct emit_reduction *made) {
    struct expr *found = NULL;
    made->target = expr_print(job->arena, object->base);
    made->follows = emit_follows_pointer(object->base);
    made->name = arena_printf(job->arena, "orrery_sums_%d", job->nreductions);
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (access->object != object)
            continue;
        struct expr *index = NULL;
        found =
            access->via || !access->expr ? NULL : rows_pointer(access->expr, object->base, &index);
        if (!found || !emit_in_body(job, found->range))
            return false;
        text_edit_add(&job->renames, found->range.begin.offset, index->range.begin.offset,
                      arena_printf(job->arena, "%s[", made->name));
        text_edit_add(&job->renames, index->range.end.offset, found->range.end.offset, "]");
    }
    made->local = found ? outline_declare_pointer(job, found->type, "", made->name) : NULL;
    return found && !job->refused;
}
