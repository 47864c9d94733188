/*
 * `orrery`: finds the command, hands over. One table.
 */
#include "analyzer/diag.h"
#include "analyzer/parse/parse.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

static const struct command commands[] = {
    {"analyze", "say for every marked loop what depends on what and what will be done about it",
     command_analyze},
    {"explain", "explain a message code", command_explain},
    {"plan", "write the plans of a file's loops, to read and to edit", command_plan},
    {"emit", "print the C text that orrery-cc hands to the compiler", command_emit},
    {"run", "run a program on threads or on ranks", command_run},
    {"verify", "prove on a real run that the parallel answer is right", command_verify},
    {"simulate", "say before a run what it will cost, on a model of a cluster", command_simulate},
    {"launch", "stand in front of a compiler, as a build system's compiler launcher",
     command_launch},
    {"env", "print the variables that programs and commands read, with their values", command_env},
};

enum { ncommands = sizeof commands / sizeof *commands };

static int print_help(void) {
    printf("usage: orrery COMMAND [options] ...\n\n"
           "Orrery runs serial C training loops in parallel without breaking the dependences\n"
           "that make them converge.\n\ncommands:\n");
    for (int i = 0; i < ncommands; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    printf("\noptions:\n"
           "  --help     this text; 'orrery COMMAND --help' for a command\n"
           "  --version  the versions of orrery and of its libclang\n\n"
           "examples:\n"
           "  orrery analyze mf.c                 what depends on what\n"
           "  orrery-cc -O3 mf.c -o mf -lm        build, with the flags of cc\n"
           "  ./mf ratings.csv                    run on this machine's cores\n"
           "  orrery run -n 8 ./mf ratings.csv    run on 8 ranks\n"
           "  orrery verify ./mf ratings.csv      prove the answer\n");
    return STATUS_OK;
}

static int print_version(void) {
    struct arena *arena = arena_new();
    printf("orrery %s\n%s\n", ORRERY_VERSION, parse_clang_version(arena));
    arena_free(arena);
    return STATUS_OK;
}

static int complain(const char *word) {
    const char *names[ncommands + 2] = {"--help", "--version"};
    for (int i = 0; i < ncommands; i++)
        names[i + 2] = commands[i].name;
    const char *nearest = diag_nearest(word, names, ncommands + 2);
    fprintf(stderr, "orrery: unknown command '%s'", word);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fprintf(stderr, "\n  'orrery --help' lists the commands\n");
    return STATUS_USAGE;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "orrery: no command\n  'orrery --help' lists the commands\n");
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return print_help();
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    for (int i = 0; i < ncommands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].handler(argc - 1, argv + 1);
    return complain(argv[1]);
}
