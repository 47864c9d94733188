#include "runtime/region/stats.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
    const float *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median_of(const struct orrery_loop_stats *stats, const float *values) {
    float sorted[ORRERY_STARTS];
    size_t n = stats->regions < ORRERY_STARTS ? (size_t)stats->regions : ORRERY_STARTS;
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    return n ? (double)sorted[n / 2] : 0;
}

double orrery_median_start(const struct orrery_loop_stats *stats) {
    return median_of(stats, stats->starts);
}

double orrery_median_pace(const struct orrery_loop_stats *stats) {
    return median_of(stats, stats->paces);
}
