/* What is answered without isl, or asked of it in fewer words, against isl itself. */
#include "analyzer/depend/affine_reduce.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
