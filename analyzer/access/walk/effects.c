/* The C library's functions, by what a call of them does. */
#include "analyzer/access/access.h"

#include <string.h>

static const char *const pure_names[] = {"abs",
                                         "labs",
                                         "llabs",
                                         "div",
                                         "ldiv",
                                         "isalnum",
                                         "isalpha",
                                         "isblank",
                                         "iscntrl",
                                         "isdigit",
                                         "isgraph",
                                         "islower",
                                         "isprint",
                                         "ispunct",
                                         "isspace",
                                         "isupper",
                                         "isxdigit",
                                         "tolower",
                                         "toupper",
                                         "orrery_random",
                                         "orrery_random_uniform",
                                         "orrery_random_normal",
                                         "isnan",
                                         "isinf",
                                         "isfinite",
                                         "signbit",
                                         "__finite",
                                         "__finitef",
                                         "__isnan",
                                         "__isnanf",
                                         "__isinf",
                                         "__isinff",
                                         "__signbit",
                                         "__signbitf",
                                         "__fpclassify",
                                         "__fpclassifyf",
                                         NULL};

/* Names that are the compiler's with __builtin_ in front only:
 * without it anybody may define them. */
static const char *const builtin_names[] = {
    "popcount", "popcountl",   "popcountll",    "clz",         "clzl",           "clzll",
    "ctz",      "ctzl",        "ctzll",         "expect",      "bswap16",        "bswap32",
    "bswap64",  "isinf_sign",  "isnormal",      "fpclassify",  "isgreater",      "isgreaterequal",
    "isless",   "islessequal", "islessgreater", "isunordered", "huge_val",       "huge_valf",
    "inf",      "inff",        "infl",          "nan_",        "assume_aligned", NULL};

static const char *const math_names[] = {
    "acos",       "asin",    "atan",    "atan2", "cos",       "sin",       "tan",      "acosh",
    "asinh",      "atanh",   "cosh",    "sinh",  "tanh",      "exp",       "exp2",     "exp10",
    "expm1",      "log",     "log10",   "log1p", "log2",      "logb",      "ilogb",    "ldexp",
    "scalbn",     "scalbln", "cbrt",    "fabs",  "hypot",     "pow",       "sqrt",     "erf",
    "erfc",       "tgamma",  "ceil",    "floor", "nearbyint", "rint",      "lrint",    "llrint",
    "round",      "lround",  "llround", "trunc", "fmod",      "remainder", "copysign", "nextafter",
    "nexttoward", "fdim",    "fmax",    "fmin",  "fma",       "isnan",     "isinf",    "isfinite",
    "signbit",    NULL};

struct group {
    enum effect effect;
    const char *const *names;
};

static const char *const reads_names[] = {"strlen",     "strcmp", "strnlen", "strncmp",
                                          "strcasecmp", "atoi",   "atol",    "atoll",
                                          "atof",       "nan",    NULL};
static const char *const copy_names[] = {"memcpy", "memmove", NULL};
static const char *const fill_names[] = {"memset", NULL};
static const char *const compare_names[] = {"memcmp", NULL};
static const char *const output_names[] = {"frexp",   "frexpf",  "frexpl",   "modf",      "modff",
                                           "modfl",   "sincos",  "sincosf",  "sincosl",   "remquo",
                                           "remquof", "remquol", "lgamma_r", "lgammaf_r", NULL};
static const char *const update_names[] = {"rand_r", NULL};
static const char *const random_names[] = {"rand",
                                           "random",
                                           "srand",
                                           "srandom",
                                           "drand48",
                                           "lrand48",
                                           "mrand48",
                                           "srand48",
                                           "erand48",
                                           "nrand48",
                                           "jrand48",
                                           "arc4random",
                                           "arc4random_uniform",
                                           "getrandom",
                                           "getentropy",
                                           NULL};
static const char *const io_names[] = {
    "printf",        "fprintf", "vprintf", "vfprintf",      "dprintf",       "puts",
    "fputs",         "putchar", "putc",    "fputc",         "fwrite",        "fread",
    "fgets",         "fgetc",   "getc",    "getchar",       "getline",       "scanf",
    "fscanf",        "fopen",   "fclose",  "fflush",        "fseek",         "ftell",
    "rewind",        "perror",  "write",   "read",          "open",          "close",
    "ungetc",        "feof",    "ferror",  "putc_unlocked", "getc_unlocked", "__printf_chk",
    "__fprintf_chk", NULL};
