/*
 * A loop without loops inside whose iterations depend on their neighbours only: what an iteration
 * reads is written a few iterations later, or was written a few iterations before from values that
 * the loop does not change. Blocks of its iterations are independent once a few values are computed
 * in front: those that the first iterations of a block read of the block before, and those that the
 * last ones read before the next block overwrites them.
 */
#ifndef ORRERY_SCHEDULER_LINE_H
#define ORRERY_SCHEDULER_LINE_H

#include "scheduler/transform/nest.h"

/* `LINE_REACH`: iterations that depend on each other are no further apart. */
enum { LINE_SCALARS = 12, LINE_READS = 16, LINE_REACH = 8 };

/* A variable that the body sets. `inside`: the body declares it. `carried`: an iteration may read
 * what the one before left. `sure`: every iteration sets it. `latest`: it is what this `if` set last,
 * by a condition and a value that the loop does not change; NULL: it is not. */
struct line_scalar {
    struct variable *var;
    bool inside, carried, sure;
    const struct stmt *latest;
};

/* A read that gets values computed in front in the first `head` and the last `tail` iterations of a
 * block. */
struct line_read {
    const struct access *access;
    int head, tail;
};

struct line {
    struct nest *nest;        /* of one loop; its statements are those of the body, in order */
    struct loop *loop;        /* the loop */
    struct inner_loop bounds; /* lower is the least, upper the greatest value of its variable */
    int nscalars;             /* of `scalars` */
    struct line_scalar scalars[LINE_SCALARS]; /* variables that the body sets */
    int nreads;                               /* of `reads` */
    struct line_read reads[LINE_READS];       /* those that need other iterations */
    /* of a statement: the last iterations in which it stores nothing: a later one overwrites it
     * before anyone reads it */
    int drops[NEST_STATEMENTS];
    int head, tail; /* iterations of a block that are not like those between */
    bool jumps;     /* some statements are jumped over */
};

/* How many iterations behind the one by `first` does the one by `second` touch the same element? */
enum line_meeting { LINE_NEVER, LINE_AT, LINE_ANY };
enum line_meeting line_meet(const struct line *line, const struct access *first,
                            const struct access *second, long *distance);

/* The body's number for a variable that it sets, -1: none. */
int line_scalar_of(const struct line *line, const struct variable *var);

/* The access of memory that the body writes, by its place. NULL: there is none. */
const struct access *line_access_at(const struct line *line, const struct range *range, bool write);

/* What statement `index` sets: the place that it assigns, or the variable that it declares; with
 * `value` the expression on its right, `op` that of a compound assignment. False: it sets nothing
 * in every iteration. */
struct line_set {
    const struct expr *place;   /* NULL: it declares `var` */
    const struct variable *var; /* NULL: memory */
    const struct expr *value;   /* NULL: `delta` is added */
    enum op op;
    int delta;
};
bool line_sets(const struct line *line, int index, struct line_set *set);

/* How often an iteration touches memory, at least 1. */
long line_weight(const struct line *line);

/* The multiple of the loop's variable in it; `rest`: the other terms, with the constant. */
long line_split(const struct line *line, const struct affine *value, struct affine *rest);

/* NULL: it is not of this form. Collects facts. */
struct line *line_read(struct unit *unit, struct loop *loop, const char *prefix);

/* Nothing is jumped over. Variables that are declared outside are set in every iteration, so that the last one leaves what
 * the loop leaves, or by the latest one in which a condition held. */
bool line_sets_surely(const struct line *line);

/* The assignment in `latest`. */
const struct expr *line_latest_set(const struct stmt *latest);

/* Sets `reads`, `drops`, `head` and `tail`. False: iterations that depend on each other are not near
 * each other, or nothing keeps them apart. */
bool line_takes_values(struct line *line);

#endif
