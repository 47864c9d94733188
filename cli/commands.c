#include "cli/command.h"

const struct command commands[] = {
#define COMMAND(name, summary) {#name, summary, command_##name},
#include "cli/commands.def"
#undef COMMAND
};

const int ncommands = sizeof commands / sizeof *commands;
