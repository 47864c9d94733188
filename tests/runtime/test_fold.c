/* Folds of every operation and type against plain loops over the rows in order. */
#include "runtime/base/env.h"
#include "runtime/region/fold.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The row that the last iteration is in: the two behind it have none. */
enum { ROWS = 5, LAST_ROW = 2 };

/* Copies of `n` elements per row, as the executor makes them: identity, then `put` adds. */
static void run(enum orrery_op op, enum orrery_type type, size_t size, long n, void *target,
                void (*put)(void *copy, long row, long n)) {
    struct orrery_reduction reduction = {"x", op, type, size, 0, -1, 0, NULL, 0, 0, NULL};
    struct orrery_loop loop = {.nreductions = 1, .reductions = &reduction};
    struct orrery_copies copies = {0};
    size_t bytes = (size_t)n * size;
    orrery_copies_make(&copies, &loop, 0, ROWS, LAST_ROW, &bytes, &(size_t){0}, false);
    if (copies.starts[0])
        memcpy(copies.starts[0], target, bytes);
    for (long row = 0; row < ROWS; ++row) {
        orrery_copies_reset(&copies, row);
        put(orrery_copies_of(&copies, row)[0], row, n);
    }
    if (op == ORRERY_LAST)
        memcpy(target, orrery_copies_last(&copies, 0), bytes);
    else
        orrery_fold(&loop, 0, copies.memory[0], copies.stride[0], bytes, 0, ROWS, target);
    orrery_copies_free(&copies);
}

static double piece(long row, long i) {
    return 1.0 / (double)(3 + row * 17 + i % 1000);
}

static void put_double(void *copy, long row, long n) {
    double *x = copy;
    for (long i = 0; i < n; ++i)
        x[i] += piece(row, i);
}

static void sums_in_row_order(void **unused) {
    (void)unused;
    static const long sizes[] = {1, 7, 50000};
    for (int s = 0; s < 3; ++s) {
        double *x = malloc((size_t)sizes[s] * sizeof *x);
        for (long i = 0; i < sizes[s]; ++i)
            x[i] = 0.1;
        run(ORRERY_ADD, ORRERY_F64, 8, sizes[s], x, put_double);
        for (long i = 0; i < sizes[s]; ++i) {
            double expected = 0.1;
            for (long row = 0; row < ROWS; ++row)
                expected += piece(row, i);
            assert_memory_equal(&x[i], &expected, 8);
        }
        free(x);
    }
}

static void put_nothing(void *copy, long row, long n) {
    (void)copy;
    (void)row;
    (void)n;
}

/* Rows without iterations must not change the target,
 * not even a minus zero or the greatest value. */
static void identities(void **unused) {
    (void)unused;
    double minus_zero = -0.0;
    run(ORRERY_ADD, ORRERY_F64, 8, 1, &minus_zero, put_nothing);
    assert_true(signbit(minus_zero));
    double big = INFINITY;
    run(ORRERY_MIN, ORRERY_F64, 8, 1, &big, put_nothing);
    assert_true(isinf(big));
    float low = -INFINITY;
    run(ORRERY_MAX, ORRERY_F32, 4, 1, &low, put_nothing);
    assert_true(isinf(low) && low < 0);
    int8_t least = INT8_MIN;
    run(ORRERY_MAX, ORRERY_I8, 1, 1, &least, put_nothing);
    assert_int_equal(least, INT8_MIN);
    uint16_t bits = 0xa5a5;
    run(ORRERY_BITAND, ORRERY_U16, 2, 1, &bits, put_nothing);
    assert_int_equal(bits, 0xa5a5);
    long double one = 3;
    run(ORRERY_MUL, ORRERY_F80, sizeof one, 1, &one, put_nothing);
    assert_true(one == 3);
}

static void put_int(void *copy, long row, long n) {
    int32_t *x = copy;
    for (long i = 0; i < n; ++i)
        x[i] += 2000000000 - (int32_t)row;
}

