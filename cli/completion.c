/* `orrery completion SHELL`: what the tables of all commands know, as a shell's script. */
#include "analyzer/analyzer.h"
#include "cli/cc_help.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

/* The options of one command; its handler prints them itself. */
static void print_options(const struct command *command, const char *form) {
    char name[32], help[16];
    snprintf(name, sizeof name, "%s", command->name);
    snprintf(help, sizeof help, "%s", form);
    char *argv[] = {name, help, NULL};
    command->handler(2, argv);
}

/* The codes that `orrery explain` knows. */
static void print_codes(const char *format) {
    for (int i = 0; i < 10000; ++i) {
        char code[16];
        snprintf(code, sizeof code, "ORR%04d", i);
        if (diag_title(code))
            printf(format, code);
    }
}

static void print_bash(void) {
    printf(
        "# bash completion of orrery and orrery-cc, made by `orrery completion bash`.\n"
        "_orrery_words() {\n"
        "    local line=${COMP_LINE:0:COMP_POINT} cur\n"
        "    cur=${line##* }\n"
        "    COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
        "    case $cur in *=*) COMPREPLY=(\"${COMPREPLY[@]#\"${cur%%\"${cur##*=}\"}\"}\") ;; esac\n"
        "    case ${COMPREPLY[*]-} in *=) compopt -o nospace ;; esac\n"
        "}\n"
        "_orrery() {\n"
        "    local words=\n"
        "    case ${COMP_WORDS[1]-} in\n");
    for (int i = 0; i < ncommands; ++i) {
        printf("    %s) words='", commands[i].name);
        print_options(&commands[i], "--help=bash");
        if (strcmp(commands[i].name, "explain") == 0)
            print_codes("%s ");
        printf("' ;;\n");
    }
    printf("    esac\n    [ \"$COMP_CWORD\" != 1 ] || words='");
    for (int i = 0; i < ncommands; ++i)
        printf("%s ", commands[i].name);
    printf("--help --version'\n    _orrery_words \"$words\"\n}\n_orrery_cc() {\n"
           "    _orrery_words '");
    help_print(&cc_help, cc_summary, "--help=bash");
    printf("'\n}\ncomplete -o bashdefault -o default -F _orrery orrery\n"
           "complete -o bashdefault -o default -F _orrery_cc orrery-cc\n");
}

static void print_zsh(void) {
    printf("#compdef orrery orrery-cc\n"
           "# zsh completion of orrery and orrery-cc, made by `orrery completion zsh`.\n"
           "_orrery() {\n    local -a found\n"
           "    if [[ $service == orrery-cc ]]; then\n      found=(\n");
    help_print(&cc_help, cc_summary, "--help=zsh");
    printf("      )\n    elif (( CURRENT == 2 )); then\n      found=(\n");
    for (int i = 0; i < ncommands; ++i) {
        char text[256];
        snprintf(text, sizeof text, "%s:%s", commands[i].name, commands[i].summary);
        printf("        ");
        help_quoted(text);
        putchar('\n');
    }
    printf("        '--help:how it is used' '--version:versions'\n      )\n"
           "    else\n      case $words[2] in\n");
    for (int i = 0; i < ncommands; ++i) {
        printf("      %s) found=(\n", commands[i].name);
        print_options(&commands[i], "--help=zsh");
        if (strcmp(commands[i].name, "explain") == 0)
            print_codes("        %s\n");
        printf("        ) ;;\n");
    }
    printf("      esac\n    fi\n    _describe -o 'orrery' found\n    _files\n}\n_orrery \"$@\"\n");
}

static void print_fish(void) {
    printf("# fish completion of orrery and orrery-cc, made by `orrery completion fish`.\n"
           "complete -c orrery -n __fish_use_subcommand -l help -d 'how it is used'\n"
           "complete -c orrery -n __fish_use_subcommand -l version -d 'versions'\n");
    for (int i = 0; i < ncommands; ++i) {
        printf("complete -c orrery -f -n __fish_use_subcommand -a %s -d ", commands[i].name);
        help_quoted(commands[i].summary);
        putchar('\n');
        print_options(&commands[i], "--help=fish");
    }
    printf("complete -c orrery -n '__fish_seen_subcommand_from explain' -f -a '");
    print_codes("%s ");
    printf("'\n");
    help_print(&cc_help, cc_summary, "--help=fish");
}

int command_completion(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct arg_list shells = {.arena = arena};
    const struct option_set set = {
        .command = "completion",
        .usage = "orrery completion bash|zsh|fish",
        .about = "Prints a script that completes the command lines of orrery and orrery-cc.\n"
                 "Packages install it; elsewhere, read it into the shell.\n"
                 "Exit status: 0 printed, 2 wrong usage.",
        .examples = "  . <(orrery completion bash)\n"
                    "  orrery completion zsh > ~/.zsh/functions/_orrery\n"
                    "  orrery completion fish > orrery.fish",
    };
    int status = options_parse(&set, argc, argv, &shells);
    if (status < 0 && shells.count != 1)
        status = options_complain(&set, "name one shell: bash, zsh or fish");
    if (status < 0 && strcmp(shells.items[0], "bash") == 0)
        print_bash();
    else if (status < 0 && strcmp(shells.items[0], "zsh") == 0)
        print_zsh();
    else if (status < 0 && strcmp(shells.items[0], "fish") == 0)
        print_fish();
    else if (status < 0)
        status = options_complain(&set, "'%s' is no shell that it knows: bash, zsh or fish",
                                  shells.items[0]);
    arena_free(arena);
    return status < 0 ? STATUS_OK : status;
}
