#include "runtime/execute/passes.h"

#include "runtime/env.h"
#include "runtime/execute/context.h"
#include "runtime/region.h"

#include "dsm/dsm.h"

#include <string.h>

/* Of one region: passes, and blocks, since every message between ranks has a place of its own. */
enum { MOST_PASSES = 256, MOST_BLOCKS = 1 << 21 };

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

/* ---- what folds begin with ----------------------------------------------------------------------
 */

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

/* ---- the passes ---------------------------------------------------------------------------------
 */

static void forget(void) {
    for (int j = 0; j < waiting.state->loop->nreductions; ++j)
        dsm_own_free(waiting.starts[j]);
    dsm_own_free(waiting.starts);
    waiting.starts = NULL;
    waiting.state = NULL;
    waiting.count = 0;
}

static void run_all(bool keep) {
    if (!waiting.state)
        return;
    struct orrery_state *state = waiting.state;
    orrery_context_begin();
    targets_set(keep);
    state->loop->state = state;
    orrery_region_execute(state, waiting.envs, waiting.count, waiting.iterations,
                          orrery_clock() - waiting.spent, waiting.spent);
    forget();
    orrery_context_end();
}

void orrery_passes_flush(void) {
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
        waiting.room = 2 * bytes;
        waiting.envs = dsm_own_realloc(waiting.envs, waiting.room);
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

static bool is_full(void) {
    const struct orrery_blocks *blocks = &waiting.state->blocks;
    return waiting.count >= MOST_PASSES ||
           blocks->rows * blocks->columns * (waiting.count + 1) > MOST_BLOCKS;
}

/* False when the loop may not run in parallel. */
static bool begins(struct orrery_loop *loop, void *env, long count, double begin) {
    double inspected;
    struct orrery_state *state = orrery_region_open(loop, env, count, &inspected);
    orrery_context_end();
    if (!state)
        return false;
    waiting.state = state;
    waiting.iterations = count;
    waiting.spent = orrery_clock() - begin;
    starts_new(state);
    return true;
}

int orrery_run_later(struct orrery_loop *loop, void *env, long count) {
    double begin = orrery_clock();
    orrery_call_check(loop);
    if (!joins(loop, env, count) || is_full())
        orrery_passes_flush();
    if (count <= 0)
        return 0;
    if (!waiting.state && !begins(loop, env, count, begin))
        return 1;
    put(env);
    return 0;
}

int orrery_run(struct orrery_loop *loop, void *env, long count) {
    double begin = orrery_clock(), inspected;
    orrery_call_check(loop);
    orrery_passes_flush();
    if (count <= 0)
        return 0;
    struct orrery_state *state = orrery_region_open(loop, env, count, &inspected);
    if (state)
        orrery_region_execute(state, env, 1, count, begin, inspected);
    orrery_context_end();
    return !state;
}
