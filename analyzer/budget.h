/*
 * Bounds on the work of the compile side. Work is counted, not timed: the same text gets the same
 * answer on every machine. One budget at a time, for one translation unit.
 */
#ifndef ORRERY_ANALYZER_BUDGET_H
#define ORRERY_ANALYZER_BUDGET_H

#include "analyzer/arena.h"

#include <stdbool.h>

/*
 * What may be spent. `steps`: about what 16 bytes of new memory, one visit of an expression or one
 * comparison of two accesses take. `bytes`: of the arena.
 */
struct budget {
    long steps, bytes;
};

/*
 * Calls `work(data)` and returns true, or false when it was broken off because it went beyond
 * `most`. Then the arena is as it was before. Does not nest.
 */
bool budget_try(struct arena *arena, const struct budget *most, void (*work)(void *), void *data);

/* What the last budget_try took. */
struct budget budget_spent(void);

/* Says that `steps` were taken. Does not come back when they are too many, unless work is held. */
void budget_spend(long steps);

/* Says that `arena` got or gave back a block of so many bytes. Called by the arena. */
void budget_spend_bytes(const struct arena *arena, size_t bytes);
void budget_return_bytes(const struct arena *arena, size_t bytes);

/* Between the two nothing is broken off: what is beyond is noticed when work is let go. */
void budget_hold(void);
void budget_let_go(void);

/*
 * `undo(what)` is called when the work is broken off before the matching budget_forget: for what is
 * not in the arena. Stack and arena still stand then.
 */
void budget_remember(void (*undo)(void *), void *what);
void budget_forget(void *what);

#endif
