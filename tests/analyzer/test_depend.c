/* Dependence vectors, dims and row shapes of loops whose answer is known. */
#include "tests/analyzer/depend_facts.h"

#include <cmocka.h>
#include <stdio.h>
#include <time.h>

static struct subscript index_sub(struct kit *kit, long coeff, long constant) {
    return kit_known(kit_affine(kit, constant, kit->facts.index, coeff, (void *)0));
}

static const struct row_shape *shape_of(const struct analysis *a, const char *object, int dim) {
    for (int i = 0; i < a->narrays; ++i) {
        for (int s = 0; s < a->arrays[i].nshapes; ++s)
            if (strcmp(a->arrays[i].object->name, object) == 0 && a->arrays[i].shapes[s].dim == dim)
                return &a->arrays[i].shapes[s];
    }
    return NULL;
}

static const struct dependence *first(const struct analysis *a, enum dep_status status) {
    for (int i = 0; i < a->ndeps; ++i)
        if (a->deps[i].status == status)
            return &a->deps[i];
    return NULL;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void two_tables_two_keys(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct symbol *user = kit_symbol(kit, SYMBOL_KEY, "r[n].user", false);
    struct symbol *item = kit_symbol(kit, SYMBOL_KEY, "r[n].item", false);
    int k = kit_loop(kit, "k", 0, 7);
    kit_touch_row(kit, kit_object(kit, OBJECT_POINTER, "W", 2), "rw", user, k);
    kit_touch_row(kit, kit_object(kit, OBJECT_POINTER, "H", 2), "rw", item, k);
    struct analysis *a = analysis_run(&kit->facts);
    assert_int_equal(a->ndims, 2);
    assert_int_equal(a->dims[0].kind, DIM_KEY);
    assert_string_equal(a->dims[0].name, "r[n].user");
    assert_string_equal(a->dims[1].name, "r[n].item");
    assert_string_equal(kit_vectors(kit, a, "W"), "flow (0, *); output (0, *)");
    assert_string_equal(kit_vectors(kit, a, "H"), "flow (*, 0); output (*, 0)");
    assert_string_equal(first(a, DEP_CARRIED)->why, "iterations with the same r[n].user conflict");
    assert_string_equal(shape_of(a, "W", 0)->row_stride, "K * 4");
    assert_string_equal(shape_of(a, "W", 0)->pieces, "1");
    assert_null(shape_of(a, "W", 1));
    kit_free(kit);
}

static void constant_beside_key_is_part_of_the_name(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
    struct symbol *v = kit_symbol(kit, SYMBOL_KEY, "v[n]", false);
    struct object *w = kit_object(kit, OBJECT_POINTER, "W", 1);
    struct object *x = kit_object(kit, OBJECT_POINTER, "X", 1);
    kit_touch(kit, w, "rw", u, -1);
    kit_touch(kit, x, "rw", v, 0);
    kit_touch(kit, x, "r", v, 1);
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(a->dims[0].name, "u[n] - 1");
    assert_string_equal(a->dims[1].name, "v[n]");
    assert_string_equal(kit_vectors(kit, a, "W"), "flow (0, *); output (0, *)");
    assert_string_equal(kit_vectors(kit, a, "X"), "flow (*, 0); output (*, 0); flow (*, -1)");
    assert_string_equal(shape_of(a, "W", 0)->row_offset, "-4");
    assert_null(shape_of(a, "X", 1));
    kit_free(kit);
}

static void one_table_two_keys_couples_them(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct symbol *from = kit_symbol(kit, SYMBOL_KEY, "from[n]", false);
    struct symbol *to = kit_symbol(kit, SYMBOL_KEY, "to[n]", false);
    struct object *v = kit_object(kit, OBJECT_POINTER, "V", 1);
    kit_touch(kit, v, "w", from, 0);
    kit_touch(kit, v, "w", to, 0);
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "V"), "output (0, *); output (*, *); output (*, 0)");
    assert_non_null(shape_of(a, "V", 0)); /* by both together, by neither alone */
    assert_int_equal(shape_of(a, "V", 0)->partner, 1);
    assert_null(shape_of(a, "V", 1));
    kit_free(kit);
}

