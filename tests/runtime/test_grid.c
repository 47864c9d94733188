/* The permutation is one, cuts are fair and complete, the grid follows its rules. */
#include "runtime/env.h"
#include "runtime/grid.h"
#include "runtime/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void permutation_is_one(void **unused) {
    (void)unused;
    static const uint64_t sizes[] = {1, 2, 3, 4, 5, 16, 17, 100, 1023, 4096, 4097, 70001};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (uint64_t seed = 0; seed < 3; ++seed) {
            struct orrery_permutation permutation;
            char *seen = calloc(1, sizes[s]);
            orrery_permutation_start(&permutation, sizes[s], seed);
            for (uint64_t i = 0; i < sizes[s]; ++i) {
                uint64_t at = orrery_permutation_at(&permutation, i);
                assert_true(at < sizes[s]);
                assert_false(seen[at]);
                seen[at] = 1;
            }
            free(seen);
        }
}

/* Neighbours must not stay together: of 1000 keys in 10 parts about a tenth of them do. */
static void permutation_mixes(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        struct orrery_permutation permutation;
        long together = 0;
        orrery_permutation_start(&permutation, 1000, seed);
        for (uint64_t i = 0; i + 1 < 1000; ++i)
            together += orrery_permutation_at(&permutation, i) / 100 ==
                        orrery_permutation_at(&permutation, i + 1) / 100;
        assert_in_range(together, 50, 170);
    }
}

static struct orrery_dim dim_of(long low, long range, long (*weight)(long), long parts) {
    struct orrery_dim dim = {.low = low, .high = low + range - 1, .parts = parts};
    dim.counts = orrery_memory_aligned((size_t)range * sizeof *dim.counts);
    for (long v = 0; v < range; ++v) {
        dim.counts[v] = weight(v);
        dim.distinct += dim.counts[v] > 0;
    }
    return dim;
}

static long even(long v) {
    (void)v;
    return 10;
}

static long skewed(long v) {
    return v % 97 == 0 ? 500 : v % 3 == 0 ? 0 : 1 + v % 5;
}

static void check_cut(long range, long (*weight)(long), long parts, bool shuffled) {
    struct orrery_dim dim = dim_of(-7, range, weight, parts);
    long *totals = calloc((size_t)parts, sizeof *totals), total = 0, heaviest = 0;
    char *seen = calloc(1, (size_t)range);
    orrery_dim_cut(&dim, shuffled, 3, true);
    assert_int_equal(dim.cuts[0], 0);
    assert_int_equal(dim.cuts[parts], range);
    for (long p = 0; p < parts; ++p)
        for (long i = dim.cuts[p]; i < dim.cuts[p + 1]; ++i) {
            long v = dim.order[i];
            assert_false(seen[v]);
            seen[v] = 1;
            assert_int_equal(dim.place[v], i);
            assert_int_equal(dim.part_of[v], p);
            totals[p] += weight(v);
            total += weight(v);
            heaviest = weight(v) > heaviest ? weight(v) : heaviest;
        }
    for (long p = 0; p < parts; ++p) {
        assert_true(totals[p] > 0);
        assert_true(totals[p] <= total / parts + 2 * heaviest);
    }
    free(totals);
    free(seen);
    orrery_dim_free(&dim);
}

static void cuts_are_fair(void **unused) {
    (void)unused;
    check_cut(1000, even, 16, true);
    check_cut(1000, even, 16, false);
    check_cut(1000, skewed, 16, true);
    check_cut(1000, skewed, 7, false);
    check_cut(16, even, 16, true);
    check_cut(1, even, 1, true);
    check_cut(300, skewed, 200, true);
}

static struct orrery_loop loop_of(enum orrery_strategy strategy, long rows, long columns) {
    int ndims = strategy == ORRERY_ROTATION ? 2 : 1;
    return (struct orrery_loop){
        .strategy = strategy, .ndims = ndims, .nkeys = ndims, .grid = {rows, columns}};
}

static void grid_follows_data(void **unused) {
    (void)unused;
    char message[256];
    assert_int_equal(orrery_env_read(message, sizeof message), 0);
    struct orrery_loop loop = loop_of(ORRERY_ROTATION, 0, 0);
    struct orrery_dim dims[2] = {{.distinct = 50000}, {.distinct = 10000}};
    long bytes[2] = {128, 128};
    orrery_grid_choose(&loop, 2000000, bytes, dims);
    assert_int_equal(dims[0].parts, 32);
    assert_int_equal(dims[1].parts, 16);
    dims[0].distinct = 5;
    orrery_grid_choose(&loop, 2000000, bytes, dims);
    assert_int_equal(dims[0].parts, 5);
    dims[0].distinct = 50000;
    orrery_grid_choose(&loop, 100, bytes, dims);
    assert_true(dims[0].parts * dims[1].parts <= 100);
    orrery_grid_choose(&loop, 0, bytes, dims);
    assert_int_equal(dims[0].parts * dims[1].parts, 1);
}

static void grid_obeys_the_table(void **unused) {
    (void)unused;
    struct orrery_loop loop = loop_of(ORRERY_ROTATION, 3, 7);
    struct orrery_dim dims[2] = {{.distinct = 100}, {.distinct = 5}};
    long bytes[2] = {128, 128};
    orrery_grid_choose(&loop, 1000000, bytes, dims);
    assert_int_equal(dims[0].parts, 3);
    assert_int_equal(dims[1].parts, 5);
}

static void rows_keep_copies_small(void **unused) {
    (void)unused;
    struct orrery_loop loop = loop_of(ORRERY_INDEPENDENT, 0, 0);
    assert_int_equal(orrery_grid_rows(&loop, 10, 8), 10);
    assert_int_equal(orrery_grid_rows(&loop, 100000, 8), 64);
    assert_int_equal(orrery_grid_rows(&loop, 100000, 32 << 20), 2);
    assert_int_equal(orrery_grid_rows(&loop, 100000, 1L << 32), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutation_is_one),   cmocka_unit_test(permutation_mixes),
        cmocka_unit_test(cuts_are_fair),        cmocka_unit_test(grid_follows_data),
        cmocka_unit_test(grid_obeys_the_table), cmocka_unit_test(rows_keep_copies_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
