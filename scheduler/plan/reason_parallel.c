/*
 * The verdict's code and words of a loop that is parallel: what iterations that run together share.
 */
#include "scheduler/strategy/pipeline/pipe.h"

#include <string.h>

static struct arena *arena_of(const struct plan *plan) {
    return plan->analysis->facts->unit->arena;
}

const char *plan_dim_names(struct arena *arena, const struct analysis *analysis, int ndims,
                           const int *dims, const char *last) {
    const char *names = analysis->dims[dims[0]].name;
    for (int i = 1; i < ndims; ++i) {
        names = arena_printf(arena, "%s%s%s", names, i + 1 < ndims ? ", " : last,
                             analysis->dims[dims[i]].name);
    }
    return names;
}

/* Of what is folded, or of what relax() and buffer() name. */
static const char *reduction_names(const struct plan *plan, bool merged) {
    const struct loop_facts *facts = plan->analysis->facts;
    const char *names = NULL;
    for (int i = 0; i < facts->nreductions; ++i) {
        const char *name = facts->reductions[i].object->name;
        if (reduction_is_merged(&facts->reductions[i]) == merged)
            names = names ? arena_printf(arena_of(plan), "%s, %s", names, name) : name;
    }
    return names;
}

/* None: the plan was edited, and will be refused. */
static const char *names_or_none(const char *names) {
    return names ? names : "nothing";
}

static const char *touched_names(const struct plan *plan) {
    const char *names = "no element";
    for (int i = 0; i < plan->ntouches; ++i) {
        const char *before = i == 0 ? ""
                             : i + 1 == plan->ntouches
                                 ? arena_printf(arena_of(plan), "%s or ", names)
                                 : arena_printf(arena_of(plan), "%s, ", names);
        names = arena_printf(arena_of(plan), "%s%s", before, plan->touches[i].object->name);
    }
    return names;
}

/* "e.from and e.to, and differ in e.kind" */
static const char *tournament_names(const struct plan *plan) {
    const struct dim *dims = plan->analysis->dims;
    const char *names =
        arena_printf(arena_of(plan), "%s and %s", dims[plan->space].name, dims[plan->partner].name);
    if (plan->ntimes == 0)
        return names;
    return arena_printf(
        arena_of(plan), "%s, and differ in %s", names,
        plan_dim_names(arena_of(plan), plan->analysis, plan->ntimes, plan->times, " and "));
}

/* "j + 2 * t" of the first loop inside. */
static const char *wave_position(const struct plan *plan) {
    const struct plan_wave *wave = plan->wave;
    const struct loop *loop = plan->analysis->loop;
    const char *inner = "";
    for (int i = wave->nparts - 1; i >= 0; --i) {
        inner =
            wave->parts[i].kind == WAVE_LOOP ? wave->parts[i].loop->loop->variable->name : inner;
    }
    if (wave->skew == 0)
        return inner;
    if (loop->step != 1 && loop->step != -1)
        return arena_printf(arena_of(plan), "%s, skewed by %ld per iteration,", inner, wave->skew);
    char sign = (loop->step > 0) == (wave->direction > 0) ? '+' : '-';
    return wave->skew == 1
               ? arena_printf(arena_of(plan), "%s %c %s", inner, sign, loop->variable->name)
               : arena_printf(arena_of(plan), "%s %c %ld * %s", inner, sign, wave->skew,
                              loop->variable->name);
}

/* "lines 12, 14 | lines 16 to 20": the statements of each stage, in order. */
static const char *pipe_stages(const struct plan *plan) {
    const struct plan_pipe *pipe = plan->pipe;
    const char *words = "";
    for (int s = 0; s < pipe->nstages; ++s) {
        const char *lines = "";
        int last = 0;
        for (int p = 0; p < pipe->nparts; ++p) {
            int line = pipe->parts[p].stmt->range.begin.line;
            if (pipe->parts[p].stage == s && line != last) {
                lines = arena_printf(arena_of(plan), "%s%s%d", lines, *lines ? ", " : "", line);
                last = line;
            }
        }
        words = arena_printf(arena_of(plan), "%s%s%s%s", words, s ? " | " : "",
                             strchr(lines, ',') ? "lines " : "line ", lines);
    }
    return words;
}