static void inner_key_is_no_dim(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct symbol *idx = kit_symbol(kit, SYMBOL_KEY, "idx[p]", true);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "w", 1), "rw", idx, 0);
    struct analysis *a = analysis_run(&kit->facts);
    assert_int_equal(a->ndims, 1);
    assert_int_equal(a->dims[0].kind, DIM_VARIABLE);
    assert_string_equal(kit_vectors(kit, a, "w"), "flow (*); output (*)");
    kit_free(kit);
}

static void fields_of_one_row_do_not_meet(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct object *s = kit_object(kit, OBJECT_POINTER, "s", 1);
    struct subscript zero = kit_known(kit_affine(kit, 0, (void *)0));
    struct access *w = kit_access(kit, s, true, 0, 1, (struct subscript[]){index_sub(kit, 1, 0)});
    w->field_offset = 0, w->field_size = 4;
    struct access *r = kit_access(kit, s, false, 0, 1, &zero);
    r->field_offset = 4, r->field_size = 4;
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "s"), "");
    kit->facts.accesses[1].field_offset = 2;
    a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "s"), "flow (*)");
    kit_free(kit);
}

/* ---- the loop's variable --------------------------------------------------------------------- */

static void distances(void **state) {
    (void)state;
    struct kit *kit = kit_new(false);
    struct object *x = kit_object(kit, OBJECT_POINTER, "x", 1);
    kit_access(kit, x, true, 0, 1, (struct subscript[]){index_sub(kit, 1, 0)});
    kit_access(kit, x, false, 0, 1, (struct subscript[]){index_sub(kit, 1, -2)});
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "x"), "flow (2)");
    assert_string_equal(first(a, DEP_CARRIED)->why, "iterations that are 2 apart conflict");
    assert_string_equal(shape_of(a, "x", 0) ? "cut" : "whole", "whole");

    kit->facts.inner[0].step = 2;
    assert_string_equal(kit_vectors(kit, analysis_run(&kit->facts), "x"), "flow (1)");
    kit->facts.inner[0].step = 4;
    a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "x"), "");
    kit_free(kit);
}

static void step_refutes(void **state) {
    (void)state;
    struct kit *kit = kit_new(false);
    struct object *x = kit_object(kit, OBJECT_POINTER, "x", 1);
    kit_access(kit, x, true, 0, 1, (struct subscript[]){index_sub(kit, 2, 0)});
    kit_access(kit, x, false, 0, 1, (struct subscript[]){index_sub(kit, 2, 1)});
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "x"), "");
    bool said = false;
    for (int i = 0; i < a->ndeps; ++i)
        said = said || strcmp(a->deps[i].why, "subscripts differ by 1, step is 2") == 0;
    assert_true(said);
    const struct row_shape *row = shape_of(a, "x", 0);
    assert_non_null(row);
    assert_string_equal(row->row_stride, "8");
    kit_free(kit);
}

static void bounds_refute(void **state) {
    (void)state;
    struct kit *kit = kit_new(false);
    struct object *x = kit_object(kit, OBJECT_POINTER, "x", 1);
    kit_access(kit, x, true, 0, 1, (struct subscript[]){index_sub(kit, 1, 0)});
    kit_access(kit, x, false, 0, 1, (struct subscript[]){index_sub(kit, 1, -100)});
    struct inner_loop *self = &kit->facts.inner[0];
    self->has_lower = self->has_upper = true;
    self->upper.constant = 99;
    assert_string_equal(kit_vectors(kit, analysis_run(&kit->facts), "x"), "");
    self->upper.constant = 100;
    assert_string_equal(kit_vectors(kit, analysis_run(&kit->facts), "x"), "flow (100)");
    kit_free(kit);
}

