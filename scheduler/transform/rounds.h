/*
 * How the inner loop of a nest of rows goes through its row (records.h): by one, up or down, as a
 * whole number or a pointer, from what its header or a declaration of the row says to a bound, with
 * others that go along; or from link to link.
 */
#ifndef ORRERY_SCHEDULER_ROUNDS_H
#define ORRERY_SCHEDULER_ROUNDS_H

#include "scheduler/transform/rows.h"

#include "scheduler/base/text.h"

/* requires: all of `rows` up to `guard`; sets what is behind. False: it is no such loop. */
bool rounds_read(struct rows *rows);

/* "int NAME": of what the list of records has for the inner loop's variable: its values, or how far
 * a pointer that goes by one is from its first value. */
const char *rounds_declare(const struct rows *rows, const char *name);

/* What the list's name ends with: "_at" where it tells how far that variable is, and no other one
 * (ir.h, expr_words). */
const char *rounds_list(const struct rows *rows);

/* Tells the list called `list` of the row that the outer counter is at. */
void rounds_write_row(const struct rows *rows, const char *list, struct text *out);

/* In a record: what the inner loop's header reads, up to an open brace; then its variable, of which
 * the list has `value`. */
const char *rounds_of_record(const struct rows *rows, const char *value);

#endif