static const char *const clock_names[] = {"time",   "clock",  "gettimeofday", "clock_gettime",
                                          "getenv", "setenv", "getrusage",    "times",
                                          "usleep", "sleep",  "nanosleep",    NULL};
static const char *const state_names[] = {"strtok",  "strerror",  "localtime", "gmtime",  "ctime",
                                          "asctime", "setlocale", "lgamma",    "lgammaf", "lgammal",
                                          "signal",  "tmpnam",    "getpid",    NULL};
static const char *const allocate_names[] = {
    "malloc",       "calloc",        "realloc",        "free",     "strdup",
    "strndup",      "aligned_alloc", "posix_memalign", "memalign", "valloc",
    "reallocarray", "alloca",        "mmap",           "munmap",   NULL};
static const char *const exit_names[] = {"exit",    "_exit",      "_Exit", "abort", "quick_exit",
                                         "longjmp", "siglongjmp", "raise", "trap",  "unreachable",
                                         "err",     "errx",       NULL};
static const char *const assert_names[] = {"__assert_fail", "__assert", "__assert_perror_fail",
                                           NULL};
static const char *const asks_names[] = {"constant_p", "object_size", "dynamic_object_size",
                                         "classify_type", NULL};
static const char *const setjmp_names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", NULL};

static const struct group groups[] = {
    {EFFECT_PURE, pure_names},       {EFFECT_READS, reads_names},
    {EFFECT_COPY, copy_names},       {EFFECT_FILL, fill_names},
    {EFFECT_COMPARE, compare_names}, {EFFECT_OUTPUTS, output_names},
    {EFFECT_UPDATES, update_names},  {EFFECT_RANDOM, random_names},
    {EFFECT_IO, io_names},           {EFFECT_CLOCK, clock_names},
    {EFFECT_STATE, state_names},     {EFFECT_ALLOCATE, allocate_names},
    {EFFECT_EXIT, exit_names},       {EFFECT_ASSERT, assert_names},
    {EFFECT_SETJMP, setjmp_names}};

static bool among(const char *name, const char *const *names) {
    for (; *names; ++names)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* sqrt, sqrtf, sqrtl. */
static bool is_math(const char *name) {
    char stem[32];
    size_t length = strlen(name);
    if (among(name, math_names))
        return true;
    if (length < 3 || length >= sizeof stem || !strchr("fl", name[length - 1]))
        return false;
    memcpy(stem, name, length - 1);
    stem[length - 1] = '\0';
    return among(stem, math_names);
}

bool effect_reads_input(const char *name) {
    static const char *const names[] = {"fread",    "fscanf",  "scanf",   "fgets",
                                        "gets",     "getline", "getc",    "getchar",
                                        "getdelim", "fgetc",   "vfscanf", "read"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

enum effect effect_of(const char *name) {
    const char *builtin = "__builtin_";
    if (strncmp(name, builtin, strlen(builtin)) == 0) {
        name += strlen(builtin);
        if (among(name, builtin_names))
            return EFFECT_PURE;
        if (among(name, asks_names))
            return EFFECT_ASKS;
    }
    for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i)
        if (among(name, groups[i].names))
            return groups[i].effect;
    return is_math(name) ? EFFECT_PURE : EFFECT_UNKNOWN;
}

static bool is_builtin(const char *name) {
    return strncmp(name, "__builtin_", strlen("__builtin_")) == 0;
}

/* Numbers in, a number out: no function of the user's that has such a name, `void log(char *)`. */
static bool computes(const struct function *function) {
    bool numbers = function->result && function->result->kind != TYPE_VOID &&
                   function->result->kind != TYPE_POINTER && !function->is_variadic;
    for (int i = 0; i < function->nparams && numbers; ++i)
        numbers = function->params[i]->type->kind != TYPE_POINTER;
    return numbers;
}

enum effect effect_of_function(const struct function *function) {
    enum effect effect = effect_of(function->name);
    bool other = effect == EFFECT_PURE && !is_builtin(function->name) && !computes(function);
    return other ? EFFECT_UNKNOWN : effect;
}

bool facts_call_is_pure(const struct function *function) {
    return !function->body && effect_of_function(function) == EFFECT_PURE;
}
