/* `orrery doctor`: is everything there that the commands and the programs need? */
#include "tools/doctor/doctor.h"
#include "cli/command.h"
#include "cli/options.h"

#include <string.h>

int command_doctor(int argc, char **argv) {
    struct arena *arena = arena_new();
    const char *format = "text";
    struct arg_list rest = {.arena = arena};
    const struct option_spec specs[] = {
        {"--format", OPTION_CHOICE, "text|json", "how the findings are printed", &format},
    };
    const struct option_set set = {
        .command = "doctor",
        .usage = "orrery doctor [--format=text|json]",
        .about = "Checks this machine: libclang and its headers, the compiler, the MPI\n"
                 "launcher, limits, variables. It analyzes, builds and runs a small program, on\n"
                 "threads and on two ranks, and says what to do about what does not work.\n"
                 "Exit status: 0 everything needed works, 1 something does not, 2 wrong usage.",
        .examples = "  orrery doctor\n  ORRERY_CC=clang-19 orrery doctor",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
    };
    int status = options_parse(&set, argc, argv, &rest);
    if (status < 0 && rest.count > 0)
        status = options_complain(&set, "'%s': it takes no arguments", rest.items[0]);
    if (status < 0)
        status = doctor_run(arena, strcmp(format, "json") == 0);
    arena_free(arena);
    return status;
}
