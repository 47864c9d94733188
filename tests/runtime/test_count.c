/* Iterations per key, counted by tables that grow with the keys they meet. */
#include "runtime/base/memory.h"
#include "runtime/inspect/count.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 4000, WORKERS = 3 };

static const struct orrery_loop loop = {
    .ndims = 2, .nkeys = 3, .keys = {{"a", 0}, {"b", 1}, {"c", 0}}};

static struct orrery_counter *counted(const long *keys, const long *weights) {
    struct orrery_counter *counter = orrery_counter_new(&loop, WORKERS, COUNT);
    for (long i = 0; i < COUNT; i += 100)
        orrery_counter_add(counter, (int)(i / 100 % WORKERS), keys + 3 * i, 100,
                           weights ? weights + i : NULL);
    return counter;
}

static void range_is(const struct orrery_counter *counter, int d, long low, long high) {
    long range[2] = {LONG_MAX, LONG_MIN};
    orrery_counter_range(counter, d, &range[0], &range[1]);
    assert_int_equal(range[0], low);
    assert_int_equal(range[1], high);
}

/* The same, one by one. */
static void dim_is(const struct orrery_counter *counter, int d, const long *keys,
                   const long *weights) {
    long low = LONG_MAX, high = LONG_MIN;
    for (long i = 0; i < 3 * COUNT; ++i)
        if (loop.keys[i % 3].dim == d && keys[i] != ORRERY_NO_KEY) {
            low = keys[i] < low ? keys[i] : low;
            high = keys[i] > high ? keys[i] : high;
        }
    range_is(counter, d, low, high);
    long *counts = calloc((size_t)(high - low + 1), sizeof *counts);
    assert_true(orrery_counter_sum(counter, d, low, counts));
    for (long i = 0; i < 3 * COUNT; ++i)
        if (loop.keys[i % 3].dim == d && keys[i] != ORRERY_NO_KEY)
            counts[keys[i] - low] -= weights ? weights[i / 3] : 1;
    for (long v = 0; v <= high - low; ++v)
        assert_int_equal(counts[v], 0);
    free(counts);
}

static void counts_are_exact(const long *keys, const long *weights) {
    struct orrery_counter *counter = counted(keys, weights);
    dim_is(counter, 0, keys, weights);
    dim_is(counter, 1, keys, weights);
    orrery_counter_free(counter);
}

/* Keys that rise, that fall, that are negative, that come at random, and some that are none. */
static void tables_grow(void **unused) {
    (void)unused;
    static long keys[3 * COUNT], weights[COUNT];
    for (long i = 0; i < COUNT; ++i) {
        keys[3 * i] = 20 * i;
        keys[3 * i + 1] = -20 * i;
        keys[3 * i + 2] = i % 7 ? i * 7919 % 80000 - 2000 : ORRERY_NO_KEY;
        weights[i] = 1 + i % 5;
    }
    counts_are_exact(keys, NULL);
    counts_are_exact(keys, weights);
}

static void none_are_none(void **unused) {
    (void)unused;
    static long keys[3 * COUNT];
    for (long i = 0; i < 3 * COUNT; ++i)
        keys[i] = ORRERY_NO_KEY;
    struct orrery_counter *counter = counted(keys, NULL);
    long none = 0;
    range_is(counter, 0, LONG_MAX, LONG_MIN);
    assert_true(orrery_counter_sum(counter, 0, 0, &none));
    assert_int_equal(none, 0);
    orrery_counter_free(counter);
}

/* What is too far from the rest, or near the ends of all numbers, has no count; its range is known. */
static void far_keys_have_ranges(void **unused) {
    (void)unused;
    static const long far[] = {1L << 30, -(1L << 40), LONG_MAX, LONG_MIN + 1};
    static long keys[3 * COUNT];
    for (size_t f = 0; f < sizeof far / sizeof *far; ++f)
        for (long at = 0; at < COUNT; at += COUNT - 1) {
            for (long i = 0; i < 3 * COUNT; ++i)
                keys[i] = i % 50;
            keys[3 * at + 2] = far[f];
            struct orrery_counter *counter = counted(keys, NULL);
            long count = 0;
            range_is(counter, 0, far[f] < 0 ? far[f] : 0, far[f] > 0 ? far[f] : 49);
            assert_false(orrery_counter_sum(counter, 0, 0, &count));
            assert_int_equal(count, 0);
            dim_is(counter, 1, keys, NULL);
            orrery_counter_free(counter);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_grow),
        cmocka_unit_test(none_are_none),
        cmocka_unit_test(far_keys_have_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
