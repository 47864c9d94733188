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

/* `summary`: one line for `orrery --help`. argv[0] is the command's name. */
struct command {
    const char *name;
    const char *summary;
    int (*handler)(int argc, char **argv);
};

/* The table, in the order of `orrery --help`. */
extern const struct command commands[];
extern const int ncommands;

/* `orrery --version`: ours, and those of the libraries and programs that it stands on. */
int print_version(void);

int command_analyze(int argc, char **argv);
int command_fix(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_emit(int argc, char **argv);
int command_report(int argc, char **argv);
int command_run(int argc, char **argv);
int command_resize(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_simulate(int argc, char **argv);
int command_env(int argc, char **argv);
int command_launch(int argc, char **argv);
int command_completion(int argc, char **argv);
int command_lsp(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_tune(int argc, char **argv);
#endif
