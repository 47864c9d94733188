/* Calls through pointers: the edits by which they name the functions that may run. */
#ifndef ORRERY_SCHEDULER_FIXIT_POINTER_H
#define ORRERY_SCHEDULER_FIXIT_POINTER_H

#include "analyzer/analyzer.h"

/*
 * Each call through a pointer in the loop's body, or in functions that it calls, becomes a choice
 * between the functions of this type whose address the file takes: `p == f ? f(x) : g(x)`. `words`:
 * their names, NULL: there are no more edits than a person can make.
 */
const char *fixit_pointer(const struct unit *unit, const struct loop *loop, struct diag_list *list,
                          struct diag *diag);

#endif
