/* A measured loop on a model of a cluster, for a range of ranks. */
#include "tools/simulate/simulate.h"
#include "tools/base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- which settings -------------------------------------------------------------------------- */

/* The grid asked for; or a finer one when there are more workers than rows. */
static bool loop_for(struct simulation *simulation, const struct cost_setting *setting,
                     struct cost_loop *made) {
    const struct cost_loop *loop = simulation->loop;
    long workers = setting->ranks * setting->threads;
    long rows = simulation->rows ? simulation->rows : loop->rows;
    long across = simulation->rows ? simulation->columns : cost_loop_across(loop);
    if (!simulation->rows)
        cost_finer_grid(loop, workers, &rows, &across);
    *made = *loop;
    return (rows == loop->rows && across == cost_loop_across(loop)) ||
           cost_loop_regrid(simulation->arena, loop, rows, across, made) || !simulation->rows;
}

static bool run_all(struct simulation *simulation, const struct simulation_request *request) {
    struct arena *arena = simulation->arena;
    int count = request->nranks * request->nthreads;
    bool skewed = request->skewed || (simulation->loop->skewed && !request->barriers);
    simulation->results = arena_alloc(arena, (size_t)count * sizeof *simulation->results);
    simulation->threads = request->nthreads;
    for (int i = 0; i < count; ++i) {
        struct cost_setting setting = {request->ranks[i / request->nthreads],
                                       request->threads[i % request->nthreads],
                                       request->passes,
                                       skewed,
                                       request->gpus,
                                       1e6 * (double)request->memory,
                                       request->spill};
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

const struct cost_loop *simulation_loop(const struct cost_profile *profile, const char *file,
                                        const char *name) {
    const struct cost_loop *loop = choose_loop(profile, name);
    if (loop)
        return loop;
    fprintf(stderr, "orrery simulate: %s has no loop '%s'; it has:\n", file, name);
    for (int i = 0; i < profile->nloops; ++i)
        fprintf(stderr, "  %s\n", profile->loops[i].name);
    return NULL;
}

static int complain_input(const char *why) {
    fprintf(stderr, "orrery simulate: %s\n", why);
    return STATUS_INPUT;
}

static int print(const struct simulation *simulation, const struct simulation_request *request) {
    if (request->json)
        simulation_json(simulation, stdout);
    else
        simulation_text(simulation, stdout);
    if (!request->svg)
        return STATUS_OK;
    FILE *file = fopen(request->svg, "w");
    if (file)
        simulation_svg(simulation, file);
    if (file && fclose(file) == 0)
        return STATUS_OK;
    fprintf(stderr, "orrery simulate: cannot write %s: %s\n", request->svg, strerror(errno));
    return STATUS_INPUT;
}

int simulation_run(struct arena *arena, const char *file,
                   const struct simulation_request *request) {
    struct cost_profile profile, busy;
    const char *why;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct simulation simulation = {.arena = arena,
                                    .cluster = cost_cluster_here(cores > 0 ? cores : 1),
                                    .rows = request->rows,
                                    .columns = request->columns};
    if (!cost_profile_read(arena, file, &profile, &why) ||
        (request->busy && !cost_profile_read(arena, request->busy, &busy, &why)) ||
        (request->cluster_file &&
         !cost_cluster_read(arena, request->cluster_file, &simulation.cluster, &why)))
        return complain_input(why);
    if (request->busy && !cost_profile_crowd(arena, &profile, &busy, &why))
        return complain_input(arena_printf(arena, "%s: %s", request->busy, why));
    if (request->gpus && simulation.cluster.gpus == 0)
        return complain_input("--gpus: the cluster has none; gpus_per_node and gpu_speed of the "
                              "file that --cluster names say otherwise");
    simulation.assumed = !request->cluster_file;
    simulation.loop = simulation_loop(&profile, file, request->loop);
    if (!simulation.loop)
        return STATUS_INPUT;
    if (!run_all(&simulation, request))
        return complain_input("a grid of that size cannot be cut from the measured one: --grid is "
                              "not for levels, wavefronts and pipelines");
    return print(&simulation, request);
}
