/* `orrery env`: the variables that programs and commands read, and what they are now. */
#include "runtime/base/env.h"

#include "cli/command.h"
#include "cli/options.h"

#include <stdio.h>

int command_env(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct arg_list rest = {.arena = arena};
    const struct option_set set = {
        .command = "env",
        .usage = "orrery env",
        .about =
            "Prints every ORRERY_* variable with its value, where that comes from, its default "
            "and\n"
            "its meaning, as a program that is started now would see them.\n"
            "Exit status: 0 printed, 1 a variable is unknown or malformed (a program would end\n"
            "with status 2), 2 wrong usage.",
        .examples = "  orrery env\n  ORRERY_THREADS=2 orrery env",
    };
    int status = options_parse(&set, argc, argv, &rest);
    if (status < 0 && rest.count > 0)
        status = options_complain(&set, "'%s': it takes no arguments", rest.items[0]);
    arena_free(arena);
    if (status >= 0)
        return status;
    char message[512];
    int wrong = orrery_env_read(message, sizeof message);
    orrery_env_print(stdout);
    if (wrong)
        fprintf(stderr, "orrery env: %s\n", message);
    return wrong ? STATUS_INPUT : STATUS_OK;
}
