/* Strategies, dims, placements and reasons that follow from vectors. */
#include "scheduler/plan/plan.h"
#include "tests/analyzer/depend_facts.h"

#include <cmocka.h>

static struct plan *plan_of(struct kit *kit) {
    struct plan *plan = plan_choose(analysis_run(&kit->facts));
    assert_null(plan_check(plan));
    return plan;
}

static const struct plan_array *array_of(const struct plan *plan, const char *name) {
    for (int i = 0; i < plan->narrays; ++i)
        if (strcmp(plan->arrays[i].object->name, name) == 0)
            return &plan->arrays[i];
    fail_msg("no array %s", name);
    return NULL;
}

static const char *dim_name(const struct plan *plan, int dim) {
    return dim < 0 ? "-" : plan->analysis->dims[dim].name;
}

/* W by user, H by item. */
static struct kit *factorization(bool unordered) {
    struct kit *kit = kit_new(unordered);
    struct symbol *user = kit_symbol(kit, SYMBOL_KEY, "r[n].user", false);
    struct symbol *item = kit_symbol(kit, SYMBOL_KEY, "r[n].item", false);
    int k = kit_loop(kit, "k", 0, 7);
    kit_touch_row(kit, kit_object(kit, OBJECT_POINTER, "W", 2), "rw", user, k);
    kit_touch_row(kit, kit_object(kit, OBJECT_POINTER, "H", 2), "rw", item, k);
    return kit;
}

/* ---- parallel -------------------------------------------------------------------------------- */

static void rotation(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_ROTATION_2D);
    assert_string_equal(dim_name(plan, plan->space), "r[n].user");
    assert_string_equal(dim_name(plan, plan->times[0]), "r[n].item");
    assert_true(plan->by_key);
    assert_string_equal(plan->code, "ORR1201");
    assert_int_equal(array_of(plan, "W")->placement, PLACE_RESIDENT);
    assert_int_equal(array_of(plan, "H")->placement, PLACE_ROTATING);
    assert_int_equal(array_of(plan, "H")->dim, plan->times[0]);
    assert_non_null(plan->bytes_moved);
    kit_free(kit);
}

static void larger_table_stays(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    kit->facts.objects[0]->size_text = "4096";
    kit->facts.objects[1]->size_text = "65536";
    struct plan *plan = plan_of(kit);
    assert_string_equal(dim_name(plan, plan->space), "r[n].item");
    assert_int_equal(array_of(plan, "W")->placement, PLACE_ROTATING);
    assert_string_equal(plan->bytes_moved, "4096");
    kit_free(kit);
}

static void one_dim_keeps_order(void **state) {
    (void)state;
    for (int unordered = 0; unordered < 2; ++unordered) {
        struct kit *kit = kit_new(unordered);
        struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
        struct symbol *v = kit_symbol(kit, SYMBOL_KEY, "v[n]", false);
        kit_touch(kit, kit_object(kit, OBJECT_POINTER, "W", 1), "rw", u, 0);
        kit_touch(kit, kit_object(kit, OBJECT_POINTER, "H", 1), "r", v, 0);
        struct plan *plan = plan_of(kit);
        assert_int_equal(plan->strategy, STRATEGY_PARTITION_1D);
        assert_string_equal(dim_name(plan, plan->space), "u[n]");
        assert_int_equal(array_of(plan, "W")->placement, PLACE_RESIDENT);
        assert_int_equal(array_of(plan, "H")->placement, PLACE_REPLICATED);
        kit_free(kit);
    }
}

static void independent(void **state) {
    (void)state;
    struct kit *kit = kit_new(false);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "y", 1), "rw", kit->facts.index, 0);
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_INDEPENDENT);
    assert_false(plan->by_key);
    assert_string_equal(dim_name(plan, plan->space), "n");
    assert_int_equal(array_of(plan, "y")->placement, PLACE_RESIDENT);
    kit_free(kit);
}

static void reduction_into_array(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct object *sum = kit_object(kit, OBJECT_POINTER, "sum", 1);
    struct reduction reduction = {.op = REDUCE_ADD, .object = sum, .is_array = true};
    struct subscript unknown = {.known = false};
    kit->facts.reductions = &reduction;
    kit->facts.nreductions = 1;
    kit_access(kit, sum, false, 0, 1, &unknown)->reduction = 0;
    kit_access(kit, sum, true, 0, 1, &unknown)->reduction = 0;
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_REDUCTION);
    assert_int_equal(array_of(plan, "sum")->placement, PLACE_PRIVATE);
    kit_free(kit);
}

