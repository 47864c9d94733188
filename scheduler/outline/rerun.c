/*
 * Loops of which only the end of a run tells whether it was right: a NaN in a minimum, sums beyond
 * the end of a row. Where a check may not end the program such a loop has to be able to begin
 * again, serially: nothing that it has changed is read by it. What it folds the runtime can put
 * back.
 */
#include "scheduler/outline/collect.h"

#include <string.h>

static bool is_scratch(const struct outline *job, const struct object *object) {
    for (int i = 0; i < job->facts->nscratches; ++i)
        if (job->facts->scratches[i].object == object)
            return true;
    return false;
}

/* Reads `write`'s object, other than to fold into it. */
static const struct access *reader_of(const struct outline *job, const struct access *write) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (!access->write && access->object == write->object && access->reduction < 0)
            return access;
    }
    return NULL;
}

/* What the loop changes and reads; NULL: nothing. */
static const struct access *read_of_changed(const struct outline *job) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (!access->write || access->reduction >= 0 || is_scratch(job, access->object))
            continue;
        const struct access *reader = reader_of(job, access);
        if (reader)
            return reader;
    }
    return NULL;
}

/* The reduction whose run tells by its end, -1: none does. */
static int told_late(const struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].watched || job->reductions[j].rows)
            return j;
    return -1;
}

static void leaving_see(void *data, struct expr *e) {
    bool *leaves = data;
    *leaves = *leaves || (e->kind == EXPR_CALL && e->function &&
                          strcmp(e->function->name, "orrery_output_leave") == 0);
}

/* An iteration may leave the loop, and those behind it must not have been (transform/output.c). */
static bool leaves(const struct outline *job) {
    bool found = false;
    stmt_visit(job->loop->body, leaving_see, &found);
    return found;
}

bool emit_reruns(const struct outline *job) {
    return (emit_falls_back(job) && told_late(job) >= 0) || leaves(job);
}

/* Variables have copies, and what is folded can be put back. Other memory cannot. */
static bool leaving_check(struct outline *job) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *a = &job->facts->accesses[i];
        if (a->write && a->reduction < 0 && !is_scratch(job, a->object) &&
            !emit_is_copied(job, a->object))
            return emit_refuse(job, ORR2221, a->range,
                               "the loop stays serial: an iteration may leave it, and what those "
                               "behind that one have written to `%s` would be seen",
                               a->object->name);
    }
    return true;
}

bool emit_rerun_check(struct outline *job) {
    int late = emit_falls_back(job) ? told_late(job) : -1;
    const struct access *read = late < 0 ? NULL : read_of_changed(job);
    bool merged = false;
    for (int j = 0; j < job->nreductions; ++j)
        merged |= job->reductions[j].merged;
    if (leaves(job) && !leaving_check(job))
        return false;
    if (late < 0 || (!read && !merged && job->plan->strategy != STRATEGY_PIPELINE))
        return true;
    return emit_refuse(job, ORR2319, read ? read->range : job->loop->header,
                       "the loop stays serial: %s `%s` is known when it has run, and `%s`, which "
                       "it reads, would have been changed by then",
                       job->reductions[late].watched ? "whether a NaN comes into"
                                                     : "whether sums stay inside the rows of",
                       job->reductions[late].title,
                       read ? read->object->name : job->reductions[late].title);
}
