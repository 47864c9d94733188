/* Which way a loop that nobody marked runs, on a clock that the test turns. */
#include "runtime/start/trial.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/orrery_body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

/* What `executions` took, in seconds, when one takes `serial` or `parallel` of them; the first
 * parallel one also `start`. `chosen`: how many ran in parallel. */
static double run(struct trial_class *c, double work, double serial, double parallel, double start,
                  long executions, long *chosen) {
    double total = 0;
    long skips = 0;
    *chosen = 0;
    for (long i = 0; i < executions; ++i) {
        if (skips > 0) {
            --skips;
            total += serial;
            continue;
        }
        bool together = trial_choose(c, work) == TRIAL_PARALLEL;
        double seconds = together ? parallel + (*chosen ? 0 : start) : serial;
        *chosen += together;
        total += seconds;
        trial_record(c, work, seconds);
        skips = trial_skips(c, work);
    }
    return total;
}

static void test_short_loops_are_never_tried(void **state) {
    struct trial_class c = {.phase = TRIAL_NEW};
    long chosen;
    (void)state;
    run(&c, 1000, 1e-6, 1e-9, 0, 100000, &chosen);
    assert_int_equal(chosen, 0);
    assert_true(trial_skips(&c, 1000) >= 10);
}

/* The third execution is interrupted. */
static void test_a_delay_does_not_make_it_long(void **state) {
    struct trial_class c = {.phase = TRIAL_NEW};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(trial_choose(&c, 1000), TRIAL_SERIAL);
        trial_record(&c, 1000, i == 2 ? 1e-3 : 1e-6);
    }
    assert_int_equal(trial_choose(&c, 1000), TRIAL_SERIAL);
}

/* A loop that grows is not asked for anew at each size while it is far too short; others are. */
static void test_sizes_that_grow(void **state) {
    struct trial_class small = {.phase = TRIAL_NEW}, large = small, none = small;
    long chosen;
    (void)state;
    run(&small, 1000, 1e-8, 1e-9, 0, 100, &chosen);
    assert_true(trial_skip_work(&small, 1000) >= 3000);
    run(&large, 1000, 3e-6, 1e-9, 0, 100, &chosen);
    assert_true(trial_skip_work(&large, 1000) == 1000);
    assert_true(trial_skip_work(&none, 1000) == 1000);
}

static void test_the_faster_way_is_taken(void **state) {
    struct trial_class slow = {.phase = TRIAL_NEW}, fast = {.phase = TRIAL_NEW};
    long chosen;
    (void)state;
    double total = run(&slow, 50e3, 50e-6, 750e-6, 200e-6, 20000, &chosen);
    assert_true(total < 1.01 * 20000 * 50e-6);
    total = run(&fast, 50e3, 50e-6, 30e-6, 200e-6, 20000, &chosen);
    assert_true(total < 1.01 * 20000 * 30e-6);
    assert_true(chosen > 19900);
}

/* The estimate may be far off. */
static void test_estimates_do_not_decide(void **state) {
    struct trial_class c = {.phase = TRIAL_NEW};
    long chosen;
    (void)state;
    run(&c, 1.0, 100e-6, 60e-6, 100e-6, 1000, &chosen);
    assert_true(chosen > 990);
}

/* A marked loop runs in parallel until that is doubted, and again where the doubt was wrong. */
static void test_doubted_loops_are_tried(void **state) {
    struct orrery_loop loop = {.file = "f.c", .line = 1};
    (void)state;
    assert_null(trial_of_doubted(&loop, 100));
    trial_doubt(&loop, 100);
    assert_null(trial_of_doubted(&loop, 1e6));
    struct trial_class *slow = trial_of_doubted(&loop, 100);
    assert_non_null(slow);
    for (int i = 0; i < 40; ++i)
        trial_record(slow, 100, trial_choose(slow, 100) == TRIAL_SERIAL ? 1e-3 : 3e-3);
    assert_ptr_equal(trial_of_doubted(&loop, 100), slow);
    assert_int_equal(slow->way, TRIAL_SERIAL);
    trial_doubt(&loop, 1e6);
    struct trial_class *fast = trial_of_doubted(&loop, 1e6);
    while (trial_of_doubted(&loop, 1e6))
        trial_record(fast, 1e6, trial_choose(fast, 1e6) == TRIAL_SERIAL ? 3e-3 : 2e-3);
    assert_int_equal(fast->way, TRIAL_PARALLEL);
    assert_true(fast->runs[TRIAL_SERIAL] == 1);
}

static void test_a_long_loop_starts_in_parallel(void **state) {
    struct trial_class good = {.phase = TRIAL_NEW}, bad = good, worse = good;
    long chosen;
    (void)state;
    run(&good, 1e9, 1.0, .5, 0, 50, &chosen);
    assert_true(chosen >= 48);
    run(&bad, 1e9, .2, 3.0, 0, 50, &chosen);
    assert_int_equal(chosen, 3);
    run(&worse, 1e9, .6, .9, 0, 50, &chosen);
    assert_int_equal(chosen, 11);
}

