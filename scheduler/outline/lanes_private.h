/* What lanes.c knows of a nest while it decides, and the questions about it that lanes_read.c answers. */
#ifndef ORRERY_SCHEDULER_OUTLINE_LANES_PRIVATE_H
#define ORRERY_SCHEDULER_OUTLINE_LANES_PRIVATE_H

#include "scheduler/outline/collect.h"
#include "scheduler/outline/lanes.h"

enum { MOST_OPEN = 8 };

/* What stands for a variable: an expression, or variable `lane` of the nest (then it is NULL). */
struct binding {
    const struct variable *var;
    struct expr *with;
    int lane;
};

struct open_loop {
    const struct variable *fresh;
    struct lane_step *step;
};

struct lanes {
    const struct outline *job;        /* whose body it is */
    bool possible;                    /* nothing has been met that cannot be had in lanes */
    bool pays;                        /* some tile is read in more than one round of a loop */
    bool chosen;                      /* within a condition that lanes answer differently */
    int calls;                        /* that are being written out */
    int nbindings;                    /* of `bindings` */
    struct binding *bindings;         /* the last one of a variable counts */
    int nopen;                        /* of `open` */
    struct open_loop open[MOST_OPEN]; /* loops of the nest around what is looked at */
    const struct type *number;        /* of all floating-point variables; NULL: none was met */
    int nnames;                       /* names that have been made */
    struct emit_lanes made;           /* what comes of it */
};

/* What an expression has of lanes, of the iteration, and of loops of the nest. */
struct mentions {
    const struct lanes *lanes;
    bool lane, index;
    unsigned open; /* bit n: of open loop n */
};

static inline bool is_plain(const struct type *type) {
    return !type->is_volatile && !type->is_atomic;
}

/* The nest's own variable, or loop, that the expression (with bindings) names; -1, NULL: none. */
int lanes_own(const struct lanes *lanes, const struct expr *expr);

/* It has neither effects nor traps, and nobody changes it. `memory`: it may read what nobody writes. */
bool lanes_can_read(const struct lanes *lanes, const struct expr *expr, bool memory);

struct mentions lanes_mentions(const struct lanes *lanes, const struct expr *expr);

#endif
