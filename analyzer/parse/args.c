/* The compiler's arguments -> the arguments that libclang gets. */
#include "analyzer/parse/private.h"

#include <glob.h>
#include <string.h>

/* An argument that is dropped; `prefix`: also everything that begins so; `value`: with the next. */
struct dropped {
    const char *text;
    bool prefix, value;
};

/* They ask for output, or for another kind of run; the front end only reads. */
static const struct dropped drops[] = {
    {"-c", false, false},
    {"-S", false, false},
    {"-E", false, false},
    {"-o", false, true},
    {"-MF", false, true},
    {"-MT", false, true},
    {"-MQ", false, true},
    {"-M", true, false},
    {"-Wp,-M", true, false},
    {"-save-temps", true, false},
    {"--save-temps", true, false},
    {"-print-", true, false},
    {"--print-", true, false},
    {"-###", false, false},
    {"-v", false, false},
    {"--help", true, false},
    {"--version", false, false},
    {"-dump", true, false},
    {"-fplugin", true, false},
    {"-Xlinker", false, true},
    {"-l", true, false},
    {"-L", true, false},
    {"-Wl,", true, false},
    {"-Wa,", true, false},
    {"-fdump-", true, false},
    {"-ftime-", true, false},
    {"-H", false, false},
    {"-fopenmp", true, false},
    {"-fsyntax-only", false, false},
};

/*
 * What gcc accepts with a warning at most must not be an error here: clang's newer hard errors are
 * switched off. Warnings of the text are the compiler's business.
 */
static const char *const ours[] = {"-D__ORRERY__=1",
                                   "-w",
                                   "-Qunused-arguments",
                                   "-ferror-limit=20",
                                   "-Wno-implicit-function-declaration",
                                   "-Wno-implicit-int",
                                   "-Wno-int-conversion",
                                   "-Wno-incompatible-function-pointer-types",
                                   "-Wno-return-type",
                                   "-Wno-return-mismatch"};

static const struct dropped *drop_find(const char *arg) {
    for (size_t i = 0; i < sizeof drops / sizeof *drops; ++i) {
        size_t length = strlen(drops[i].text);
        if (drops[i].prefix ? strncmp(arg, drops[i].text, length) == 0
                            : strcmp(arg, drops[i].text) == 0)
            return &drops[i];
    }
    return NULL;
}

/*
 * OpenMP's pragmas are not read: a program means the same without them, and libclang hides what
 * they stand in front of. Its macro and header stay.
 */
static bool wants_openmp(const struct parse_options *options) {
    bool wants = false;
    for (int i = 0; i < options->nargs; ++i)
        if (strcmp(options->args[i], "-fopenmp") == 0 ||
            strncmp(options->args[i], "-fopenmp=", 9) == 0)
            wants = true;
        else if (strcmp(options->args[i], "-fno-openmp") == 0)
            wants = false;
    return wants;
}

/*
 * gcc's own headers, for omp.h; or NULL. With OpenMP only: clang's <stdatomic.h> includes the next
 * one that it finds, and gcc's does not suit it.
 */
static const char *gcc_headers(struct arena *arena) {
    glob_t found;
    const char *directory = NULL;
    if (glob("/usr/lib/gcc/*/*/include", 0, NULL, &found) == 0 && found.gl_pathc)
        directory = arena_strdup(arena, found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return directory;
}

static bool has(const struct parse_options *options, const char *name) {
    for (int i = 0; i < options->nargs; ++i)
        if (strncmp(options->args[i], name, strlen(name)) == 0)
            return true;
    return false;
}

int parse_args_make(struct translator *t, const struct parse_options *options,
                    const char *const **args) {
    const char **made = NULL;
    int count = 0;
    for (int i = 0; i < options->nargs; ++i) {
        const struct dropped *dropped = drop_find(options->args[i]);
        if (!dropped)
            ARENA_PUSH(t->arena, made, count, options->args[i]);
        else if (dropped->value)
            ++i;
    }
    for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i)
        ARENA_PUSH(t->arena, made, count, ours[i]);
    const char *resources = has(options, "-resource-dir") ? NULL : door_resource_dir(t->arena);
    if (resources) {
        ARENA_PUSH(t->arena, made, count, "-resource-dir");
        ARENA_PUSH(t->arena, made, count, resources);
    }
    bool openmp = wants_openmp(options);
    if (openmp)
        ARENA_PUSH(t->arena, made, count, "-D_OPENMP=201511");
    const char *headers = openmp ? gcc_headers(t->arena) : NULL;
    if (headers) {
        ARENA_PUSH(t->arena, made, count, "-idirafter");
        ARENA_PUSH(t->arena, made, count, headers);
    }
    if (!has(options, "-x")) {
        ARENA_PUSH(t->arena, made, count, "-x");
        ARENA_PUSH(t->arena, made, count, "c");
    }
    *args = made;
    return count;
}

