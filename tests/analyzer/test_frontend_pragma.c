/* Directives: what binds to which loop, and what is said of malformed ones, with the place. */
#include "frontend_text.h"

/* `line` stands in front of a loop; `code` NULL: accepted. `column` of the caret, `words` in it. */
static const struct pragma_case {
    const char *line, *code;
    int column;
    const char *words;
} cases[] = {
    {"#pragma orrery parallel", NULL, 0, NULL},
    {"  #  pragma  orrery  parallel  unordered", NULL, 0, NULL},
    {"#pragma orrery serial", NULL, 0, NULL},
    {"ORRERY_PARALLEL()", NULL, 0, NULL},
    {"ORRERY_PARALLEL(unordered, relax(a))", NULL, 0, NULL},
    {"ORRERY_SERIAL", NULL, 0, NULL},
    {"#pragma orrery parallel unordered,relax(a, m->w) buffer(a : apply), sync(steps=4)", NULL, 0,
     NULL},
    {"#pragma orrery parallel \\\n  unordered \\\n  grid(4, 8)", NULL, 0, NULL},
    {"#pragma orrery parallel reduction(+ : sum) reduction(max : top, sum) reduction(| : n)", NULL,
     0, NULL},
    {"#pragma orrery parallel assume(noalias(a, m->w)) assume(range(i, 0, n * 2))", NULL, 0, NULL},
    {"#pragma orrery parallel assume(pure(apply)) extent(a : (n + 1) * 2) target(gpu)", NULL, 0,
     NULL},
    {"#pragma orrery parallel unordered /* why */ // and so on", NULL, 0, NULL},
    {"#pragma orrery parallel\n/* between */\n#pragma GCC ivdep\n", NULL, 0, NULL},
    {"#pragma orrery parallel\n#if 0\n#pragma orrery bogus\nfor (;;) ;\n#endif\n", NULL, 0, NULL},
    {"#pragma omp parallel for", NULL, 0, NULL},
    {"/* #pragma orrery bogus */", NULL, 0, NULL},
    {"#pragma orrery parallel\nn = 3;", "ORR9101", 1, "not followed by a loop"},
    {"#pragma orrery parallel\nwhile (n--)", NULL, 0, NULL},
    {"#pragma orrery parallel\nwhile (next())", NULL, 0, NULL},
    {"#pragma orrery parallel\nif (n--)", "ORR9101", 1, "not followed by a loop"},
    {"#pragma orrery parallel unorderd", "ORR9102", 25, "did you mean 'unordered'"},
    {"#pragma orrery parallel unordered rleax(a)", "ORR9102", 35, "did you mean 'relax'"},
    {"ORRERY_PARALLEL(unorderd)", "ORR9102", 17, "did you mean 'unordered'"},
    {"#pragma orrery parallel ordered", "ORR9102", 25, "leave it out"},
    {"#pragma orrery parallel collapse(2)", "ORR9102", 25, "unknown clause 'collapse'"},
    {"#pragma orrery parallel unordered(1)", "ORR9103", 25, "write unordered"},
    {"#pragma orrery parallel relax", "ORR9103", 25, "write relax(x, ...)"},
    {"#pragma orrery parallel relax()", "ORR9103", 25, "write relax(x, ...)"},
    {"#pragma orrery parallel relax(a,)", "ORR9103", 25, "write relax(x, ...)"},
    {"#pragma orrery parallel relax(a[0])", "ORR9103", 25, "write relax(x, ...)"},
    {"#pragma orrery parallel relax(a", "ORR9103", 25, "is not closed"},
    {"#pragma orrery parallel relax(average : a, m->w)", NULL, 0, NULL},
    {"#pragma orrery parallel relax(add :)", "ORR9103", 25, "one of add average scale"},
    {"#pragma orrery parallel relax(sum : a)", "ORR9103", 25, "one of add average scale"},
    {"#pragma orrery parallel buffer(a, apply)", "ORR9103", 25, "write buffer(x : fn)"},
    {"#pragma orrery parallel sync(step=4)", "ORR9103", 25, "write sync(steps=N)"},
    {"#pragma orrery parallel sync(steps=0)", "ORR9103", 25, "write sync(steps=N)"},
    {"#pragma orrery parallel sync(steps=99999999999999999999)", "ORR9103", 25, "write sync("},
    {"#pragma orrery parallel reduction(sum)", "ORR9103", 25, "write reduction(op : x"},
    {"#pragma orrery parallel reduction(- : sum)", "ORR9103", 25, "write reduction(op : x"},
    {"#pragma orrery parallel grid(8)", "ORR9103", 25, "write grid(S, T)"},
    {"#pragma orrery parallel grid(8, -1)", "ORR9103", 25, "write grid(S, T)"},
    {"#pragma orrery parallel grid(0, 8)", "ORR9103", 25, "write grid(S, T)"},
    {"#pragma orrery parallel grid(0x8, 8)", "ORR9103", 25, "write grid(S, T)"},
    {"#pragma orrery parallel target(tpu)", "ORR9103", 25, "write target(cpu)"},
    {"#pragma orrery parallel extent(a)", "ORR9103", 25, "write extent(p : n)"},
    {"#pragma orrery parallel assume(noalias(a))", "ORR9103", 25, "write assume(noalias(p, q))"},
    {"#pragma orrery parallel assume()", "ORR9103", 25, "write assume(fact(...))"},
    {"#pragma orrery parallel + - *", "ORR9103", 25, "is not a clause"},
    {"#pragma orrery serial unordered", "ORR9103", 23, "'serial' takes no clauses"},
    {"#pragma orrery parallel assume(injectiv(a))", "ORR9104", 32, "did you mean 'injective'"},
    {"#pragma orrery", "ORR9105", 9, "neither 'parallel' nor 'serial'"},
    {"#pragma orrery paralel", "ORR9105", 16, "did you mean 'parallel'"},
    {"#pragma orrery parallel relax(summ)", "ORR9106", 25, "did you mean 'sum'"},
    {"#pragma orrery parallel relax(i)", "ORR9106", 25, "no variable 'i' is in scope"},
    {"#pragma orrery parallel relax(inner)", "ORR9106", 25, "no variable 'inner' is in scope"},
    {"#pragma orrery parallel buffer(a : appl)", "ORR9106", 25, "did you mean 'apply'"},
    {"#pragma orrery parallel reduction(+ : nothing)", "ORR9106", 25, "no variable 'nothing'"},
    {"#pragma orrery parallel extent(zzz : n)", "ORR9106", 25, "no variable 'zzz'"},
    {"#pragma orrery parallel assume(pure(appli))", "ORR9106", 25, "did you mean 'apply'"},
    {"_Pragma(\"orrery parallel unordered\")", NULL, 0, NULL},
    {"_Pragma(\"orrery paralel\")", "ORR9105", 17, "did you mean 'parallel'"},
    {"_Pragma(\"orrery parallel\\t\")", "ORR9107", 1, "through _Pragma"},
    {"_Pragma(L\"orrery parallel\")", "ORR9107", 1, "through _Pragma"},
    {"#define MARK ORRERY_PARALLEL(unordered)\nMARK", NULL, 0, NULL},
    {"#define MARK _Pragma(\"orrery parallel\")\nMARK", NULL, 0, NULL},
    {"#define n _Pragma(\"orrery parallel\") n\nn;", "ORR9107", 1, "another macro"},
    {"#pragma orrery parallel unordered unordered", "ORR9108", 35, "given twice"},
    {"#pragma orrery parallel grid(1, 2) grid(1, 2)", "ORR9108", 36, "given twice"},
    {"#pragma orrery parallel\n#pragma orrery serial", "ORR9109", 1, "already has a directive"},
};