static void sums_wrap(void **unused) {
    (void)unused;
    int32_t x = 5;
    uint32_t expected = 5;
    for (uint32_t row = 0; row < ROWS; ++row)
        expected += 2000000000u - row;
    run(ORRERY_ADD, ORRERY_I32, 4, 1, &x, put_int);
    assert_int_equal((uint32_t)x, expected);
}

static void put_row(void *copy, long row, long n) {
    (void)n;
    *(long *)copy = 100 + row;
}

static void last_of_used_rows(void **unused) {
    (void)unused;
    long x = 7;
    run(ORRERY_LAST, ORRERY_BYTES, 8, 1, &x, put_row);
    assert_int_equal(x, 102);
}

static void put_nan(void *copy, long row, long n) {
    (void)n;
    double x = row == 2 ? NAN : (double)row;
    if (x < *(double *)copy)
        *(double *)copy = x;
}

static void not_a_number_is_no_minimum(void **unused) {
    (void)unused;
    double x = 50;
    run(ORRERY_MIN, ORRERY_F64, 8, 1, &x, put_nan);
    assert_true(x == 0);
}

static void put_fmin(void *copy, long row, long n) {
    double *x = copy;
    (void)n;
    if (row % 2)
        *x = fmin(*x, 10 - (double)row);
}

/* fmin takes a number in place of none; `if (e < x) x = e` does not. */
static void a_start_that_is_no_number(void **unused) {
    (void)unused;
    double x = NAN, y = NAN;
    run(ORRERY_MIN, ORRERY_F64, 8, 1, &x, put_fmin);
    assert_true(x == 7);
    run(ORRERY_MIN, ORRERY_F64, 8, 1, &y, put_nan);
    assert_true(isnan(y));
}

static void put_hypot(void *copy, long row, long n) {
    double *x = copy;
    (void)n;
    *x = hypot(*x, (double)row);
}

/* A row that was never used leaves the target as it is, its sign included; others make it a length. */
static void roots_of_squares(void **unused) {
    (void)unused;
    double kept = -3, length = -3, expected = -3;
    for (long row = 0; row < ROWS; ++row)
        expected = hypot(expected, (double)row);
    run(ORRERY_HYPOT, ORRERY_F64, 8, 1, &kept, put_nothing);
    assert_true(kept == -3);
    run(ORRERY_HYPOT, ORRERY_F64, 8, 1, &length, put_hypot);
    assert_true(length == expected);
}

/* ---- what is set together, against one variable set in the order of clocks and rows ---- */

enum { CLOCKS = 4, EACH = 3 };

struct chosen {
    long took;
    float value;
    int at;
};

static float value_at(unsigned seed, long clock, long row, long i) {
    unsigned x = seed * 2654435761u + (unsigned)(clock * 97 + row * 31 + i * 7) * 40503u;
    x ^= x >> 15;
    return x % 23 == 0 ? NAN : (float)(x % 5);
}

static void choose(struct chosen *c, int how, float value, long clock, int at) {
    bool better = how == 0   ? value < c->value
                  : how == 1 ? value <= c->value
                  : how == 2 ? value > c->value
                  : how == 3 ? value >= c->value
                             : value == 2;
    if (better)
        *c = (struct chosen){clock + 1, value, at};
}

static void choose_block(struct chosen *c, int how, unsigned seed, long clock, long row) {
    for (long i = 0; i < EACH; ++i)
        if ((seed + (unsigned)row) % 4)
            choose(c, how, value_at(seed, clock, row, i), clock,
                   (int)(clock * 1000 + row * 10 + i));
}

