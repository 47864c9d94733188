/*
 * Passes that were put off (orrery_run_later): they are run in a row, as one region, so that a wave
 * over the grid fills and drains once.
 */
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/region/region.h"
#include "runtime/region/state.h"
#include "runtime/schedule/parts.h"
#include "runtime/start/attempt.h"
#include "runtime/start/by_levels.h"
#include "runtime/start/guest.h"
#include "runtime/start/verify.h"
#include "runtime/threads/context.h"

#include "dsm/dsm.h"

#include <string.h>

/* Of one region: passes, and blocks, since every message between ranks has a place of its own. */
enum { MOST_PASSES = 256, MOST_BLOCKS = 1 << 21 };

/* Of one region on several ranks; of an iteration that nobody has timed. */
#define REGION_SECONDS 2
#define ITERATION_SECONDS 1e-7

/*
 * `count` passes of `state`'s loop over `iterations` iterations, their environments one behind the
 * other. `starts[j]`: what reduction j's target held when the last pass was put off. `spent`:
 * seconds that went into looking whether they may run.
 */
static struct {
    struct orrery_state *state;
    long count, iterations;
    char *envs;
    size_t room;
    char **starts;
    double spent;
} waiting;

static char *env_at(long pass) {
    return waiting.envs + (size_t)pass * waiting.state->loop->env_size;
}

/* ---- what folds begin with ------------------------------------------------------------------- */

static void starts_new(struct orrery_state *state) {
    size_t n = (size_t)state->loop->nreductions;
    waiting.starts = dsm_own_alloc((n + 1) * sizeof *waiting.starts);
    for (size_t j = 0; j < n; ++j)
        waiting.starts[j] = dsm_own_alloc(state->bytes[j] + 1);
}

static void starts_take(const void *env) {
    const struct orrery_state *state = waiting.state;
    for (int j = 0; j < state->loop->nreductions; ++j)
        if (orrery_is_folded(&state->loop->reductions[j]))
            memcpy(waiting.starts[j], orrery_target_of(state->loop, j, env), state->bytes[j]);
}

/* The targets of the last environment hold what they held then; those nobody wants are ours. */
static void targets_set(bool keep) {
    const struct orrery_state *state = waiting.state;
    char *env = env_at(waiting.count - 1);
    for (int j = 0; j < state->loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &state->loop->reductions[j];
        if (!orrery_is_folded(reduction))
            continue;
        if (keep)
            memcpy(orrery_target_of(state->loop, j, env), waiting.starts[j], state->bytes[j]);
        else
            memcpy(env + reduction->target_offset, &waiting.starts[j], sizeof(char *));
    }
}

/* ---- the passes ------------------------------------------------------------------------------ */

static void forget(void) {
    for (int j = 0; j < waiting.state->loop->nreductions; ++j)
        dsm_own_free(waiting.starts[j]);
    dsm_own_free(waiting.starts);
    waiting.starts = NULL;
    waiting.state = NULL;
    waiting.count = 0;
}

static void waiting_execute(void *data) {
    (void)data;
    orrery_region_execute(waiting.state, waiting.envs, waiting.count, waiting.iterations,
                          orrery_clock() - waiting.spent, waiting.spent);
}

static void run_all(bool keep) {
    if (!waiting.state)
        return;
    struct orrery_state *state = waiting.state;
    struct orrery_loop *loop = state->loop;
    orrery_context_begin();
    targets_set(keep);
    loop->state = state;
    if (!orrery_attempt(loop, waiting_execute, NULL))
        orrery_region_serially(loop, waiting.envs, waiting.count, waiting.iterations);
    forget();
    orrery_context_end();
}

/* Rank 0: runs what was put off; its folds are wanted by nobody. */
static void flush(void) {
    if (orrery_call_is_main())
        run_all(false);
}

void orrery_passes_end(struct orrery_loop *loop, int keep) {
    if (orrery_call_is_main() && waiting.state && waiting.state->loop == loop)
        run_all(keep != 0);
}

static void put(const void *env) {
    size_t size = waiting.state->loop->env_size, bytes = (size_t)(waiting.count + 1) * size;
    if (bytes > waiting.room) {
        waiting.envs = dsm_own_realloc(waiting.envs, 2 * bytes);
        waiting.room = 2 * bytes;
    }
    ++waiting.count;
    memcpy(env_at(waiting.count - 1), env, size);
    starts_take(env);
}

/* All that differs are values: blocks, guards and addresses are those of the passes before. */
static bool joins(const struct orrery_loop *loop, const char *env, long count) {
    if (!waiting.state || waiting.state->loop != loop || waiting.iterations != count)
        return false;
    for (int i = 0; i < loop->nsteady; ++i)
        if (memcmp(env + loop->steady[i].offset, waiting.envs + loop->steady[i].offset,
                   loop->steady[i].size) != 0)
            return false;
    return true;
}

/* Rows go to other ranks between regions only: one takes some seconds at most. A run that verifies has
 * the same regions on any number of ranks. */
static long most_passes(void) {
    const struct orrery_loop_stats *stats = waiting.state->stats;
    double pace = stats->regions ? orrery_median(stats->paces, stats->regions, ORRERY_STARTS)
                                 : ITERATION_SECONDS * (double)waiting.iterations;
    bool anew = dsm_ranks() > 1 && orrery_env()->deal != ORRERY_DEAL_NEVER && !orrery_env()->verify;
    return anew && pace * MOST_PASSES > REGION_SECONDS
               ? orrery_clamp((long)(REGION_SECONDS / pace), 1, MOST_PASSES)
               : MOST_PASSES;
}