/* -fstrict-aliasing and -fno-strict-aliasing decide; else -O2 and up (not -O0, -O1, -Og). */
bool parse_args_strict_aliasing(const struct parse_options *options) {
    bool strict = false, said = false, says = false;
    for (int i = 0; i < options->nargs; ++i) {
        const char *arg = options->args[i];
        if (strncmp(arg, "-O", 2) == 0)
            strict = strcmp(arg, "-Os") == 0 || strcmp(arg, "-Oz") == 0 ||
                     strcmp(arg, "-Ofast") == 0 || (arg[2] >= '2' && arg[2] <= '9');
        if (strcmp(arg, "-fstrict-aliasing") == 0 || strcmp(arg, "-fno-strict-aliasing") == 0) {
            said = true;
            says = arg[2] == 's';
        }
    }
    return said ? says : strict;
}

bool parse_args_signed_wraps(const struct parse_options *options) {
    bool wraps = false;
    for (int i = 0; i < options->nargs; ++i) {
        const char *arg = options->args[i];
        if (strcmp(arg, "-fwrapv") == 0 || strcmp(arg, "-fno-strict-overflow") == 0)
            wraps = true;
        if (strcmp(arg, "-fno-wrapv") == 0 || strcmp(arg, "-fstrict-overflow") == 0)
            wraps = false;
    }
    return wraps;
}

bool parse_args_signed_traps(const struct parse_options *options) {
    bool traps = false, checked = false;
    for (int i = 0; i < options->nargs; ++i) {
        const char *arg = options->args[i];
        if (strcmp(arg, "-ftrapv") == 0)
            traps = true;
        if (strcmp(arg, "-fno-trapv") == 0 || strcmp(arg, "-fwrapv") == 0)
            traps = false;
        checked = checked || (strncmp(arg, "-fsanitize=", 11) == 0 &&
                              (strstr(arg, "undefined") || strstr(arg, "integer")));
    }
    return traps || checked;
}

bool parse_args_reassociates(const struct parse_options *options) {
    static const char *const words[] = {"-ffast-math", "-Ofast", "-fassociative-math",
                                        "-funsafe-math-optimizations"};
    static const char *const against[] = {"-fno-fast-math", "-fno-associative-math",
                                          "-fno-unsafe-math-optimizations"};
    bool may = false;
    for (int i = 0; i < options->nargs; ++i) {
        for (size_t j = 0; j < sizeof words / sizeof *words; ++j)
            may |= strcmp(options->args[i], words[j]) == 0;
        for (size_t j = 0; j < sizeof against / sizeof *against; ++j)
            may &= strcmp(options->args[i], against[j]) != 0;
    }
    return may;
}

bool parse_args_openmp(const struct parse_options *options) {
    static const char *const words[] = {"-fopenmp", "-fopenacc"};
    static const char *const against[] = {"-fno-openmp", "-fno-openacc"};
    bool obeys[2] = {false, false}, simd = false;
    for (int i = 0; i < options->nargs; ++i)
        for (int j = 0; j < 2; ++j) {
            const char *arg = options->args[i];
            obeys[j] |= strcmp(arg, words[j]) == 0 || strncmp(arg, "-fopenmp=", 9) == 0;
            obeys[j] &= strcmp(arg, against[j]) != 0;
            simd |= strcmp(arg, "-fopenmp-simd") == 0;
        }
    return obeys[0] || obeys[1] || simd;
}