static void choices_in_plan_order(void **unused) {
    (void)unused;
    for (unsigned seed = 0; seed < 500; ++seed) {
        int how = (int)(seed % 5);
        struct orrery_field field = {how < 2 ? ORRERY_MIN : ORRERY_MAX, ORRERY_F32, 4,
                                     offsetof(struct chosen, value),    4,          1};
        bool first = how == 0 || how == 2;
        struct orrery_reduction reduction = {"x",
                                             first ? ORRERY_CHOOSE_FIRST : ORRERY_CHOOSE_LAST,
                                             ORRERY_BYTES,
                                             sizeof(struct chosen),
                                             0,
                                             -1,
                                             how < 4,
                                             &field,
                                             0,
                                             0,
                                             NULL};
        struct orrery_loop loop = {.nreductions = 1, .reductions = &reduction};
        struct orrery_copies copies = {0};
        size_t bytes = sizeof(struct chosen);
        struct chosen target = {0, seed % 7 == 6 ? NAN : (float)(seed % 7), -1}, wanted = target;
        orrery_copies_make(&copies, &loop, 0, ROWS, LAST_ROW, &bytes, &(size_t){0}, false);
        memcpy(copies.starts[0], &target, bytes);
        for (long row = 0; row < ROWS; ++row) {
            orrery_copies_reset(&copies, row);
            for (long clock = 0; clock < CLOCKS; ++clock)
                choose_block(orrery_copies_of(&copies, row)[0], how, seed, clock, row);
        }
        for (long clock = 0; clock < CLOCKS; ++clock)
            for (long row = 0; row < ROWS; ++row)
                choose_block(&wanted, how, seed, clock, row);
        orrery_fold(&loop, 0, copies.memory[0], copies.stride[0], bytes, 0, ROWS, &target);
        orrery_copies_free(&copies);
        assert_int_equal(target.at, wanted.at);
        assert_memory_equal(&target.value, &wanted.value, sizeof target.value);
    }
}

/* One row uses the flag, for 2 * row - 3 > 0; the others leave it as it is. */
static void put_flag(void *copy, long row, long n) {
    int *flag = copy;
    (void)n;
    if (row == 1)
        *flag = *flag && 2 * row - 3 > 0;
    if (row == 3)
        *flag = *flag && 2 * row - 3 > 0;
}

static void put_any(void *copy, long row, long n) {
    int *flag = copy;
    (void)n;
    if (row == 1 || row == 4)
        *flag = *flag || row == 4;
}

static void put_none(void *copy, long row, long n) {
    int *flag = copy;
    (void)n;
    if (row == 2)
        *flag = *flag || 0;
}

static void flags(void **unused) {
    (void)unused;
    static const int starts[] = {0, 1, 5, -1};
    for (int s = 0; s < 4; ++s) {
        int x = starts[s];
        run(ORRERY_AND, ORRERY_I32, 4, 1, &x, put_flag);
        assert_int_equal(x, 0);
        x = starts[s];
        run(ORRERY_AND, ORRERY_I32, 4, 1, &x, put_nothing);
        assert_int_equal(x, starts[s]);
        x = starts[s];
        run(ORRERY_OR, ORRERY_I32, 4, 1, &x, put_any);
        assert_int_equal(x, 1);
        x = starts[s];
        run(ORRERY_OR, ORRERY_I32, 4, 1, &x, put_none);
        assert_int_equal(x, starts[s] != 0);
        x = starts[s];
        run(ORRERY_OR, ORRERY_I32, 4, 1, &x, put_nothing);
        assert_int_equal(x, starts[s]);
    }
}

int main(void) {
    char message[256];
    setenv("ORRERY_THREADS", "3", 1);
    orrery_env_read(message, sizeof message);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_in_row_order),
        cmocka_unit_test(identities),
        cmocka_unit_test(sums_wrap),
        cmocka_unit_test(last_of_used_rows),
        cmocka_unit_test(not_a_number_is_no_minimum),
        cmocka_unit_test(a_start_that_is_no_number),
        cmocka_unit_test(roots_of_squares),
        cmocka_unit_test(choices_in_plan_order),
        cmocka_unit_test(flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
