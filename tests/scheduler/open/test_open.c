/* A strategy of one file (cyclic.c) and one row is proposed, proved, explained and named. */
#include "scheduler/plan/plan.h"
#include "tests/analyzer/depend_facts.h"

#include <cmocka.h>

/* V[n] of V[n - near] and V[n - far], in order. */
static struct kit *recurrence(long near, long far) {
    struct kit *kit = kit_new(false);
    struct object *v = kit_object(kit, OBJECT_POINTER, "V", 1);
    struct symbol *n = kit->facts.symbols[0];
    kit_touch(kit, v, "w", n, 0);
    kit_touch(kit, v, "r", n, -near);
    kit_touch(kit, v, "r", n, -far);
    return kit;
}

static void is_proposed_and_proved(void **state) {
    (void)state;
    struct kit *kit = recurrence(4, 6);
    struct plan *plan = plan_choose(analysis_run(&kit->facts));
    assert_int_equal(plan->strategy, STRATEGY_CYCLIC);
    assert_int_equal(plan->grid[0], 2);
    assert_string_equal(plan->code, "ORR1101");
    assert_non_null(strstr(plan->message, "remainders of 2"));
    assert_null(plan_check(plan));
    kit_free(kit);
}

/* The proof is told what runs together, not how it was found. */
static void is_refused(void **state) {
    (void)state;
    struct kit *kit = recurrence(4, 6);
    struct plan plan = *plan_choose(analysis_run(&kit->facts));
    plan.grid[0] = 4;
    assert_non_null(strstr(plan_check(&plan), "other remainders run together, but conflict"));
    plan.grid[0] = 0;
    assert_non_null(strstr(plan_check(&plan), "nothing to divide by"));
    kit_free(kit);
}

static void is_not_for_all(void **state) {
    (void)state;
    struct kit *kit = recurrence(3, 4);
    assert_int_equal(plan_choose(analysis_run(&kit->facts))->strategy, STRATEGY_SERIAL);
    kit_free(kit);
}

static void is_named(void **state) {
    (void)state;
    enum strategy found = STRATEGY_SERIAL;
    assert_true(strategy_find("cyclic", &found));
    assert_int_equal(found, STRATEGY_CYCLIC);
    assert_string_equal(strategy_executor_text(found), "ORRERY_INDEPENDENT");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_proposed_and_proved),
        cmocka_unit_test(is_refused),
        cmocka_unit_test(is_not_for_all),
        cmocka_unit_test(is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
