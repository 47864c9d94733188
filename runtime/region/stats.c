#include "runtime/region/stats.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
    const float *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double orrery_median(const float *values, uint64_t count, size_t most) {
    float sorted[ORRERY_STARTS];
    size_t n = count < most ? (size_t)count : most;
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    return n ? (double)(sorted[(n - 1) / 2] + sorted[n / 2]) / 2 : 0;
}
