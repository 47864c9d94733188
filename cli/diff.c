/* `orrery diff`: which loops gained or lost parallelism between two analyses. */
#include "tools/diff/diff.h"
#include "cli/command.h"
#include "cli/options.h"

#include <string.h>

int command_diff(int argc, char **argv) {
    struct arena *arena = arena_new();
    const char *format = "text";
    struct arg_list files = {.arena = arena};
    const struct option_spec specs[] = {
        {"--format", OPTION_CHOICE, "text|json", "how the differences are printed", &format},
    };
    const struct option_set set = {
        .command = "diff",
        .usage = "orrery diff [--format=text|json] BEFORE.json AFTER.json",
        .about =
            "Compares two outputs of 'orrery analyze --format=json', of one file or of many:\n"
            "which loops lost or gained parallelism, or got another strategy. Lines may have\n"
            "moved; loops of a function are told apart by their order, variable and depth.\n"
            "Exit status: 0 nothing was lost, 1 a parallel loop became serial, 2 wrong usage or\n"
            "a file that is no such output.",
        .examples = "  orrery analyze --all --format=json -p build > after.json\n"
                    "  orrery diff before.json after.json",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
    };
    int status = options_parse(&set, argc, argv, &files);
    if (status < 0 && files.count != 2)
        status = options_complain(&set, "it takes two files, not %d", files.count);
    if (status < 0)
        status = diff_run(arena, files.items, strcmp(format, "json") == 0);
    arena_free(arena);
    return status;
}
