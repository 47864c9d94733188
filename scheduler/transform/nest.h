/*
 * A nest of counted loops as polyhedra: its statements, the iterations that each runs in, the
 * elements that each touches. What transform.c gets a new order from.
 *
 *   loop --facts--> struct nest --isl--> struct order --> text
 */
#ifndef ORRERY_SCHEDULER_NEST_H
#define ORRERY_SCHEDULER_NEST_H

#include "analyzer/analyzer.h"

#include <stdbool.h>

enum { NEST_LOOPS = 12, NEST_STATEMENTS = 24, NEST_DEPTH = 6 };

/* A loop of the nest: from `lower` to `upper`, both inclusive, by one. */
struct nest_loop {
    const struct loop *loop;
    const struct inner_loop *bounds;
    bool is_free;     /* its bounds are made of parameters only */
    bool is_unsigned; /* it counts, or compares its counter, without a sign */
};

/* A subscripted access of a statement. */
struct nest_access {
    const struct access *access;
    int object; /* index in the facts' objects */
};

/* A statement: an assignment, inside of `nloops` loops, outermost first. `order`: how many
 * statements and loops stand before it in each of their bodies, the whole nest's first. */
struct nest_statement {
    const struct stmt *stmt;
    int nloops;
    int loops[NEST_DEPTH];
    int order[NEST_DEPTH + 1];
    int naccesses;
    struct nest_access *accesses;
};

/* Two objects that the nest takes to be apart: the run compares their addresses. */
struct nest_pair {
    const struct object *a, *b;
};

struct nest {
    struct arena *arena;                               /* of all that hangs from it: the unit's */
    struct unit *unit;                                 /* that it stands in */
    struct loop_facts *facts;                          /* of the outermost loop, sums as accesses */
    int nloops;                                        /* of `loops`, [0] is the outermost */
    struct nest_loop loops[NEST_LOOPS];                /* in the order of the text */
    int nstatements;                                   /* of `statements` */
    struct nest_statement statements[NEST_STATEMENTS]; /* in the order of the text */
    int nparams;                                       /* of `params` */
    const struct symbol **params; /* what no iteration changes, in subscripts and bounds */
    int npairs;                   /* of `pairs` */
    struct nest_pair *pairs;      /* what the run has to compare */
    int nconditions;              /* of `conditions` */
    const char **conditions;      /* C texts that have to hold in front of the nest */
    const char *counter;          /* the C type of its loops and parameters: "int" or "long" */
    const char *forget; /* an object whose dependences no one sees but the proof: a planted error */
    bool unproved;      /* a planted error: what the proof turns down is used */
    const char *prefix; /* begins names that are added: no name of the file does */
    const char *why_not; /* in words, NULL: it can be reordered as far as dependences allow */
};

/*
 * requires: `loop` is counted. Looks at the text alone first, then collects facts. NULL: the text is
 * not of this form; `why_not` says what else is in the way.
 */
struct nest *nest_read(struct unit *unit, struct loop *loop);

/* ---- for other forms of loops (line.c) -------------------------------------------------------- */

/* Its bytes can be rewritten: spelled once, in the main file, with nothing in front that speaks of
 * it and no directive inside. */
bool nest_is_movable(const struct unit *unit, const struct loop *loop);

/* Directives inside would speak of another text. */
bool nest_has_directive(const struct unit *unit, const struct range *range);

/* for (v = lower; v < upper; v += step), and nothing about it that only the run knows. */
bool nest_counts_plainly(const struct loop *loop);

/* Computing it changes nothing and needs no more than memory and numbers. */
bool nest_is_value(const struct expr *e);

/* Its symbols are the nest's loops and parameters, or else `why_not` is set. Returns whether no
 * loops are among them. */
bool nest_take_affine(struct nest *nest, const struct affine *value);

/* From the facts: what the run has to compare, conditions, the counters' type. */
void nest_take_pairs(struct nest *nest);
void nest_take_guards(struct nest *nest);
void nest_take_type(struct nest *nest);

/* Its counters hold its parameters. */
void nest_check_params(struct nest *nest);

/* Its loops count in int. */
bool nest_is_narrow(const struct nest *nest);

/* Index of the statement whose text holds the range, -1: none. */
int nest_statement_of(const struct nest *nest, const struct range *range);

/* Index of the nest's loop that `symbol` counts, -1: none. */
int nest_loop_of(const struct nest *nest, const struct symbol *symbol);

#endif