static void directives_are_read(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[2048];
        snprintf(text, sizeof text,
                 "#define ORRERY_PARALLEL(...)\n#define ORRERY_SERIAL\nstruct m { float *w; };\n"
                 "void apply(float *x, float u, long i);\n"
                 "void f(int n, float *a, struct m *m, double sum, double top) { { int hidden; }\n"
                 "%s\nfor (int i = 0; i < n; i++) { int inner = 0; a[i] += inner; }\n}\n",
                 cases[i].line);
        struct parsed p = parsed_text(text);
        char *messages = parsed_messages(&p);
        if (!cases[i].code && p.diags.count)
            fail_msg("%s\n%s", cases[i].line, messages);
        if (cases[i].code) {
            if (p.diags.nerrors < 1)
                fail_msg("%s: accepted", cases[i].line);
            const struct diag *diag = &p.diags.items[0];
            if (strcmp(diag->code, cases[i].code) != 0 || !strstr(messages, cases[i].words) ||
                diag->range.begin.column != cases[i].column || diag->range.begin.line < 6 ||
                diag->range.begin.line > 7)
                fail_msg("%s\nshould say %s at column %d: %s\n%s", cases[i].line, cases[i].code,
                         cases[i].column, cases[i].words, messages);
            assert_non_null(diag->fix);
        }
        free(messages);
        parsed_free(&p);
    }
}

