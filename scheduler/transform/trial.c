#include "scheduler/transform/trial.h"

#include "scheduler/transform/bound.h"

static bool finds_parallel(struct unit *unit, struct loop *loop) {
    struct loop_facts *facts = facts_collect(unit, loop);
    if (facts->nrefusals > 0)
        return false;
    const struct analysis *analysis = analysis_run(facts);
    for (int i = 0; i < analysis->ndeps; ++i)
        if (dep_status_holds(analysis->deps[i].status))
            return false;
    return true;
}

static bool finds_sums(struct unit *unit, struct loop *loop) {
    const struct loop_facts *facts = facts_collect(unit, loop);
    for (int i = 0; i < facts->nreductions && !unit->reassociates; ++i) {
        const struct reduction *reduction = &facts->reductions[i];
        const struct reduction_operator *row = reduction_operator(reduction->op);
        if (reduction->type->kind == TYPE_FLOAT && row && row->rounded)
            return true;
    }
    return false;
}

/* What `finds` says of the loop, all else that it made being taken back. */
static bool answer(struct unit *unit, struct loop *loop,
                   bool (*finds)(struct unit *unit, struct loop *loop)) {
    const struct unit before = *unit;
    const struct arena_mark mark = arena_mark(unit->arena);
    bool found = finds(unit, loop);
    *unit = before;
    arena_rewind(before.arena, mark);
    return found;
}

bool trial_is_parallel(const struct trial *trial, struct loop *loop) {
    signed char *known = &trial->parallel[loop->id];
    if (*known == 0)
        *known = answer(trial->unit, loop, finds_parallel) ? 1 : -1;
    return *known > 0;
}

bool trial_is_parallel_around(const struct trial *trial, struct loop *loop) {
    for (; loop; loop = loop->parent)
        if (trial_is_parallel(trial, loop))
            return true;
    return false;
}

bool trial_sums_in_order(const struct trial *trial) {
    return answer(trial->unit, trial->loop, finds_sums);
}

struct writing trial_writing(const struct trial *trial, struct nest *nest, long least) {
    struct writing w = {
        .nest = nest, .source = trial->unit->files[trial->unit->main_file].text, .least = least};
    text_start(&w.out, nest->arena);
    return w;
}

bool trial_may_be_long(const struct line *line, const struct writing *w) {
    return loop_most_iterations(line->nest->facts) * 4 >= (double)w->least;
}
