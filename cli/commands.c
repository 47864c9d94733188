#include "cli/command.h"

#include <string.h>

const struct command commands[] = {
    {"analyze", "say for every marked loop what depends on what and what will be done about it",
     command_analyze},
    {"diff", "say which loops gained or lost parallelism between two analyses", command_diff},
    {"explain", "explain a message code", command_explain},
    {"plan", "write the plans of a file's loops, to read and to edit", command_plan},
    {"emit", "print the C text that orrery-cc hands to the compiler", command_emit},
    {"run", "run a program on threads or on ranks", command_run},
    {"verify", "prove on a real run that the parallel answer is right", command_verify},
    {"simulate", "say before a run what it will cost, on a model of a cluster", command_simulate},
    {"tune", "find the options, threads, ranks and grid that a program does best with",
     command_tune},
    {"launch", "stand in front of a compiler, as a build system's compiler launcher",
     command_launch},
    {"report", "write one HTML page of a file's loops, with pictures", command_report},
    {"doctor", "check this machine for what Orrery needs, and say what to do", command_doctor},
    {"completion", "print the script that completes command lines in bash or zsh",
     command_completion},
    {"env", "print the variables that programs and commands read, with their values", command_env},
};

const int ncommands = sizeof commands / sizeof *commands;

const char *command_summary(const char *name) {
    for (int i = 0; i < ncommands; ++i)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].summary;
    return "";
}
