/* The pragma reader: the input stands behind `#pragma orrery` in front of a loop. */
#include "tests/fuzz/fuzz.h"

#include "analyzer/parse.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *arena = arena_new();
    char *words = arena_strndup(arena, (const char *)data, size);
    char *text = arena_printf(arena,
                              "#define ORRERY_PARALLEL(...)\n"
                              "void apply(float *at, float by, long i);\n"
                              "void f(float *W, float *H, int *key, long n) {\n"
                              "    float s = 0;\n"
                              "#pragma orrery %s\n"
                              "    for (long i = 0; i < n; ++i)\n"
                              "        W[key[i]] += H[i], s += H[i];\n"
                              "}\n",
                              words);
    struct diag_list diags = {.arena = arena};
    struct parse_options options = {.file = "input.c", .text = text};
    if (!strstr(words, "#include"))
        parse_unit(arena, &options, &diags);
    arena_free(arena);
    return 0;
}
