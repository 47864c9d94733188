/* What the unit says of types, variables, functions and odd constructs; errors; bad input. */
#include "frontend_text.h"

#include <unistd.h>

static struct function *function_named(const struct unit *unit, const char *name) {
    for (int i = 0; i < unit->nfunctions; ++i)
        if (strcmp(unit->functions[i]->name, name) == 0)
            return unit->functions[i];
    fail_msg("no function %s", name);
    return NULL;
}

/* The variable `name` declared by the statements of `body`, or a global. */
static struct variable *variable_named(const struct unit *unit, const struct stmt *body,
                                       const char *name) {
    for (int i = 0; i < unit->nglobals; ++i)
        if (strcmp(unit->globals[i]->name, name) == 0)
            return unit->globals[i];
    for (int i = 0; body && i < body->nbody; ++i)
        for (int k = 0; k < body->body[i]->nvars; ++k)
            if (strcmp(body->body[i]->vars[k]->name, name) == 0)
                return body->body[i]->vars[k];
    fail_msg("no variable %s", name);
    return NULL;
}

static void types_have_sizes_fields_and_qualifiers(void **state) {
    (void)state;
    struct parsed p = parsed_text(
        "typedef struct { int user; float v[3]; struct { char c; union { int i; double d; }; };"
        " unsigned low : 3, : 2, high : 4; } rating; struct later; enum hue { RED };\n"
        "rating *restrict r; const volatile float x; _Atomic int at; _Complex float z; _Bool b;\n"
        "struct later *l; enum hue e; unsigned char uc; double m[2][5]; int (*fn)(int);\n"
        "void f(int n) { float t[n]; struct mine { int a; } own; (void)t; (void)own; }\n");
    assert_clean(&p);
    const struct unit *u = p.unit;
    const struct type *r = variable_named(u, NULL, "r")->type;
    assert_int_equal(r->kind, TYPE_POINTER);
    assert_true(r->is_restrict);
    assert_int_equal(r->element->kind, TYPE_STRUCT);
    assert_string_equal(r->element->record->tag, "rating");
    assert_false(r->element->is_local);
    const struct record *record = r->element->record;
    assert_int_equal(record->nfields, 6);
    assert_string_equal(record->fields[1].name, "v");
    assert_int_equal(record->fields[1].offset_bits, 32);
    assert_int_equal(record->fields[1].type->count, 3);
    assert_null(record->fields[2].name);
    assert_int_equal(record->fields[2].type->record->fields[1].type->kind, TYPE_UNION);
    assert_int_equal(record->fields[3].bit_width, 3);
    assert_int_equal(record->fields[5].bit_width, 4);
    assert_int_equal(record->fields[0].bit_width, -1);
    const struct type *x = variable_named(u, NULL, "x")->type;
    assert_true(x->is_const && x->is_volatile && x->kind == TYPE_FLOAT && x->size == 4);
    const struct type *at = variable_named(u, NULL, "at")->type;
    assert_true(at->is_atomic && at->kind == TYPE_INT && at->size == 4);
    assert_int_equal(variable_named(u, NULL, "z")->type->kind, TYPE_OTHER);
    assert_int_equal(variable_named(u, NULL, "b")->type->kind, TYPE_BOOL);
    assert_int_equal(variable_named(u, NULL, "l")->type->element->size, -1);
    assert_null(variable_named(u, NULL, "l")->type->element->record);
    assert_int_equal(variable_named(u, NULL, "e")->type->kind, TYPE_INT);
    assert_false(variable_named(u, NULL, "uc")->type->is_signed);
    assert_int_equal(variable_named(u, NULL, "m")->type->element->count, 5);
    assert_int_equal(variable_named(u, NULL, "m")->type->size, 80);
    assert_int_equal(variable_named(u, NULL, "fn")->type->element->kind, TYPE_FUNCTION);
    const struct stmt *body = function_named(u, "f")->body;
    assert_int_equal(variable_named(u, body, "t")->type->kind, TYPE_VLA);
    assert_int_equal(variable_named(u, body, "t")->type->size, -1);
    assert_true(variable_named(u, body, "own")->type->is_local);
    parsed_free(&p);
}

