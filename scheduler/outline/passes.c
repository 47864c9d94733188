/* Passes that flow into each other: may it be said in the text? */
#include "scheduler/outline/collect.h"

/* A statement that holds a parallel loop which keeps its serial text has edits of its own there. */
static bool holds_marked(const struct outline *job, const struct stmt *stmt) {
    for (int i = 0; i < job->unit->nloops; ++i) {
        const struct loop *loop = job->unit->loops[i];
        const struct range *in = &loop->stmt->range, *out = &stmt->range;
        if (loop->pragma && in->begin.file == out->begin.file &&
            in->begin.offset >= out->begin.offset && in->end.offset <= out->end.offset)
            return true;
    }
    return false;
}

const struct plan_passes *emit_passes(const struct outline *job) {
    const struct plan_passes *passes = plan_passes(job->plan);
    if (!passes->around || emit_is_automatic(job))
        return NULL;
    for (int i = 0; i < job->facts->nreductions; ++i)
        if (job->facts->reductions[i].object->kind == OBJECT_ROWS)
            return NULL;
    for (int i = 0; i < job->facts->nscratches; ++i)
        if (job->facts->scratches[i].object->kind == OBJECT_ROWS)
            return NULL;
    for (int i = 0; i < passes->nwaits; ++i)
        if ((emit_falls_back(job) && holds_marked(job, passes->waits[i].stmt)) ||
            !emit_front_is_free(job, passes->waits[i].stmt->range.begin.offset))
            return NULL;
    return emit_front_is_free(job, passes->around->stmt->range.begin.offset) ? passes : NULL;
}
