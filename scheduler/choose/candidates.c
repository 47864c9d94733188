/*
 * All legal plans of a loop, and the choice among them.
 */
#include "scheduler/choose/predict.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

enum { MOST_CANDIDATES = 64, MOST_TRIES = 20000 };

/* ---- enumeration ----------------------------------------------------------------------------- */

bool plan_same_dims(const struct plan *a, const struct plan *b) {
    return a->strategy == b->strategy && a->space == b->space && a->partner == b->partner &&
           a->ntimes == b->ntimes &&
           memcmp(a->times, b->times, (size_t)a->ntimes * sizeof *a->times) == 0;
}

static void push(struct candidates *list, const struct plan *plan) {
    struct candidate one = {.plan = *plan, .group = list->ngroups};
    for (int i = 0; i < list->count; ++i) {
        if (plan_same_dims(&list->items[i].plan, plan))
            return;
        one.order += list->items[i].group == list->ngroups;
    }
    if (list->count < MOST_CANDIDATES) {
        plan_place(&one.plan);
        ARENA_PUSH(list->arena, list->items, list->count, one);
    }
}

/* dims[have .. ndims) in all ways. */
static void extend(struct candidates *list, const struct plan *plan, int have, int ndims,
                   int *dims) {
    if (have == ndims) {
        struct plan other = *plan;
        ++list->tries;
        other.space = dims[0];
        memcpy(other.times, dims + 1, (size_t)(ndims - 1) * sizeof *dims);
        if (strategy_of(plan)->legal(plan->analysis, ndims, dims))
            push(list, &other);
        return;
    }
    for (int d = 0;
         d < plan->analysis->ndims && list->count < MOST_CANDIDATES && list->tries < MOST_TRIES;
         ++d) {
        bool used = false;
        for (int i = 0; i < have; ++i)
            used = used || dims[i] == d;
        dims[have] = d;
        if (!used)
            extend(list, plan, have + 1, ndims, dims);
    }
}

void candidates_add(struct candidates *list, const struct plan *plan) {
    int dims[PLAN_DIMS];
    if (list->without >> plan->strategy & 1)
        return;
    push(list, plan);
    if (strategy_of(plan)->legal)
        extend(list, plan, 0, plan->ntimes + 1, dims);
    ++list->ngroups;
}

/* ---- choice ---------------------------------------------------------------------------------- */

/*
 * Seconds that differ by more than a hundredth decide, then bytes. Where sizes are guessed, two
 * plans of one strategy differ in nothing that is known: the first stands, which plan_weigh chose.
 */
static int compare(const struct candidate *a, const struct candidate *b) {
    const struct plan_estimate *ea = &a->estimate, *eb = &b->estimate;
    if (a->group == b->group && (ea->guessed || eb->guessed))
        return a->order - b->order;
    if (ea->seconds < 0.99 * eb->seconds || eb->seconds < 0.99 * ea->seconds)
        return ea->seconds < eb->seconds ? -1 : 1;
    if (ea->bytes != eb->bytes)
        return ea->bytes < eb->bytes ? -1 : 1;
    return a->group != b->group ? a->group - b->group : a->order - b->order;
}

/* Few, and an order that is not transitive at its edges: the least is picked, one after another. */
void candidates_rank(struct candidates *list) {
    for (int i = 0; i < list->count; ++i)
        list->items[i].estimate = plan_predict(&list->items[i].plan, list->measured, list->cluster);
    for (int i = 0; i < list->count; ++i) {
        int least = i;
        for (int j = i + 1; j < list->count; ++j)
            if (compare(&list->items[j], &list->items[least]) < 0)
                least = j;
        struct candidate one = list->items[least];
        memmove(&list->items[i + 1], &list->items[i], (size_t)(least - i) * sizeof *list->items);
        list->items[i] = one;
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *name_of(const struct plan *plan) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    const char *words = strategy_name(plan->strategy);
    int keys[PLAN_KEYS], nkeys = plan_keys(plan, keys);
    for (int i = 0; i < nkeys; ++i) {
        words = arena_printf(arena, "%s%s%s", words, i ? ", " : " by ",
                             plan->analysis->dims[keys[i]].name);
    }
    return words;
}

static const char *because(const struct candidate *taken, const struct candidate *other) {
    struct arena *arena = taken->plan.analysis->facts->unit->arena;
    const struct plan_estimate *best = &taken->estimate, *worse = &other->estimate;
    int part = 0;
    for (int i = 1; i < COST_PARTS; ++i)
        if (worse->parts[i] - best->parts[i] > worse->parts[part] - best->parts[part])
            part = i;
    if (other->plan.strategy == STRATEGY_SERIAL && worse->seconds <= best->seconds) {
        return "one worker; faster as long as so few passes pay for the inspection; a marked loop "
               "is run in parallel all the same";
    }
    double more = worse->parts[part] - best->parts[part];
    if (more <= 0.01 * best->seconds) {
        if (taken->group == other->group && (best->guessed || worse->guessed))
            return "sizes are not known: what is likely to be larger stays";
        return worse->bytes > best->bytes
                   ? arena_printf(arena, "a rank sends %.3g MB a pass, not %.3g",
                                  worse->bytes / 1e6, best->bytes / 1e6)
                   : "nothing is gained";
    }
    const char *words = strategy_of(&other->plan)->slower[part];
    if (words)
        return words;
    switch (part) {
    case COST_WORK:
        return worse->one_rank
                   ? arena_printf(arena, "%s is not cut: it counts as threads of one rank",
                                  worse->one_rank->name)
                   : "fewer workers";
    case COST_WAVE:
        return "workers wait while the wave fills and drains";
    case COST_ROUNDS:
        return "more rounds of messages";
    case COST_MOVING:
        return arena_printf(arena, "the link is busy: a rank sends %.3g MB a pass, not %.3g",
                            worse->bytes / 1e6, best->bytes / 1e6);
    default:
        return "iterations are gathered by their keys first";
    }
}

static double ratio(const struct plan_estimate *other, const struct plan_estimate *best) {
    return best->seconds > 0 ? other->seconds / best->seconds : 1;
}

void candidates_reject(const struct candidates *list, int taken, struct plan *plan) {
    const struct candidate *best = &list->items[taken];
    struct candidate serial = {.plan = {.analysis = plan->analysis, .space = -1, .partner = -1},
                               .group = -1};
    serial.estimate = plan_predict(&serial.plan, list->measured, list->cluster);
    plan->predicted = best->estimate.seconds;
    plan->assumed = plan_assumptions(plan, list->measured, list->cluster, best->estimate.guessed);
    plan->nrejected = 0;
    plan->rejected = NULL;
    for (int i = 0; i <= list->count; ++i) {
        const struct candidate *other = i < list->count ? &list->items[i] : &serial;
        struct plan_rejected one = {.plan = other->plan,
                                    .words = name_of(&other->plan),
                                    .ratio = ratio(&other->estimate, &best->estimate),
                                    .because = because(best, other)};
        if (i < taken)
            one.because = "it could not be proved";
        if (i != taken)
            ARENA_PUSH(list->arena, plan->rejected, plan->nrejected, one);
    }
}
