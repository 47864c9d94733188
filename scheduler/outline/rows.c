/* Sums into rows behind a table of pointers. */
#include "scheduler/outline/collect.h"

/* ORRERY_ROWS_SLOTS of the runtime. */
enum { MAX_ROWS = 16 };

bool emit_rows_fill(struct outline *job, const struct object *object, struct emit_reduction *made) {
    if (object->table_step || object->inner_step || job->nreductions >= MAX_ROWS)
        return false;
    made->rows = true;
    made->size_text = arena_printf(
        job->arena, "orrery_rows_bytes(orrery_env->orrery_count_%d, orrery_env->orrery_stride_%d)",
        job->nreductions, job->nreductions);
    return true;
}
