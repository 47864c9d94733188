/* The kernel's files and lscpu(1) tell of the same cores. */
#define _GNU_SOURCE
#include "runtime/threads/cores.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* `lscpu -p` prints lines "unit,core", remarks behind a #. */
static int cores_by_lscpu(void) {
    bool seen[CPU_SETSIZE] = {0};
    cpu_set_t mine;
    char line[256];
    int unit, core, count = 0;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    FILE *lines = popen("lscpu -p=CPU,CORE", "r");
    assert_non_null(lines);
    while (fgets(line, sizeof line, lines))
        if (sscanf(line, "%d,%d", &unit, &core) == 2 && CPU_ISSET(unit, &mine)) {
            assert_in_range(core, 0, CPU_SETSIZE - 1);
            count += !seen[core];
            seen[core] = true;
        }
    assert_int_equal(pclose(lines), 0);
    return count;
}

static int first_unit(const cpu_set_t *set) {
    int unit = 0;
    while (!CPU_ISSET(unit, set))
        ++unit;
    return unit;
}

/* In a process of its own, which may use one processing unit. */
static int cores_on_one_unit(void) {
    cpu_set_t mine, one;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    CPU_ZERO(&one);
    CPU_SET(first_unit(&mine), &one);
    pid_t child = fork();
    if (child == 0)
        _exit(sched_setaffinity(0, sizeof one, &one) ? 99 : orrery_cores_count());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void test_as_many_as_lscpu_counts(void **state) {
    (void)state;
    assert_int_equal(cores_on_one_unit(), 1);
    assert_int_equal(orrery_cores_count(), cores_by_lscpu());
}

static void test_each_core_can_be_bound_to(void **state) {
    (void)state;
    int count = orrery_cores_count();
    cpu_set_t before, seen;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&seen);
    for (int core = 0; core < count; ++core) {
        cpu_set_t now, both;
        orrery_cores_bind(core);
        assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
        CPU_AND(&both, &now, &seen);
        assert_int_equal(CPU_COUNT(&both), 0);
        CPU_OR(&seen, &seen, &now);
        assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    }
    assert_true(CPU_EQUAL(&seen, &before));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_many_as_lscpu_counts),
        cmocka_unit_test(test_each_core_can_be_bound_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
