/*
 * Loops that may run serially when a check fails: a run of one is an attempt (dsm_attempt) up to
 * where the program's memory begins to change. docs/running.md lists the checks.
 */
#include "runtime/start/attempt.h"

#include "runtime/region/state.h"

#include "runtime/base/heartbeat.h"
#include "runtime/checks/intervals.h"
#include "runtime/share/sharing.h"

#include "dsm/dsm.h"

#include <stdio.h>
#include <string.h>

/* What was made of the inputs is not finished. */
static void state_drop(struct orrery_state *state) {
    orrery_packed_free(&state->packed);
    orrery_inspection_free(state->inspection);
    state->inspection = NULL;
    state->refused = true;
    orrery_intervals_forget(state);
    orrery_sharing_doubt(state);
}

bool orrery_attempt(struct orrery_loop *loop, void (*work)(void *data), void *data) {
    struct dsm_status status;
    if (!loop->allow_fallback && !dsm_attempting()) {
        work(data);
        return true;
    }
    unsigned long starved = dsm_own_starved();
    uint32_t phase = orrery_heartbeat_phase(ORRERY_PHASE_SERIAL);
    orrery_heartbeat_phase(phase);
    if (dsm_attempt(work, data, &status))
        return true;
    orrery_heartbeat_phase(phase);
    orrery_region_close();
    if (loop->allow_fallback)
        orrery_fall_back(loop, status.why);
    struct orrery_state *state = loop->state;
    if (state && dsm_own_starved() != starved)
        state->head->starved = true;
    if (state)
        state_drop(state);
    if (!loop->allow_fallback)
        dsm_refuse(1, "%s", status.why);
    return false;
}

bool orrery_attempt_is_vain(const struct orrery_loop *loop) {
    const struct orrery_state *state = loop->state;
    return loop->allow_fallback && state && state->head->starved;
}

void orrery_region_serially(struct orrery_loop *loop, const char *envs, long passes, long count) {
    void *targets[loop->nreductions + 1];
    for (long pass = 0; pass < passes; ++pass) {
        const char *env = envs + (size_t)pass * loop->env_size;
        for (int j = 0; j < loop->nreductions; ++j)
            targets[j] = orrery_target_of(loop, j, env);
        struct orrery_block block = {.env = env, .end = count, .accumulators = targets};
        loop->serial(&block);
    }
}
