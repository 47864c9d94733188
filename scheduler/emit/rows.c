/* Sums into rows behind a table of pointers: the rows in one piece for the region (orrery_rows). */
#include "scheduler/emit/print.h"

const char *emit_rows_local(const struct outline *job, int j) {
    return arena_printf(job->arena,
                        "orrery_rows_table(%d, orrery_b->accumulators[%d], "
                        "orrery_env->orrery_count_%d, orrery_env->orrery_pitch_%d, "
                        "orrery_env->orrery_stride_%d)",
                        j, j, j, j, j);
}

const char *emit_rows_count(const struct outline *job, const struct object *object) {
    const struct type *type = object->var ? object->var->type : NULL;
    const struct type *entry = type && type->kind == TYPE_ARRAY ? type->element : NULL;
    if (entry && type->count > 0 && entry->kind != TYPE_ARRAY)
        return arena_printf(job->arena, "%ld", type->count);
    return object->ndims > 0 && object->dims[0].extent_text ? object->dims[0].extent_text : "0";
}

static const char *inner_of(const struct object *object) {
    bool tables = object->ntables > 1 && !object->inner_step;
    const char *extent = tables ? object->dims[1].extent_text : NULL;
    return !tables ? "-1" : extent ? extent : "0";
}

/* From one pointer to the next; 0: each stands in a structure behind an entry. */
static long step_of(const struct object *object) {
    return object->inner_step ? 0 : object->table_step ? object->table_step : (long)sizeof(char *);
}

/* Bytes of a row that is scratch space, or whose members go different ways: it may share none. */
static const char *need_of(const struct outline *job, const struct emit_reduction *r) {
    const struct object_dim *dim = &r->object->dims[r->object->ntables];
    if (r->object->parted)
        return arena_printf(job->arena, "%ldL", job->facts->reductions[r->facts_index].stride);
    return r->facts_index >= 0 ? "0"
                               : arena_printf(job->arena, "(long)(%s) * (long)(%s)",
                                              dim->extent_text, dim->stride_text);
}

/* A value of the table's, where the call may read it. */
static const char *readiness_value(const struct outline *job, const char *value) {
    return emit_readiness_is_early(job) ? arena_printf(job->arena, "orrery_ready ? %s : 0", value)
                                        : value;
}

void emit_rows_print_open(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (!r->rows)
            continue;
        struct loc loc = job->loop->header.begin;
        const char *file = loc.file >= 0 ? job->unit->files[loc.file].name : job->file;
        text_print(out,
                   "__attribute__((__cleanup__(orrery_rows_close))) struct orrery_rows "
                   "orrery_rows_%d = orrery_rows_open((void *)(%s), (long)(%s), (long)(%s), "
                   "%ldL, %ldL, %s, sizeof(%s), \"%s\", \"%s:%d\", %d); ",
                   j, readiness_value(job, r->target),
                   readiness_value(job, emit_rows_count(job, r->object)),
                   readiness_value(job, inner_of(r->object)), step_of(r->object),
                   r->object->inner_step ? r->object->inner_at : r->object->table_at,
                   readiness_value(job, need_of(job, r)), r->type_text,
                   text_escape(job->arena, r->title), text_escape(job->arena, file), loc.line,
                   emit_fallback(job));
    }
}

const char *emit_rows_known(const struct outline *job) {
    struct text out;
    text_start(&out, job->arena);
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].rows)
            text_print(&out, "orrery_rows_%d.flat && ", j);
    return out.bytes;
}

void emit_rows_print_ran(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].rows)
            text_print(out, "orrery_rows_%d.ran = 1; ", j);
}
