#include "scheduler/transform/trial.h"

#include "scheduler/transform/bound.h"

bool trial_is_parallel(const struct trial *trial, struct loop *loop) {
    struct loop_facts *facts = facts_collect(trial->unit, loop);
    if (facts->nrefusals > 0)
        return false;
    const struct analysis *analysis = analysis_run(facts);
    for (int i = 0; i < analysis->ndeps; ++i)
        if (analysis->deps[i].status == DEP_CARRIED || analysis->deps[i].status == DEP_LIMIT)
            return false;
    return true;
}

bool trial_is_parallel_around(const struct trial *trial, struct loop *loop) {
    for (; loop; loop = loop->parent)
        if (trial_is_parallel(trial, loop))
            return true;
    return false;
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
