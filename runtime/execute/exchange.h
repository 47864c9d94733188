/*
 * Levels on several ranks: every rank has a copy of what the loop writes, runs the blocks of its
 * rows, and after each column the ranks tell each other what it changed (docs/runtime.md,
 * "Levels").
 */
#ifndef ORRERY_RUNTIME_EXCHANGE_H
#define ORRERY_RUNTIME_EXCHANGE_H

#include "runtime/layout/replica.h"
#include "runtime/region/region.h"

struct orrery_exchange;

/* Rank 0: everything that is written can be told apart by its units; else the job ends with a
 * message that names what cannot. */
void orrery_exchange_check(const struct orrery_state *state, const void *env);

/* Collective: the lists of what each rank's block of each column may write, made by rank 0 from its
 * levels (others: NULL, and `env` is not looked at). Owned by the caller. */
struct orrery_exchange *orrery_exchange_new(const struct orrery_state *state, const void *env);
void orrery_exchange_free(struct orrery_exchange *exchange);

/* Rank 0: per touched object in one piece its bytes, from its base on. */
void orrery_exchange_extents(const struct orrery_state *state, const void *env, long *extents);

/* Where the units are on this rank. `replicas`: per array its ranges on every rank. */
void orrery_exchange_place(struct orrery_exchange *exchange, const struct orrery_loop *loop,
                           const void *env, const long *extents,
                           const struct orrery_replica *replicas);

/* What this rank (`own`) or the others may have written in the column, as stretches of array a on
 * this rank; what is at most `gap` bytes apart is one. */
void orrery_exchange_stretches(struct orrery_exchange *exchange, long column, bool own, size_t gap,
                               void (*each)(void *data, int a, char *low, size_t bytes),
                               void *data);

/* Collective: what a column wrote, on all ranks. */
void orrery_exchange_column(struct orrery_exchange *exchange, long column);

#endif
