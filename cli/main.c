/*
 * `orrery`: finds the command, hands over.
 */
#include "analyzer/analyzer.h"
#include "cli/command.h"
#include "cli/help.h"
#include "tools/base/house.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char about[] =
    "Orrery runs serial C training loops in parallel without breaking the dependences\n"
    "that make them converge.";

static const char examples[] =
    "  orrery analyze mf.c                 what depends on what\n"
    "  orrery-cc -O3 mf.c -o mf -lm        build, with the flags of cc\n"
    "  ./mf ratings.csv                    run on this machine's cores\n"
    "  orrery run -n 8 ./mf ratings.csv    run on 8 ranks\n"
    "  orrery verify ./mf ratings.csv      prove the answer\n"
    "  orrery doctor                       is everything there that these need?\n";

static int print_help(void) {
    printf("usage: orrery COMMAND [options] ...\n\n%s\n\ncommands:\n", about);
    for (int i = 0; i < ncommands; ++i)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    printf(
        "\noptions:\n"
        "  --help     this text; 'orrery COMMAND --help' or 'orrery help COMMAND' for a command\n"
        "  --version  the versions of orrery and of what it stands on\n\n"
        "examples:\n%s",
        examples);
    return STATUS_OK;
}

static int print_manual(void) {
    help_man_title("orrery");
    help_man_name("orrery", "parallel loops in serial C programs");
    printf(".SH SYNOPSIS\n.B orrery\nCOMMAND [options] ...\n.SH DESCRIPTION\n");
    help_man_text(about);
    printf(".SH COMMANDS\n");
    for (int i = 0; i < ncommands; ++i)
        printf(".TP\n.BR orrery\\-%s (1)\n%s\n", commands[i].name, commands[i].summary);
    help_man_examples(examples);
    printf(".SH \"SEE ALSO\"\n.BR orrery\\-cc (1),\n.BR orrery\\-pragma (7),\n"
           ".BR orrery\\-clauses (7),\n.BR orrery\\-environment (7),\n.BR orrery_load (3),\n"
           ".BR orrery_try (3),\n.BR orrery\\-plan (5),\n.BR orrery\\-effects (5),\n"
           ".BR orrery\\-cluster (5)\n");
    return STATUS_OK;
}

/* For the build, which makes a manual page of each. */
static int print_names(void) {
    for (int i = 0; i < ncommands; ++i)
        printf("%s\n", commands[i].name);
    return STATUS_OK;
}

static int complain(const char *word) {
    const char *names[64] = {"--help", "--version"};
    int count = 2;
    for (int i = 0; i < ncommands && count < 64; ++i)
        names[count++] = commands[i].name;
    const char *nearest = diag_nearest(word, names, count);
    fprintf(stderr, "orrery: unknown command '%s'", word);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fprintf(stderr, "\n  'orrery --help' lists the commands\n");
    return STATUS_USAGE;
}

static const struct command *command_named(const char *word) {
    for (int i = 0; i < ncommands; ++i)
        if (strcmp(word, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* The commands that analyze, in a program of their own: loading libclang takes ten times as long as
 * the others do. */
static int hand_over(char **argv) {
    struct arena *arena = arena_new();
    struct house house;
    house_find(&house, arena);
    execv(house.analysis, argv);
    fprintf(stderr, "orrery: cannot start %s: %s\n", house.analysis, strerror(errno));
    arena_free(arena);
    return STATUS_INPUT;
}

/* `orrery help`, `orrery help COMMAND`. */
static int help_about(const char *word, char **argv) {
    const struct command *command = word ? command_named(word) : NULL;
    if (!word)
        return print_help();
    if (!command)
        return complain(word);
    char help[] = "--help", *words[] = {(char *)command->name, help, NULL};
    return command->handler ? command->handler(2, words) : hand_over(argv);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "orrery: no command\n  'orrery --help' lists the commands\n");
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return print_help();
    if (strcmp(argv[1], "--help=man") == 0)
        return print_manual();
    if (strcmp(argv[1], "--help=bash") == 0)
        return print_names();
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0)
        return print_version ? print_version() : hand_over(argv);
    if (strcmp(argv[1], "help") == 0)
        return help_about(argc > 2 ? argv[2] : NULL, argv);
    const struct command *command = command_named(argv[1]);
    if (!command)
        return complain(argv[1]);
    return command->handler ? command->handler(argc - 1, argv + 1) : hand_over(argv);
}

/* Who reads half of an answer must not take it for the whole. */
int main(int argc, char **argv) {
    int status = dispatch(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_OK) {
        fprintf(stderr, "orrery: cannot write standard output: %s\n", strerror(errno));
        return STATUS_INPUT;
    }
    return status;
}
