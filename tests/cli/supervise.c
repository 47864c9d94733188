/* A signal that comes between two attempts of `orrery run` ends the second before it begins, and not orrery run itself,
 * which has files to take away. */
#include "tools/run/supervise.h"

#include "analyzer/arena.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static int attempt(struct supervision *supervision, const char *command, bool attempts) {
    struct arg_list words = {.arena = arena_new()};
    arg_list_push(&words, "sh");
    arg_list_push(&words, "-c");
    arg_list_push(&words, command);
    *supervision =
        (struct supervision){.who = "run", .words = &words, .attempts = attempts, .stream = -1};
    int status = supervise_all(supervision);
    arena_free(words.arena);
    return status;
}

static void test_a_signal_waits_for_the_next_attempt(void **state) {
    struct supervision supervision;
    char began[] = "/tmp/orrery-began-XXXXXX";
    (void)state;
    assert_true(mkdtemp(began) != NULL);
    setenv("BEGAN", began, 1);
    assert_int_equal(attempt(&supervision, "exit 3", true), 3);
    raise(SIGTERM);
    assert_int_equal(attempt(&supervision, "rmdir $BEGAN", true), 128 + SIGTERM);
    assert_true(supervision.stopped);
    assert_int_equal(rmdir(began), 0);
}

static void test_none_came(void **state) {
    struct supervision supervision;
    (void)state;
    assert_int_equal(attempt(&supervision, "exit 3", true), 3);
    assert_int_equal(attempt(&supervision, "exit 4", false), 4);
    assert_false(supervision.stopped);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_signal_waits_for_the_next_attempt),
        cmocka_unit_test(test_none_came),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