static void array_with_no_rows_is_unplaced(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    kit_touch(kit, kit_object(kit, OBJECT_ROWS, "error", 1), "w", kit->facts.index, 0);
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_ROTATION_2D);
    assert_int_equal(array_of(plan, "error")->placement, PLACE_UNPLACED);
    assert_non_null(array_of(plan, "error")->why);
    kit_free(kit);
}

static void array_by_iteration_is_aligned(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "error", 1), "w", kit->facts.index, 0);
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_ROTATION_2D);
    assert_int_equal(array_of(plan, "error")->placement, PLACE_ALIGNED);
    assert_non_null(array_of(plan, "error")->shape);
    kit_free(kit);
}

static void grid_clause(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    struct clause grid = {.kind = CLAUSE_GRID, .number = 16, .number2 = 12};
    kit->pragma.clauses = &grid;
    kit->pragma.nclauses = 1;
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->grid[0], 16);
    assert_int_equal(plan->grid[1], 12);
    kit_free(kit);
}

/* ---- more keys ------------------------------------------------------------------------------- */

/* A table for each of n keys. */
static struct kit *tensor(bool unordered, int n) {
    static const char *const names[] = {"A", "B", "C", "D", "E"};
    static const char *const keys[] = {"a[n]", "b[n]", "c[n]", "d[n]", "e[n]"};
    struct kit *kit = kit_new(unordered);
    for (int i = 0; i < n; ++i) {
        struct symbol *key = kit_symbol(kit, SYMBOL_KEY, keys[i], false);
        kit_touch(kit, kit_object(kit, OBJECT_POINTER, names[i], 1), "rw", key, 0);
    }
    return kit;
}

/* One table for two keys, the second with an offset. */
static struct kit *edges(bool unordered, long offset) {
    struct kit *kit = kit_new(unordered);
    struct object *v = kit_object(kit, OBJECT_POINTER, "V", 1);
    kit_touch(kit, v, "rw", kit_symbol(kit, SYMBOL_KEY, "a[n]", false), 0);
    kit_touch(kit, v, "rw", kit_symbol(kit, SYMBOL_KEY, "b[n]", false), offset);
    return kit;
}

static void three_keys(void **state) {
    (void)state;
    for (int n = 3; n <= PLAN_DIMS; ++n) {
        struct kit *kit = tensor(true, n);
        struct plan *plan = plan_of(kit);
        assert_int_equal(plan->strategy, STRATEGY_ROTATION_ND);
        assert_string_equal(plan->code, "ORR1202");
        assert_int_equal(plan->ntimes, n - 1);
        assert_int_equal(array_of(plan, "A")->placement, PLACE_RESIDENT);
        assert_int_equal(array_of(plan, "B")->placement, PLACE_ROTATING);
        assert_int_equal(array_of(plan, "C")->placement, PLACE_ROTATING);
        assert_int_equal(plan_grid_dim(plan, array_of(plan, "C")->dim), 2);
        kit_free(kit);
    }
}

static void two_keys_into_one_table(void **state) {
    (void)state;
    struct kit *kit = edges(true, 0);
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_TOURNAMENT);
    assert_string_equal(plan->code, "ORR1203");
    assert_string_equal(dim_name(plan, plan->space), "a[n]");
    assert_string_equal(dim_name(plan, plan->partner), "b[n]");
    assert_int_equal(array_of(plan, "V")->placement, PLACE_ROTATING);
    assert_non_null(array_of(plan, "V")->shape);
    kit_free(kit);
}

/* A relation between two entities; something that only one end has. */
static void a_key_beside_the_pair(void **state) {
    (void)state;
    struct kit *kit = edges(true, 0);
    struct symbol *b = kit->facts.symbols[2];
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "R", 1), "rw",
              kit_symbol(kit, SYMBOL_KEY, "kind[n]", false), 0);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "bias", 1), "rw", b, 0);
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_TOURNAMENT);
    assert_int_equal(plan->ntimes, 1);
    assert_string_equal(dim_name(plan, plan->times[0]), "kind[n]");
    assert_int_equal(array_of(plan, "R")->placement, PLACE_ROTATING);
    assert_int_equal(array_of(plan, "bias")->placement, PLACE_UNPLACED);
    kit_free(kit);
}

/* ---- serial ---------------------------------------------------------------------------------- */

