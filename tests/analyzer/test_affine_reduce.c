/* What is answered without isl, or asked of it in fewer words, against isl itself. */
#include "analyzer/affine/affine_reduce.h"
#include "analyzer/linear.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SYSTEMS = 10000, FORMS = 2, FAR = 1000000 };

static unsigned long state = 1;

static long draw(long low, long high) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return low + (long)((state >> 33) % (unsigned long)(high - low + 1));
}

static struct linear_form random_form(struct arena *arena, int nvars, int terms) {
    struct linear_form form = {.constant = draw(-12, 12)};
    for (int i = 0; i < terms; ++i) {
        long coeff = draw(0, 5) ? (draw(0, 1) ? 1 : -1) : draw(-4, 4);
        linear_form_add(arena, &form, (int)draw(0, nvars - 1), coeff);
    }
    return form;
}

/* sign * (x - form) >= 0 */
static struct linear_row beyond(struct arena *arena, int x, const struct linear_form *form,
                                long sign) {
    struct linear_row row = {.form = {.constant = -sign * form->constant}};
    linear_form_add(arena, &row.form, x, sign);
    for (int i = 0; i < form->nterms; ++i)
        linear_form_add(arena, &row.form, form->terms[i].var, -sign * form->terms[i].coeff);
    return row;
}

/* One more variable is the least or the greatest of some forms, which a row or two say more of. */
static void add_extreme(struct arena *arena, struct linear_system *system) {
    const long sign = draw(0, 1) ? 1 : -1;
    const int x = system->nvars;
    struct linear_clause clause = {0};
    for (long i = draw(2, 3); i > 0; --i) {
        const struct linear_form form = random_form(arena, x, 2);
        const struct linear_row end = beyond(arena, x, &form, -sign);
        linear_system_add(arena, system, false, end.form);
        ARENA_PUSH(arena, clause.rows, clause.nrows, beyond(arena, x, &form, sign));
    }
    ARENA_PUSH(arena, system->clauses, system->nclauses, clause);
    for (long i = draw(0, 2); i > 0; --i) {
        const struct linear_form form = random_form(arena, x, 2);
        const struct linear_row more = beyond(arena, x, &form, draw(0, 3) ? sign : -sign);
        linear_system_add(arena, system, false, more.form);
    }
    ++system->nvars;
}

static struct linear_system random_system(struct arena *arena) {
    struct linear_system system = {.nvars = (int)draw(2, 6)};
    for (long i = draw(1, 8); i > 0; --i) {
        linear_system_add(arena, &system, draw(0, 3) == 0,
                          random_form(arena, system.nvars, (int)draw(1, 3)));
    }
    for (long i = draw(0, 2); i > 0; --i) {
        struct linear_clause clause = {0};
        for (long j = draw(1, 3); j > 0; --j) {
            struct linear_row row = {draw(0, 4) == 0, random_form(arena, system.nvars, 2)};
            ARENA_PUSH(arena, clause.rows, clause.nrows, row);
        }
        ARENA_PUSH(arena, system.clauses, system.nclauses, clause);
    }
    if (draw(0, 2) == 0)
        add_extreme(arena, &system);
    return system;
}

/* Has it a point, as isl says of all of it? */
static bool has_point(struct linear_solver *isl, const struct linear_system *system) {
    enum linear_answer answer = linear_covered(isl, system, 0, NULL);
    assert_int_not_equal(answer, LINEAR_LIMIT);
    return answer == LINEAR_POINTS;
}

/* The same with sign * (form - value) >= 0. */
static bool reaches(struct linear_solver *isl, struct arena *arena,
                    const struct linear_system *system, const struct linear_form *form, long value,
                    int sign) {
    struct linear_system more = {
        .nvars = system->nvars, .nclauses = system->nclauses, .clauses = system->clauses};
    struct linear_form beyond = {.constant = sign * (form->constant - value)};
    for (int i = 0; i < form->nterms; ++i)
        linear_form_add(arena, &beyond, form->terms[i].var, sign * form->terms[i].coeff);
    for (int i = 0; i < system->nrows; ++i)
        linear_system_add(arena, &more, system->rows[i].equality, system->rows[i].form);
    linear_system_add(arena, &more, false, beyond);
    return has_point(isl, &more);
}

