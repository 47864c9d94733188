/*
 * Functions of other files. A unit knows of a function that another file defines only its name and
 * type. Where that file is at hand, its definition is made part of the unit: the access pass enters
 * it like any function of the file itself (docs/other-files.md).
 *
 *   unit + other units --import--> unit whose functions have more bodies
 */
#ifndef ORRERY_ANALYZER_IMPORT_H
#define ORRERY_ANALYZER_IMPORT_H

#include "analyzer/ir.h"

/*
 * Names of the functions that the loops (those marked, or all) call, directly or through others,
 * and that neither the unit defines nor the C library: what other files could give. Their number.
 */
int import_missing(const struct unit *unit, bool all, const char ***names);

/* Other units on their way into one. */
struct imported;
struct imported *import_open(struct unit *unit, bool all);

/* `other`: parsed with the unit's arena, without errors, used for nothing else from now on. */
void import_add(struct imported *imported, struct unit *other);

/*
 * Gives bodies to functions that the unit's loops call and that one of the added units defines. A
 * function whose definition cannot be used gets `apart` and stays without a body.
 */
void import_resolve(struct imported *imported);

/* Could the text define a function of this name? A cheap test before parsing. */
bool import_mentions(const char *text, const char *name);

/* Words for a missing function whose file could not be read. */
void import_deny(struct unit *unit, const char *name, const char *code, const char *words);

/* ---- import_hash.c */

/* The symbol that an object with this very definition has, and one that relies on it needs. */
const char *import_symbol(struct arena *arena, const struct function *function);

/* C text that defines the symbols of all functions of the unit that other files can call. */
const char *import_stamp(const struct unit *unit);

/* Does the definition say `inline`? */
bool import_is_inline(const struct unit *unit, const struct function *function);

#endif
