/* The progress line, on a clock of the test's: never above 100 %, with the seconds that are left. */
#include "runtime/base/clock.h"
#include "runtime/base/env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static double now;
static const struct orrery_tunables tunables = {.progress = ORRERY_SWITCH_ON};

static double clock_of_test(void) {
    return now;
}

static const struct orrery_tunables *env_of_test(void) {
    return &tunables;
}

#define orrery_clock clock_of_test
#define orrery_env env_of_test
#include "runtime/base/progress.c"

/* What stands on stderr after a pass of `blocks` blocks, of which `visits` were run in a second
 * each. */
static const char *printed(long blocks, long visits) {
    static char text[4096];
    FILE *file = tmpfile();
    int saved = dup(2);
    assert_non_null(file);
    fflush(stderr);
    dup2(fileno(file), 2);
    now = 0;
    orrery_progress_start("mf.c:31", 3, blocks);
    for (long i = 0; i < visits; ++i) {
        now += 1;
        orrery_progress_block(1);
        orrery_progress_block(0);
    }
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void left(void **state) {
    (void)state;
    const char *text = printed(4, 2);
    assert_non_null(strstr(text, "mf.c:31 pass 3  25 %, 3 s left"));
    assert_non_null(strstr(text, "mf.c:31 pass 3  50 %, 2 s left"));
}

static void at_most_all(void **state) {
    (void)state;
    const char *text = printed(4, 9);
    assert_non_null(strstr(text, "100 %, 0 s left"));
    for (const char *at = text; (at = strstr(at, "pass 3 ")); at += 7)
        assert_true(strtol(at + 7, NULL, 10) <= 100);
    assert_null(strchr(text, '-'));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(left), cmocka_unit_test(at_most_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
