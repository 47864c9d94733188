#include "cli/report.h"

const char *report_op(enum reduction_op op) {
    static const char *const words[] = {
        [REDUCE_ADD] = "+",    [REDUCE_MUL] = "*",   [REDUCE_MIN] = "min",  [REDUCE_MAX] = "max",
        [REDUCE_BITAND] = "&", [REDUCE_BITOR] = "|", [REDUCE_BITXOR] = "^",
    };
    return words[op];
}

const char *report_dep_kind(enum dep_kind kind) {
    static const char *const words[] = {
        [DEP_FLOW] = "flow", [DEP_ANTI] = "anti", [DEP_OUTPUT] = "output"};
    return words[kind];
}

const char *report_dep_status(enum dep_status status) {
    static const char *const words[] = {
        [DEP_CARRIED] = "carried",     [DEP_REFUTED] = "refuted", [DEP_PRIVATE] = "private",
        [DEP_REDUCTION] = "reduction", [DEP_RELAXED] = "relaxed", [DEP_LIMIT] = "limit",
    };
    return words[status];
}
