/* Loops that are judged by their text alone: they write variables and elements of declared arrays. */
#ifndef ORRERY_SCHEDULER_TRANSFORM_PLAIN_H
#define ORRERY_SCHEDULER_TRANSFORM_PLAIN_H

#include "scheduler/base/text.h"

#include "analyzer/analyzer.h"

/* Of bounds and subscripts, so that int holds their sums. */
#define PLAIN_LARGEST (1L << 28)

/* The array that `e` is an element of, or the variable that it is. NULL: a pointer leads to it. */
const struct variable *plain_root(const struct expr *e);

/* A number, or an array of numbers, that no other variable is a part of, nor volatile or atomic. */
bool plain_is_own(const struct variable *v);

/* Something is read in the range that the loop writes. */
bool plain_reads_written(const struct loop_facts *facts, const struct range *range);

/* j++, ++j, j += 1: the variable. NULL: something else, also where `e` is NULL. */
struct variable *plain_counted(const struct expr *e);

/* The body of the loop, but for its statement `but` (NULL: all of it), does not set `v`, which is
 * not its counter either. requires: it sets things by assignments, increments and declarations. */
bool plain_stays(const struct loop *loop, const struct stmt *but, const struct variable *v);

/* for (i = lower; i < upper; i += 1), in a type with a sign, as wide as int at least; the bounds are
 * sums and products of constants and of variables that stay, and their quotients by constants. */
bool plain_counts(const struct loop *loop, const struct stmt *but);

/* Declarations of such numbers, choices by values, and of the other statements those that are `set`. */
bool plain_is_simple(const struct stmt *stmt, bool (*set)(const struct expr *));

/* The same, with labels of statements that are in no branch, and jumps to those further down. */
bool plain_jumps_ahead(const struct stmt *body, bool (*set)(const struct expr *));
bool plain_has_jump(const struct stmt *stmt);

/* Where in the source the farthest label stands that `stmt` jumps to, 0: it does not jump. */
long plain_farthest(const struct stmt *stmt, const struct stmt *body);

/* Some iteration may come from `from` to `to`, statements of the body without others inside.
 * requires: plain_jumps_ahead */
bool plain_reaches(const struct stmt *body, const struct stmt *from, const struct stmt *to);

/* ---- text of their other way ------------------------------------------------------------------ */

/* The loop, the unit that it stands in, and what names that are added begin with. */
struct plain {
    const struct loop *loop;
    struct unit *unit;
    const char *prefix;
};

/* "type PREFIXname" */
const char *plain_declare(const struct plain *p, const struct type *type, const char *name);

/* Bytes of the source on one line, without its comments. */
void plain_write(const struct plain *p, size_t begin, size_t end, struct text *out);

/*
 * Up to where the other way begins: `first` and `last` are its counter's first value and the one
 * behind its last. It is taken with `least` iterations and more, of `nanoseconds` each, if `within`
 * (" && ..." or "") holds and the run wants it.
 */
void plain_write_way(const struct plain *p, long least, int nanoseconds, const char *within,
                     struct text *out);

/* Its end: the user's loop from `first` on; the user's loop follows as its `else`. */
void plain_write_rest(const struct plain *p, struct text *out);

/* What stands behind the user's loop. */
const char *plain_end(const struct plain *p);

#endif
