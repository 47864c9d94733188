/* The permutation is one, cuts are fair and complete, the grid follows its rules. */
#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/grid/grid.h"
#include "runtime/schedule/blocks.h"

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
    assert_int_equal(dims[0].parts, 16);
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

/* Against all grids: none costs less by more than a hundredth,
 * none of the cheap ones has fewer blocks. */
static void grid_costs_least(void **unused) {
    (void)unused;
    static const struct orrery_grid_task tasks[] = {
        {2, 1.1e6, {11362, 5172}, {128, 128}, {16, 16}, {4096, 4096}},
        {2, 1.1e6, {11362, 5172}, {4000, 4000}, {16, 16}, {4096, 4096}},
        {2, 1e8, {480189, 17770}, {4000, 4000}, {128, 128}, {4096, 4096}},
        {2, 5e5, {100, 90000}, {64, 512}, {16, 64}, {100, 4096}},
        {3, 2.7e5, {9000, 60, 1500}, {64, 64, 2048}, {8, 8, 8}, {4096, 60, 1500}},
        {1, 1e6, {50000}, {128}, {64}, {4096}},
    };
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; ++t) {
        const struct orrery_grid_task *task = &tasks[t];
        long parts[ORRERY_DIMS] = {1, 1, 1, 1}, now[ORRERY_DIMS] = {1, 1, 1, 1};
        orrery_grid_cheapest(task, parts);
        double cost = orrery_grid_cost(task, parts);
        long last[3] = {1, 1, 1};
        for (int d = 0; d < task->ndims; ++d) {
            assert_in_range(parts[d], task->least[d], task->most[d]);
            last[d] = task->most[d];
            now[d] = task->least[d];
        }
        for (long a = now[0]; a <= last[0]; a *= 2)
            for (long b = now[1]; b <= last[1]; b *= 2)
                for (long c = now[2]; c <= last[2]; c *= 2)
                    assert_true(orrery_grid_cost(task, (long[]){a, b, c, 1}) > 0.97 * cost);
    }
}

/* Rows of 4 kB: neither blocks whose rows are pushed out nor blocks that use each row once. */
static void long_rows_have_blocks_between(void **unused) {
    (void)unused;
    struct orrery_loop loop = loop_of(ORRERY_ROTATION, 0, 0);
    struct orrery_dim dims[2] = {{.distinct = 11362}, {.distinct = 5172}};
    long bytes[2] = {4000, 4000};
    orrery_grid_choose(&loop, 1143415, bytes, dims);
    assert_in_range(dims[0].parts * dims[1].parts, 512, 8192);
    long rows = dims[0].parts, columns = dims[1].parts;
    loop.grid[1] = 24;
    orrery_grid_choose(&loop, 1143415, bytes, dims);
    assert_int_equal(dims[1].parts, 24);
    loop.grid[1] = 0;
    orrery_grid_choose(&loop, 1143415, bytes, dims);
    assert_int_equal(dims[0].parts, rows);
    assert_int_equal(dims[1].parts, columns);
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
    assert_int_equal(orrery_grid_rows(&loop, 10, 8, false), 10);
    assert_int_equal(orrery_grid_rows(&loop, 100000, 8, false), 64);
    assert_int_equal(orrery_grid_rows(&loop, 100000, 32 << 20, false), 2);
    assert_int_equal(orrery_grid_rows(&loop, 100000, 1L << 32, false), 1);
    assert_int_equal(orrery_grid_rows(&loop, 100000, 8, true), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutation_is_one),   cmocka_unit_test(permutation_mixes),
        cmocka_unit_test(cuts_are_fair),        cmocka_unit_test(grid_follows_data),
        cmocka_unit_test(grid_costs_least),     cmocka_unit_test(long_rows_have_blocks_between),
        cmocka_unit_test(grid_obeys_the_table), cmocka_unit_test(rows_keep_copies_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
