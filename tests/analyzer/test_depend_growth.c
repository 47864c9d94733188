/* How the work on one loop grows with its accesses: counted in questions, not in seconds. */
#include "analyzer/analysis.h"
#include "analyzer/depend/depend.h"
#include "tests/analyzer/frontend_text.h"

enum body { ONE_ARRAY, MANY_ARRAYS, ALL_STRIDES };

/* A loop of `accesses` accesses. */
static char *text_of(enum body body, int accesses) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int arrays = body == MANY_ARRAYS ? accesses / 4 : 1;
    fprintf(out, "void f(long n");
    for (int i = 0; i < arrays; ++i)
        fprintf(out, ", double *restrict a%d", i);
    fprintf(out, ") {\n#pragma orrery parallel\n    for (long i = 0; i < n; ++i) {\n");
    for (int i = 0; i < accesses / 2; ++i)
        fprintf(out, "        a%d[%d * i + %d] = a%d[%d * i + %d] * 2;\n", i % arrays,
                body == ALL_STRIDES ? i + 2 : 3, i * 7, (i * 7 + 1) % arrays,
                body == ALL_STRIDES ? i + 5 : 3, i * 11 + 1);
    fprintf(out, "    }\n}\n");
    fclose(out);
    return text;
}

static struct linear_work work_of(enum body body, int accesses) {
    char *text = text_of(body, accesses);
    struct parsed parsed = parsed_text(text);
    struct linear_work before = linear_work();
    const struct analysis *analysis =
        analysis_run(facts_collect(parsed.unit, parsed.unit->loops[0]));
    struct linear_work after = linear_work();
    assert_true(analysis->facts->naccesses >= accesses);
    parsed_free(&parsed);
    free(text);
    return (struct linear_work){after.questions - before.questions, after.asked - before.asked};
}

/* Twice the accesses are at most two and a half times the work. */
static void check_growth(enum body body) {
    for (int accesses = 128; accesses <= 512; accesses *= 2) {
        struct linear_work once = work_of(body, accesses), twice = work_of(body, 2 * accesses);
        assert_true(twice.questions <= once.questions * 5 / 2 + 20);
    }
}

static void test_one_array(void **unused) {
    (void)unused;
    check_growth(ONE_ARRAY);
}

static void test_many_arrays(void **unused) {
    (void)unused;
    check_growth(MANY_ARRAYS);
}

/* Where every pair is another question there is a bound, whatever the body. */
static void test_all_strides(void **unused) {
    (void)unused;
    for (int accesses = 256; accesses <= 1024; accesses *= 4) {
        struct linear_work work = work_of(ALL_STRIDES, accesses);
        assert_true(work.questions <= 8 * DEPEND_QUESTIONS && work.asked <= DEPEND_QUESTIONS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_array),
        cmocka_unit_test(test_many_arrays),
        cmocka_unit_test(test_all_strides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
