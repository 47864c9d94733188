/*
 * Loops by levels in which every iteration waits for the one before it, as their data are: an
 * inspection would cost more than the loop, and gain nothing.
 */
#ifndef ORRERY_RUNTIME_CHAIN_H
#define ORRERY_RUNTIME_CHAIN_H

#include "runtime/orrery_run.h"

#include <stdbool.h>

/*
 * The name of an object of which all iterations that are looked at may write one and the same
 * element, as in `h` of `if (flag[i]) h[0] = .9f * h[0] + w[key[i]];`; NULL: there is none.
 * Looks at 64 iterations, spread over all, or at all of fewer; the same ones whenever `count` is
 * the same. Reads what an inspection of these reads. Local.
 */
const char *orrery_chain_find(const struct orrery_loop *loop, const void *env, long count);

/*
 * So little could run at once that levels would be no gain. Looks at three stretches, together at
 * most 3/16 of the iterations and 49,152, the same ones whenever `count` is the same. Local.
 */
bool orrery_chain_is_narrow(const struct orrery_loop *loop, const void *env, long count);

#endif
