/* What a minimum or maximum in blocks cannot give as the serial program does. */
#include "runtime/orrery_run.h"

#include "dsm/dsm.h"

void orrery_nan_stop(const char *where, const char *name) {
    dsm_fail(
        1,
        "%s: a NaN came into %s, and the form `m = m < x ? m : x` forgets there what it had "
        "found before, in the order of the iterations; write `m = x < m ? x : m`, which passes "
        "NaNs by",
        where, name);
}
