/* `orrery run`: a program on threads, or on ranks. */
#include "cli/command.h"
#include "cli/options.h"
#include "tools/run/job.h"

/* Of whom a byte says how many take part (runtime/base/heartbeat_format.h). */
enum { STANDBY_RANKS = 255 };

/* What the options ask for can be had; -1: it can, else the exit status. */
static int check(const struct option_set *set, const struct launch *launch,
                 const struct arg_list *program) {
    bool saved = launch->checkpoint != NULL;
    const struct option_rule rules[] = {
        {program->count == 0, "no program"},
        {launch->hostfile && launch->ranks == 0, "--hostfile needs -n N"},
        {launch->restarts && !saved, "--max-restarts needs --checkpoint DIR"},
        {launch->standby && !launch->restarts, "--standby needs --max-restarts N"},
        {launch->standby && launch->spill,
         "--standby takes more memory, --spill is for too little"},
        {launch->standby && (launch->ranks > STANDBY_RANKS || launch->most > STANDBY_RANKS),
         "--standby is for 255 ranks at most"},
        {launch->from_scratch && !saved, "--from-scratch needs --checkpoint DIR"},
        {launch->every && !saved, "--every needs --checkpoint DIR"},
        {launch->resize && launch->ranks == 0, "--resize needs -n N"},
        {launch->most && !launch->resize, "--most needs --resize FILE"},
        {launch->most && launch->most < launch->ranks, "--most is less than -n"},
        {launch->resize && launch->hostfile && !launch->most && !saved,
         "--resize with --hostfile needs --checkpoint DIR or --most M"},
    };
    return options_check(set, sizeof rules / sizeof *rules, rules);
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
        {"--memory", OPTION_TEXT, "SIZE",
         "what each rank may have (500M, 1.5G): loops that need more are refused before they run",
         &launch.memory},
        {"--spill", OPTION_TEXT, "DIR",
         "what does not fit into --memory (without -n: or the machine) goes to files in DIR",
         &launch.spill},
        {"--hostfile", OPTION_TEXT, "FILE", "hosts for the ranks, as the MPI launcher reads them",
         &launch.hostfile},
        {"--oversubscribe", OPTION_FLAG, NULL, "any number of ranks per core, to test",
         &launch.oversubscribe},
        {"--checkpoint", OPTION_TEXT, "DIR",
         "save the state of the loop over passes in DIR, and go on from what is there",
         &launch.checkpoint},
        {"--every", OPTION_TEXT, "T", "how often: 1pass (default), 10passes, 300s, 5m",
         &launch.every},
        {"--from-scratch", OPTION_FLAG, NULL,
         "begin from the start: checkpoints in DIR are set aside (DIR/checkpoint-N.h5.old)",
         &launch.from_scratch},
        {"--max-restarts", OPTION_NUMBER, "N",
         "start again from the newest checkpoint when a rank or host is lost, N times at most",
         &launch.restarts},
        {"--standby", OPTION_FLAG, NULL,
         "have a second job wait at the loop over passes, which goes on at once when a rank is "
         "lost: the memory of what comes before the loop once more",
         &launch.standby},
        {"--resize", OPTION_TEXT, "FILE",
         "go on with as many ranks as FILE says whenever it is written (orrery resize FILE N): "
         "from memory, or from a checkpoint",
         &launch.resize},
        {"--most", OPTION_NUMBER, "M",
         "start M ranks, of which N take part: up to M of them --resize without a checkpoint",
         &launch.most},
        {"--patience", OPTION_NUMBER, "S",
         "end a job whose ranks do not come up in S seconds (60), or keep others waiting so long "
         "(never)",
         &launch.patience},
        {"--quiet", OPTION_FLAG, NULL, "no progress line", &launch.quiet},
        {"--timeout", OPTION_NUMBER, "S", "end the job after S seconds (status 124)",
         &launch.timeout},
    };
    const struct option_set set = {
        .command = "run",
        .usage = "orrery run [options] [--] PROGRAM [arguments]",
        .about =
            "Runs a program that orrery-cc built. Without -n it is simply executed; with -n an\n"
            "MPI launcher (ORRERY_MPIRUN, default the one Orrery was built with) starts it.\n"
            "Exit status: the program's; 2 wrong usage, 75 ended by a signal with a checkpoint\n"
            "(start it again to go on), 78 a checkpoint does not fit, 124 timeout, 127 nothing\n"
            "started.",
        .examples =
            "  orrery run ./mf ratings.csv\n"
            "  orrery run --threads 4 ./mf ratings.csv\n"
            "  orrery run --memory 8G --spill . ./mf ratings.csv\n"
            "  orrery run -n 8 --hostfile hosts -- ./mf --epochs 10 ratings.csv\n"
            "  orrery run -n 8 --checkpoint saved --every 5m --max-restarts 3 ./mf ratings.csv",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .program = true,
    };
    int status = options_parse(&set, argc, argv, &program);
    if (status < 0)
        status = check(&set, &launch, &program);
    if (status < 0)
        status = job_run(arena, &launch, &program);
    arena_free(arena);
    return status;
}
