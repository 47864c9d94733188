/* What a minimum or maximum in blocks cannot give as the serial program does. */
#include "runtime/base/env.h"
#include "runtime/threads/context.h"

#include "dsm/dsm.h"

#include <stdio.h>

void orrery_nan_stop(const char *where, const char *name) {
    dsm_fail(
        1,
        "%s: a NaN came into %s, and the form `m = m < x ? m : x` forgets there what it had "
        "found before, in the order of the iterations; write `m = x < m ? x : m`, which passes "
        "NaNs by",
        where, name);
}

void orrery_nan_late(const char *where, const char *name, int fallback) {
    if (orrery_context_stop() && (fallback == 1 || orrery_env()->stats))
        fprintf(stderr,
                "orrery: %s: runs serially: a NaN came into %s, and the form `m = m < x ? m : x` "
                "forgets there what it had found before\n",
                where, name);
}