static void check_end(struct linear_solver *isl, struct arena *arena,
                      const struct linear_system *system, const struct linear_form *form, bool has,
                      long end, int sign) {
    assert_true(reaches(isl, arena, system, form, has ? end : sign * FAR, sign));
    if (has)
        assert_false(reaches(isl, arena, system, form, end + sign, sign));
}

static void test_same_answers(void **unused) {
    long outright = 0, empty = 0;
    (void)unused;
    for (int i = 0; i < SYSTEMS; ++i) {
        struct arena *arena = arena_new();
        struct linear_solver *solver = linear_solver_new(4000000, 10000);
        struct linear_system system = random_system(arena), smaller;
        struct linear_form forms[FORMS], smaller_forms[FORMS];
        struct linear_range ranges[FORMS], others[FORMS];
        enum linear_answer outright_answer;
        for (int f = 0; f < FORMS; ++f)
            forms[f] = random_form(arena, system.nvars, 2);
        outright += linear_reduce(arena, &system, FORMS, forms, &outright_answer, others, &smaller,
                                  smaller_forms);
        enum linear_answer answer = linear_solve(solver, &system, FORMS, forms, ranges);
        assert_int_not_equal(answer, LINEAR_LIMIT);
        assert_int_equal(answer == LINEAR_POINTS, has_point(solver, &system));
        empty += answer == LINEAR_EMPTY;
        for (int f = 0; f < FORMS && answer == LINEAR_POINTS; ++f) {
            check_end(solver, arena, &system, &forms[f], ranges[f].has_max, ranges[f].max, 1);
            check_end(solver, arena, &system, &forms[f], ranges[f].has_min, ranges[f].min, -1);
        }
        linear_solver_free(solver);
        arena_free(arena);
    }
    assert_true(outright > SYSTEMS / 4 && empty > SYSTEMS / 20 && empty < SYSTEMS * 3 / 4);
}

/* What is left of the system for isl to be asked, without a question about a form. */
static struct linear_system rest_of(struct arena *arena, const struct linear_system *system) {
    struct linear_system smaller;
    struct linear_form none;
    enum linear_answer answer;
    struct linear_range ranges;
    assert_false(linear_reduce(arena, system, 0, NULL, &answer, &ranges, &smaller, &none));
    return smaller;
}

static void add_row(struct arena *arena, struct linear_clause *clause, int nterms,
                    const long *coeffs, long constant) {
    struct linear_row row = {.form = {.constant = constant}};
    for (int i = 0; i < nterms; ++i)
        if (coeffs[i] != 0)
            linear_form_add(arena, &row.form, i, coeffs[i]);
    ARENA_PUSH(arena, clause->rows, clause->nrows, row);
}

/* 3a - 2b >= 0 and 3b - 2a >= 0 keep a and b. */
static struct linear_system cone(struct arena *arena, int nvars) {
    struct linear_system system = {.nvars = nvars};
    struct linear_clause rows = {0};
    add_row(arena, &rows, 2, (const long[]){3, -2}, 0);
    add_row(arena, &rows, 2, (const long[]){-2, 3}, 0);
    add_row(arena, &rows, 2, (const long[]){5, -3}, -7);
    add_row(arena, &rows, 2, (const long[]){-3, 5}, -7);
    for (int i = 0; i < rows.nrows; ++i)
        linear_system_add(arena, &system, false, rows.rows[i].form);
    return system;
}

/* x >= 4, x <= a, x <= b, and x >= a or x >= b: no clause is left to ask about. */
static void test_extremes_go(void **unused) {
    struct arena *arena = arena_new();
    (void)unused;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct linear_system system = cone(arena, 3);
        struct linear_clause rows = {0}, clause = {0};
        add_row(arena, &rows, 3, (const long[]){sign, 0, -sign}, 0);
        add_row(arena, &rows, 3, (const long[]){0, sign, -sign}, 0);
        add_row(arena, &rows, 3, (const long[]){0, 0, sign}, -4);
        add_row(arena, &clause, 3, (const long[]){-sign, 0, sign}, 0);
        add_row(arena, &clause, 3, (const long[]){0, -sign, sign}, 0);
        for (int i = 0; i < rows.nrows; ++i)
            linear_system_add(arena, &system, false, rows.rows[i].form);
        ARENA_PUSH(arena, system.clauses, system.nclauses, clause);
        assert_int_equal(rest_of(arena, &system).nclauses, 0);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_answers),
                                       cmocka_unit_test(test_extremes_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