/* C11 6.7.6.3, paragraph 7: the qualifiers of an array parameter's outermost brackets are the pointer's. */
static void restrict_in_brackets(void **state) {
    (void)state;
    struct parsed p = parsed_text(
        "struct own { int n[3]; };\n"
        "int f(int n, double a[restrict n][3], int (*b[const restrict static 2])[5],\n"
        "      struct { int x; } c[2], float d[static 4], const struct own e[restrict 6]) {\n"
        "    return n + (int)a[0][0] + (*b[0])[0] + c[0].x + (int)d[0] + e[0].n[0];\n}\n");
    const struct function *f = function_named(p.unit, "f");
    static const bool wanted[] = {false, true, true, false, false, true};
    assert_int_equal(f->nparams, 6);
    for (int i = 1; i < f->nparams; ++i) {
        assert_int_equal(f->params[i]->type->kind, TYPE_POINTER);
        assert_int_equal(f->params[i]->type->is_restrict, wanted[i]);
    }
    assert_string_equal(type_declare(p.arena, f->params[1]->type, "a"), "double (*restrict a)[3]");
    parsed_free(&p);
}

static void bounds_of_variable_arrays(void **state) {
    (void)state;
    struct parsed p = parsed_text(
        "void f(int n, int m, float A[n][m], float (*B)[m + 1], const float C[][n][m]) {\n"
        "  double L[n][2 * m][3]; typedef float row[m]; row *R; (void)L; (void)R; }\n");
    assert_clean(&p);
    const struct function *f = function_named(p.unit, "f");
    const struct type *L = variable_named(p.unit, f->body, "L")->type;
    assert_string_equal(expr_print(p.arena, f->params[2]->type->element->vla_count), "m");
    assert_string_equal(expr_print(p.arena, f->params[3]->type->element->vla_count), "m + 1");
    assert_string_equal(type_declare(p.arena, f->params[4]->type, "C"), "const float (*C)[n][m]");
    assert_string_equal(expr_print(p.arena, L->vla_count), "n");
    assert_string_equal(expr_print(p.arena, L->element->vla_count), "2 * m");
    assert_int_equal(L->element->element->count, 3);
    assert_string_equal(type_declare(p.arena, variable_named(p.unit, f->body, "R")->type, "R"),
                        "float (*R)[m]");
    parsed_free(&p);
}

/* How often a variable is assigned and whether its address gets out. */
static const struct use_case {
    const char *text;
    int writes;
    bool taken;
} uses[] = {
    {"int x = 3; use(x);", 0, false},
    {"int x; x = 1; x += 2; x++;", 3, false},
    {"int x; use(&x);", 0, true},
    {"int x; int *p = &x; *p = 1;", 0, true},
    {"int x[4]; x[1] = 2; use(x[0]);", 1, false},
    {"int x[4]; use(x);", 0, true},
    {"int x[4]; int *p = x; use(p);", 0, true},
    {"int x[4]; *x = 1;", 0, true},
    {"int x[4]; use(&x[2]);", 0, true},
    {"int x[4][4]; x[1][2]++;", 1, false},
    {"int x[4][4]; use(x[1]);", 0, true},
    {"int *x = 0; x[3] = 1; *x = 2;", 0, false},
    {"int *x = 0; use(&x[3]);", 0, false},
    {"int *x = 0; *x++ = 1;", 1, false},
    {"struct s { int a[3]; struct s *n; } x; x.a[0] = 1;", 1, false},
    {"struct s { int a[3]; struct s *n; } x; x.n->a[0] = 1;", 0, false},
    {"struct s { int a[3]; struct s *n; } x; use(x.a);", 0, true},
    {"struct s { int a[3]; struct s *n; } x; use(&x.a[1]);", 0, true},
    {"int x; use(sizeof(x = 3)); use(sizeof &x);", 0, false},
    {"int x; int y; __atomic_exchange(&x, &y, &y, 5);", 1, true},
    {"int x; __asm__(\"\" : \"=r\"(x));", 1, true},
    {"int x; use(({ x = 2; x; }));", 1, false},
    {"int x; if (x = 1, 2) use(3);", 1, false},
};

