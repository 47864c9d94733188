/*
 * A loop in another form: each form (blocks, parts, packing, ...) has a file of its own, and there one
 * function that looks whether the loop has it and then writes the text. transform.c tries one after
 * the other.
 */
#ifndef ORRERY_SCHEDULER_TRANSFORM_TRIAL_H
#define ORRERY_SCHEDULER_TRANSFORM_TRIAL_H

#include "scheduler/transform/front.h"
#include "scheduler/transform/line.h"
#include "scheduler/transform/transform.h"

/* Below so many iterations the user's nest runs: what tiles cost is more than what they gain. So many
 * accesses are what threads gain more from than blocks cost; parts cost next to nothing. */
enum { LEAST_ITERATIONS = 100000, LEAST_ACCESSES = 100000, LEAST_PARTED = 2000 };

/* What becomes of one loop. */
struct trial {
    struct unit *unit;                       /* that it stands in */
    struct loop *loop;                       /* the outermost one */
    const char *prefix;                      /* begins names that are added */
    const struct transform_planted *planted; /* the nest's */
    const char *text;          /* what stands in front of the loop; NULL: it stays alone */
    const char *end;           /* what stands behind it; NULL: nothing does */
    const struct stmt *leaves; /* `end` stands in front of it, too; NULL: there is none */
    const struct nest
        *alone;          /* whose loops, as written, one thread runs; NULL: any may share them */
    const char *message; /* what is said of it: its code */
    const char *words;   /* and in words */
    bool is_broken;      /* a dependence would not hold in it */
    signed char
        *parallel; /* trial_is_parallel by the loops' numbers: 1, -1, 0 where nobody asked */
};

/* Nothing keeps the loop's iterations apart, but sums; of one of the loops around it, itself included
 * (NULL: there are none). */
bool trial_is_parallel(const struct trial *trial, struct loop *loop);
bool trial_is_parallel_around(const struct trial *trial, struct loop *loop);

/* The loop folds what has other bits in another order. */
bool trial_sums_in_order(const struct trial *trial);

/* Begins a text of the nest. */
struct writing trial_writing(const struct trial *trial, struct nest *nest, long least);

/* The line's arrays are not far too short for as many iterations as its text needs: compilers warn of
 * blocks that are longer than they. */
bool trial_may_be_long(const struct line *line, const struct writing *w);

/* ---- the forms; `text` is set where the loop has it ------------------------------------------- */

void stop_try(struct trial *trial);
void pack_try(struct trial *trial);
void equal_try(struct trial *trial);
void cuts_try(struct trial *trial, struct nest *nest);

/* Of a loop without loops inside; the first three where line_sets_surely and no sum waits. */
void blocks_try(struct trial *trial, struct line *line);
void parts_try(struct trial *trial, struct line *line);
void exact_try(struct trial *trial, struct line *line);
void split_try(struct trial *trial, struct line *line);

#endif