static void reversed_subscript_meets_from_both_sides(void **state) {
    (void)state;
    struct kit *kit = kit_new(false);
    struct symbol *m = kit_symbol(kit, SYMBOL_PARAM, "m", false);
    struct object *x = kit_object(kit, OBJECT_POINTER, "x", 1);
    struct subscript mirror =
        kit_known(kit_affine(kit, 0, kit->facts.index, -1L, m, 1L, (void *)0));
    kit_access(kit, x, true, 0, 1, (struct subscript[]){index_sub(kit, 1, 0)});
    kit_access(kit, x, false, 0, 1, &mirror);
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "x"), "flow (+); anti (+)");
    kit_free(kit);
}

/* ---- what is taken away, and what is not known ----------------------------------------------- */

static void scalars(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct variable e = {.name = "e"};
    struct private_var private = {&e, false};
    struct object *scalar = kit_object(kit, OBJECT_SCALAR, "e", 0);
    scalar->var = &e;
    kit_access(kit, scalar, true, 0, 0, NULL);
    kit_access(kit, scalar, false, 0, 0, NULL);
    assert_string_equal(kit_vectors(kit, analysis_run(&kit->facts), "e"), "output (*); flow (*)");
    kit->facts.privates = &private;
    kit->facts.nprivates = 1;
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "e"), "");
    assert_non_null(first(a, DEP_PRIVATE));
    kit_free(kit);
}

static void reduction_needs_all_accesses(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct object *loss = kit_object(kit, OBJECT_SCALAR, "loss", 0);
    struct reduction sum = {.op = REDUCE_ADD, .object = loss};
    kit->facts.reductions = &sum;
    kit->facts.nreductions = 1;
    kit_access(kit, loss, false, 0, 0, NULL)->reduction = 0;
    kit_access(kit, loss, true, 0, 0, NULL)->reduction = 0;
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "loss"), "");
    assert_non_null(first(a, DEP_REDUCTION));
    kit_access(kit, loss, false, 0, 0, NULL);
    a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "loss"), "flow (*); output (*)");
    assert_null(first(a, DEP_REDUCTION));
    kit_free(kit);
}

/* sum[symbol] += ..., marked as a reduction. */
static void add_up(struct kit *kit, struct object *sum, struct symbol *symbol,
                   struct reduction *reduction) {
    *reduction = (struct reduction){.op = REDUCE_ADD, .object = sum, .is_array = true};
    kit->facts.reductions = reduction;
    kit->facts.nreductions = 1;
    kit_touch(kit, sum, "rw", symbol, 0);
    kit->facts.accesses[kit->facts.naccesses - 1].reduction = 0;
    kit->facts.accesses[kit->facts.naccesses - 2].reduction = 0;
}

static void reduction_that_nothing_needs_is_none(void **state) {
    (void)state;
    struct reduction reduction;
    struct kit *kit = kit_new(true);
    add_up(kit, kit_object(kit, OBJECT_POINTER, "y", 1), kit->facts.index, &reduction);
    analysis_run(&kit->facts);
    assert_int_equal(kit->facts.nreductions, 0);
    assert_int_equal(kit->facts.accesses[0].reduction, -1);
    kit_free(kit);

    kit = kit_new(true);
    struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
    add_up(kit, kit_object(kit, OBJECT_POINTER, "count", 1), u, &reduction);
    assert_int_equal(analysis_run(&kit->facts)->deps[0].status, DEP_REDUCTION);
    assert_int_equal(kit->facts.nreductions, 1);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "W", 1), "rw", u, 0);
    struct analysis *a = analysis_run(&kit->facts);
    assert_int_equal(kit->facts.nreductions, 0);
    assert_string_equal(kit_vectors(kit, a, "count"), "flow (0); output (0)");
    kit_free(kit);
}

static void unknown_subscript_meets_everything(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
    struct object *w = kit_object(kit, OBJECT_POINTER, "W", 1);
    struct subscript unknown = {.known = false, .why_not = "it is computed by f"};
    kit_access(kit, w, true, 0, 1, &unknown);
    kit_touch(kit, w, "r", u, 0);
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "W"), "output (*); flow (*)");
    assert_non_null(strstr(first(a, DEP_CARRIED)->why, "it is computed by f"));
    kit_free(kit);
}

