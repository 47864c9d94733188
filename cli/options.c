#include "cli/options.h"

#include "analyzer/analyzer.h"
#include "cli/help.h"
#include "cli/summaries.h"
#include "tools/base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int options_complain(const struct option_set *set, const char *format, ...) {
    va_list args;
    fprintf(stderr, "orrery %s: ", set->command);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n  'orrery %s --help' shows how it is used\n", set->command);
    return STATUS_USAGE;
}

int options_check(const struct option_set *set, int nrules, const struct option_rule *rules) {
    for (int i = 0; i < nrules; ++i)
        if (rules[i].wrong)
            return options_complain(set, "%s", rules[i].message);
    return -1;
}

/* Options of the host compiler that change what a text means;
 * `+` = the value may be the next argument. */
static const char *const compiler_options[] = {
    "-I+",      "-D+",         "-U+",        "-std=",     "-include+", "-isystem+",
    "-iquote+", "-idirafter+", "-imacros+",  "-f",        "-m",        "-O",
    "-W",       "-w",          "-ansi",      "-pedantic", "-x+",       "-nostdinc",
    "-pthread", "--sysroot=",  "-isysroot+", "-g",
};

/* 0: not the compiler's, 1: complete in itself, 2: its value is the next argument. */
static int compiler_option(const char *arg) {
    for (size_t i = 0; i < sizeof compiler_options / sizeof *compiler_options; ++i) {
        const char *known = compiler_options[i];
        size_t length = strlen(known);
        bool valued = known[length - 1] == '+';
        length -= valued;
        if (strncmp(arg, known, length) == 0)
            return valued && arg[length] == '\0' ? 2 : 1;
    }
    return 0;
}

static bool in_choice(const char *choices, const char *value) {
    size_t length = strlen(value);
    for (const char *at = choices; length > 0 && (at = strstr(at, value)); ++at)
        if ((at == choices || at[-1] == '|') && (at[length] == '\0' || at[length] == '|'))
            return true;
    return false;
}

static int store(const struct option_set *set, const struct option_spec *spec, const char *value) {
    char *end;
    switch (spec->kind) {
    case OPTION_FLAG:
        if (value)
            return options_complain(set, "%s takes no value", spec->name);
        *(bool *)spec->into = true;
        return -1;
    case OPTION_CHOICE:
        if (!in_choice(spec->value, value))
            return options_complain(set, "%s: '%s' is none of %s", spec->name, value, spec->value);
        *(const char **)spec->into = value;
        return -1;
    case OPTION_TEXT:
        *(const char **)spec->into = value;
        return -1;
    case OPTION_LIST:
        arg_list_push(spec->into, value);
        return -1;
    case OPTION_NUMBER:
        errno = 0;
        *(long *)spec->into = strtol(value, &end, 10);
        if (errno || *end || end == value || *(long *)spec->into < 1)
            return options_complain(set, "%s: '%s' is not a number of at least 1", spec->name,
                                    value);
        return -1;
    }
    return -1;
}

/* The option `arg` names; *value is what follows its `=`, or stands glued to a one-letter name. */
static const struct option_spec *find(const struct option_set *set, const char *arg,
                                      const char **value) {
    for (int i = 0; i < set->nspecs; ++i) {
        const struct option_spec *spec = &set->specs[i];
        size_t length = strlen(spec->name);
        if (strncmp(arg, spec->name, length) != 0)
            continue;
        *value = arg[length] == '=' ? arg + length + 1 : NULL;
        if (arg[length] == '\0' || arg[length] == '=')
            return spec;
        if (length == 2 && spec->kind != OPTION_FLAG) {
            *value = arg + length;
            return spec;
        }
    }
    return NULL;
}

static int complain_unknown(const struct option_set *set, const char *arg) {
    const char *names[64];
    int count = 0;
    for (int i = 0; i < set->nspecs && count < 63; ++i)
        names[count++] = set->specs[i].name;
    names[count++] = "--help";
    char *name = strndup(arg, strcspn(arg, "="));
    const char *nearest = name ? diag_nearest(name, names, count) : NULL;
    free(name);
    if (nearest)
        return options_complain(set, "unknown option '%s'; did you mean '%s'?", arg, nearest);
    return options_complain(set, "unknown option '%s'", arg);
}

/* One argument that starts with `-`; *at moves on over its value. */
static int parse_option(const struct option_set *set, int argc, char **argv, int *at) {
    const char *arg = argv[*at], *value = NULL;
    if (help_wanted(arg)) {
        help_print(set, command_summary(set->command), arg);
        return STATUS_OK;
    }
    const struct option_spec *spec = find(set, arg, &value);
    if (spec && spec->kind != OPTION_FLAG && !value) {
        if (*at + 1 >= argc)
            return options_complain(set, "%s needs a value (%s)", spec->name, spec->value);
        value = argv[++*at];
    }
    if (spec)
        return store(set, spec, value);
    int form = set->compiler_flags ? compiler_option(arg) : 0;
    if (form == 0)
        return complain_unknown(set, arg);
    arg_list_push(set->compiler_flags, arg);
    if (form == 2 && *at + 1 < argc)
        arg_list_push(set->compiler_flags, argv[++*at]);
    return -1;
}

int options_parse(const struct option_set *set, int argc, char **argv, struct arg_list *rest) {
    bool ended = false;
    for (int i = 1; i < argc; ++i) {
        bool option = argv[i][0] == '-' && argv[i][1] != '\0';
        if (ended) {
            arg_list_push(set->compiler_flags && !set->program ? set->compiler_flags : rest,
                          argv[i]);
        } else if (strcmp(argv[i], "--") == 0) {
            ended = true;
        } else if (option) {
            int status = parse_option(set, argc, argv, &i);
            if (status >= 0)
                return status;
        } else {
            arg_list_push(rest, argv[i]);
            ended = set->program;
        }
    }
    return -1;
}

int options_number_list(struct arena *arena, const char *text, long **numbers) {
    int count = 0;
    *numbers = NULL;
    for (;;) {
        char *end;
        errno = 0;
        long number = strtol(text, &end, 10);
        if (errno || end == text || number < 1 || number > 100000 || (*end && *end != ','))
            return 0;
        ARENA_PUSH(arena, *numbers, count, number);
        if (!*end)
            return count;
        text = end + 1;
    }
}