/* The kernel gives the processor to somebody else now and then. */
static void test_single_delays_are_no_change(void **state) {
    struct trial_class c = {.phase = TRIAL_NEW};
    double least = 0, total = 0;
    (void)state;
    for (long i = 0; i < 20000; ++i) {
        double serial = i % 50 == 17 ? 3e-3 : 20e-6;
        bool together = trial_choose(&c, 20e3) == TRIAL_PARALLEL;
        double seconds = together ? 2e-3 : serial;
        least += serial;
        total += seconds;
        trial_record(&c, 20e3, seconds);
    }
    assert_true(total < 1.03 * least);
}

/* Some parallel executions are fast, but not in the mean: workers wait for each other. */
static void test_the_mean_decides(void **state) {
    struct trial_class c = {.phase = TRIAL_NEW};
    double total = 0;
    (void)state;
    for (long i = 0, parallel = 0; i < 20000; ++i) {
        bool together = trial_choose(&c, 50e3) == TRIAL_PARALLEL;
        double seconds = !together ? 50e-6 : parallel++ % 4 == 1 ? 44e-6 : 62e-6;
        total += seconds;
        trial_record(&c, 50e3, seconds);
    }
    assert_true(total < 1.01 * 20000 * 50e-6);
}

/* Threads that slept are late, and then warm up: the first parallel executions do not tell. */
static double run_cold(struct trial_class *c, double warm, long *chosen) {
    double total = 0, cold = 0;
    *chosen = 0;
    for (long i = 0; i < 20000; ++i) {
        bool together = trial_choose(c, 50e3) == TRIAL_PARALLEL;
        cold = !together ? 500e-6 : cold / 3;
        double seconds = together ? warm + cold : 9e-6;
        *chosen += together;
        total += seconds;
        trial_record(c, 50e3, seconds);
    }
    return total;
}

static void test_threads_warm_up(void **state) {
    struct trial_class gains = {.phase = TRIAL_NEW}, loses = gains;
    long chosen;
    (void)state;
    run_cold(&gains, 7e-6, &chosen);
    assert_true(chosen > 19000);
    double total = run_cold(&loses, 12e-6, &chosen);
    assert_true(total < 1.02 * 20000 * 9e-6);
}

/* What was faster need not stay so. */
static void test_a_change_is_noticed(void **state) {
    struct trial_class c = {.phase = TRIAL_NEW};
    long chosen;
    (void)state;
    run(&c, 50e3, 50e-6, 30e-6, 0, 3000, &chosen);
    assert_true(chosen > 2900);
    run(&c, 50e3, 50e-6, 300e-6, 0, 3000, &chosen);
    assert_true(chosen < 100);
    run(&c, 50e3, 50e-6, 30e-6, 0, 20000, &chosen);
    assert_true(chosen > 10000);
}

/* Asking costs more than a loop of some ten iterations takes. */
static void test_short_executions_ask_once(void **state) {
    struct orrery_loop loop = {.file = "short.c"};
    struct orrery_trial trial;
    char message[200];
    (void)state;
    assert_int_equal(orrery_env_read(message, sizeof message), 0);
    assert_false(orrery_worth(&loop, &trial, 300));
    long skips = loop.skips;
    assert_true(skips > 1000);
    assert_false(orrery_worth(&loop, &trial, 4000));
    assert_int_equal(loop.skips, skips - 1);
    assert_null(trial.timed);
    orrery_worth(&loop, &trial, 4e7);
    assert_int_equal(loop.skips, skips - 1);
}

/* The estimate of an execution is no whole number. */
static void test_the_same_estimate_is_skipped(void **state) {
    struct orrery_loop loop = {.file = "short.c"};
    struct trial_class class = {.phase = TRIAL_NEW};
    struct orrery_trial trial = {.loop = &loop, .timed = &class, .work = 7987.2};
    (void)state;
    for (int i = 0; i < 50 && loop.skips == 0; ++i) {
        trial_choose(&class, trial.work);
        trial.begin = orrery_clock();
        orrery_worth_took(&trial);
    }
    long skips = loop.skips;
    assert_true(skips > 0);
    assert_false(orrery_worth(&loop, &trial, 7987.2));
    assert_int_equal(loop.skips, skips - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_loops_are_never_tried),
        cmocka_unit_test(test_a_delay_does_not_make_it_long),
        cmocka_unit_test(test_sizes_that_grow),
        cmocka_unit_test(test_short_executions_ask_once),
        cmocka_unit_test(test_the_same_estimate_is_skipped),
        cmocka_unit_test(test_the_faster_way_is_taken),
        cmocka_unit_test(test_estimates_do_not_decide),
        cmocka_unit_test(test_a_long_loop_starts_in_parallel),
        cmocka_unit_test(test_doubted_loops_are_tried),
        cmocka_unit_test(test_single_delays_are_no_change),
        cmocka_unit_test(test_the_mean_decides),
        cmocka_unit_test(test_a_change_is_noticed),
        cmocka_unit_test(test_threads_warm_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
