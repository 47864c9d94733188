/* Which loops count, and what is said of those that do not. */
#include "frontend_text.h"

/* `header` stands in front of the body `{ touch(i); }`; `expect` is how the dump shows the loop. */
struct loop_case {
    const char *header, *expect;
};

static const struct loop_case cases[] = {
    {"for (i = 0; i < n; i++)", "i = 0; < n; +1"},
    {"for (i = 0; i < n; ++i)", "i = 0; < n; +1"},
    {"for (i = 0; i < n; i += 2)", "i = 0; < n; +2"},
    {"for (i = 0; i < n; i = i + 3)", "i = 0; < n; +3"},
    {"for (i = 0; i < n; i = 3 + i)", "i = 0; < n; +3"},
    {"for (i = 0; i < n; i = i - -3)", "i = 0; < n; +3"},
    {"for (i = 2; i <= n * 2; i += 2 * 2)", "i = 2; <= n * 2; +4"},
    {"for (i = n; i > 0; i--)", "i = n; > 0; -1"},
    {"for (i = n - 1; i >= 0; --i)", "i = n - 1; >= 0; -1"},
    {"for (i = n; i > 0; i -= 5)", "i = n; > 0; -5"},
    {"for (i = n; i > 0; i = i - 5)", "i = n; > 0; -5"},
    {"for (i = 0; i != n; i++)", "i = 0; != n; +1"},
    {"for (i = n; i != 0; i--)", "i = n; != 0; -1"},
    {"for (i = 0; n > i; i++)", "i = 0; < n; +1"},
    {"for (i = 0; n >= i; i++)", "i = 0; <= n; +1"},
    {"for ((i) = (0); ((i) < (n)); (i)++)", "i = 0; < n; +1"},
    {"for (int i = 0; i < n; i++)", "declared i = 0; < n; +1"},
    {"for (register long i = n; i < 2 * n; i++)", "declared i = n; < 2 * n; +1"},
    {"for (size_t i = 0; i < strlen(s); i++)", "declared i = 0; < strlen(s); +1"},
    {"for (unsigned i = 0; i < n; i++)", "declared i = 0; < n; +1"},
    {"for (i = 0; i < u; i++)", "i = 0; < u; +1"},
    {"for (signed char i = 0; i < 100; i++)", "declared i = 0; < 100; +1"},
    {"for (i = 0; i < N; i += STEP)", "i = 0; < 10; +2"},
    {"for (i = 0; i < n ? 1 : 0; i++)", "not canonical: its condition does not compare i"},
    {"for (i = 0, j = 0; i < n; i++)", "i = 0; < n; +1"},
    {"for (i = j = 0; i < n; i++)", "i = 0; < n; +1"},
    {"for (i = 0, i += 5; i < n; i++)", "i = as it is; < n; +1"},
    {"for (i += 0; i < n; i++)", "i = as it is; < n; +1"},
    {"for (*p = 0; i < n; i++)", "i = as it is; < n; +1"},
    {"for (; i < n; i++)", "i = as it is; < n; +1"},
    {"for (int i; i < n; i++)", "not canonical: its variable has no initial value"},
    {"for (i = 0;; i++)", "not canonical: it has no condition"},
    {"for (i = 0; i < n;)", "not canonical: nothing in it advances i"},
    {"for (;;)", "not canonical: it has no condition"},
    {"for (;; i++)", "not canonical: it has no condition"},
    {"for (; i < n;)", "not canonical: its condition does not compare a variable that it"},
    {"for (int i = 0, k = 0; i < n; i++)", "declared i = 0; < n; +1"},
    {"for (int i = 0, k = i++; i < n; i++)", "not canonical: its initial part changes i"},
    {"for (i = 0; i < n; j++)", "not canonical: nothing in it advances i"},
    {"for (i = 0; i < n; i *= 2)", "not canonical: its header does not add to i"},
    {"for (i = 0; i < n; i = j + 1)", "not canonical: its header does not add to i"},
    {"for (i = 0; i < n; i = 1 - i)", "not canonical: its header does not add to i"},
    {"for (i = 0; i < n; i++, j++)", "i = 0; < n; +1"},
    {"for (i = 0; i < n; i++, i++)", "not canonical: its header does more than advance"},
    {"for (i = 0; i < n; i++, touch(1))", "not canonical: its header does more than advance"},
    {"for (i = 0, j = n; i < j; i++, j--)",
     "i = 0; < (long)n > 0L ? ((long)n - 1L) / 2L + 1L : (long)n / 2L; +1"},
    {"for (i = 0; i < j; i++, j--)", "i = 0; < (long)orrery_entry_j > 0L ? ((long)orrery_entry_j "
                                     "- 1L) / 2L + 1L : (long)orrery_entry_j / 2L; +1"},
    {"for (; i + 1 < j; i++, j -= 0)", "not canonical: the step of j is zero"},
    {"for (i = 0; i < 2 * j + n; i++, j--)", "i = 0; < (long)orrery_entry_j * 2L + (long)n > 0L ?"},
    {"for (u = 0, j = n; u < j; u++, j--)", "not canonical: its bound depends on j"},
    {"for (i = 0, j = n; i != j; i++, j--)", "not canonical: its bound depends on j"},
    {"for (i = 0, j = i; i < j; i++, j--)", "not canonical: its bound depends on j"},
    {"for (i = 0, j = n; i < j; i++, j *= 2)", "not canonical: its header does more"},
    {"for (i = 0; i + 1 < n; i++)", "i = 0; < (long)n - 1L; +1"},
    {"for (i = 0; n - 2 >= i - j; i++)", "i = 0; <= (long)(n - 2) + (long)j; +1"},
    {"for (i = 9; n - i <= 3; i--)", "i = 9; >= (long)n - 3L; -1"},
    {"for (u = 0; u + 2 <= 9; u++)",
     "u = 0; < (unsigned long)9 + 1UL > 2UL ? (unsigned long)9 + 1UL - 2UL : 0UL; +1"},
    {"for (u = 0; 2 * u < 9; u++)", "not canonical: its condition does not compare u"},
    {"for (i = j; i + 1 < u; i++)", "not canonical: its condition does not compare i"},
    {"for (i = 0; i * i < n; i++)", "not canonical: its condition does not compare i"},
    {"for (i = 1; i * j < n; i++)", "not canonical: its condition does not compare i"},
    {"for (i = 0; i < n && i <= j; i++)",
     "i = 0; < (long)n < (long)j + 1L ? (long)n : (long)j + 1L; +1"},
    {"for (i = 0; i < n && i > j; i++)", "not canonical: its condition does not compare i"},
    {"for (i = 0; i < n && i < s[0]; i++)", "not canonical: its condition does not compare i"},
    {"#pragma orrery parallel\nwhile (i + 2 <= n)", "not canonical: its condition does not"},
    {"for (i = 0; i < n; i += j)", "i = 0; < n; +(j)"},
    {"for (i = n; i > 0; i -= u)", "i = n; > 0; -(u)"},
    {"for (i = 0; i != n; i += j)", "not canonical: i may step over the bound"},
    {"for (i = 1; i < n; i += i)", "not canonical: its step names the variable itself"},
    {"for (i = 0; i < n; i += next())", "not canonical: its step calls a function"},
    {"for (i = 0; i < n; i += j, j++)", "not canonical: its step depends on j"},
    {"for (i = 0; i < n; i += 0)", "not canonical: the step of i is zero"},
    {"for (i = 0; i < n; i--)", "not canonical: i moves away from its bound"},
    {"for (i = 0; i > n; i++)", "not canonical: i moves away from its bound"},
    {"for (i = 0; i != n; i += 2)", "not canonical: i may step over the bound"},
    {"for (i = 0; i++ < 9; i++)", "not canonical: its header advances i twice"},
    {"for (i = 0; i++ < n;)", "not canonical: its condition moves a variable behind"},
    {"for (i = 0; i++ < 9;)", "i = 0; < 10; +1 ahead in its body"},
    {"for (i = n; i--;)", "i = n; != -1; -1 ahead in its body"},
    {"for (i = n; i-- > 0;)", "i = n; > -1; -1 ahead in its body"},
    {"for (u = 9; u-- > 0;)", "u = 9; != 18446744073709551615U; -1 ahead in its body"},
    {"for (u = 9; u-- > 3;)", "not canonical: its condition moves u, which may wrap"},
    {"for (u = 0; u++ < 3;)", "not canonical: its condition moves u, which may wrap"},
    {"#pragma orrery parallel\nwhile (i < n)",
     "not canonical: its condition does not compare a variable that it advances"},
    {"while (--n)", "n = as it is; != 0; -1 ahead in its body"},
    {"#pragma orrery parallel\nwhile (n-- > 0 && s[n])",
     "not canonical: its condition does not compare a variable"},
    {"for (i = 0; i < n && s[i]; i++)", "not canonical: its condition does not compare i"},
    {"for (i = 0; i < i; i++)", "not canonical: its condition does not compare i"},
    {"for (i = 0; i < n + i; i++)", "not canonical: its bound names the variable itself"},
    {"for (i = 0; i < next(); i++)", "not canonical: its bound calls a function"},
    {"for (i = 0; i < n--; i++)", "not canonical: its bound has a side effect"},
    {"for (i = 0; i < (int)x; i++)", "i = 0; < (int)x; +1"},
    {"for (i = 0; i < x; i++)", "not canonical: the bound of i is not an integer"},
    {"for (i = i + 1; i < n; i++)", "not canonical: its initial value names the variable itself"},
    {"for (i = j++; i < n; i++)", "not canonical: its initial value has a side effect"},
    {"for (i = next(); i < n; i++)", "not canonical: its initial value calls a function"},
    {"for (x = 0; x < n; x++)", "not canonical: its variable x is not an integer"},
    {"for (p = s; p < s + n; p++)", "p = s; < s + n; +1"},
    {"for (p = s + n; p-- > s;)", "not canonical: its condition moves a pointer"},
    {"for (p = s; *p; p++)", "not canonical: its condition does not compare p"},
    {"for (p = s; p; p++)", "not canonical: its condition does not compare p"},
    {"for (p = s; p != s + n; p += 2)", "not canonical: p may step over the bound"},
    {"for (p = s; p < s + n; p += p[0])", "not canonical: its step names the variable itself"},
    {"for (st = 0; st < n; st++)", "not canonical: its variable st is not a local variable"},
    {"for (global = 0; global < n; global++)", "not canonical: its variable global is not a loc"},
    {"for (vol = 0; vol < n; vol++)", "not canonical: its variable vol is volatile or atomic"},
    {"for (taken = 0; taken < n; taken++)", "not canonical: its variable taken has its address"},
    {"for (signed char i = 0; i < n; i++)", "declared i = 0; < n; +1; n <= 127"},
    {"for (signed char i = 0; i < *s; i++)", "declared i = 0; < *s; +1"},
    {"for (signed char i = 0; i <= *s; i++)", "declared i = 0; <= *s; +1; *s <= 126"},
    {"for (signed char i = 0; i < *s; i += 2)", "declared i = 0; < *s; +2; *s <= 126"},
    {"for (signed char i = n; i >= j; i--)", "declared i = n; >= j; -1; j >= -127"},
    {"for (signed char i = n; i >= u; i--)", "not canonical: i is narrower than int"},
    {"for (unsigned char i = n; i > u; i--)", "declared i = n; > u; -1\n"},
    {"for (short i = 0; i <= *s; i += 9)", "declared i = 0; <= *s; +9\n"},
    {"for (short i = 0; i != n; i++)", "not canonical: i is narrower than int"},
    {"for (signed char i = 0; i <= 126; i++)", "declared i = 0; <= 126; +1"},
    {"for (signed char i = 0; i <= 127; i++)", "not canonical: i is narrower than int"},
    {"for (unsigned char i = 0; i < 255; i++)", "declared i = 0; < 255; +1"},
    {"for (unsigned char i = 0; i < 255; i += 2)", "not canonical: i is narrower than int"},
    {"for (unsigned char i = 9; i != 0; i--)", "declared i = 9; != 0; -1"},
    {"for (unsigned char i = 9; i >= 0; i--)", "not canonical: i is narrower than int"},
    {"for (unsigned char i = 0; i < 300; i++)", "not canonical: i is narrower than int"},
    {"for (unsigned i = 9; i >= 0; i--)", "not canonical: i is unsigned and never below"},
    {"for (i = j; i < u; i++)", "not canonical: i is signed and its bound unsigned"},
    {"for (long i = j; i < u; i++)", "declared i = j; < u; +1"},
    {"for (i = 5; i >= 0u; i--)", "not canonical: i is signed and its bound unsigned"},
};

