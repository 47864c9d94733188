/* A simulation judged; as text and as JSON. */
#include "tools/simulate/simulate.h"

#include <jansson.h>
#include <math.h>

/* Seconds of a pass on one worker of the same machine. */
static double alone(const struct simulation *simulation) {
    double work = 0;
    for (long i = 0; i < simulation->loop->nsteps; ++i)
        work += simulation->loop->steps[i].seconds;
    bool gpus = simulation->results[0].setting.gpus;
    return work / (gpus ? simulation->cluster.gpu_speed : simulation->cluster.speed) +
           simulation->loop->gap + simulation->loop->start;
}

static double simulation_speedup(const struct simulation *simulation,
                                 const struct cost_result *result) {
    return alone(simulation) / result->seconds;
}

double simulation_efficiency(const struct simulation *simulation,
                             const struct cost_result *result) {
    return simulation_speedup(simulation, result) /
           (double)(result->setting.ranks * result->setting.threads);
}

static long workers_of(const struct cost_result *result) {
    return result->setting.ranks * result->setting.threads;
}

/* Between settings of one speed: fewer bytes, then fewer workers. */
static bool is_better(const struct cost_result *result, const struct cost_result *than) {
    double closest = 0.01 * than->seconds;
    if (fabs(result->seconds - than->seconds) <= closest && result->moved == than->moved &&
        workers_of(result) != workers_of(than))
        return workers_of(result) < workers_of(than);
    return cost_is_better(result->seconds, result->moved, than->seconds, than->moved);
}

void simulation_judge(struct simulation *simulation) {
    simulation->best = simulation->thrifty = -1;
    for (int i = 0; i < simulation->nresults; ++i) {
        const struct cost_result *result = &simulation->results[i];
        if (!result->fits)
            continue;
        if (simulation->best < 0 || is_better(result, &simulation->results[simulation->best]))
            simulation->best = i;
        if (simulation_efficiency(simulation, result) >= 0.5 &&
            (simulation->thrifty < 0 ||
             workers_of(result) > workers_of(&simulation->results[simulation->thrifty])))
            simulation->thrifty = i;
    }
}

