/* Dependence vectors of loops whose answer is known. */
#include "tests/analyzer/depend_facts.h"

#include <cmocka.h>
#include <stdio.h>

static struct analysis *mf(struct kit *kit) {
    struct symbol *user = kit_symbol(kit, SYMBOL_KEY, "r[n].user", false);
    struct symbol *item = kit_symbol(kit, SYMBOL_KEY, "r[n].item", false);
    int k = kit_loop(kit, "k", 0, 7);
    kit_touch_row(kit, kit_object(kit, OBJECT_POINTER, "W", 2), "rw", user, k);
    kit_touch_row(kit, kit_object(kit, OBJECT_POINTER, "H", 2), "rw", item, k);
    return analysis_run(&kit->facts);
}

static void matrix_factorization(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct analysis *a = mf(kit);
    assert_int_equal(a->ndims, 2);
    assert_string_equal(a->dims[0].name, "r[n].user");
    assert_string_equal(a->dims[1].name, "r[n].item");
    assert_string_equal(kit_vectors(kit, a, "W"), "flow (0, *); output (0, *)");
    assert_string_equal(kit_vectors(kit, a, "H"), "flow (*, 0); output (*, 0)");
    struct plan *p = plan_choose(a);
    analysis_dump(a, stdout);
    plan_dump(p, stdout);
    assert_int_equal(p->strategy, STRATEGY_ROTATION_2D);
    assert_null(plan_check(p));
    kit_free(kit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_factorization),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
