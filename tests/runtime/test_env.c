/* Every variable is checked; what is unknown or malformed is named, with what would be right. */
#include "runtime/base/env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char message[512];

static int read_with(const char *name, const char *value) {
    setenv(name, value, 1);
    int status = orrery_env_read(message, sizeof message);
    unsetenv(name);
    return status;
}

static void values_are_read(void **unused) {
    (void)unused;
    assert_int_equal(read_with("ORRERY_MEMORY", "250000"), 0);
    assert_int_equal(orrery_env()->memory, 250000);
    assert_int_equal(read_with("ORRERY_THREADS", "3"), 0);
    assert_int_equal(orrery_env()->threads, 3);
    assert_int_equal(read_with("ORRERY_GRID", "12x7"), 0);
    assert_int_equal(orrery_env()->rows, 12);
    assert_int_equal(orrery_env()->columns, 7);
    assert_int_equal(read_with("ORRERY_SEED", "0"), 0);
    assert_true(orrery_env()->seed_set);
    assert_int_equal(read_with("ORRERY_REPLAY", "reverse"), 0);
    assert_int_equal(orrery_env()->replay, ORRERY_REPLAY_REVERSE);
    assert_int_equal(read_with("ORRERY_SHARED", "0"), 0);
    assert_int_equal(orrery_env()->shared, 0);
    assert_int_equal(read_with("ORRERY_TRACE", "file"), 0);
    assert_string_equal(orrery_env()->trace, "file");
}

static void torture_is_a_seed_or_an_allocation(void **unused) {
    (void)unused;
    assert_int_equal(read_with("ORRERY_DEBUG", "torture=7"), 0);
    assert_int_equal(orrery_env()->torture, 7);
    assert_int_equal(orrery_env()->fails, 0);
    assert_int_equal(read_with("ORRERY_DEBUG", "torture=alloc:120@3"), 0);
    assert_int_equal(orrery_env()->torture, 0);
    assert_int_equal(orrery_env()->fails, 120);
    assert_int_equal(orrery_env()->fails_on, 3);
    assert_int_equal(read_with("ORRERY_DEBUG", "torture=alloc:1"), 0);
    assert_int_equal(orrery_env()->fails_on, -1);
}

static void presets_come_back(void **unused) {
    (void)unused;
    assert_int_equal(orrery_env_read(message, sizeof message), 0);
    assert_int_equal(orrery_env()->threads, 0);
    assert_false(orrery_env()->seed_set);
    assert_null(orrery_env()->trace);
    assert_string_equal(orrery_env_transport(), "auto");
}

static void malformed_is_refused(void **unused) {
    (void)unused;
    static const char *const wrong[][2] = {
        {"ORRERY_THREADS", ""},
        {"ORRERY_THREADS", "-1"},
        {"ORRERY_THREADS", "2x"},
        {"ORRERY_MEMORY", "2G"},
        {"ORRERY_MEMORY", "1000000001"},
        {"ORRERY_GRID", "3"},
        {"ORRERY_GRID", "3x"},
        {"ORRERY_GRID", "x3"},
        {"ORRERY_GRID", "3x4x5"},
        {"ORRERY_SEED", "abc"},
        {"ORRERY_STATS", "yes"},
        {"ORRERY_TRANSPORT", "ib"},
        {"ORRERY_GRID", "40000x1"},
        {"ORRERY_THREADS", "99999999999"},
        {"ORRERY_SEED", ""},
        {"ORRERY_BIND", "maybe"},
        {"ORRERY_DEBUG", "torture=alloc:0"},
        {"ORRERY_MOST_CHANGE", "-1"},
        {"ORRERY_MOST_CHANGE", "much"},
        {"ORRERY_DEBUG", "torture=alloc:"},
        {"ORRERY_DEBUG", "torture=alloc:3@"},
        {"ORRERY_DEBUG", "torture=alloc:3x"},
        {"ORRERY_DEBUG", "torture"},
        {"ORRERY_DEBUG", "bands=4;torture=7"},
        {"ORRERY_DEBUG", "bands=4,gpu_keep"},
        {"ORRERY_DEBUG", "=4"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_int_equal(read_with(wrong[i][0], wrong[i][1]), -1);
        assert_non_null(strstr(message, wrong[i][0]));
    }
}

static void unknown_is_named(void **unused) {
    (void)unused;
    assert_int_equal(read_with("ORRERY_THREAD", "1"), -1);
    assert_non_null(strstr(message, "ORRERY_THREADS"));
    assert_int_equal(read_with("ORRERY_SEEED", "1"), -1);
    assert_non_null(strstr(message, "is ORRERY_SEED"));
    assert_int_equal(read_with("ORRERY_CC", "gcc-12"), 0);
}

static void words_of_debug_are_read(void **unused) {
    (void)unused;
    assert_int_equal(read_with("ORRERY_DEBUG", "bands=4,gpu_keep=0,torture=7"), 0);
    assert_int_equal(orrery_env()->panels, 4);
    assert_int_equal(orrery_env()->gpu_keep, 0);
    assert_int_equal(orrery_env()->torture, 7);
    assert_int_equal(orrery_env()->gpu_stay, 1);
    assert_int_equal(read_with("ORRERY_DEBUG", ",serve=never,,serve=always,"), 0);
    assert_int_equal(orrery_env()->serve, ORRERY_SERVE_ALWAYS);
    assert_int_equal(orrery_env()->panels, 0);
    assert_int_equal(read_with("ORRERY_DEBUG", ""), 0);
    assert_int_equal(orrery_env()->serve, ORRERY_SERVE_AUTO);
}

/* All that are known are named. */
static void unknown_words_of_debug_are_refused(void **unused) {
    (void)unused;
    assert_int_equal(read_with("ORRERY_DEBUG", "bands=4,panels=3"), -1);
    assert_non_null(strstr(message, "unknown word `panels=3`"));
    assert_non_null(strstr(message, " bands,"));
    assert_non_null(strstr(message, " gpu_shuffle"));
    assert_int_equal(read_with("ORRERY_DEBUG", "band=4"), -1);
    assert_int_equal(read_with("ORRERY_TORTURE", "7"), -1);
}

static void table_is_printed(void **unused) {
    (void)unused;
    char text[16384] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    setenv("ORRERY_DEBUG", "bands=3,bands=4", 1);
    orrery_env_print(out);
    unsetenv("ORRERY_DEBUG");
    fclose(out);
    assert_non_null(strstr(text, "bands              4            environment  0 "));
    assert_non_null(strstr(text, "torture            0            default      0 "));
    assert_non_null(strstr(text, "ORRERY_THREADS"));
    assert_non_null(strstr(text, "ORRERY_REPLAY"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(torture_is_a_seed_or_an_allocation),
        cmocka_unit_test(presets_come_back),
        cmocka_unit_test(malformed_is_refused),
        cmocka_unit_test(unknown_is_named),
        cmocka_unit_test(table_is_printed),
        cmocka_unit_test(words_of_debug_are_read),
        cmocka_unit_test(unknown_words_of_debug_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