static const char *preamble = "typedef unsigned long size_t; size_t strlen(const char *) "
                              "__attribute__((pure)); int next(void); void touch(long);\n"
                              "#define N 10\n#define STEP 2\nint global;\n"
                              "void f(int n, unsigned u, char *s, int j, float x) {\n"
                              "int i, taken; char *p; static int st; volatile int vol;\n"
                              "touch(*&taken);\n";

static void headers_are_recognized(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[2048], *dump = NULL;
        size_t size;
        snprintf(text, sizeof text, "%s%s { touch(1); }\n}\n", preamble, cases[i].header);
        struct parsed p = parsed_text(text);
        assert_clean(&p);
        assert_int_equal(p.unit->nloops, 1);
        FILE *out = open_memstream(&dump, &size);
        unit_dump(p.unit, out);
        fclose(out);
        char *found = strstr(strstr(dump, "\nloop 0 "), ": ");
        if (strncmp(found + 2, cases[i].expect, strlen(cases[i].expect)) != 0)
            fail_msg("%s\n  is %s  not %s", cases[i].header, found + 2, cases[i].expect);
        free(dump);
        parsed_free(&p);
    }
}

/* `body` is the body of `for (int i = 0; i < n; i++)`; `why` as in why_not, NULL for canonical. */
static const struct body_case {
    const char *before, *body, *why;
} bodies[] = {
    {"", "{ a[i] = 0; }", NULL},
    {"", "{ int j = i; j++; a[j] = i; }", NULL},
    {"", "{ { int i = 3; i++; } }", NULL},
    {"", "{ i++; }", "its variable i is assigned in its body"},
    {"", "{ if (a[i]) { while (a[i]) { i += 2; } } }", "its variable i is assigned in its body"},
    {"", "{ a[i = 2] = 0; }", "its variable i is assigned in its body"},
    {"", "for (i = 0; i < 3; i++) a[i] = 0;", "its variable i is assigned in its body"},
    {"", "{ touch(&i); }", "has its address taken"},
    {"", "{ n -= n; }", "its bound depends on n, which the loop assigns"},
    {"", "{ __asm__(\"\" : \"+r\"(i)); }", "has its address taken"},
    {"", "{ a[({ i++; 0; })] = 0; }", "its variable i is assigned in its body"},
    {"", "{ int k = 0; do { a[i] += k; } while (++k < 3); }", NULL},
    {"goto in;", "{ in: a[i] = 0; }", "a goto from outside enters its body"},
    {"", "{ goto in; in: a[i] = 0; }", NULL},
    {"switch (n) { case 1:", "{ a[i] = 0; case 2: a[i] = 1; } }", "a case of a switch around it"},
    {"", "{ switch (i) { case 1: a[i] = 0; default: break; } }", NULL},
};