static void writes_and_addresses_are_counted(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; ++i) {
        char text[512];
        snprintf(text, sizeof text, "void use(); void f(void) { %s }", uses[i].text);
        struct parsed p = parsed_text(text);
        assert_clean(&p);
        const struct variable *x = variable_named(p.unit, function_named(p.unit, "f")->body, "x");
        if (x->writes != uses[i].writes || x->address_taken != uses[i].taken)
            fail_msg("%s: writes %d, address taken %d", uses[i].text, x->writes, x->address_taken);
        parsed_free(&p);
    }
}

static void storage_and_functions(void **state) {
    (void)state;
    struct parsed p = parsed_text(
        "extern int far; static int near; int both; extern int both; extern int late[]; "
        "int late[3];\nint pure(int) __attribute__((pure)); int cons(int) __attribute__((const));\n"
        "void die(void) __attribute__((noreturn)); _Noreturn void die2(void); int any(int, ...);\n"
        "static int old(a, b) int a; float b; { static int kept; extern int far; int loc = far;\n"
        "  kept++; return a + (int)b + loc + near + pure(1) + any(2); }\n"
        "int main(void) { die(); die2(); return old(1, 2.f) + cons(3); }\n");
    assert_clean(&p);
    const struct unit *u = p.unit;
    const struct function *old = function_named(u, "old");
    assert_true(variable_named(u, NULL, "far")->is_extern);
    assert_false(variable_named(u, NULL, "both")->is_extern);
    assert_int_equal(variable_named(u, NULL, "near")->storage, STORAGE_STATIC);
    assert_int_equal(variable_named(u, NULL, "late")->type->count, 3);
    assert_int_equal(variable_named(u, old->body, "kept")->storage, STORAGE_STATIC_LOCAL);
    assert_int_equal(variable_named(u, old->body, "loc")->storage, STORAGE_LOCAL);
    assert_true(old->is_static && old->nparams == 2 && old->params[1]->param_index == 1);
    assert_true(function_named(u, "pure")->is_pure && function_named(u, "cons")->is_const);
    assert_true(function_named(u, "die")->is_noreturn && function_named(u, "die2")->is_noreturn);
    assert_true(function_named(u, "any")->is_variadic && !function_named(u, "any")->body);
    parsed_free(&p);
}

/* Expressions that have to come out as this text, one per construct. */
static const struct odd_case {
    const char *expr, *expect;
} odds[] = {
    {"3[p]", "p[3]"},
    {"a ?: b", "a ?: b"},
    {"s->in", "s->in"},
    {"(*s).in", "(*s).in"},
    {"sizeof(int)", "4UL"},
    {"sizeof *s", "16UL"},
    {"_Alignof(double)", "8UL"},
    {"__builtin_offsetof(struct s, b)", "4UL"},
    {"RED + GREEN", "RED + GREEN"},
    {"HEX", "0x1F"},
    {"'\\n' + 017", "'\\n' + 017"},
    {"_Generic(a, int: p[1], float: 2.0f, default: \"x\")", "p[1]"},
    {"_Generic(1.0f, int: 1, float: 2.0f)", "2.0f"},
    {"_Generic(a, int: a, float: b)", "<a _Generic selection>"},
    {"__builtin_offsetof(struct s, b) + __builtin_types_compatible_p(int, long)", "4UL + 0"},
    {"__atomic_exchange_n(p, a, 5)", "<an expression that is not understood>"},
    {"__atomic_compare_exchange_n(p, p, a, 0, 5, 5)", "<an expression that is not understood>"},
    {"(__atomic_exchange(p, p, p, 5), a)", "<an expression that is not understood>, a"},
    {"a ?: b ?: p[1]", "a ?: b ?: p[1]"},
    {"p[1]++ ?: b", "p[1]++ ?: b"},
    {"({ int t = a; t; })", "a"},
    {"({ int t = a; t++; t; })", "<a statement expression>"},
    {"__extension__ (a + b)", "a + b"},
    {"fp(a)", "fp(a)"},
    {"(*fp)(a)", "(*fp)(a)"},
    {"(&g)(a) + (*g)(a) + (g)(a)", "g(a) + g(a) + g(a)"},
    {"(int)2.5f + (int)1e3", "(int)2.5f + (int)1e3"},
    {"((struct s){.b = a}).b", "(struct s){.b = a}.b"},
    {"((int[]){1, 2})[a]", "(int [2]){1, 2}[a]"},
    {"__real__ z", "<the real part of a complex number>"},
    {"v[1]", "<an element of a vector>"},
    {"tls", "<a thread-local variable>"},
    {"&&here", "<the address of a label>"},
    {"\"ab\" \"c\"", "\"ab\" \"c\""},
    {"a = b, b", "a = b, b"},
};

