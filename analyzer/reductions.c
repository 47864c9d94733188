/* The rows of include/orrery_reductions.def, as the compile side asks for them. */
#include "analyzer/facts.h"

#include <string.h>

enum { INTEGERS = 1, FLOATS = 2, ROUNDED = 1, ELEMENTS = 2, DEVICE = 4 };

#define OPERATOR(NAME, base_, lanes_, word_, title_, spelled_, call_, takes, identity_, traits,    \
                 ties_, ...)                                                                       \
    [REDUCE_##NAME] = {.base = REDUCE_##base_,                                                     \
                       .name = #NAME,                                                              \
                       .lanes = #lanes_,                                                           \
                       .word = word_,                                                              \
                       .title = title_,                                                            \
                       .call = call_,                                                              \
                       .spelled = spelled_,                                                        \
                       .identity = REDUCTION_##identity_,                                          \
                       .ties = REDUCTION_##ties_,                                                  \
                       .integers = ((takes) & INTEGERS) != 0,                                      \
                       .floats = ((takes) & FLOATS) != 0,                                          \
                       .rounded = ((traits) & ROUNDED) != 0,                                       \
                       .in_elements = ((traits) & ELEMENTS) != 0,                                  \
                       .on_device = ((traits) & DEVICE) != 0},

static const struct reduction_operator operators[] = {ORRERY_REDUCTIONS(OPERATOR)};

const struct reduction_operator *reduction_operator(int op) {
    return op >= 0 && op < REDUCTION_OPERATORS ? &operators[op] : NULL;
}

enum reduction_op reduction_base(enum reduction_op op) {
    return op < REDUCTION_OPERATORS ? operators[op].base : op;
}

const char *reduction_word(enum reduction_op op) {
    static const char *const others[] = {[REDUCE_ARGMIN] = "argmin",
                                         [REDUCE_ARGMAX] = "argmax",
                                         [REDUCE_LAST] = "last",
                                         [REDUCE_RELAX] = "relax",
                                         [REDUCE_BUFFER] = "buffer"};
    return op < REDUCTION_OPERATORS ? operators[op].word : others[op];
}

int reduction_named(const char *word) {
    for (int op = 0; op < REDUCTION_OPERATORS; ++op)
        if ((int)operators[op].base == op && strcmp(operators[op].word, word) == 0)
            return op;
    return -1;
}

int reduction_spelled(enum op op) {
    for (int i = 0; i < REDUCTION_OPERATORS && op != OP_NONE; ++i)
        if (operators[i].spelled == (op == OP_SUB ? OP_ADD : op))
            return i;
    return -1;
}

bool reduction_is_extreme(enum reduction_op op) {
    return reduction_base(op) == REDUCE_MIN || reduction_base(op) == REDUCE_MAX;
}

bool reduction_is_logical(int op) {
    const struct reduction_operator *row = reduction_operator(op);
    return row && row->identity == REDUCTION_TARGET;
}
