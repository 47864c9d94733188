/*
 * Wavefront: an affine loop nest whose iterations need earlier ones at the same position of the
 * loops inside, or at one before it. Rows of the grid are ranges of iterations, columns ranges of
 * positions.
 */
#include "scheduler/strategy/strategy.h"
#include "scheduler/strategy/wavefront/wave.h"

/* Of a thread, for a message besides its way. */
static const double send_time = 2e-6;

/* Of a loop that nobody marked nothing is said where it is none. */
static bool propose(struct plan *plan, struct strategy_miss *miss) {
    struct strategy_miss silent = {0};
    bool marked = loop_is_marked(plan->analysis->loop);
    return !plan->analysis->unordered && !plan_merges(plan->analysis) &&
           plan_wave(plan, marked ? miss : &silent);
}

static struct plan_violation complete(struct plan *plan) {
    struct strategy_miss miss = {0};
    if (plan_wave(plan, &miss))
        return (struct plan_violation){NULL, NULL, NULL};
    return plan_order_violation(plan, miss.message ? miss.message : "its loop has no wavefront");
}

/* What is in the way says more than that iterations need each other, but for a local beside scratch
 * space that is none. */
static void excuse(struct plan *plan, const struct strategy_miss *miss) {
    static const char *const vague[] = {ORR2201, ORR2104, ORR2112, ORR2115, ORR2231, ORR2232};
    bool hides = miss->code == ORR2401 && (plan->code == ORR2231 || plan->code == ORR2232);
    if (!hides && miss->code &&
        message_is_one_of(plan->code, (int)(sizeof vague / sizeof *vague), vague))
        plan_make_serial(plan, miss->code, miss->where, miss->message, miss->fix);
}

/* Positions depend on the accesses' parts, and on what their shapes say. */
static enum linear_answer prove(struct check *check, const struct access *a,
                                const struct access *b) {
    const char *problem = check_problem(check, a, b, plan_check_wave_parts(check->plan, a, b));
    if (check_was_proved(check, problem))
        return LINEAR_EMPTY;
    const struct arena_mark mark = arena_mark(check->arena);
    enum linear_answer answer = plan_check_wave(check->plan, check->solver, a, b);
    arena_rewind(check->arena, mark);
    if (answer == LINEAR_EMPTY)
        check_remember(check, problem);
    return answer;
}

static bool stays(const struct plan *plan, const struct object *object) {
    return !wave_whole(plan, object);
}

static const char *why_unplaced(const struct plan *plan, const struct object *object) {
    return arena_printf(plan_arena(plan),
                        "a wavefront is divided among ranks by what it touches, and %s [ORR2475]",
                        wave_whole(plan, object));
}

static struct plan_array place(const struct plan *plan, struct object *object, bool written) {
    struct plan_array array = {.object = object, .dim = -1};
    if (stays(plan, object)) {
        array.placement = PLACE_RESIDENT;
        return array;
    }
    array.placement = written ? PLACE_UNPLACED : PLACE_REPLICATED;
    array.why = written ? why_unplaced(plan, object) : NULL;
    return array;
}

/* A band sends a message behind each of its stretches, eight per rank; the last band has to wait
 * for one message per rank. What other nodes wrote goes home, with nothing to hide it. */
static void cost(const struct cost_question *question, struct plan_estimate *estimate) {
    const struct cost_cluster *cluster = question->cluster;
    double nodes = (double)cluster->nodes;
    predict_fill(question, estimate);
    if (estimate->one_rank || cluster->nodes < 2)
        return;
    estimate->parts[COST_ROUNDS] = 8 * nodes * send_time + (nodes - 1) * cluster->between.latency;
    if (!estimate->guessed) {
        estimate->parts[COST_MOVING] =
            estimate->bytes * (nodes - 1) / nodes / cluster->between.bandwidth;
    }
}

/* "j + 2 * t" of the first loop inside. */
static const char *position_of(const struct plan *plan) {
    const struct plan_wave *wave = plan->wave;
    const struct loop *loop = plan->analysis->loop;
    const char *inner = "";
    for (int i = wave->nparts - 1; i >= 0; --i) {
        inner =
            wave->parts[i].kind == WAVE_LOOP ? wave->parts[i].loop->loop->variable->name : inner;
    }
    if (wave->skew == 0)
        return inner;
    if (loop->step != 1 && loop->step != -1) {
        return arena_printf(plan_arena(plan), "%s, skewed by %ld per iteration,", inner,
                            wave->skew);
    }
    char sign = (loop->step > 0) == (wave->direction > 0) ? '+' : '-';
    return wave->skew == 1
               ? arena_printf(plan_arena(plan), "%s %c %s", inner, sign, loop->variable->name)
               : arena_printf(plan_arena(plan), "%s %c %ld * %s", inner, sign, wave->skew,
                              loop->variable->name);
}

static void explain(struct plan *plan) {
    plan->code = ORR1301;
    plan->message = arena_printf(plan_arena(plan),
                                 "parallel by wavefront: what an iteration needs of earlier ones "
                                 "has the same %s or one before it",
                                 position_of(plan));
}

const struct strategy_ops strategy_wavefront = {
    .space = SPACE_VARIABLE,
    .cuts_iterations = true,
    .devices = true,
    .turn = TURN_UNLESS,
    .propose = propose,
    .excuse = excuse,
    .complete = complete,
    .form = plan_check_wave_form,
    .prove = prove,
    .together = "what is at a smaller position does not wait for what is at a greater one",
    .place = place,
    .stays = stays,
    .why_unplaced = why_unplaced,
    .cost = cost,
    .explain = explain,
    .passes_apart = "a wavefront has blocks of its own in every pass",
};
