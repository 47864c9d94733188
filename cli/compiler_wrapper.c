/* `orrery launch`: `orrery-cc --launch` by a name that build systems take in two words. */
#include "cli/command.h"
#include "cli/options.h"
#include "tools/base/house.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int become(struct arena *arena, int argc, char **argv) {
    struct house house;
    house_find(&house, arena);
    struct arg_list words = {.arena = arena};
    const char *compiler = arena_printf(arena, "%s-cc", house.orrery);
    arg_list_push(&words, compiler);
    int first = 1;
    while (first < argc && argv[first][0] == '-') {
        bool valued = strcmp(argv[first], "-plan") == 0 || strcmp(argv[first], "-with") == 0 ||
                      strcmp(argv[first], "-effects") == 0 ||
                      strcmp(argv[first], "-plan-of") == 0 || strcmp(argv[first], "-target") == 0;
        for (int i = 0; i <= valued && first < argc; ++i)
            arg_list_push(&words, argv[first++]);
    }
    arg_list_push(&words, "--launch");
    for (int i = first; i < argc; ++i)
        arg_list_push(&words, argv[i]);
    execv(compiler, (char *const *)words.items);
    fprintf(stderr, "orrery launch: cannot run '%s': %s\n", compiler, strerror(errno));
    return 127;
}

int command_launch(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct arg_list rest = {.arena = arena};
    const struct option_set set = {
        .command = "launch",
        .usage = "orrery launch [options of orrery-cc] COMPILER [arguments]",
        .about =
            "Runs a command of the compiler COMPILER as orrery-cc would with that host compiler.\n"
            "A build system puts it in front of its commands, those that compile and those that\n"
            "link. Exit status: the compiler's; 127 when nothing could be started.",
        .examples = "  cmake -S . -B build -DCMAKE_C_COMPILER_LAUNCHER=\"orrery;launch\" \\\n"
                    "        -DCMAKE_C_LINKER_LAUNCHER=\"orrery;launch\"\n"
                    "  orrery launch -Rorrery gcc -O3 mf.c -o mf -lm",
        .program = true,
    };
    bool help = argc == 2 && strncmp(argv[1], "--help", 6) == 0;
    int status = help ? options_parse(&set, argc, argv, &rest) : -1;
    if (status < 0 && argc < 2)
        status = options_complain(&set, "no compiler");
    if (status < 0)
        status = become(arena, argc, argv);
    arena_free(arena);
    return status;
}