void simulation_choose(struct simulation *simulation) {
    for (int i = 0; i < simulation->nresults; ++i) {
        if (!simulation->results[i].fits)
            continue;
        struct cost_choice choice = cost_choose_grid(simulation->loop, &simulation->cluster,
                                                     simulation->results[i].setting);
        if (simulation->chosen < 0 ||
            cost_is_better(choice.seconds, choice.moved, simulation->choice.seconds,
                           simulation->choice.moved)) {
            simulation->chosen = i;
            simulation->choice = choice;
        }
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_head(const struct simulation *simulation, FILE *out) {
    const struct cost_loop *loop = simulation->loop;
    const struct cost_cluster *cluster = &simulation->cluster;
    fprintf(out, "%s: %s, grid %ld x %ld, %.4g s per pass measured with %ld thread%s\n", loop->name,
            strategy_name(loop->strategy), loop->rows, loop->columns, loop->measured, loop->threads,
            loop->threads == 1 ? "" : "s");
    fprintf(
        out,
        "on %s: %ld node%s of %ld cores; within a node %.3g us, %.3g GB/s%s; between nodes %.3g "
        "us, %.3g GB/s%s\n",
        cluster->name, cluster->nodes, cluster->nodes == 1 ? "" : "s", cluster->cores,
        cluster->within.latency * 1e6, cluster->within.bandwidth / 1e9,
        cluster->shared ? ", pages shared" : "", cluster->between.latency * 1e6,
        cluster->between.bandwidth / 1e9,
        simulation->assumed ? " (assumed: --cluster FILE says otherwise)" : "");
}

/* What a cluster need not have. */
static void print_more(const struct simulation *simulation, FILE *out) {
    const struct cost_cluster *cluster = &simulation->cluster;
    if (cluster->per_switch > 0)
        fprintf(out, "%ld nodes to a switch; between switches %.3g us, %.3g GB/s\n",
                cluster->per_switch, cluster->across.latency * 1e6,
                cluster->across.bandwidth / 1e9);
    if (simulation->results[0].setting.gpus)
        fprintf(out,
                "a rank per GPU, %ld in a node, each %.4g times as fast as a worker of the "
                "profile; copies %.3g us, %.3g GB/s\n",
                cluster->gpus, cluster->gpu_speed, cluster->gpu_link.latency * 1e6,
                cluster->gpu_link.bandwidth / 1e9);
}

static void print_crowding(const struct simulation *simulation, FILE *out) {
    const struct cost_loop *loop = simulation->loop;
    if (loop->crowd > 1)
        fprintf(out,
                "contention: a block takes %.2f times as long with %ld workers of a computer busy "
                "as with one (measured)\n\n",
                loop->crowded, loop->crowd);
}

static void print_result(const struct simulation *simulation, const struct cost_result *result,
                         FILE *out) {
    char grid[48];
    snprintf(grid, sizeof grid, "%ldx%ld", result->rows, result->columns);
    fprintf(out, "%6ld ", result->setting.ranks);
    if (simulation->threads > 1)
        fprintf(out, "%7ld ", result->setting.threads);
    fprintf(out, "%11.5g %8.2f %6.0f%% %6.0f%% %11s %9.2f %9.2f %9.1f %9.1f  ", result->seconds,
            simulation_speedup(simulation, result), 100 * simulation_efficiency(simulation, result),
            100 * result->utilisation, grid, result->moved / 1e6, result->memory / 1e6,
            result->process / 1e6, result->first / 1e6);
    if (!result->fits)
        fprintf(out, "does not fit: %s\n", result->why_not);
    else if (result->gain > 0)
        fprintf(out, "%s (%.0f%%)\n", result->bottleneck, 100 * result->gain);
    else
        fprintf(out, "%s\n", result->bottleneck);
}

static void print_setting(const struct simulation *simulation, const struct cost_setting *setting,
                          FILE *out) {
    fprintf(out, "%ld rank%s", setting->ranks, setting->ranks == 1 ? "" : "s");
    if (simulation->threads > 1)
        fprintf(out, " of %ld thread%s", setting->threads, setting->threads == 1 ? "" : "s");
}

static void print_choice(const struct simulation *simulation, FILE *out) {
    const struct cost_choice *choice = &simulation->choice;
    const struct cost_loop *loop = simulation->loop;
    if (simulation->chosen < 0)
        return;
    fprintf(out, "best grid: ");
    if (choice->tried < 2) {
        fprintf(out,
                "%ld x %ld, the measured one; others are not simulated for levels, wavefronts and "
                "pipelines\n",
                loop->rows, loop->columns);
        return;
    }
    fprintf(out, "%ld x %ld on ", choice->rows, choice->across);
    print_setting(simulation, &simulation->results[simulation->chosen].setting, out);
    fprintf(out, ", %.5g s per pass", choice->seconds);
    if (choice->rows != loop->rows || choice->across != cost_loop_across(loop))
        fprintf(out, "; there the measured grid of %ld x %ld takes %.2f times as long", loop->rows,
                cost_loop_across(loop), choice->measured / choice->seconds);
    fprintf(out, " (%d grids tried; ORRERY_GRID=%ldx%ld, or orrery plan --profile)\n",
            choice->tried, choice->rows, choice->across);
}

static void print_verdict(const struct simulation *simulation, FILE *out) {
    if (simulation->best < 0) {
        fprintf(out, "\nnothing of this fits the cluster\n");
        return;
    }
    const struct cost_result *best = &simulation->results[simulation->best];
    fprintf(out, "\nfastest: ");
    print_setting(simulation, &best->setting, out);
    fprintf(out, ", %.5g s per pass; held back by %s\n", best->seconds, best->bottleneck);
    if (simulation->thrifty >= 0 && simulation->thrifty != simulation->best)
        fprintf(out, "at least half of the efficiency up to %ld ranks\n",
                simulation->results[simulation->thrifty].setting.ranks);
}

void simulation_text(const struct simulation *simulation, FILE *out) {
    print_head(simulation, out);
    print_more(simulation, out);
    fputc('\n', out);
    print_crowding(simulation, out);
    fprintf(out, "%6s %s%11s %8s %7s %7s %11s %9s %9s %9s %9s  %s\n", "ranks",
            simulation->threads > 1 ? "threads " : "", "s/pass", "speedup", "effic.", "busy",
            "grid", "MB moved", "MB/rank", "process", "rank 0", "held back by (share of the pass)");
    for (int i = 0; i < simulation->nresults; ++i)
        print_result(simulation, &simulation->results[i], out);
    print_verdict(simulation, out);
    print_choice(simulation, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *result_json(const struct simulation *simulation, const struct cost_result *result) {
    json_t *object = json_pack(
        "{s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:f, s:b}", "ranks",
        (json_int_t)result->setting.ranks, "threads", (json_int_t)result->setting.threads, "rows",
        (json_int_t)result->rows, "columns", (json_int_t)result->columns, "seconds_per_pass",
        result->seconds, "speedup", simulation_speedup(simulation, result), "efficiency",
        simulation_efficiency(simulation, result), "utilisation", result->utilisation,
        "bytes_moved", result->moved, "baton_messages", result->messages, "bytes_per_rank",
        result->memory, "process_bytes", result->process, "process_bytes_rank_0", result->first,
        "bottleneck", result->bottleneck, "bottleneck_share", result->gain, "fits", result->fits);
    if (result->why_not)
        json_object_set_new(object, "why_not", json_string(result->why_not));
    return object;
}

void simulation_json(const struct simulation *simulation, FILE *out) {
    json_t *results = json_array();
    for (int i = 0; i < simulation->nresults; ++i)
        json_array_append_new(results, result_json(simulation, &simulation->results[i]));
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:s, s:f, s:o}", "schema", "orrery-simulation/1", "loop",
                  simulation->loop->name, "strategy", strategy_name(simulation->loop->strategy),
                  "cluster", simulation->cluster.name, "measured_seconds_per_pass",
                  simulation->loop->measured, "results", results);
    if (simulation->loop->crowd > 1)
        json_object_set_new(root, "contention", json_real(simulation->loop->crowded));
    if (simulation->best >= 0)
        json_object_set_new(root, "best_ranks",
                            json_integer(simulation->results[simulation->best].setting.ranks));
    if (simulation->chosen >= 0) {
        const struct cost_choice *choice = &simulation->choice;
        const struct cost_setting *setting = &simulation->results[simulation->chosen].setting;
        json_object_set_new(
            root, "best_grid",
            json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:i}", "grid_rows", (json_int_t)choice->rows,
                      "grid_columns", (json_int_t)choice->across, "grid_ranks",
                      (json_int_t)setting->ranks, "grid_threads", (json_int_t)setting->threads,
                      "grid_seconds", choice->seconds, "measured_grid_seconds", choice->measured,
                      "grids_tried", choice->tried));
    }
    json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', out);
    json_decref(root);
}
