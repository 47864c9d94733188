/* What is replaced in the text of the body. */
#include "scheduler/outline/collect.h"

static void add_edits(struct text_edits *all, const struct text_edits *edits) {
    for (int i = 0; i < edits->count; ++i)
        text_edit_add(all, edits->items[i].begin, edits->items[i].end, edits->items[i].with);
}

static void body_edits(const struct outline *job, bool sites, int stage, struct text_edits *all) {
    *all = (struct text_edits){.arena = job->arena};
    add_edits(all, &job->renames);
    if (sites)
        add_edits(all, &job->sites);
    emit_serve_edits(job, stage == SERVED, all);
}

/* What becomes of the body in the text of a stage. */
struct text_edits emit_body_edits(const struct outline *job, bool sites, int stage) {
    struct text_edits edits;
    body_edits(job, sites, stage, &edits);
    if (stage == CUT)
        emit_wave_edits(job, &edits);
    if (stage >= 0)
        emit_pipe_edits(job, &edits, stage);
    return edits;
}

static bool fits(const struct outline *job, bool sites, int stage) {
    struct text_edits edits = emit_body_edits(job, sites, stage);
    const struct range *body = &job->loop->body->range;
    return text_edits_fit(&edits, body->begin.offset, body->end.offset);
}

bool emit_body_check(struct outline *job) {
    const struct plan *plan = job->plan;
    bool ok = fits(job, false, WHOLE) && (!plan_serves(plan) || fits(job, plan->by_key, SERVED));
    if (!plan->pipe)
        ok = ok && fits(job, plan->by_key, plan->wave ? CUT : WHOLE);
    for (int s = 0; ok && plan->pipe && s < plan->pipe->nstages + plan->pipe->nlate; ++s)
        ok = fits(job, plan->by_key, s);
    return ok ? !job->refused
              : emit_refuse(job, ORR2309, job->loop->header,
                            "the loop stays serial: the parts of its text that would have to be "
                            "replaced overlap");
}
