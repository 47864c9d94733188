/* `orrery verify`: the parallel answer against itself and against the serial text, bit by bit. */
#include "tools/verify/verify.h"
#include "cli/command.h"
#include "cli/options.h"
#include "tools/run/launch.h"
#include "tools/verify/accesses.h"

#include <string.h>

/* "0" or "" stands for none. */
static int parse_counts(struct verify_request *request, const struct option_set *set,
                        const char *name, const char *text, long **counts) {
    if (strcmp(text, "0") == 0 || !*text)
        return 0;
    int count = options_number_list(request->arena, text, counts);
    if (count == 0)
        options_complain(set, "%s: '%s' is no list like 1,2,4", name, text);
    return count ? count : -1;
}

static int prepare(struct verify_request *request, const struct option_set *set) {
    if (request->target && !verify_on_device(request) && strcmp(request->target, "cpu") != 0)
        return options_complain(set, "-target: '%s' is neither cpu nor gpu", request->target);
    if (!request->threads_text)
        request->threads_text = verify_on_device(request) ? "1,2,3,7" : "1,2,3,4,8";
    if (!request->ranks_text)
        request->ranks_text = verify_on_device(request) ? "0" : "1,2,3,4";
    request->nthreads =
        parse_counts(request, set, "--threads", request->threads_text, &request->threads);
    request->nranks = parse_counts(request, set, "--ranks", request->ranks_text, &request->ranks);
    if (request->nthreads < 0 || request->nranks < 0)
        return STATUS_USAGE;
    if (request->program.count == 0)
        return options_complain(set, "no program");
    const char *path = launch_find(request->arena, "verify", request->program.items[0]);
    if (!path)
        return STATUS_USAGE;
    request->program.items[0] = path;
    return -1;
}

static int with_accesses(struct accesses_request *watched, const struct verify_request *request,
                         const struct option_set *set) {
    if (request->program.count == 0 && !watched->from)
        return options_complain(set, "no program");
    watched->timeout = request->timeout;
    watched->nprogram = request->program.count;
    watched->program = request->program.items;
    return accesses_verify(watched);
}

int command_verify(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct accesses_request watched = {.arena = arena};
    const char *format = "text";
    bool accesses = false;
    struct verify_request request = {
        .arena = arena, .runs = 3, .timeout = 600, .program = {.arena = arena}};
    const struct option_spec specs[] = {
        {"--threads", OPTION_TEXT, "LIST",
         "thread counts (default 1,2,3,4,8; of a GPU numbers of blocks: 1,2,3,7; 0: none)",
         &request.threads_text},
        {"--ranks", OPTION_TEXT, "LIST", "rank counts (default 1,2,3,4, of a GPU none; 0: none)",
         &request.ranks_text},
        {"--runs", OPTION_NUMBER, "N", "runs of each (default 3)", &request.runs},
        {"-target", OPTION_TEXT, "cpu|gpu", "gpu: numbers of blocks in place of threads and ranks",
         &request.target},
        {"--no-replay", OPTION_FLAG, NULL, "do not replay the serial loop", &request.no_replay},
        {"--accesses", OPTION_FLAG, NULL,
         "hold the loads and stores of a program that 'orrery-cc -accesses' built\n"
         "against the verdicts",
         &accesses},
        {"--format", OPTION_CHOICE, "text|json", "what --accesses prints", &format},
        {"--from", OPTION_TEXT, "FOLDER",
         "--accesses: what runs with ORRERY_ACCESSES=FOLDER wrote; runs nothing", &watched.from},
        {"--quiet", OPTION_FLAG, NULL,
         "without --accesses: only what is different, failed or not compared", &request.quiet},
        {"--timeout", OPTION_NUMBER, "S", "seconds for one run (default 600)", &request.timeout},
    };
    const struct option_set set = {
        .command = "verify",
        .usage = "orrery verify [options] [--] PROGRAM [arguments]",
        .about =
            "Runs a program that orrery-cc built on several numbers of threads and ranks, and "
            "with\n"
            "its unmodified serial loops replayed in two orders that the plan allows, and "
            "compares\n"
            "every array and reduction after every parallel loop, bit by bit. Take a small input:\n"
            "the program runs some thirty times. Its standard output is not shown.\n"
            "Exit status: 0 the same everywhere, 1 different or failed, 2 wrong usage; 128 + N "
            "where\n"
            "signal N ended the program of --accesses.",
        .examples = "  orrery verify ./mf ratings.csv\n"
                    "  orrery verify --threads 1,2 --ranks 2 --runs 1 -- ./mf --epochs 2 part.csv",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .program = true,
    };
    int status = options_parse(&set, argc, argv, &request.program);
    if (status < 0 && accesses) {
        watched.json = strcmp(format, "json") == 0;
        status = with_accesses(&watched, &request, &set);
    }
    if (status < 0)
        status = prepare(&request, &set);
    if (status < 0 && request.quiet && !freopen("/dev/null", "w", stdout))
        status = STATUS_INPUT;
    if (status < 0)
        status = verify_run(&request);
    arena_free(arena);
    return status;
}