static void odd_expressions(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof odds / sizeof *odds; ++i) {
        char text[1024];
        snprintf(text, sizeof text,
                 "enum { RED, GREEN }; struct s { int a, b; struct { int in; int x; }; };\n"
                 "_Thread_local int tls; typedef int vec __attribute__((vector_size(16)));\n"
                 "#define HEX 0x1F\nint g(int);\n"
                 "void f(int a, int b, int *p, struct s *s, int (*fp)(int), float _Complex z, vec "
                 "v) {\n(void)0;\nhere: (%s); }\n",
                 odds[i].expr);
        struct parsed p = parsed_text(text);
        assert_clean(&p);
        const struct stmt *body = function_named(p.unit, "f")->body;
        const char *found = expr_print(p.arena, body->body[1]->then->expr);
        if (strcmp(found, odds[i].expect) != 0)
            fail_msg("%s is shown as %s, not %s", odds[i].expr, found, odds[i].expect);
        parsed_free(&p);
    }
}

static const struct odd_case inits[] = {
    {"int x[] = {1, 2, [5] = 3, 4}", "{1, 2, [5] = 3, 4}"},
    {"int x[2][3] = {1, 2, 3, 4}", "{{1, 2, 3}, {4}}"},
    {"int x[2][3] = {{1}, 2, 3}", "{{1}, {2, 3}}"},
    {"struct s x = {1, .c = 3}", "{1, .c = 3}"},
    {"struct s x[2] = {1, 2, 3, 4}", "{{1, 2, 3}, {4}}"},
    {"struct t x = {.in.b = 2, .in.a = 1, .k = 4}", "{{1, 2}, 4}"},
    {"int x[6] = {[1 ... 3] = 7}", "{[1] = 7, 7, 7}"},
    {"int x = {5}", "{5}"},
    {"char x[] = \"hi\"", "\"hi\""},
    {"struct s y = {1, 2, 3}; struct t x = {y, 4}", "{y, 4}"},
};

static void initialisers_by_position(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof inits / sizeof *inits; ++i) {
        char text[512];
        snprintf(text, sizeof text,
                 "struct s { int a, b, c; }; struct t { struct s in; int k; };"
                 "void f(void) { %s; }",
                 inits[i].expr);
        struct parsed p = parsed_text(text);
        assert_clean(&p);
        const struct variable *x = variable_named(p.unit, function_named(p.unit, "f")->body, "x");
        assert_string_equal(expr_print(p.arena, x->init), inits[i].expect);
        parsed_free(&p);
    }
}

/* ---- errors and options */