static void bodies_are_checked(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i) {
        char text[1024];
        snprintf(text, sizeof text,
                 "void touch(int *); void f(int n, int *a) { %s for (int i = 0; i < n; i++) %s }",
                 bodies[i].before, bodies[i].body);
        struct parsed p = parsed_text(text);
        assert_clean(&p);
        const struct loop *loop = p.unit->loops[0];
        if (loop->canonical != !bodies[i].why ||
            (bodies[i].why && !strstr(loop->why_not, bodies[i].why)))
            fail_msg("%s: %s", bodies[i].body, loop->why_not ? loop->why_not : "canonical");
        parsed_free(&p);
    }
}

static void loops_come_in_order_with_their_nest(void **state) {
    (void)state;
    struct parsed p = parsed_text(
        "void f(int n) { int i, j, k; for (i = 0; i < n; i++) { for (j = 0; j < n; j++) ; while (n)"
        " for (k = 0; k < n; k++) ; } for (i = 0; i < n; i++) ; }\n"
        "void g(int n) { for (int i = 0; i < n; i++) ; }\n");
    static const int depths[] = {1, 2, 2, 1, 1}, parents[] = {-1, 0, 0, -1, -1};
    assert_clean(&p);
    assert_int_equal(p.unit->nloops, 5);
    for (int i = 0; i < 5; ++i) {
        const struct loop *loop = p.unit->loops[i];
        assert_int_equal(loop->id, i);
        assert_int_equal(loop->depth, depths[i]);
        assert_int_equal(loop->parent ? loop->parent->id : -1, parents[i]);
        assert_string_equal(loop->function->name, i < 4 ? "f" : "g");
    }
    parsed_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_are_recognized),
        cmocka_unit_test(bodies_are_checked),
        cmocka_unit_test(loops_come_in_order_with_their_nest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