static void clauses_become_data(void **state) {
    (void)state;
    struct parsed p = parsed_text(
        "struct m { float *w; }; void apply(float *, float, long);\n"
        "void f(int n, float *a, struct m *m, double sum) {\n"
        "  #pragma orrery parallel relax(a, m->w) sync(iterations=12), reduction(min : sum) \\\n"
        "      extent(a : n * (2 + 1)) buffer(a : apply) assume(range(n, 0, 2 * n)) grid(3, 5)\n"
        "  for (int i = 0; i < n; i++) a[i] = 0;\n}\n");
    assert_clean(&p);
    const struct pragma *pragma = p.unit->loops[0]->pragma;
    assert_non_null(pragma);
    assert_int_equal(pragma->kind, PRAGMA_PARALLEL);
    assert_false(pragma->unordered);
    assert_int_equal(pragma->nclauses, 7);
    assert_string_equal(pragma->clauses[0].names[1], "m->w");
    assert_string_equal(pragma->clauses[1].names[0], "iterations");
    assert_int_equal(pragma->clauses[1].number, 12);
    assert_string_equal(pragma->clauses[2].names[0], "min");
    assert_string_equal(pragma->clauses[2].names[1], "sum");
    assert_string_equal(pragma->clauses[3].names[1], "n * (2 + 1)");
    assert_string_equal(pragma->clauses[4].names[1], "apply");
    assert_int_equal(pragma->clauses[5].nnames, 4);
    assert_string_equal(pragma->clauses[5].names[3], "2 * n");
    assert_int_equal(pragma->clauses[6].number, 3);
    assert_int_equal(pragma->clauses[6].number2, 5);
    assert_int_equal(pragma->range.begin.line, 3);
    assert_int_equal(pragma->range.end.line, 4);
    assert_true(pragma->range.exact);
    parsed_free(&p);
}

static void directives_bind_to_the_next_loop(void **state) {
    (void)state;
    struct parsed p = parsed_text(
        "#define ORRERY_PARALLEL(...)\n#define FOR(i, n) for (int i = 0; i < n; i++)\n"
        "void f(int n, int *a) {\n"
        "  for (int i = 0; i < n; i++)\n"
        "    #pragma orrery parallel unordered\n"
        "    for (int j = 0; j < n; j++) { for (int k = 0; k < n; k++) a[k] = 0; }\n"
        "  ORRERY_PARALLEL() FOR(i, n) a[i] = 0;\n"
        "  if (n)\n#pragma orrery serial\n    for (int i = 0; i < n; i++) a[i] = 0;\n}\n");
    assert_clean(&p);
    static const bool marked[] = {false, true, false, true, true};
    assert_int_equal(p.unit->nloops, 5);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(p.unit->loops[i]->pragma != NULL, marked[i]);
    assert_true(p.unit->loops[1]->pragma->unordered);
    assert_int_equal(p.unit->loops[4]->pragma->kind, PRAGMA_SERIAL);
    parsed_free(&p);
}

static void nearest_words(void **state) {
    (void)state;
    static const char *const known[] = {"unordered", "relax", "grid"};
    assert_string_equal(diag_nearest("unorderd", known, 3), "unordered");
    assert_string_equal(diag_nearest("rleax", known, 3), "relax");
    assert_string_equal(diag_nearest("girt", known, 3), "grid");
    assert_null(diag_nearest("parallelise", known, 3));
    assert_null(diag_nearest("", known, 3));
    assert_null(diag_nearest("x", known, 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directives_are_read),
        cmocka_unit_test(clauses_become_data),
        cmocka_unit_test(directives_bind_to_the_next_loop),
        cmocka_unit_test(nearest_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
