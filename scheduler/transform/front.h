/*
 * What stands in front of transformed loops: values that no iteration changes under names of their
 * own, and the run's check that the new text pays and that no two of its arrays overlap.
 */
#ifndef ORRERY_SCHEDULER_FRONT_H
#define ORRERY_SCHEDULER_FRONT_H

#include "scheduler/base/text.h"
#include "scheduler/transform/nest.h"

/* A nest's text being made. */
struct writing {
    struct nest *nest;
    const char *source; /* of the file that it stands in */
    long least;         /* with fewer iterations the user's loops run */
    struct text out;
};

/* `value` of type long, by the names of write_params. */
void write_affine(struct writing *w, const struct affine *value);

/* `value` with the names of the program, so that what reads the text knows it: it stays far from the
 * ends of int where `affine_is_small`. */
const char *affine_named(const struct nest *nest, const struct affine *value);
bool affine_is_small(const struct affine *value);

/* Of the nest's parameters. */
void write_params(struct writing *w);

/* How often the deepest statement runs at most, of type double. */
void write_total(struct writing *w);

/* Behind the other way: what the outermost counter holds then. */
void write_counter(struct writing *w);

/* "if (...) ". */
void write_check(struct writing *w);

/* Bytes of the source on one line, without its comments. */
void write_tokens(struct writing *w, const struct range *range, struct text *out);

#endif
