/* `orrery simulate`: a measured loop on a model of a cluster, for a range of ranks. */
#include "tools/simulate/simulate.h"
#include "cli/command.h"
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wish {
    const char *cluster_file, *busy, *ranks, *threads, *grid, *format, *svg, *loop;
    long passes;
    bool skewed, barriers, gpus;
};

/* ---- which settings -------------------------------------------------------------------------- */

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

/* The grid asked for; or a finer one when there are more workers than rows. */
static bool loop_for(struct simulation *simulation, const struct cost_setting *setting,
                     struct cost_loop *made) {
    const struct cost_loop *loop = simulation->loop;
    long workers = setting->ranks * setting->threads;
    long rows = simulation->rows ? simulation->rows : loop->rows;
    long across = simulation->rows ? simulation->columns : cost_loop_across(loop);
    if (!simulation->rows && workers > rows) {
        rows = workers;
        across = loop->ndims == 2 && across < rows ? rows : across;
    }
    *made = *loop;
    return (rows == loop->rows && across == cost_loop_across(loop)) ||
           cost_loop_recut(simulation->arena, loop, rows, across, made) || !simulation->rows;
}

/* What is asked for. */
struct numbers {
    int nranks, nthreads;
    long *ranks, *threads, rows, columns;
};

static bool run_all(struct simulation *simulation, const struct numbers *numbers,
                    const struct wish *wish) {
    struct arena *arena = simulation->arena;
    int count = numbers->nranks * numbers->nthreads;
    bool skewed = wish->skewed || (simulation->loop->skewed && !wish->barriers);
    simulation->results = arena_alloc(arena, (size_t)count * sizeof *simulation->results);
    simulation->threads = numbers->nthreads;
    for (int i = 0; i < count; ++i) {
        struct cost_setting setting = {numbers->ranks[i / numbers->nthreads],
                                       numbers->threads[i % numbers->nthreads], wish->passes,
                                       skewed, wish->gpus};
        struct cost_loop loop;
        if (!loop_for(simulation, &setting, &loop))
            return false;
        simulation->results[simulation->nresults++] =
            cost_simulate(arena, &loop, &simulation->cluster, setting);
    }
    simulation_judge(simulation);
    simulation->chosen = -1;
    if (!simulation->rows)
        simulation_choose(simulation);
    return true;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* The one named, or the one that takes longest. */
static const struct cost_loop *choose_loop(const struct cost_profile *profile, const char *name) {
    const struct cost_loop *chosen = NULL;
    double most = -1;
    for (int i = 0; i < profile->nloops; ++i) {
        const struct cost_loop *loop = &profile->loops[i];
        size_t length = strlen(loop->name), wanted = name ? strlen(name) : 0;
        double seconds = loop->measured * (double)loop->passes;
        bool fits = !name || (length >= wanted && strcmp(loop->name + length - wanted, name) == 0);
        if (fits && seconds > most) {
            most = seconds;
            chosen = loop;
        }
    }
    return chosen;
}

static int complain_loop(const struct cost_profile *profile, const char *file, const char *name) {
    fprintf(stderr, "orrery simulate: %s has no loop '%s'; it has:\n", file, name);
    for (int i = 0; i < profile->nloops; ++i)
        fprintf(stderr, "  %s\n", profile->loops[i].name);
    return STATUS_INPUT;
}

static int complain_input(const char *why) {
    fprintf(stderr, "orrery simulate: %s\n", why);
    return STATUS_INPUT;
}

static int print(const struct simulation *simulation, const struct wish *wish) {
    if (strcmp(wish->format, "json") == 0)
        simulation_json(simulation, stdout);
    else
        simulation_text(simulation, stdout);
    if (!wish->svg)
        return STATUS_OK;
    FILE *file = fopen(wish->svg, "w");
    if (file)
        simulation_svg(simulation, file);
    if (file && fclose(file) == 0)
        return STATUS_OK;
    fprintf(stderr, "orrery simulate: cannot write %s: %s\n", wish->svg, strerror(errno));
    return STATUS_INPUT;
}

static int simulate(struct arena *arena, const char *file, const struct wish *wish,
                    const struct numbers *numbers) {
    struct cost_profile profile, busy;
    const char *why;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct simulation simulation = {.arena = arena,
                                    .cluster = cost_cluster_here(cores > 0 ? cores : 1),
                                    .rows = numbers->rows,
                                    .columns = numbers->columns};
    if (!cost_profile_read(arena, file, &profile, &why) ||
        (wish->busy && !cost_profile_read(arena, wish->busy, &busy, &why)) ||
        (wish->cluster_file &&
         !cost_cluster_read(arena, wish->cluster_file, &simulation.cluster, &why)))
        return complain_input(why);
    if (wish->busy && !cost_profile_crowd(arena, &profile, &busy, &why))
        return complain_input(arena_printf(arena, "%s: %s", wish->busy, why));
    if (wish->gpus && simulation.cluster.gpus == 0)
        return complain_input("--gpus: the cluster has none; gpus_per_node and gpu_speed of the "
                              "file that --cluster names say otherwise");
    simulation.assumed = !wish->cluster_file;
    simulation.loop = choose_loop(&profile, wish->loop);
    if (!simulation.loop)
        return complain_loop(&profile, file, wish->loop);
    if (!run_all(&simulation, numbers, wish))
        return complain_input("a grid of that size cannot be cut from the measured one: --grid is "
                              "not for levels, wavefronts and pipelines");
    return print(&simulation, wish);
}

int command_simulate(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct wish wish = {.ranks = "1..64", .format = "text", .threads = "1", .passes = 3};
    struct arg_list files = {.arena = arena};
    const struct option_spec specs[] = {
        {"--cluster", OPTION_TEXT, "FILE", "the machine, as JSON (default: this one, one node)",
         &wish.cluster_file},
        {"--busy", OPTION_TEXT, "FILE", "the same program's profile with all cores of a node busy",
         &wish.busy},
        {"--ranks", OPTION_TEXT, "LIST", "1..1024 or 1,2,6 (default: 1..64)", &wish.ranks},
        {"--threads", OPTION_TEXT, "LIST", "threads per rank, as --ranks (default: 1)",
         &wish.threads},
        {"--gpus", OPTION_FLAG, NULL, "every rank on a GPU of the cluster's nodes", &wish.gpus},
        {"--passes", OPTION_NUMBER, "N", "passes to run (default: 3)", &wish.passes},
        {"--skewed", OPTION_FLAG, NULL, "as if passes flowed into each other, without a barrier",
         &wish.skewed},
        {"--barriers", OPTION_FLAG, NULL, "as if every pass were waited for", &wish.barriers},
        {"--grid", OPTION_TEXT, "RxC", "the same work on this grid; no other is looked for",
         &wish.grid},
        {"--loop", OPTION_TEXT, "FILE:LINE", "which loop (default: the one that takes longest)",
         &wish.loop},
        {"--format", OPTION_CHOICE, "text|json", "how to print", &wish.format},
        {"--svg", OPTION_TEXT, "FILE", "the curve, as a picture", &wish.svg},
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
    struct numbers numbers = {0};
    if (status < 0 && files.count != 1)
        status = options_complain(&set, "%s", files.count ? "one profile at a time" : "no profile");
    if (status < 0 && !(numbers.nranks = range_list(arena, wish.ranks, &numbers.ranks)))
        status = options_complain(&set, "--ranks '%s' is neither 1..1024 nor 1,2,6", wish.ranks);
    if (status < 0 && !(numbers.nthreads = range_list(arena, wish.threads, &numbers.threads)))
        status = options_complain(&set, "--threads '%s' is neither 1..16 nor 1,2,6", wish.threads);
    if (status < 0 && wish.skewed && wish.barriers)
        status = options_complain(&set, "--skewed and --barriers contradict each other");
    if (status < 0 && wish.gpus && (numbers.nthreads > 1 || numbers.threads[0] > 1))
        status = options_complain(&set, "--gpus: a rank has a GPU, and one thread");
    if (status < 0 && wish.grid && !parse_grid(wish.grid, &numbers.rows, &numbers.columns))
        status = options_complain(&set, "--grid '%s' is not ROWSxCOLUMNS", wish.grid);
    if (status < 0)
        status = simulate(arena, files.items[0], &wish, &numbers);
    arena_free(arena);
    return status;
}
