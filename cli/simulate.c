/* `orrery simulate`: a measured loop on a model of a cluster, for a range of ranks. */
#include "tools/simulate/simulate.h"
#include "cli/command.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

/* "1..1024": the powers of two from the first on, and the last. */
static int range_list(struct arena *arena, const char *text, long **numbers) {
    char *end;
    long first = strtol(text, &end, 10), last = 0;
    int count = 0;
    if (end == text || strncmp(end, "..", 2) != 0)
        return options_number_list(arena, text, numbers);
    const char *behind = end + 2;
    last = strtol(behind, &end, 10);
    if (end == behind || *end || first < 1 || last < first || last > 1L << 20)
        return 0;
    *numbers = arena_alloc(arena, 64 * sizeof **numbers);
    for (long n = first; n < last; n *= 2)
        (*numbers)[count++] = n;
    (*numbers)[count++] = last;
    return count;
}

static bool parse_grid(const char *text, long *rows, long *columns) {
    char *end;
    *rows = strtol(text, &end, 10);
    if (end == text || *end != 'x')
        return false;
    const char *behind = end + 1;
    *columns = strtol(behind, &end, 10);
    return end != behind && !*end && *rows > 0 && *columns > 0;
}

/* Values of options as they are written. */
struct asked {
    const char *ranks, *threads, *grid, *format;
};

/* Reads the lists and the grid into the request; -1: all is well, else the exit status. */
static int check(const struct option_set *set, const struct asked *asked,
                 const struct arg_list *files, struct simulation_request *request) {
    if (files->count != 1)
        return options_complain(set, "%s", files->count ? "one profile at a time" : "no profile");
    request->nranks = range_list(files->arena, asked->ranks, &request->ranks);
    if (!request->nranks)
        return options_complain(set, "--ranks '%s' is neither 1..1024 nor 1,2,6", asked->ranks);
    request->nthreads = range_list(files->arena, asked->threads, &request->threads);
    if (!request->nthreads)
        return options_complain(set, "--threads '%s' is neither 1..16 nor 1,2,6", asked->threads);
    if (asked->grid && !parse_grid(asked->grid, &request->rows, &request->columns))
        return options_complain(set, "--grid '%s' is not ROWSxCOLUMNS", asked->grid);
    const struct option_rule rules[] = {
        {request->skewed && request->barriers, "--skewed and --barriers contradict each other"},
        {request->gpus && (request->nthreads > 1 || request->threads[0] > 1),
         "--gpus: a rank has a GPU, and one thread"},
        {!request->gpu != !request->kernels, "--gpu and --kernels belong together"},
        {request->gpu && asked->grid,
         "--grid cuts blocks for workers: with --gpu measure on that grid (ORRERY_GRID)"},
        {request->spill && request->memory == 0, "--spill needs --memory"},
    };
    return options_check(set, sizeof rules / sizeof *rules, rules);
}

int command_simulate(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct asked asked = {.ranks = "1..64", .threads = "1", .format = "text"};
    struct simulation_request request = {.passes = 3};
    struct arg_list files = {.arena = arena};
    const struct option_spec specs[] = {
        {"--cluster", OPTION_TEXT, "FILE", "the machine, as JSON (default: this one, one node)",
         &request.cluster_file},
        {"--busy", OPTION_TEXT, "FILE", "the same program's profile with all cores of a node busy",
         &request.busy},
        {"--ranks", OPTION_TEXT, "LIST", "1..1024 or 1,2,6 (default: 1..64)", &asked.ranks},
        {"--threads", OPTION_TEXT, "LIST", "threads per rank, as --ranks (default: 1)",
         &asked.threads},
        {"--memory", OPTION_NUMBER, "MB", "megabytes that a rank may have (ORRERY_MEMORY)",
         &request.memory},
        {"--spill", OPTION_FLAG, NULL, "--memory: the rest is in files (orrery run --spill)",
         &request.spill},
        {"--gpus", OPTION_FLAG, NULL, "every rank on a GPU of the cluster's nodes", &request.gpus},
        {"--gpu", OPTION_TEXT, "NAME", "one rank on a GPU: a100, h100, h200; by --kernels",
         &request.gpu},
        {"--kernels", OPTION_TEXT, "FILE", "--gpu: the kernels, of orrery emit -target gpu",
         &request.kernels},
        {"--kernel", OPTION_TEXT, "NAME",
         "--gpu: the one of these (default: the one with such rows)", &request.kernel},
        {"--row", OPTION_NUMBER, "N", "--gpu: the numbers of a row (default: none is kept)",
         &request.row},
        {"--passes", OPTION_NUMBER, "N", "passes to run (default: 3)", &request.passes},
        {"--skewed", OPTION_FLAG, NULL, "as if passes flowed into each other, without a barrier",
         &request.skewed},
        {"--barriers", OPTION_FLAG, NULL, "as if every pass were waited for", &request.barriers},
        {"--grid", OPTION_TEXT, "RxC", "the same work on this grid; no other is looked for",
         &asked.grid},
        {"--loop", OPTION_TEXT, "FILE:LINE", "which loop (default: the one that takes longest)",
         &request.loop},
        {"--format", OPTION_CHOICE, "text|json", "how to print", &asked.format},
        {"--svg", OPTION_TEXT, "FILE", "the curve, as a picture", &request.svg},
    };
    const struct option_set set = {
        .command = "simulate",
        .usage = "orrery simulate [options] PROFILE",
        .about = "Says before a run what it will cost: executes the blocks of a measured loop on a "
                 "model\n"
                 "of a cluster. The profile comes from a run of the program on one rank with\n"
                 "ORRERY_PROFILE=FILE.\n"
                 "Exit status: 0 simulated, 1 the input has errors, 2 wrong usage.",
        .examples = "  ORRERY_PROFILE=mf.profile ORRERY_THREADS=1 ./mf ratings.csv\n"
                    "  orrery simulate --cluster c.json --ranks 1..1024 mf.profile",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
    };
    int status = options_parse(&set, argc, argv, &files);
    if (status < 0)
        status = check(&set, &asked, &files, &request);
    request.json = strcmp(asked.format, "json") == 0;
    if (status < 0)
        status = request.gpu ? simulation_run_gpu(arena, files.items[0], &request)
                             : simulation_run(arena, files.items[0], &request);
    arena_free(arena);
    return status;
}
