/* Which functions may run inside of a loop. */
#ifndef ORRERY_CLI_NESTING_H
#define ORRERY_CLI_NESTING_H

#include "analyzer/ir.h"

/* True when `inner` runs inside of `outer`: nested in its text, or in a function that its body may
 * call, directly or through others (calls through pointers are not followed: such loops are
 * serial). */
bool nesting_inside(const struct unit *unit, const struct loop *inner, const struct loop *outer);

#endif
