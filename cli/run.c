/* `orrery run`: a program on threads, or on ranks. */
#include "cli/command.h"
#include "cli/launch.h"
#include "cli/options.h"

static int start(struct arena *arena, struct launch *launch, struct arg_list *program) {
    const char *path = launch_find(arena, "run", program->items[0]);
    if (!path)
        return STATUS_USAGE;
    program->items[0] = path;
    launch->program = *program;
    int status = launch_check("run", launch);
    if (status != 0)
        return status;
    if (launch->ranks == 1 && !launch->hostfile)
        launch->ranks = 0;
    if (launch->ranks == 0 && launch->timeout == 0)
        return launch_become("run", launch);
    return launch_run(arena, "run", launch);
}

int command_run(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct launch launch = {.ranks = 0};
    struct arg_list program = {.arena = arena};
    const struct option_spec specs[] = {
        {"-n", OPTION_NUMBER, "N", "ranks (default: none, threads of this machine only)",
         &launch.ranks},
        {"--threads", OPTION_NUMBER, "T", "worker threads per rank (default: its cores)",
         &launch.threads},
        {"--hostfile", OPTION_TEXT, "FILE", "hosts for the ranks, as the MPI launcher reads them",
         &launch.hostfile},
        {"--oversubscribe", OPTION_FLAG, NULL, "any number of ranks per core, to test",
         &launch.oversubscribe},
        {"--timeout", OPTION_NUMBER, "S", "end the job after S seconds (status 124)",
         &launch.timeout},
    };
    const struct option_set set = {
        .command = "run",
        .usage = "orrery run [options] [--] PROGRAM [arguments]",
        .about =
            "Runs a program that orrery-cc built. Without -n it is simply executed; with -n an\n"
            "MPI launcher (ORRERY_MPIRUN, default the one Orrery was built with) starts it.\n"
            "Exit status: the program's; 2 wrong usage, 124 timeout, 127 nothing started.",
        .examples = "  orrery run ./mf ratings.csv\n"
                    "  orrery run --threads 4 ./mf ratings.csv\n"
                    "  orrery run -n 8 --hostfile hosts -- ./mf --epochs 10 ratings.csv",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .program = true,
    };
    int status = options_parse(&set, argc, argv, &program);
    if (status < 0 && program.count == 0)
        status = options_complain(&set, "no program");
    if (status < 0 && launch.hostfile && launch.ranks == 0)
        status = options_complain(&set, "--hostfile needs -n N");
    if (status < 0)
        status = start(arena, &launch, &program);
    arena_free(arena);
    return status;
}
