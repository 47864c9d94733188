/*
 * The commands of `orrery`: one table (commands.def), one handler each. Handlers return the exit
 * status: 0 done, 1 the input has errors (or what was checked is wrong), 2 wrong usage. `orrery
 * run` returns the program's.
 */
#ifndef ORRERY_CLI_COMMAND_H
#define ORRERY_CLI_COMMAND_H

#include "analyzer/analyzer.h"
#include "tools/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* `summary`: one line for `orrery --help`. argv[0] is the command's name. NULL: see hand_over. */
struct command {
    const char *name;
    const char *summary;
    int (*handler)(int argc, char **argv);
};

/* The table, in the order of `orrery --help`. */
extern const struct command commands[];
extern const int ncommands;

/* `orrery --version`: ours, and those of the libraries and programs that it stands on. */
int print_version(void) __attribute__((weak));

/* Not there in the program that loads no libclang, which leaves these to another. */
#define COMMAND(name, summary) int command_##name(int argc, char **argv) __attribute__((weak));
#include "cli/commands.def"
#undef COMMAND

#endif
