/* What a call of a library's function does. */
#ifndef ORRERY_ANALYZER_EFFECTS_H
#define ORRERY_ANALYZER_EFFECTS_H

#include "analyzer/ir.h"

enum effect {
    EFFECT_UNKNOWN,
    EFFECT_PURE,    /* a function of its arguments */
    EFFECT_READS,   /* reads what its pointer arguments point to */
    EFFECT_COPY,    /* memcpy, memmove: writes arg 0, reads arg 1, arg 2 bytes */
    EFFECT_FILL,    /* memset: writes arg 0, arg 2 bytes */
    EFFECT_COMPARE, /* memcmp: reads args 0 and 1, arg 2 bytes */
    EFFECT_OUTPUTS, /* frexp, modf, sincos: writes what its pointer arguments point to */
    EFFECT_UPDATES, /* rand_r: reads and writes what its pointer arguments point to */
    EFFECT_RANDOM,
    EFFECT_IO,
    EFFECT_CLOCK,
    EFFECT_STATE,
    EFFECT_ALLOCATE,
    EFFECT_EXIT,
    EFFECT_ASKS,   /* an answer of the compiler, and nothing is evaluated */
    EFFECT_ASSERT, /* ends the program when something is already wrong */
    EFFECT_SETJMP
};
enum effect effect_of(const char *name);
/* Of a function without a body: not known where its type is not that of the library's. */
enum effect effect_of_function(const struct function *function);
/* Input, of what EFFECT_IO is. */
bool effect_reads_input(const char *name);

#endif
