/*
 * Calls through pointers to functions: `p(x)` written as `(p == f ? f(x) : p == g ? g(x) : p(x))`,
 * f and g the functions of that type whose address the file takes (docs/transform.md).
 */
#ifndef ORRERY_SCHEDULER_CALLED_H
#define ORRERY_SCHEDULER_CALLED_H

#include "scheduler/base/text.h"

enum { CALLED_CALLS = 32, CALLED_FUNCTIONS = 12 };

/* A call through a pointer, and what it may call. */
struct called {
    struct expr *call;                            /* in the main file, as it is written */
    int nfunctions;                               /* of `functions` */
    struct function *functions[CALLED_FUNCTIONS]; /* of its type, declared in front of it */
};

/* The calls through pointers that the loop comes to, also in functions of the file. */
struct calls {
    int ncalls; /* of `calls` */
    struct called calls[CALLED_CALLS];
};

/* False: it has none, or one whose text, or what it may call, cannot be told. */
bool called_find(const struct unit *unit, const struct loop *loop, struct calls *out);

/* The call's new text. `open`: the pointer is called where it leads to none of them; else it leads
 * to the last one there. */
const char *called_choice(const struct unit *unit, const struct called *called, bool open);

/* The main file's text with the loop's calls through pointers so; lines keep their numbers. NULL:
 * called_find is false. */
const char *called_text(struct unit *unit, const struct loop *loop);

#endif