static const char *serial_code(struct kit *kit) {
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_SERIAL);
    assert_non_null(plan->message);
    const char *code = plan->code;
    kit_free(kit);
    return code;
}

/* What levels cost is not known: a loop that nobody marked does not get them. */
static void order_is_kept_without_unordered(void **state) {
    (void)state;
    struct kit *kit = factorization(false);
    kit->loop.pragma = NULL;
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_SERIAL);
    assert_string_equal(plan->code, "ORR2102");
    assert_non_null(strstr(plan->fix, "unordered"));
    kit_free(kit);
}

static void two_keys_in_order(void **state) {
    (void)state;
    struct kit *kit = factorization(false);
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_ORDERED_ROTATION);
    assert_string_equal(plan->code, "ORR1402");
    assert_int_equal(plan->ntouches, 2);
    assert_int_equal(plan->touches[0].sub, 0);
    assert_int_equal(plan->touches[1].sub, 0);
    assert_int_equal(plan->ntimes, 1);
    assert_true(plan->by_key);
    assert_null(plan_check(plan));
    plan->touches[1].sub = 2;
    assert_non_null(strstr(plan_check(plan), "as listed"));
    plan->touches[1].sub = 0;
    plan->times[0] = plan->space;
    assert_non_null(plan_check(plan));
    plan->strategy = STRATEGY_PARTITION_1D;
    plan->ntimes = 0;
    assert_non_null(strstr(plan_check(plan), "0) over (r[n].user, r[n].item)"));
    kit_free(kit);
}

/* x[i] = f(x[idx[p]]), p in an inner loop: listed with that loop, and only with it. */
static void levels_list_what_inner_loops_read(void **state) {
    (void)state;
    struct kit *kit = kit_new(false);
    int loop = kit_loop(kit, "p", 0, 7);
    struct symbol *key = kit_symbol(kit, SYMBOL_KEY, "idx[p]", true);
    key->expr->var = kit->facts.inner[loop].loop->variable;
    struct object *x = kit_object(kit, OBJECT_POINTER, "x", 1);
    struct subscript sub = kit_known(kit_affine(kit, 0, key, 1L, (void *)0));
    kit_access(kit, x, false, loop, 1, &sub);
    kit_touch(kit, x, "w", kit->facts.index, 0);
    struct plan *plan = plan_of(kit);
    int loops[1] = {0};
    assert_int_equal(plan->strategy, STRATEGY_LEVELS);
    assert_int_equal(plan_touch_loops(&kit->facts, &kit->facts.accesses[0], 0, loops), 1);
    assert_int_equal(loops[0], loop);
    assert_int_equal(plan_touch_loops(&kit->facts, &kit->facts.accesses[1], 0, loops), 0);
    kit->facts.inner[loop].has_upper = false;
    assert_int_equal(plan_of(kit)->strategy, STRATEGY_SERIAL);
    kit_free(kit);
}

/* Through the wrong subscript, or none, two iterations that meet would not be seen to. */
static void levels_of_the_wrong_subscript_are_seen(void **state) {
    (void)state;
    struct kit *kit = kit_new(false);
    int loop = kit_loop(kit, "k", 0, 7);
    struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
    struct symbol *v = kit_symbol(kit, SYMBOL_KEY, "v[n]", false);
    struct object *W = kit_object(kit, OBJECT_POINTER, "W", 2);
    kit_touch_row(kit, W, "rw", u, loop);
    kit_touch_row(kit, W, "rw", v, loop);
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_LEVELS);
    assert_null(plan_check(plan));
    plan->touches[0].sub = 2;
    const char *why = plan_check(plan);
    assert_non_null(why);
    assert_non_null(strstr(why, "over (u[n], v[n])"));
    plan->ntouches = 0;
    assert_non_null(plan_check(plan));
    kit_free(kit);
}

/* Whole keys of a loop that may go in any order are listed. */
static void check_batches(struct kit *kit, int touches) {
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_BATCHES);
    assert_string_equal(plan->code, "ORR1710");
    assert_int_equal(plan->ntouches, touches);
    assert_null(plan_check(plan));
    plan->ntouches = 0;
    assert_non_null(plan_check(plan));
    kit_free(kit);
}

static void five_keys(void **state) {
    (void)state;
    check_batches(tensor(true, 5), 5);
    struct kit *kit = tensor(false, 5);
    assert_int_equal(plan_of(kit)->strategy, STRATEGY_LEVELS);
    kit_free(kit);
    kit = tensor(true, 4);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "E", 1), "rw",
              kit_symbol(kit, SYMBOL_KEY, "e[n]", false), 1);
    assert_string_equal(serial_code(kit), "ORR2109");
}

