#include "scheduler/strategy/kind.h"

#include <string.h>

static const struct row {
    const char *name;
    enum orrery_strategy executor;
    const char *text;
} rows[] = {
#define STRATEGY(constant, table, name, executor, how) {name, executor, #executor},
#include "scheduler/strategy/strategies.def"
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
