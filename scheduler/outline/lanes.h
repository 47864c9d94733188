/*
 * A nest at the top of the body that many iterations run at once, one in each lane of the
 * processor's vectors (lanes.c decides, emit/lanes.c prints): what it computes, with the calls in it
 * written out, in terms of variables of which every lane has its own.
 */
#ifndef ORRERY_SCHEDULER_OUTLINE_LANES_H
#define ORRERY_SCHEDULER_OUTLINE_LANES_H

#include "analyzer/analyzer.h"

/*
 * UNIFORM: `text`, the same in all lanes. OWN: variable `index`. TILE: an element of tile `index`.
 * BINARY: args[0] op args[1]; NEGATE: -args[0].
 */
enum lane_kind { LANE_UNIFORM, LANE_OWN, LANE_TILE, LANE_BINARY, LANE_NEGATE };

struct lane_value {
    enum lane_kind kind;
    int index;
    enum op op;
    const char *text;
    const struct lane_value *args[2];
};

/*
 * SET: variable `index` op= value. WHEN: where `value op other` the steps inside, which are plain
 * SETs. FOR: the same rounds for all lanes.
 */
enum lane_step_kind { LANE_SET, LANE_WHEN, LANE_FOR };

struct lane_step {
    enum lane_step_kind kind;               /* which of the fields below mean something */
    int index;                              /* SET: of `vars` */
    enum op op;                             /* SET: OP_NONE or the operation; WHEN; FOR: relation */
    const struct lane_value *value, *other; /* SET: value; WHEN: both sides */
    const char *declared, *name;            /* FOR: the variable, with its type and without */
    const char *lower, *upper;              /* FOR: texts of what the environment has */
    long step;                              /* FOR: what is added */
    int nsteps;                             /* of `steps` */
    const struct lane_step **steps;         /* WHEN and FOR: inside */
};

/* A variable of which every lane has its own. `outer`: the body's, set in front of the nest; `set`:
 * the nest sets it; `used`: it sets it or looks at it. */
struct lane_var {
    bool is_float, set, used;
    const struct variable *outer; /* NULL: the nest's */
    const struct variable *fresh; /* what stands for it */
};

/* What lanes read of their own rows: `text`, for all rounds of one loop around it (`round`), or
 * where that is NULL for one. */
struct lane_tile {
    const char *text;
    const struct lane_step *round;
};

struct emit_lanes {
    const struct stmt *nest;        /* it takes the place of this statement */
    bool wide;                      /* numbers of 8 bytes, else of 4 */
    const char *when;               /* condition: every tile is read, and more than once */
    int nvars;                      /* of `vars` */
    struct lane_var *vars;          /* ... */
    int ntiles;                     /* of `tiles` */
    struct lane_tile *tiles;        /* ... */
    int nsteps;                     /* of `steps` */
    const struct lane_step **steps; /* what the nest does, in order */
};

#endif