static void three_keys_into_one_table(void **state) {
    (void)state;
    struct kit *kit = edges(true, 0);
    kit_touch(kit, kit->facts.objects[0], "rw", kit_symbol(kit, SYMBOL_KEY, "c[n]", false), 0);
    check_batches(kit, 1);
    kit = edges(true, 0);
    kit_touch(kit, kit->facts.objects[0], "rw", kit_symbol(kit, SYMBOL_KEY, "c[n]", false), 1);
    assert_string_equal(serial_code(kit), "ORR2120");
    assert_string_equal(serial_code(edges(true, 1)), "ORR2121");
    kit = edges(false, 0);
    assert_int_equal(plan_of(kit)->strategy, STRATEGY_LEVELS);
    kit_free(kit);
}

static void offset_beside_a_key(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct object *v = kit_object(kit, OBJECT_POINTER, "V", 1);
    struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
    kit_touch(kit, v, "w", u, 0);
    kit_touch(kit, v, "r", u, 1);
    assert_string_equal(serial_code(kit), "ORR2110");
}

static void neighbours(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct object *a = kit_object(kit, OBJECT_POINTER, "a", 1);
    kit_touch(kit, a, "r", kit->facts.index, -1);
    kit_touch(kit, a, "w", kit->facts.index, 0);
    assert_string_equal(serial_code(kit), "ORR2104");
}

static void carried_scalar(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct object *x = kit_object(kit, OBJECT_SCALAR, "x", 0);
    kit_access(kit, x, false, 0, 0, NULL);
    kit_access(kit, x, true, 0, 0, NULL);
    assert_string_equal(serial_code(kit), "ORR2201");
}

static void overlap(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "a", 1), "w", kit->facts.index, 0);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "b", 1), "r", kit->facts.index, 0);
    kit_alias = ALIAS_MAY;
    assert_string_equal(serial_code(kit), "ORR2107");
    kit_alias = ALIAS_NO;
}

static void last_value_of_an_ordered_loop(void **state) {
    (void)state;
    struct kit *kit = kit_new(false);
    struct variable e = {.name = "e"};
    struct private_var private = {&e, true};
    kit->facts.privates = &private;
    kit->facts.nprivates = 1;
    struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "W", 1), "rw", u, 0);
    assert_string_equal(serial_code(kit), "ORR2113");
}

static void first_refusal_wins(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    struct refusal refusal = {.code = "ORR2299", .message = "a reason"};
    kit->facts.refusals = &refusal;
    kit->facts.nrefusals = 1;
    assert_string_equal(serial_code(kit), "ORR2299");
}

static void serial_pragma(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    kit->pragma.kind = PRAGMA_SERIAL;
    assert_string_equal(serial_code(kit), "ORR2100");
}

static void loop_that_does_not_count(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    kit->loop.canonical = false;
    kit->loop.why_not = "it has no condition";
    assert_string_equal(serial_code(kit), "ORR2223");
}

/* ---- the check ------------------------------------------------------------------------------- */

static void illegal_plans_are_seen(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    struct plan plan = *plan_of(kit);
    plan.narrays = 0;
    plan.times[0] = plan.space;
    assert_non_null(plan_check(&plan));
    plan.ntimes = 0;
    assert_non_null(plan_check(&plan));
    plan.strategy = STRATEGY_PARTITION_1D;
    const char *why = plan_check(&plan);
    assert_non_null(why);
    assert_non_null(strstr(why, "(*, 0) over (r[n].user, r[n].item)"));
    plan.strategy = STRATEGY_INDEPENDENT;
    assert_non_null(plan_check(&plan));
    kit->pragma.unordered = false;
    struct kit *ordered = factorization(false);
    struct plan forced = {.analysis = analysis_run(&ordered->facts), .by_key = true};
    forced.strategy = STRATEGY_ROTATION_2D;
    forced.ntimes = 1;
    forced.times[0] = 1;
    assert_non_null(strstr(plan_check(&forced), "unordered"));
    kit_free(ordered);
    kit_free(kit);
}

