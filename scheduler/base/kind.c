#include "scheduler/base/kind.h"

#include <string.h>

static const struct row {
    const char *name;
    enum orrery_strategy executor;
    const char *text;
} rows[] = {
#define STRATEGY(constant, table, name, executor, how) {name, executor, #executor},
#include "scheduler/base/strategies.def"
#undef STRATEGY
};

const char *strategy_name(enum strategy strategy) {
    return rows[strategy].name;
}

bool strategy_find(const char *name, enum strategy *strategy) {
    for (int i = 0; i < STRATEGY_COUNT; ++i) {
        if (strcmp(rows[i].name, name) == 0) {
            *strategy = (enum strategy)i;
            return true;
        }
    }
    return false;
}

enum orrery_strategy strategy_executor(enum strategy strategy) {
    return rows[strategy].executor;
}

const char *strategy_executor_text(enum strategy strategy) {
    return rows[strategy].text;
}

const struct strategy_form *strategy_form(enum strategy strategy) {
    static const struct strategy_form forms[] = {
        [ORRERY_INDEPENDENT] = {.grid_numbers = 0},
        [ORRERY_PARTITION_1D] = {.grid_numbers = 0},
        [ORRERY_ROTATION] = {.waits = true},
        [ORRERY_TOURNAMENT] = {.pairs = true, .waits = true},
        [ORRERY_ORDERED_ROTATION] = {.listed = true, .fills = true, .waits = true},
        [ORRERY_LEVELS] = {.listed = true, .waits = true},
        [ORRERY_WAVEFRONT] = {.fills = true, .grid_numbers = 2},
        [ORRERY_PIPELINE] = {.fills = true, .grid_numbers = 2},
    };
    return &forms[strategy_executor(strategy)];
}
