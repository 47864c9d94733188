/*
 * Pipeline: the body's statements are assigned to stages of which none needs what a later one
 * makes. Rows of the grid are stages, columns ranges of iterations.
 */
#include "scheduler/strategy/pipeline/pipe.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

/* Stages need statements that are worth a worker each: as with waves, the user says where. */
static bool propose(struct plan *plan, struct strategy_miss *miss) {
    return loop_is_marked(plan->analysis->loop) && plan_pipe(plan, miss) &&
           !plan_refused_early(plan);
}

static struct plan_violation complete(struct plan *plan) {
    struct strategy_miss miss;
    const char *why = "its loop has no stages";
    if (plan_pipe(plan, &miss))
        why = NULL;
    else if (miss.message)
        why = miss.message;
    return (struct plan_violation){why, NULL, NULL};
}

/* What a pipeline lacks says more than that iterations need each other; loops in any order have none in
 * the first place (pipe.c). */
static void excuse(struct plan *plan, const struct strategy_miss *miss) {
    static const char *const vague[] = {ORR2104, ORR2112, ORR2115, ORR2201};
    bool kept = miss->near && plan->code == ORR2401;
    const struct pragma *pragma = plan->analysis->loop->pragma;
    if (miss->code && !(pragma && pragma->unordered) &&
        (kept || message_is_one_of(plan->code, (int)(sizeof vague / sizeof *vague), vague))) {
        plan_make_serial(plan, miss->code, miss->where, miss->message, miss->fix);
    }
}

static enum linear_answer prove(struct check *check, const struct access *a,
                                const struct access *b) {
    return plan_check_pipe(check->plan, check->solver, a, b);
}

static bool stays(const struct plan *plan, const struct object *object) {
    return plan_pipe_home(plan, object) >= 0;
}

static const char *why_unplaced(const struct plan *plan, const struct object *object) {
    (void)plan;
    (void)object;
    return "two stages touch it, which only threads of one rank can";
}

static struct plan_array place(const struct plan *plan, struct object *object, bool written) {
    struct plan_array array = {.object = object, .placement = PLACE_REPLICATED, .dim = -1};
    if (written)
        array.placement = stays(plan, object) ? PLACE_RESIDENT : PLACE_UNPLACED;
    if (array.placement == PLACE_UNPLACED)
        array.why = why_unplaced(plan, object);
    return array;
}

/* What the slowest stage has of the work: it sets the pace. */
static double share_of(const struct plan_pipe *pipe) {
    double slowest = 0, all = 0;
    for (int s = 0; s < pipe->nstages; ++s) {
        slowest = pipe->costs[s] > slowest ? pipe->costs[s] : slowest;
        all += pipe->costs[s];
    }
    return all > 0 ? slowest / all : 1;
}

static void cost(const struct cost_question *question, struct plan_estimate *estimate) {
    const struct plan_pipe *pipe = question->plan->pipe;
    double *parts = estimate->parts;
    parts[COST_WORK] = question->work * share_of(pipe);
    parts[COST_WAVE] = parts[COST_WORK] * (pipe->nstages - 1) / predict_parts(question->plan, 1);
}

/* "lines 12, 14 | lines 16 to 20": the statements of each stage, in order. */
static const char *stages_of(const struct plan *plan) {
    const struct plan_pipe *pipe = plan->pipe;
    const char *words = "";
    for (int s = 0; s < pipe->nstages; ++s) {
        const char *lines = "";
        int last = 0;
        for (int p = 0; p < pipe->nparts; ++p) {
            int line = pipe->parts[p].stmt->range.begin.line;
            if (pipe->parts[p].stage == s && line != last) {
                lines = arena_printf(plan_arena(plan), "%s%s%d", lines, *lines ? ", " : "", line);
                last = line;
            }
        }
        words = arena_printf(plan_arena(plan), "%s%s%s%s", words, s ? " | " : "",
                             strchr(lines, ',') ? "lines " : "line ", lines);
    }
    return words;
}

/* "; V, relaxed: line 47 runs 4 ranges of iterations late". */
static const char *late_of(const struct plan *plan) {
    const struct plan_pipe *pipe = plan->pipe;
    const char *words = "";
    for (int g = 0; g < pipe->nlate; ++g) {
        const char *lines = "";
        for (int p = 0; p < pipe->nparts; ++p) {
            if (pipe->parts[p].stage == pipe->nstages + g) {
                lines = arena_printf(plan_arena(plan), "%s%s%d", lines, *lines ? ", " : "",
                                     pipe->parts[p].stmt->range.begin.line);
            }
        }
        words = arena_printf(
            plan_arena(plan),
            "%s; by relax() line%s %s %d ranges of iterations late, with stage %d", words,
            strchr(lines, ',') ? "s" : "",
            arena_printf(plan_arena(plan), "%s run%s", lines, strchr(lines, ',') ? "" : "s"),
            PIPE_AHEAD_LATE * pipe->nstages * pipe->late[g].age, pipe->late[g].row + 1);
    }
    return words;
}

static void explain(struct plan *plan) {
    plan->code = ORR1601;
    plan->message = arena_printf(plan_arena(plan),
                                 "parallel by pipeline: %d stages of which none needs what a later "
                                 "one makes, in the loop's order each (%s)%s",
                                 plan->pipe->nstages, stages_of(plan), late_of(plan));
}

const struct strategy_ops strategy_pipeline = {
    .cuts_iterations = true,
    .turn = TURN_MENDS,
    .propose = propose,
    .excuse = excuse,
    .complete = complete,
    .form = plan_check_pipe_form,
    .prove = prove,
    .exempt = plan_check_pipe_exempt,
    .together = "an earlier stage does not wait for a later one",
    .place = place,
    .stays = stays,
    .why_unplaced = why_unplaced,
    .cost = cost,
    .explain = explain,
    .passes_apart = "a pipeline is emptied at the end of every pass",
};
