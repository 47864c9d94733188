#include "runtime/start/by_levels.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"
#include "runtime/inspect/chain.h"
#include "runtime/region/fold.h"
#include "runtime/threads/workers.h"

#include <stdio.h>

/* Who asks for a grid, or for records of regions, has them. */
static bool may_run_as_written(const struct orrery_loop *loop) {
    const struct orrery_tunables *said = orrery_env();
    bool ordered = loop->strategy == ORRERY_LEVELS || loop->strategy == ORRERY_ORDERED_ROTATION;
    bool written = !loop->reworded || orrery_has_own_words(loop);
    return ordered && !loop->unordered && !loop->kernel && !loop->reruns && written &&
           !loop->nmergings && !loop->grid[0] && !said->rows && !said->profile && !said->verify &&
           said->replay == ORRERY_REPLAY_OFF;
}

/* What levels cost, and what the clock decides, shows nowhere in the bits. */
static bool has_same_bits(const struct orrery_loop *loop) {
    bool same = !loop->contraction;
    for (int j = 0; j < loop->nreductions; ++j)
        same = same && !orrery_is_rounded(&loop->reductions[j]);
    return same;
}

static bool is_free(const struct orrery_loop *loop) {
    return may_run_as_written(loop) && has_same_bits(loop) && dsm_ranks() == 1 &&
           orrery_env()->auto_us > 0;
}

static bool may_be_tried(const struct orrery_loop *loop) {
    return is_free(loop) && !loop->reworded;
}

static bool is_chained(struct orrery_loop *loop, const void *env, long count) {
    const char *name = may_run_as_written(loop) ? orrery_chain_find(loop, env, count) : NULL;
    char why[256];
    snprintf(why, sizeof why, "its iterations write the same element of '%s' one after another",
             name ? name : "");
    if (name)
        orrery_as_written(loop, why);
    return name;
}

/* Iterations of a region from which on it is worth a word that one worker runs them all. */
enum { WORTH_SAYING = 1 << 16 };

static bool is_narrow(struct orrery_loop *loop, const void *env, long count) {
    bool narrow = is_free(loop) && orrery_chain_is_narrow(loop, env, count);
    if (narrow && count >= WORTH_SAYING)
        orrery_as_written(loop, "in its order iterations wait for each other one after another: "
                                "if any order will do, add `unordered`");
    return narrow;
}

/* One worker that keeps the loop's order gains nothing by lists of it. */
static bool is_alone(const struct orrery_loop *loop) {
    return orrery_has_own_words(loop) && is_free(loop) && orrery_workers_count() == 1;
}

/* Executions as written before the data are looked at again: twice as many each time. */
enum { MOST_RESTS = 63 };

bool orrery_levels_in_vain(struct orrery_state *state, const void *env, long count) {
    if (state->rests > 0 && state->rested == count) {
        --state->rests;
        return true;
    }
    bool vain = is_alone(state->loop) || is_chained(state->loop, env, count) ||
                is_narrow(state->loop, env, count);
    state->tried = vain ? orrery_clamp(2 * state->tried + 1, 1, MOST_RESTS) : 0;
    state->rests = state->tried;
    state->rested = count;
    return vain;
}

/* Nanoseconds that an iteration takes at least: trials tell sizes apart by it. */
static double work_of(long count) {
    return (double)count + 1;
}

static void say_one_worker(const struct orrery_region *region) {
    struct orrery_loop *loop = region->loop;
    if (region->blocks.strategy != ORRERY_LEVELS || region->blocks.rows > 1 || loop->unordered ||
        loop->grid[0] || orrery_env()->rows || loop->allow_fallback == 2 || loop->written ||
        region->count < WORTH_SAYING)
        return;
    fprintf(stderr,
            "orrery: %s:%d: one worker runs it all: in the loop's order iterations wait for each "
            "other one after another; if any order will do, add `unordered` (said once)\n",
            loop->file, loop->line);
    loop->written = 1;
}

/* Less than this share of what the workers did in its blocks is a gain. */
#define GAINS .85

void orrery_levels_doubt(const struct orrery_region *region, double seconds) {
    say_one_worker(region);
    bool gains = region->blocks.rows > 1 && seconds < GAINS * region->busy;
    if (!gains && may_be_tried(region->loop))
        trial_doubt(region->loop, work_of(region->count));
}

bool orrery_levels_untried(const struct orrery_state *state) {
    return state->stats->regions == 0 && may_be_tried(state->loop);
}

struct trial_class *orrery_levels_trial(struct orrery_loop *loop, long count, double *work) {
    *work = work_of(count);
    return may_be_tried(loop) ? trial_of_doubted(loop, *work) : NULL;
}