static void overlapping_objects(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "a", 1), "w", u, 0);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "b", 1), "r", u, 0);
    kit_alias = ALIAS_MAY;
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "a"), "output (0); flow (*)");
    kit_alias = ALIAS_GUARDED;
    a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "a"), "output (0)");
    kit_alias = ALIAS_NO;
    kit_free(kit);
}

static void hidden_state(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    kit_access(kit, kit_object(kit, OBJECT_HIDDEN, "rand", 0), true, 0, 0, NULL);
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "rand"), "output (*)");
    kit_free(kit);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static void second_subscript_is_the_key(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct symbol *item = kit_symbol(kit, SYMBOL_KEY, "item[n]", false);
    int k = kit_loop(kit, "k", 0, 7);
    struct object *h = kit_object(kit, OBJECT_POINTER, "H", 2);
    h->dims[0].stride_text = "M * 4";
    h->dims[0].extent_text = "K";
    struct subscript subs[] = {kit_known(kit_affine(kit, 0, kit->facts.inner[k].symbol, 1L, NULL)),
                               kit_known(kit_affine(kit, 0, item, 1L, NULL))};
    kit_access(kit, h, false, k, 2, subs);
    kit_access(kit, h, true, k, 2, subs);
    struct analysis *a = analysis_run(&kit->facts);
    assert_string_equal(kit_vectors(kit, a, "H"), "flow (0); output (0)");
    const struct row_shape *row = shape_of(a, "H", 0);
    assert_string_equal(row->row_stride, "4");
    assert_string_equal(row->pieces, "K");
    assert_string_equal(row->piece_bytes, "4");
    assert_string_equal(row->piece_stride, "M * 4");
    kit_free(kit);
}

/* The key as third subscript:
 * one arithmetic progression where each stride divides the one before. */
static void third_subscript_is_the_key(void **state) {
    (void)state;
    static const char *const cases[][4] = {
        {"800L", "80L", "9", "99"},
        {"(long)B * (long)C * 8L", "(long)C * 8L", "B", "((long)10 - 1) * ((long)B) + B"},
        {"(long)A * 8L + (long)C * 8L", "(long)C * 8L", "B", NULL},
        {"801L", "80L", "9", NULL},
    };
    for (int i = 0; i < 4; ++i) {
        struct kit *kit = kit_new(true);
        struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
        struct object *t = kit_object(kit, OBJECT_POINTER, "T", 3);
        int k = kit_loop(kit, "k", 0, 7);
        t->dims[0] = (struct object_dim){cases[i][0], "10", false};
        t->dims[1] = (struct object_dim){cases[i][1], cases[i][2], false};
        t->dims[2] = (struct object_dim){"8L", NULL, false};
        struct affine inner = kit_affine(kit, 0, kit->facts.inner[k].symbol, 1L, NULL);
        struct subscript subs[] = {kit_known(inner), kit_known(inner),
                                   kit_known(kit_affine(kit, 0, u, 1L, NULL))};
        kit_access(kit, t, true, k, 3, subs);
        const struct row_shape *row = shape_of(analysis_run(&kit->facts), "T", 0);
        assert_int_equal(row != NULL, cases[i][3] != NULL);
        if (row) {
            assert_string_equal(row->pieces, cases[i][3]);
            assert_string_equal(row->piece_stride, cases[i][1]);
        }
        kit_free(kit);
    }
}

static void rows_behind_a_table(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
    int k = kit_loop(kit, "k", 0, 7);
    struct object *w = kit_object(kit, OBJECT_ROWS, "W", 2);
    w->dims[0].stride_text = NULL;
    kit_touch_row(kit, w, "rw", u, k);
    struct analysis *a = analysis_run(&kit->facts);
    assert_true(shape_of(a, "W", 0)->by_table);
    assert_int_equal(shape_of(a, "W", 0)->table_offset, 0);
    kit_free(kit);
}

/* The key as second subscript behind a table: as many pieces as the loop inside uses pointers, or
 * as the table has when that is not known. */
