/*
 * Rows that end with a mark: `for (p = row[u]; p->key >= 0; ++p)` written as a counted loop, behind
 * an array that has how many entries each row has (docs/transform.md).
 */
#ifndef ORRERY_SCHEDULER_ENDS_H
#define ORRERY_SCHEDULER_ENDS_H

#include "analyzer/analyzer.h"

/* A loop over such rows. `at_end`, `at_entry`: names that begin those of the values that the new
 * text reads in the place of the rows' conditions. */
struct ends_form {
    const char *text; /* the main file's, lines keep their numbers; NULL: it has no such rows */
    const char *at_end, *at_entry;
};

/*
 * The main file's text with the marked loop's rows counted in front of it. Rows are loops that
 * every iteration of it comes to, with pure conditions that read memory, through a variable that
 * nothing but the loop moves, by one; and others that go through the same entries.
 */
struct ends_form ends_form(struct unit *unit, const struct loop *loop);

/*
 * requires: facts of the loop that the text above has in the place of `loop`. Nothing that the
 * rows' conditions and their first entries are made of is written in it, so that rows may be
 * counted in front.
 */
bool ends_may_move(const struct ends_form *form, const struct loop_facts *facts);

#endif
