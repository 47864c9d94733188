#include "runtime/schedule/share.h"

#include <stdbool.h>

/* With so much for each at most: where the worker's rows begin; `end` when all are given. */
static long row_within(const double *costs, long begin, long end, double most, long worker) {
    long row = begin;
    for (long w = 0; w < worker && row < end; ++w)
        for (double sum = 0; row < end && (sum == 0 || sum + costs[row] <= most); ++row)
            sum += costs[row];
    return row;
}

/* The least of the sums of neighbours that is enough for all rows. */
static double least_enough(const double *costs, long begin, long end, long workers) {
    double least = 0;
    for (long from = begin; from < end; ++from) {
        double sum = 0;
        for (long to = from; to < end; ++to) {
            sum += costs[to];
            bool better = least == 0 || sum < least;
            if (better && row_within(costs, begin, end, sum, workers) == end)
                least = sum;
        }
    }
    return least;
}

long orrery_share_by_cost(const double *costs, long begin, long end, long worker, long workers) {
    return row_within(costs, begin, end, least_enough(costs, begin, end, workers), worker);
}
