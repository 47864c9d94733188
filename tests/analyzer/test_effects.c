/* library.effects: every line can be read, and speaks of the parameters that headers declare. */
#include "analyzer/effects/private.h"
#include "frontend_text.h"

static const char headers[] = "#define _GNU_SOURCE\n"
                              "#include <ctype.h>\n#include <err.h>\n#include <fcntl.h>\n"
                              "#include <locale.h>\n#include <malloc.h>\n#include <math.h>\n"
                              "#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n"
                              "#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n"
                              "#include <sys/mman.h>\n#include <sys/random.h>\n"
                              "#include <sys/resource.h>\n#include <sys/stat.h>\n"
                              "#include <sys/time.h>\n#include <sys/times.h>\n#include <time.h>\n"
                              "#include <unistd.h>\n#include <assert.h>\n#include <errno.h>\n"
                              "#include \"orrery.h\"\n#include \"runtime/orrery_run.h\"\n"
                              "#if __has_include(<cblas.h>)\n#include <cblas.h>\n#endif\n";

static bool is_builtin(const char *name) {
    return strncmp(name, "__builtin_", 10) == 0;
}

#define CBLAS_ONLY "#if __has_include(<cblas.h>)\n    (void)%s;\n#endif\n"

/* A function that names all of them but those that are macros, in `without`, or of a library whose
 * header is not installed. */
static char *text_naming(int count, const char *const *names, const char *without) {
    char *text = NULL, quoted[128];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "%s#undef isnan\n#undef isinf\n#undef isfinite\n#undef signbit\n", headers);
    fprintf(out, "#undef alloca\nvoid f(void) {\n");
    for (int i = 0; i < count; ++i) {
        snprintf(quoted, sizeof quoted, "'%s'", names[i]);
        if (!is_builtin(names[i]) && !strstr(without, quoted))
            fprintf(out, strncmp(names[i], "cblas_", 6) == 0 ? CBLAS_ONLY : "    (void)%s;\n",
                    names[i]);
    }
    fprintf(out, "}\n");
    fclose(out);
    return text;
}

static const char *const flags[] = {"-ferror-limit=0", "-I" SOURCE_DIR "/include", "-I" SOURCE_DIR};

static void every_line_is_read(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct effect_files *files = effect_files_new(arena);
    const char *const *names;
    int count = effect_files_names(files, &names);
    assert_true(count > 300);
    for (int i = 0; i < count; ++i) {
        struct effect_line line = {0};
        const struct effects *effects = effects_find(files, names[i], &line);
        if (!effects)
            fail_msg("library.effects:%d: %s", line.line, names[i]);
    }
    arena_free(arena);
}

/* Macros of the C library over functions of other names. */
static const char macros[] = "'sigsetjmp'";

/* The headers of this machine are the judge of names and parameters. */
static void lines_fit_the_headers(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *const *names;
    struct effect_files *files = effect_files_new(arena);
    int count = effect_files_names(files, &names), known = 0;
    char *text = text_naming(count, names, macros);
    struct parsed first = parsed_make(text, 3, flags);
    char *undeclared = parsed_messages(&first);
    char *all = arena_printf(arena, "%s%s", macros, undeclared);
    char *declared = text_naming(count, names, all);
    struct parsed second = parsed_make(declared, 3, flags);
    assert_clean(&second);
    for (int i = 0; i < second.unit->nfunctions; ++i) {
        const struct function *f = second.unit->functions[i];
        if (f->body || !effects_find(files, f->name, NULL))
            continue;
        ++known;
        if (!f->effects)
            fail_msg("%s has other parameters, %d", f->name, f->nparams);
    }
    assert_true(known > 250);
    parsed_free(&first);
    parsed_free(&second);
    free(text);
    free(undeclared);
    free(declared);
    arena_free(arena);
}

static void other_functions_are_not_meant(void **state) {
    (void)state;
    struct parsed p = parsed_text("void log(char *); double read(int); void *memcpy(void *, int);\n"
                                  "double exp(double);\n"
                                  "void f(void) { log(0); read(0); memcpy(0, 0); exp(1); }\n");
    for (int i = 0; i < p.unit->nfunctions; ++i) {
        const struct function *f = p.unit->functions[i];
        if (!f->body)
            assert_int_equal(f->effects != NULL, strcmp(f->name, "exp") == 0);
    }
    parsed_free(&p);
}

/* Whatever stands in a line, it is read, or there are words and a place for what is wrong. */
static void any_line_has_an_answer(void **state) {
    (void)state;
    static const char *const pieces[] = {"f",         "(",
                                         ")",         ":",
                                         ",",         "[",
                                         "]",         "...",
                                         "n",         "x",
                                         "pure",      "reads",
                                         " ",         "+",
                                         "-",         "*",
                                         "abs",       "string",
                                         "bytes",     "in",
                                         "..",        "99999999999999999999",
                                         "1",         "{",
                                         "}",         "input",
                                         "calls",     "updates",
                                         "\n ",       "no -0.0",
                                         "allocates", "((((((((((((("};
    unsigned seed = 1;
    struct effects deep;
    struct effect_error error = {0};
    char nested[] = "f(n, x): reads x[((((((((((((n))))))))))))]";
    struct effect_line line = {"f.effects", nested, nested + strlen(nested), 1};
    struct arena *arena = arena_new();
    assert_false(effects_read(arena, &line, &deep, &error));
    assert_non_null(error.what);
    arena_free(arena);
    for (int round = 0; round < 20000; ++round) {
        arena = arena_new();
        char text[512] = "f(n, x): ";
        for (int i = 0; i < 12; ++i) {
            seed = seed * 1664525u + 1013904223u;
            strcat(text, pieces[(seed >> 16) % (sizeof pieces / sizeof *pieces)]);
            strcat(text, (seed >> 8) % 3 ? " " : "");
        }
        line = (struct effect_line){"f.effects", text, text + strlen(text), 1};
        struct effects effects;
        if (!effects_read(arena, &line, &effects, &error)) {
            assert_non_null(error.what);
            assert_true(error.at >= line.begin && error.at <= line.end);
        }
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_read),
        cmocka_unit_test(lines_fit_the_headers),
        cmocka_unit_test(other_functions_are_not_meant),
        cmocka_unit_test(any_line_has_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