static void columns_behind_a_table(void **state) {
    (void)state;
    static const char *const extents[] = {"K", NULL};
    for (int i = 0; i < 2; ++i) {
        struct kit *kit = kit_new(true);
        struct symbol *item = kit_symbol(kit, SYMBOL_KEY, "item[n]", false);
        int k = kit_loop(kit, "k", 0, 7);
        struct object *h = kit_object(kit, OBJECT_ROWS, "H", 2);
        h->dims[0] = (struct object_dim){NULL, extents[i], false};
        h->dims[1] = (struct object_dim){"8L", NULL, false};
        struct subscript subs[] = {
            kit_known(kit_affine(kit, 0, kit->facts.inner[k].symbol, 1L, NULL)),
            kit_known(kit_affine(kit, -1, item, 1L, NULL))};
        kit_access(kit, h, true, k, 2, subs);
        struct analysis *a = analysis_run(&kit->facts);
        const struct row_shape *row = shape_of(a, "H", 0);
        assert_true(row->pieces_by_table && !row->by_table);
        assert_string_equal(row->pieces, extents[i] ? extents[i] : "0");
        assert_string_equal(row->row_stride, "8");
        assert_string_equal(row->piece_bytes, "8");
        kit_free(kit);
    }
}

/* ---- bounds on the work ---------------------------------------------------------------------- */

static void five_hundred_accesses(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct object *x = kit_object(kit, OBJECT_POINTER, "x", 1);
    for (long i = 0; i < 500; ++i) {
        struct subscript sub = index_sub(kit, 1, i * 7 % 500);
        kit_access(kit, x, i % 2, 0, 1, &sub);
    }
    clock_t start = clock();
    struct analysis *a = analysis_run(&kit->facts);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_non_null(first(a, DEP_CARRIED));
    assert_null(first(a, DEP_LIMIT));
    printf("500 accesses: %.3f s\n", seconds);
    assert_true(seconds < 10);
    kit_free(kit);
}

/* Subscripts that make every pair a question of its own end in the limit, not in a hang. */
static void endless_questions_end(void **state) {
    (void)state;
    struct kit *kit = kit_new(true);
    struct object *x = kit_object(kit, OBJECT_POINTER, "x", 1);
    struct symbol *m = kit_symbol(kit, SYMBOL_PARAM, "m", false);
    for (long i = 0; i < 3000; ++i) {
        struct subscript sub =
            kit_known(kit_affine(kit, i, kit->facts.index, 1 + i * 3, m, 7 + i, NULL));
        kit_access(kit, x, true, 0, 1, &sub);
    }
    clock_t start = clock();
    struct analysis *a = analysis_run(&kit->facts);
    printf("3000 unlike accesses: %.3f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    const struct dependence *limit = first(a, DEP_LIMIT);
    assert_non_null(limit);
    assert_int_equal(limit->vector[0].kind, ENTRY_STAR);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
    kit_free(kit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_tables_two_keys),
        cmocka_unit_test(constant_beside_key_is_part_of_the_name),
        cmocka_unit_test(one_table_two_keys_couples_them),
        cmocka_unit_test(inner_key_is_no_dim),
        cmocka_unit_test(fields_of_one_row_do_not_meet),
        cmocka_unit_test(distances),
        cmocka_unit_test(step_refutes),
        cmocka_unit_test(bounds_refute),
        cmocka_unit_test(reversed_subscript_meets_from_both_sides),
        cmocka_unit_test(scalars),
        cmocka_unit_test(reduction_needs_all_accesses),
        cmocka_unit_test(reduction_that_nothing_needs_is_none),
        cmocka_unit_test(unknown_subscript_meets_everything),
        cmocka_unit_test(overlapping_objects),
        cmocka_unit_test(hidden_state),
        cmocka_unit_test(second_subscript_is_the_key),
        cmocka_unit_test(third_subscript_is_the_key),
        cmocka_unit_test(rows_behind_a_table),
        cmocka_unit_test(columns_behind_a_table),
        cmocka_unit_test(five_hundred_accesses),
        cmocka_unit_test(endless_questions_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