static bool is_full(void) {
    const struct orrery_blocks *blocks = &waiting.state->blocks;
    return waiting.count >= most_passes() || orrery_levels_untried(waiting.state) ||
           blocks->rows * blocks->columns * blocks->visits * (waiting.count + 1) > MOST_BLOCKS;
}

/* One call of the program. `state`: NULL when a guard failed. `ran`: not that only the serial loop
 * can do what a body met. */
struct call {
    struct orrery_loop *loop;
    void *env;
    long count;
    double begin, inspected;
    struct orrery_state *state;
    bool ran;
};

/* The first of the passes that wait. */
static void begin_waiting(void *data) {
    struct call *call = data;
    call->state = orrery_region_open(call->loop, call->env, call->count, &call->inspected);
    if (!call->state)
        return;
    waiting.state = call->state;
    waiting.iterations = call->count;
    waiting.spent = orrery_clock() - call->begin;
    starts_new(call->state);
}

/* False: the loop's text is to run, and the caller has to run it. */
static bool ran_in_vain(const struct call *call) {
    const struct orrery_state *state = call->loop->state;
    if (call->state || !state || !state->in_vain || orrery_has_own_words(call->loop))
        return false;
    orrery_region_serially(call->loop, call->env, 1, call->count);
    return true;
}

/* False when the loop may not run in parallel. */
static bool begins(struct call *call) {
    bool good = !orrery_attempt_is_vain(call->loop) &&
                orrery_attempt(call->loop, begin_waiting, call) && call->state;
    if (!good)
        waiting.state = NULL;
    orrery_context_end();
    return good;
}

/* Behind what a body may meet, and behind merges, only the loop's own text can go on. What ranks
 * have by what iterations touch is another in every pass; `orrery verify` compares these with a
 * thread's. */
static bool waits_for_nothing(const struct orrery_loop *loop) {
    return loop->reruns || (loop->allow_fallback && loop->nmergings) ||
           (loop->sections && (dsm_ranks() > 1 || orrery_env()->verify));
}

static void call_run(void *data) {
    struct call *call = data;
    call->state = orrery_region_open(call->loop, call->env, call->count, &call->inspected);
    if (call->state)
        call->ran = orrery_region_execute(call->state, call->env, 1, call->count, call->begin,
                                          call->inspected);
}

/* A marked loop that iterations leave runs as it is written for a while, twice as long each time: what
 * the tries cost is a small part of that. */
enum { MOST_RESTS = 63 };

static bool rests(struct orrery_loop *loop) {
    const bool rest = orrery_may_be_left(loop) && loop->skips > 0;
    loop->skips -= rest;
    return rest;
}

static void rest_plan(struct orrery_loop *loop, const struct call *call) {
    if (!orrery_may_be_left(loop) || !call->state)
        return;
    loop->skip_work = call->ran ? 0 : orrery_clamp(2 * loop->skip_work + 1, 1, MOST_RESTS);
    loop->skips = loop->skip_work;
}

static int run_now(struct orrery_loop *loop, void *env, long count) {
    struct call call = {.loop = loop, .env = env, .count = count, .begin = orrery_clock()};
    if (!orrery_call_check(loop))
        return 1;
    flush();
    if (count <= 0)
        return 0;
    orrery_verify_call(loop);
    if (orrery_attempt_is_vain(loop) || rests(loop))
        return 1;
    double work;
    struct trial_class *trial = orrery_levels_trial(loop, count, &work);
    bool serial = trial && trial_choose(trial, work) == TRIAL_SERIAL;
    if (serial)
        orrery_region_serially(loop, env, 1, count);
    bool good = serial || (orrery_attempt(loop, call_run, &call) && call.ran);
    if (trial && good)
        trial_record(trial, work, orrery_clock() - call.begin);
    if (serial)
        return 0;
    rest_plan(loop, &call);
    orrery_context_end();
    return !good && !ran_in_vain(&call);
}

int orrery_run_later(struct orrery_loop *loop, void *env, long count) {
    struct call call = {.loop = loop, .env = env, .count = count, .begin = orrery_clock()};
    double work;
    if (waits_for_nothing(loop) || orrery_is_guest())
        return orrery_run(loop, env, count);
    orrery_try_enter(loop);
    if (!orrery_call_check(loop))
        return 1;
    if (!joins(loop, env, count) || is_full())
        flush();
    if (!waiting.state && orrery_levels_trial(loop, count, &work))
        return run_now(loop, env, count);
    if (count <= 0)
        return 0;
    orrery_verify_call(loop);
    if (!waiting.state && !begins(&call))
        return !ran_in_vain(&call);
    put(env);
    return 0;
}

struct orrery_rows orrery_rows_open(void *table, long count, long inner, long step, long at,
                                    long need, unsigned long element, const char *name,
                                    const char *where, int fallback) {
    flush();
    return orrery_rows_make(table, count, inner, step, at, need, element, name, where, fallback);
}

/* What ORRERY_NEEDS_US of orrery_body.h asks for. */
extern const char orrery_cc_has_to_link_this;
const char orrery_cc_has_to_link_this = 1;

int orrery_is_outermost(void) {
    return !(orrery_is_guest() ? orrery_guest_is_inside() : orrery_region_is_inside());
}

int orrery_run(struct orrery_loop *loop, void *env, long count) {
    if (orrery_is_guest())
        return orrery_guest_run(loop, env, count, run_now);
    orrery_try_enter(loop);
    return run_now(loop, env, count);
}
