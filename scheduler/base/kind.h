/*
 * Strategies by their rows of strategies.def: what plan, model and pages need of one without its
 * operations (strategy.h).
 */
#ifndef ORRERY_SCHEDULER_BASE_KIND_H
#define ORRERY_SCHEDULER_BASE_KIND_H

#include "runtime/schedule/blocks.h"

enum strategy {
#define STRATEGY(constant, table, name, executor, how) STRATEGY_##constant,
#include "scheduler/base/strategies.def"
#undef STRATEGY
};

enum {
    STRATEGY_COUNT = 0
#define STRATEGY(constant, table, name, executor, how) +1
#include "scheduler/base/strategies.def"
#undef STRATEGY
};

/* In plans, reports and profiles: part of the product's contract. */
const char *strategy_name(enum strategy strategy);

/* False: none has this name. */
bool strategy_find(const char *name, enum strategy *strategy);

/* What follows from the executor of the blocks. */
struct strategy_form {
    /* Two keys of one table share the grid's first dim, whose rows travel, too. */
    bool pairs;

    /* What iterations touch is listed before they run (plan->touches). */
    bool listed;

    /* The first blocks run on few workers, and so do the last ones, while the others wait. */
    bool fills;

    /* Rows of the grid wait for each other: for batons, or for levels. */
    bool waits;

    /* Numbers that the grid has; 0: one for its first dim and for each of the times. */
    int grid_numbers;
};

const struct strategy_form *strategy_form(enum strategy strategy);

/* The executor of its blocks, and the constant's text, which the emitter prints. */
enum orrery_strategy strategy_executor(enum strategy strategy);
const char *strategy_executor_text(enum strategy strategy);

#endif
