/* Lists of stretches of memory. */
#include "dsm/base/base.h"

#include <stdlib.h>

static int range_compare(const void *left, const void *right) {
    const struct dsm_range *a = left, *b = right;
    return a->low < b->low ? -1 : a->low > b->low;
}

int dsm_ranges_join(int n, struct dsm_range *ranges, size_t gap) {
    int last = -1;
    if (n > 0)
        qsort(ranges, (size_t)n, sizeof *ranges, range_compare);
    for (int i = 0; i < n; ++i) {
        if (ranges[i].low >= ranges[i].high)
            continue;
        if (last < 0 || ranges[i].low >= ranges[last].high + gap)
            ranges[++last] = ranges[i];
        else if (ranges[i].high > ranges[last].high)
            ranges[last].high = ranges[i].high;
    }
    return last + 1;
}
