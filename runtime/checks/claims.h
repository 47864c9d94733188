/*
 * Facts about what iterations touch, checked over all of them: guards from ORRERY_APART on. Rank 0.
 */
#ifndef ORRERY_RUNTIME_CLAIMS_H
#define ORRERY_RUNTIME_CLAIMS_H

#include "runtime/region/region.h"

/* One claim: an interval, or a place and the value there; and whose it is. */
struct orrery_claim {
    long low, high, iteration;
};

/* Is this guard one about claims? */
static inline bool orrery_guard_claims(const struct orrery_guard *guard) {
    return guard->kind >= ORRERY_APART;
}

/* Are the claims still those that were found to hold? */
bool orrery_claims_hold(const struct orrery_state *state, const void *env, long count);
void orrery_claims_forget(struct orrery_state *state);

/* Checks guard g with all workers; when it fails, `text` says for which iterations. */
bool orrery_claims_check(struct orrery_state *state, int g, const void *env, long count, char *text,
                         size_t size);

/* All guards about claims hold: remembers what they read. */
void orrery_claims_keep(struct orrery_state *state, const void *env, long count);

/* The fields of an environment that inspections and claims read, the others zero. */
void orrery_inputs_copy(const struct orrery_loop *loop, const char *env, char *to);

/* Sorts workers' lists into one, by all workers; *n claims, owned by the caller (claims_sort.c). */
struct orrery_claim *orrery_claims_sort(struct orrery_claim *const *lists, const long *counts,
                                        int (*compare)(const void *a, const void *b), long *n);

#endif
