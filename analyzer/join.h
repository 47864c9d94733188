/*
 * Functions of other files. A unit knows of a function that another file defines only its name and
 * type. Where that file is at hand, its definition is made part of the unit: the access pass enters
 * it like any function of the file itself (docs/other-files.md).
 *
 *   unit + other units --join--> unit whose functions have more bodies
 */
#ifndef ORRERY_ANALYZER_JOIN_H
#define ORRERY_ANALYZER_JOIN_H

#include "analyzer/ir.h"

/*
 * Names of the functions that the loops (those marked, or all) call, directly or through others,
 * and that neither the unit defines nor the C library: what other files could give. Their number.
 */
int join_missing(const struct unit *unit, bool all, const char ***names);

/* Other units on their way into one. */
struct joined;
struct joined *join_open(struct unit *unit, bool all);

/* `other`: parsed with the unit's arena, without errors, used for nothing else from now on. */
void join_add(struct joined *joined, struct unit *other);

/*
 * Gives bodies to functions that the unit's loops call and that one of the added units defines. A
 * function whose definition cannot be used gets `apart` and stays without a body.
 */
void join_resolve(struct joined *joined);

/* Could the text define a function of this name? A cheap test before parsing. */
bool join_mentions(const char *text, const char *name);

/* Words for a missing function whose file could not be read. */
void join_deny(struct unit *unit, const char *name, const char *code, const char *words);

/* ---- join_hash.c */

/*
 * A number made of everything that the analysis takes from the function's definition and from the
 * static functions it calls. requires: as parsed, not joined.
 */
uint64_t join_hash(struct arena *arena, const struct function *function);

/* The symbol that an object with this very definition has, and one that relies on it needs. */
const char *join_symbol(struct arena *arena, const struct function *function);

/* C text that defines the symbols of all functions of the unit that other files can call. */
const char *join_stamp(const struct unit *unit);

/* Does the definition say `inline`? */
bool join_is_inline(const struct unit *unit, const struct function *function);

#endif
