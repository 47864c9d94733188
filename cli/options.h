/*
 * Command lines as tables. One struct per command says what it takes; parsing, `--help`, nearest
 * names and errors follow from it.
 */
#ifndef ORRERY_CLI_OPTIONS_H
#define ORRERY_CLI_OPTIONS_H

#include "tools/base/arglist.h"

#include <stdbool.h>

/*
 * FLAG:   `into` is a bool.
 * TEXT:   `into` is a const char *; the value follows as `--name=value` or in the next argument.
 * NUMBER: `into` is a long >= 1.
 * LIST:   `into` is a struct arg_list; every use adds a value, given as for TEXT.
 * CHOICE: TEXT out of the words of `value` separated by '|'.
 */
enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_LIST, OPTION_NUMBER, OPTION_CHOICE };

struct option_spec {
    const char *name;
    enum option_kind kind;
    const char *value; /* what stands for the value in --help; NULL for FLAG */
    const char *help;
    void *into;
};

/*
 * `usage`, `about`, `examples`: for --help. `compiler_flags`: options that the compiler would know
 * (-I -D -std ...), and everything after `--`, go there; NULL: they are errors. `program`: the
 * first argument that is no option starts the program's own command line, nothing after it is
 * looked at.
 */
struct option_set {
    const char *command;
    const char *usage, *about, *examples;
    int nspecs;
    const struct option_spec *specs;
    struct arg_list *compiler_flags;
    bool program;
};

/*
 * Parses argv[1..]; what is no option is pushed to `rest`. Returns -1 to go on, else the exit
 * status (0: --help was printed on stdout, 2: an error was printed on stderr).
 */
int options_parse(const struct option_set *set, int argc, char **argv, struct arg_list *rest);

/* Prints "orrery COMMAND: message", then how to get help, on stderr. Returns STATUS_USAGE. */
int options_complain(const struct option_set *set, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What may not be said together: where it is `wrong`, `message` is the error. */
struct option_rule {
    bool wrong;
    const char *message;
};

/* Complains of the first rule that is broken; -1: none is. */
int options_check(const struct option_set *set, int nrules, const struct option_rule *rules);

/* "1,2,4" -> numbers >= 1 in the arena. Returns their count, 0 when malformed. */
int options_number_list(struct arena *arena, const char *text, long **numbers);

#endif