/* Two keys of one table are not two dims of a rotation, nor the other way round. */
static void pairs_and_rotations_are_not_the_same(void **state) {
    (void)state;
    struct kit *kit = edges(true, 0);
    struct plan plan = *plan_of(kit);
    plan.narrays = 0;
    plan.strategy = STRATEGY_ROTATION_2D;
    plan.ntimes = 1;
    plan.times[0] = plan.partner;
    const char *why = plan_check(&plan);
    assert_non_null(why);
    assert_non_null(strstr(why, "(*, *) over (a[n], b[n])"));
    kit_free(kit);
    kit = factorization(true);
    plan = *plan_of(kit);
    plan.narrays = 0;
    plan.partner = plan.times[0];
    plan.ntimes = 0;
    plan.strategy = STRATEGY_TOURNAMENT;
    assert_null(plan_check(&plan)); /* stricter than it need be */
    plan.partner = plan.space;
    assert_non_null(plan_check(&plan));
    kit_free(kit);
}

/* Elements that only the data tell apart are so while a guard of the run, or a proof, says it. */
static void intervals_need_their_guard(void **state) {
    (void)state;
    struct kit *kit = kit_new(false);
    struct object *values = kit_object(kit, OBJECT_POINTER, "val", 1);
    struct intervals intervals = {.text = "ptr[i] .. ptr[i + 1]"};
    struct subscript unknown = {.known = false};
    kit_access(kit, values, true, 0, 1, &unknown);
    values->intervals = &intervals;
    struct plan *plan = plan_of(kit);
    assert_int_equal(plan->strategy, STRATEGY_INDEPENDENT);
    assert_int_equal(kit->facts.nguards, 1);
    kit->facts.nguards = 0;
    assert_non_null(plan_check(plan));
    intervals.proved = true;
    assert_null(plan_check(plan));
    kit_free(kit);
}

/* A rotation over two of three keys leaves the third's conflicts. */
static void a_dim_too_few_is_seen(void **state) {
    (void)state;
    struct kit *kit = tensor(true, 3);
    struct plan plan = *plan_of(kit);
    plan.narrays = 0;
    plan.strategy = STRATEGY_ROTATION_2D;
    plan.ntimes = 1;
    const char *why = plan_check(&plan);
    assert_non_null(why);
    assert_non_null(strstr(why, "is violated"));
    plan.ntimes = 2;
    assert_non_null(plan_check(&plan));
    plan.strategy = STRATEGY_ROTATION_ND;
    assert_null(plan_check(&plan));
    plan.times[1] = plan.times[0];
    assert_non_null(plan_check(&plan));
    kit_free(kit);
}

static void illegal_placements_are_seen(void **state) {
    (void)state;
    struct kit *kit = factorization(true);
    struct plan *plan = plan_of(kit);
    plan->arrays[0].placement = PLACE_REPLICATED;
    assert_non_null(strstr(plan_check(plan), "W cannot be replicated"));
    plan->arrays[0].placement = PLACE_ROTATING;
    assert_non_null(plan_check(plan));
    plan->arrays[0].placement = PLACE_UNPLACED;
    assert_null(plan_check(plan));
    kit_free(kit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation),
        cmocka_unit_test(larger_table_stays),
        cmocka_unit_test(one_dim_keeps_order),
        cmocka_unit_test(independent),
        cmocka_unit_test(reduction_into_array),
        cmocka_unit_test(array_with_no_rows_is_unplaced),
        cmocka_unit_test(array_by_iteration_is_aligned),
        cmocka_unit_test(grid_clause),
        cmocka_unit_test(order_is_kept_without_unordered),
        cmocka_unit_test(two_keys_in_order),
        cmocka_unit_test(levels_list_what_inner_loops_read),
        cmocka_unit_test(levels_of_the_wrong_subscript_are_seen),
        cmocka_unit_test(three_keys),
        cmocka_unit_test(five_keys),
        cmocka_unit_test(two_keys_into_one_table),
        cmocka_unit_test(a_key_beside_the_pair),
        cmocka_unit_test(three_keys_into_one_table),
        cmocka_unit_test(offset_beside_a_key),
        cmocka_unit_test(neighbours),
        cmocka_unit_test(carried_scalar),
        cmocka_unit_test(overlap),
        cmocka_unit_test(last_value_of_an_ordered_loop),
        cmocka_unit_test(first_refusal_wins),
        cmocka_unit_test(serial_pragma),
        cmocka_unit_test(loop_that_does_not_count),
        cmocka_unit_test(illegal_plans_are_seen),
        cmocka_unit_test(pairs_and_rotations_are_not_the_same),
        cmocka_unit_test(intervals_need_their_guard),
        cmocka_unit_test(a_dim_too_few_is_seen),
        cmocka_unit_test(illegal_placements_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
