/*
 * Variables of the file that called functions set: the functions that a marked loop calls are
 * written once more and handed their addresses (docs/transform.md). An iteration's scratch space, a
 * sum and a generator's state are found where the loop's body names them.
 */
#ifndef ORRERY_SCHEDULER_HANDED_H
#define ORRERY_SCHEDULER_HANDED_H

#include "analyzer/analyzer.h"

/*
 * The main file's text in which the loop calls such copies; lines keep their numbers. NULL: nothing
 * that it calls sets a variable of the file, or not in a text that can be copied.
 */
const char *handed_text(struct unit *unit, const struct loop *loop);

#endif
