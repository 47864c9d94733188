/* Rows assigned by seconds: complete, nobody without a row,
 * and no deal whose slowest worker is faster. */
#include "runtime/region/assignment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 9 };

static double sum(const double *seconds, long from, long to) {
    double all = 0;
    for (long row = from; row < to; ++row)
        all += seconds[row];
    return all;
}

/* The least that the slowest of the workers can have, over all ways to cut. */
static double best_of(const double *seconds, long rows, int workers) {
    if (workers == 1)
        return sum(seconds, 0, rows);
    double best = 1e300;
    for (long last = workers - 1; last < rows; ++last) {
        double rest = best_of(seconds, last, workers - 1), own = sum(seconds, last, rows);
        double slowest = rest > own ? rest : own;
        best = slowest < best ? slowest : best;
    }
    return best;
}

static void check(const double *seconds, long rows, int workers) {
    long cuts[ROWS + 1];
    double slowest = orrery_assignment_cut(seconds, rows, workers, cuts), found = 0;
    assert_int_equal(cuts[0], 0);
    assert_int_equal(cuts[workers], rows);
    for (int w = 0; w < workers; ++w) {
        double own = sum(seconds, cuts[w], cuts[w + 1]);
        assert_true(cuts[w] < cuts[w + 1]);
        found = own > found ? own : found;
    }
    assert_true(found <= slowest * 1.000001 + 1e-12);
    assert_true(slowest <= best_of(seconds, rows, workers) * 1.0001 + 1e-9);
}

static void all_ways(void **unused) {
    (void)unused;
    srand(7);
    for (int round = 0; round < 300; ++round) {
        double seconds[ROWS];
        for (int row = 0; row < ROWS; ++row)
            seconds[row] = rand() % 4 ? rand() % 100 / 10.0 : 0;
        for (int workers = 2; workers < ROWS; ++workers)
            check(seconds, ROWS, workers);
    }
}

static void idle_and_even(void **unused) {
    (void)unused;
    const double none[ROWS] = {0}, even[ROWS] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const double last[ROWS] = {0, 0, 0, 0, 0, 0, 0, 0, 5};
    for (int workers = 2; workers < ROWS; ++workers) {
        check(none, ROWS, workers);
        check(even, ROWS, workers);
        check(last, ROWS, workers);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_ways), cmocka_unit_test(idle_and_even)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