static void errors_have_clangs_words_and_a_place(void **state) {
    (void)state;
    struct parsed p = parsed_text("int f(void) {\n  return undeclared + 1;\n}\n");
    assert_int_equal(p.diags.nerrors, 1);
    assert_string_equal(p.diags.items[0].code, "ORR9001");
    assert_string_equal(p.diags.items[0].message, "use of undeclared identifier 'undeclared'");
    assert_int_equal(p.diags.items[0].range.begin.line, 2);
    assert_int_equal(p.diags.items[0].range.begin.column, 10);
    parsed_free(&p);
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct parse_options options = {.file = "/nonexistent/file.c"};
    assert_null(parse_unit(arena, &options, &diags));
    assert_string_equal(diags.items[0].code, "ORR9002");
    options.file = "/tmp";
    assert_null(parse_unit(arena, &options, &diags));
    assert_int_equal(diags.nerrors, 2);
    arena_free(arena);
}

static void what_gcc_accepts_is_no_error(void **state) {
    (void)state;
    struct parsed p = parsed_text("f(a) { int *p = a; implicit(p); if (a) return; return 1; }\n");
    assert_clean(&p);
    parsed_free(&p);
}

static void options_of_gcc_are_not_fatal(void **state) {
    (void)state;
    static const char *const args[] = {"-O3",
                                       "-fno-ipa-sra",
                                       "-fipa-pta",
                                       "-ftree-loop-linear",
                                       "-mno-such",
                                       "--param",
                                       "x=3",
                                       "-Wno-such-warning",
                                       "-Werror",
                                       "-Wall",
                                       "-pipe",
                                       "-pthread",
                                       "-flto",
                                       "-fopenmp",
                                       "-save-temps",
                                       "-MMD",
                                       "-MF",
                                       "/nonexistent/x.d",
                                       "-c",
                                       "-o",
                                       "x.o",
                                       "-fplugin=none",
                                       "-fopenmp",
                                       "-march=native",
                                       "-Wl,-z,now",
                                       "-lm",
                                       "-print-search-dirs",
                                       "-v"};
    struct parsed p = parsed_make("#include <stdio.h>\nint main(void) { int x; return 0; }\n",
                                  sizeof args / sizeof *args, args);
    assert_clean(&p);
    assert_true(p.unit->strict_aliasing);
    assert_int_equal(access("x.d", F_OK), -1);
    parsed_free(&p);
}