/* "; V, relaxed: line 47 runs 4 ranges of iterations late". */
static const char *pipe_late(const struct plan *plan) {
    const struct plan_pipe *pipe = plan->pipe;
    const char *words = "";
    for (int g = 0; g < pipe->nlate; ++g) {
        const char *lines = "";
        for (int p = 0; p < pipe->nparts; ++p) {
            if (pipe->parts[p].stage == pipe->nstages + g) {
                lines = arena_printf(arena_of(plan), "%s%s%d", lines, *lines ? ", " : "",
                                     pipe->parts[p].stmt->range.begin.line);
            }
        }
        words = arena_printf(
            arena_of(plan), "%s; by relax() line%s %s %d ranges of iterations late, with stage %d",
            words, strchr(lines, ',') ? "s" : "",
            arena_printf(arena_of(plan), "%s run%s", lines, strchr(lines, ',') ? "" : "s"),
            PIPE_AHEAD_LATE * pipe->nstages * pipe->late[g].age, pipe->late[g].row + 1);
    }
    return words;
}

void plan_explain_parallel(struct plan *plan) {
    const struct dim *dims = plan->analysis->dims;
    int keys[PLAN_KEYS];
    struct arena *arena = arena_of(plan);
    switch (plan->strategy) {
    case STRATEGY_SERIAL:
        break;
    case STRATEGY_INDEPENDENT:
        plan->code = ORR1001;
        plan->message = "parallel: no two iterations conflict";
        break;
    case STRATEGY_REDUCTION:
        plan->code = ORR1051;
        plan->message = arena_printf(arena, "parallel: iterations meet only in the reduction of %s",
                                     names_or_none(reduction_names(plan, false)));
        break;
    case STRATEGY_RELAXED:
        plan->code = ORR1501;
        plan->message = arena_printf(
            arena,
            "parallel with relaxed %s: workers see it as it was at the last merge, and their own "
            "changes",
            names_or_none(reduction_names(plan, true)));
        break;
    case STRATEGY_PARTITION_1D:
        plan->code = ORR1101;
        plan->message = arena_printf(
            arena, "parallel by %s: iterations with the same %s stay together, in the loop's order",
            dims[plan->space].name, dims[plan->space].name);
        break;
    case STRATEGY_ROTATION_2D:
    case STRATEGY_ROTATION_ND:
        plan->code = plan->ntimes > 1 ? ORR1202 : ORR1201;
        plan->message = arena_printf(
            arena, "parallel by rotation: iterations that run together share neither %s",
            plan_dim_names(arena, plan->analysis, plan_keys(plan, keys), keys, " nor "));
        break;
    case STRATEGY_TOURNAMENT:
        plan->code = ORR1203;
        plan->message = arena_printf(
            arena, "parallel by tournament: iterations that run together name other elements by %s",
            tournament_names(plan));
        break;
    case STRATEGY_ORDERED_ROTATION:
        plan->code = ORR1402;
        plan->message = arena_printf(
            arena,
            "parallel by ordered rotation where %s and %s come in the loop's own order, else by "
            "levels: the run looks which it is",
            dims[plan->space].name, dims[plan->times[0]].name);
        break;
    case STRATEGY_WAVEFRONT:
        plan->code = ORR1301;
        plan->message = arena_printf(arena,
                                     "parallel by wavefront: what an iteration needs of earlier "
                                     "ones has the same %s or one before it",
                                     wave_position(plan));
        break;
    case STRATEGY_PIPELINE:
        plan->code = ORR1601;
        plan->message = arena_printf(arena,
                                     "parallel by pipeline: %d stages of which none needs what a "
                                     "later one makes, in the loop's order each (%s)%s",
                                     plan->pipe->nstages, pipe_stages(plan), pipe_late(plan));
        break;
    case STRATEGY_LEVELS:
        plan->code = ORR1401;
        plan->message = arena_printf(
            arena,
            "parallel by levels: iterations that touch the same elements of %s keep the loop's "
            "order, and which those are is looked up before the loop runs",
            touched_names(plan));
        break;
    }
    if (plan->strategy != STRATEGY_RELAXED && reduction_names(plan, true)) {
        plan->message =
            arena_printf(arena, "%s; %s is relaxed", plan->message, reduction_names(plan, true));
    }
}
