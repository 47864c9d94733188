/*
 * Nests of rows: `for (u...) { row's values; for (p = ptr[u]; p < ptr[u + 1]; ++p) ... }` written as
 * one loop over the records of all rows, each with its u and p (docs/transform.md).
 */
#ifndef ORRERY_SCHEDULER_RECORDS_H
#define ORRERY_SCHEDULER_RECORDS_H

#include "analyzer/analyzer.h"

/*
 * The main file's text with the marked loop as one loop over records; lines keep their numbers.
 * NULL: it is no such nest, or its text cannot be moved. `name`: of the new loop's variable.
 */
const char *records_text(struct unit *unit, const struct loop *loop, const char **name);

/*
 * requires: facts of the loop that the text above has in the place of `loop`. Nothing that the
 * headers and the row's values are made of is written in it, so that they may be evaluated in front
 * of the loop and again for each record; and no memory that changes is behind pointers in memory,
 * since ranks do not cut that.
 */
bool records_may_move(const struct loop_facts *facts);

#endif