static void strict_aliasing_follows_the_flags(void **state) {
    (void)state;
    static const struct {
        const char *args[3];
        int nargs;
        bool strict;
    } cases[] = {
        {{"-O0"}, 1, false},        {{"-O2"}, 1, true},
        {{"-O"}, 1, false},         {{"-O3"}, 1, true},
        {{"-Os"}, 1, true},         {{"-Og"}, 1, false},
        {{"-Ofast"}, 1, true},      {{"-fno-strict-aliasing", "-O2"}, 2, false},
        {{"-O2", "-O0"}, 2, false}, {{"-fstrict-aliasing"}, 1, true},
        {{"-g"}, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct parsed p = parsed_make("int x;\n", cases[i].nargs, cases[i].args);
        assert_clean(&p);
        assert_int_equal(p.unit->strict_aliasing, cases[i].strict);
        parsed_free(&p);
    }
}

static void wrapping_follows_the_flags(void **state) {
    (void)state;
    static const struct {
        const char *args[2];
        int nargs;
        bool wraps;
    } cases[] = {
        {{"-O2"}, 1, false},
        {{"-fwrapv"}, 1, true},
        {{"-fno-strict-overflow"}, 1, true},
        {{"-fwrapv", "-fno-wrapv"}, 2, false},
        {{"-fno-wrapv", "-fwrapv"}, 2, true},
        {{"-fno-strict-overflow", "-fstrict-overflow"}, 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct parsed p = parsed_make("int x;\n", cases[i].nargs, cases[i].args);
        assert_clean(&p);
        assert_int_equal(p.unit->signed_wraps, cases[i].wraps);
        parsed_free(&p);
    }
}

static void trapping_follows_the_flags(void **state) {
    (void)state;
    static const struct {
        const char *args[2];
        int nargs;
        bool traps;
    } cases[] = {
        {{"-O2"}, 1, false},
        {{"-ftrapv"}, 1, true},
        {{"-ftrapv", "-fno-trapv"}, 2, false},
        {{"-ftrapv", "-fwrapv"}, 2, false},
        {{"-fsanitize=address"}, 1, false},
        {{"-fsanitize=address,undefined"}, 1, true},
        {{"-fsanitize=signed-integer-overflow"}, 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct parsed p = parsed_make("int x;\n", cases[i].nargs, cases[i].args);
        assert_clean(&p);
        assert_int_equal(p.unit->signed_traps, cases[i].traps);
        parsed_free(&p);
    }
}

/* ---- depth and damage */

static void deep_nesting_is_survived(void **state) {
    (void)state;
    enum { TERMS = 20000, IFS = 3000 };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "int f(int a, int b) { int s = a");
    for (int i = 0; i < TERMS; ++i)
        fprintf(out, " + b");
    fprintf(out, ";\n");
    for (int i = 0; i < IFS; ++i)
        fprintf(out, "if (a == %d) b = %d; else ", i, i);
    fprintf(out, "b++;\nfor (int i = 0; i < b; i++) s++;\nreturn s; }\n");
    fclose(out);
    struct parsed p = parsed_text(text);
    assert_clean(&p);
    assert_int_equal(p.unit->nloops, 1);
    assert_true(function_named(p.unit, "f")->params[1]->writes > 1000);
    free(text);
    parsed_free(&p);
}

/* Every prefix of a file with everything in it, and every file with one byte changed. */
static void damaged_files_are_survived(void **state) {
    (void)state;
    static const char text[] =
        "#define ORRERY_PARALLEL(...)\n#define W_(u, k) W[(u) * K + (k)]\nstruct r { int u : 3; };"
        "\nint f(int n, float W[n][n], struct r *r, int K) {\n  ORRERY_PARALLEL(relax(W) grid(2, 3)"
        ")\n  for (int i = 0; i < n; i++) { W[i][0] += r[i].u ? \"a\"[0] : 'b'; }\n"
        "#pragma orrery parallel \\\n unordered assume(noalias(W, r))\n"
        "  for (;;) switch (n) { case 1 ... 3: do n--; while (n); default: goto end; }\nend:\n"
        "  return ({ struct r t[2] = {[1].u = 2}; t[1].u; }) /* \xc3\xa9 */ + sizeof(float[n]); "
        "}\n";
    unsigned seed = 5;
    for (size_t i = 0; i < 400; ++i) {
        char copy[sizeof text];
        memcpy(copy, text, sizeof text);
        seed = seed * 1664525u + 1013904223u;
        size_t at = (seed >> 8) % (sizeof text - 1);
        if (i % 2)
            copy[at] = '\0';
        else
            copy[at] = "(){}[];,#\"'\\\n*?:x0"[(seed >> 4) % 18];
        struct parsed p = parsed_text(copy);
        char *messages = parsed_messages(&p);
        if (p.unit)
            free(parsed_statements(p.unit));
        free(messages);
        parsed_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_sizes_fields_and_qualifiers),
        cmocka_unit_test(restrict_in_brackets),
        cmocka_unit_test(bounds_of_variable_arrays),
        cmocka_unit_test(writes_and_addresses_are_counted),
        cmocka_unit_test(storage_and_functions),
        cmocka_unit_test(odd_expressions),
        cmocka_unit_test(initialisers_by_position),
        cmocka_unit_test(errors_have_clangs_words_and_a_place),
        cmocka_unit_test(what_gcc_accepts_is_no_error),
        cmocka_unit_test(options_of_gcc_are_not_fatal),
        cmocka_unit_test(strict_aliasing_follows_the_flags),
        cmocka_unit_test(wrapping_follows_the_flags),
        cmocka_unit_test(trapping_follows_the_flags),
        cmocka_unit_test(deep_nesting_is_survived),
        cmocka_unit_test(damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
