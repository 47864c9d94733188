/*
 * Scalar expansion of a nest of rows: a number that a row declares in front of its inner loop, and
 * that is set while the row runs, becomes an element of an array with one for each row. Then records
 * of other rows may run in between (records.h).
 *
 * Padua and Wolfe, Advanced Compiler Optimizations for Supercomputers (CACM 29/12, 1986).
 */
#ifndef ORRERY_SCHEDULER_EXPANSION_H
#define ORRERY_SCHEDULER_EXPANSION_H

#include "scheduler/transform/rows.h"

/*
 * The main file's text with arrays in the place of such numbers; lines keep their numbers. NULL:
 * there is none, one of them cannot be an element, the rows do not begin at a number that the text
 * tells, or the inner loop changes no memory.
 */
const char *expansion_text(const struct rows *rows);

#endif
