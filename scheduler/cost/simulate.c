/*
 * The executor on the model: the rules of runtime/execute/clocks.c (a worker takes consecutive rows
 * and goes through their blocks in the order of the clocks; a block starts when its batons have
 * come) with times instead of work.
 */
#include "scheduler/cost/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const bottlenecks[] = {
    [NOTHING] = "the work itself",
    [LATENCY] = "latency of messages",
    [BANDWIDTH] = "bandwidth of the links",
    [IMBALANCE] = "blocks of unequal work",
    [SERIAL] = "serial code between passes, and the start of regions",
};

/* ---- one pass -------------------------------------------------------------------------------- */

static void pass_begin(struct machine *machine, double time) {
    for (long w = 0; w < machine->workers; ++w)
        machine->free[w] = time;
    for (long b = 0; b < machine->loop->nbatons; ++b)
        machine->batons[b].time = time;
}

/* Batons start at their first row; that is where they come home to. */
static void batons_place(struct machine *machine) {
    for (long b = 0; b < machine->loop->nbatons; ++b)
        machine->homes[b].rank = -1;
    for (long i = 0; i < machine->loop->nsteps; ++i)
        for (int k = 0; k < machine->loop->steps[i].nbatons; ++k) {
            struct baton *baton = &machine->homes[machine->loop->steps[i].batons[k]];
            if (baton->rank < 0) {
                baton->rank = machine->rank_of[machine->loop->steps[i].row];
                baton->worker = machine->worker_of[machine->loop->steps[i].row];
            }
        }
}

/* Backwards: where each baton goes from a step; from its last one home. */
static void leaves_find(struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    long *next = malloc((size_t)(loop->nbatons + 1) * sizeof *next);
    for (long b = 0; b < loop->nbatons; ++b)
        next[b] = machine->homes[b].rank;
    for (long i = loop->nsteps - 1; i >= 0; --i) {
        const struct cost_step *step = &loop->steps[i];
        machine->leaves[i] = 0;
        for (int k = 0; k < step->nbatons && k < MOST_BATONS; ++k) {
            long rank = machine->rank_of[step->row], to = next[step->batons[k]];
            bool far = machine_node(machine, to) != machine_node(machine, rank);
            int bits = (to != rank ? LEAVES : 0) | (far ? LEAVES_NODE : 0);
            machine->leaves[i] |= (unsigned char)(bits << k);
            next[step->batons[k]] = rank;
        }
    }
    free(next);
}

static double batons_home(struct machine *machine, double end) {
    for (long b = 0; b < machine->loop->nbatons; ++b) {
        double time = machine_home(machine, b, &machine->homes[b]);
        end = time > end ? time : end;
    }
    return end;
}

/* When the blocks of a pass whose command is out at `time` may begin. */
static double begun(struct machine *machine, double time) {
    return machine_has_panels(machine) ? cost_panels_bring(machine, time) : time;
}

/* How much there was of everything when a pass ended. */
struct so_far {
    double end, moved, messages;
};

/*
 * Passes that do not flow into each other are alike from the second on, whose link's buckets the
 * first has emptied: what it added is added for all others.
 */
static double repeat(struct machine *machine, const struct so_far *first, double end) {
    double others = (double)(machine->setting.passes - 2);
    machine->moved += others * (machine->moved - first->moved);
    machine->messages += others * (machine->messages - first->messages);
    return end + others * (end - first->end);
}

/* Seconds of all passes. */
static double passes_run(struct machine *machine) {
    bool skewed = machine->setting.skewed;
    double serial = machine->loop->gap + machine->loop->start;
    struct so_far first = {0};
    double end = 0;
    for (long n = 0; n <= machine_node(machine, machine->ranks - 1); ++n)
        machine->sending[n] = machine->uplinks[n] = -INFINITY;
    memcpy(machine->batons, machine->homes,
           (size_t)machine->loop->nbatons * sizeof *machine->batons);
    for (long pass = 0; pass < machine->setting.passes; ++pass) {
        if (!skewed || pass == 0) {
            machine->now = end + serial;
            machine->begun = begun(machine, end + serial + machine_begin(machine));
            pass_begin(machine, machine->begun);
        }
        for (long visit = 0; visit < machine->loop->visits; ++visit)
            machine_pass(machine);
        if (skewed && pass + 1 < machine->setting.passes)
            continue;
        machine->now = batons_home(machine, machine_latest(machine));
        end = machine->now;
        end += machine_end(machine);
        end = machine_has_panels(machine) ? cost_panels_return(machine, end) : end;
        if (pass == 1 && !skewed && !machine->events) {
            end = repeat(machine, &first, end);
            break;
        }
        first = (struct so_far){end, machine->moved, machine->messages};
    }
    return end;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Blocks with something to do: levels and wavefronts have others. */
static double blocks_of(const struct cost_loop *loop) {
    double blocks = 0;
    for (long i = 0; i < loop->nsteps; ++i)
        blocks += cost_step_runs(&loop->steps[i]);
    return blocks > 0 ? blocks : 1;
}

static double busy_share(const struct cost_cluster *cluster, const struct cost_setting *setting,
                         long per_node) {
    long ranks = setting->ranks < per_node ? setting->ranks : per_node;
    double share = (double)(ranks * setting->threads) / (double)cluster->cores;
    return share < 1 ? share : 1;
}

/* Workers of one computer, as far as they were measured:
 * times as long as one worker alone takes. */
static double crowding(const struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    long here = machine->ranks < machine->per_node ? machine->ranks : machine->per_node;
    long nodes = (machine->ranks + machine->per_node - 1) / machine->per_node;
    long beside = nodes < machine->cluster->beside ? nodes : machine->cluster->beside;
    double busy = (double)(here * machine->setting.threads * beside);
    if (loop->crowd < 2)
        return 1;
    double share = (busy - 1) / (double)(loop->crowd - 1);
    return 1 + (loop->crowded - 1) * (share < 1 ? share : 1);
}

/* Times as long as in the profile a block takes. */
static double slower(const struct machine *machine) {
    const struct cost_cluster *cluster = machine->cluster;
    double share = busy_share(cluster, &machine->setting, machine->per_node);
    if (machine->setting.gpus)
        return 1 / cluster->gpu_speed;
    return (1 + (cluster->contention - 1) * share) / cluster->speed * crowding(machine);
}

static double run_without(struct machine *machine, enum without without) {
    machine->without = without;
    machine->moved = machine->messages = 0;
    return passes_run(machine) / (double)machine->setting.passes;
}

/* An array that a wavefront's ranks cannot have parts of, NULL: none. */
static const char *whole_array(const struct cost_loop *loop) {
    for (int i = 0; i < loop->narrays; ++i)
        if (loop->arrays[i].unplaced)
            return loop->arrays[i].name;
    return NULL;
}

static const char *find_room(struct arena *arena, const struct cost_loop *loop,
                             const struct cost_cluster *cluster, const struct cost_result *result,
                             long per_node) {
    long ranks = result->setting.ranks;
    if (ranks > 1 && cost_loop_is_wave(loop) && whole_array(loop))
        return arena_printf(arena, "ranks cannot have parts of %s", whole_array(loop));
    if (result->setting.gpus && ranks > cluster->gpus * cluster->nodes)
        return arena_printf(arena, "the cluster has %ld GPUs", cluster->gpus * cluster->nodes);
    if (result->setting.gpus && cluster->gpu_memory > 0 && result->memory > cluster->gpu_memory)
        return arena_printf(arena, "a rank of %.3g GB does not fit a GPU's %.3g GB",
                            result->memory / 1e9, cluster->gpu_memory / 1e9);
    if (result->setting.threads > cluster->cores)
        return arena_printf(arena, "a node has %ld cores", cluster->cores);
    if (ranks > per_node * cluster->nodes)
        return arena_printf(arena, "the cluster has room for %ld ranks of %ld threads",
                            per_node * cluster->nodes, result->setting.threads);
    long here = ranks < per_node ? ranks : per_node;
    if (cluster->memory > 0 && result->memory * (double)here > cluster->memory)
        return arena_printf(arena, "%ld ranks of %.3g GB do not fit a node's %.3g GB", here,
                            result->memory / 1e9, cluster->memory / 1e9);
    return NULL;
}

/* Of a pass; nothing else goes on meanwhile, so without it the pass is as much shorter. */
static double serial_share(const struct machine *machine) {
    const struct cost_setting *setting = &machine->setting;
    double serial = machine->loop->gap + machine->loop->start + machine_assignment(machine);
    return setting->skewed ? serial / (double)setting->passes : serial;
}

static void find_bottleneck(struct machine *machine, struct cost_result *result) {
    result->bottleneck = bottlenecks[NOTHING];
    if (machine->workers > machine->loop->rows) {
        result->bottleneck = "more workers than rows of the grid";
        result->gain = 1 - (double)machine->loop->rows / (double)machine->workers;
        return;
    }
    for (enum without without = NOTHING + 1; without < NWITHOUT; ++without) {
        double seconds = without == SERIAL ? result->seconds - serial_share(machine)
                                           : run_without(machine, without);
        double gain = 1 - seconds / result->seconds;
        if (gain > 0.02 && gain > result->gain) {
            result->gain = gain;
            result->bottleneck = bottlenecks[without];
        }
    }
}

static struct machine machine_make(struct arena *arena, const struct cost_loop *loop,
                                   const struct cost_cluster *cluster,
                                   struct cost_setting setting) {
    long per_node = setting.gpus ? cluster->gpus : cluster->cores / setting.threads;
    struct machine machine = {.loop = loop,
                              .cluster = cluster,
                              .setting = setting,
                              .ranks = setting.ranks,
                              .workers = setting.ranks * setting.threads,
                              .per_node = per_node > 0 ? per_node : 1,
                              .mean = cost_loop_seconds(loop) / blocks_of(loop)};
    machine.slower = slower(&machine);
    machine.node_of = arena_alloc(arena, (size_t)machine.ranks * sizeof *machine.node_of);
    for (long rank = 0; rank < machine.ranks; ++rank)
        machine.node_of[rank] = rank / machine.per_node;
    machine.free = arena_alloc(arena, (size_t)(machine.workers + 1) * sizeof *machine.free);
    machine.sending = arena_alloc(arena, (size_t)(machine.ranks + 1) * sizeof *machine.sending);
    machine.uplinks = arena_alloc(arena, (size_t)(machine.ranks + 1) * sizeof *machine.uplinks);
    machine.batons = arena_alloc(arena, (size_t)(loop->nbatons + 1) * sizeof *machine.batons);
    machine.homes = arena_alloc(arena, (size_t)(loop->nbatons + 1) * sizeof *machine.homes);
    machine.ready =
        arena_alloc(arena, (size_t)(loop->columns + machine.workers + 1) * sizeof *machine.ready);
    machine.leaves = arena_alloc(arena, (size_t)loop->nsteps + 1);
    machine.farthest = machine_link_of(&machine, 0, machine.ranks - 1);
    machine_rows(arena, &machine);
    batons_place(&machine);
    leaves_find(&machine);
    cost_touched_make(arena, &machine);
    machine.told = arena_alloc(arena, (size_t)(loop->columns + 1) * sizeof *machine.told);
    if (machine_has_panels(&machine))
        cost_panels_choose(&machine);
    return machine;
}

struct cost_event *cost_timeline(struct arena *arena, const struct cost_loop *loop,
                                 const struct cost_cluster *cluster, struct cost_setting setting) {
    struct machine machine = machine_make(arena, loop, cluster, setting);
    machine.events = arena_alloc(arena, (size_t)(loop->nsteps + 1) * sizeof *machine.events);
    run_without(&machine, NOTHING);
    return machine.events;
}

static struct cost_result run_whole(struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    struct cost_result result = {
        .setting = machine->setting, .rows = loop->rows, .columns = loop->columns};
    result.seconds = run_without(machine, NOTHING);
    result.moved = machine->moved / (double)machine->setting.passes;
    result.messages = machine->messages / (double)machine->setting.passes;
    result.utilisation =
        cost_loop_seconds(loop) * machine->slower / (result.seconds * (double)machine->workers);
    return result;
}

struct cost_result cost_simulate_time(struct arena *arena, const struct cost_loop *loop,
                                      const struct cost_cluster *cluster,
                                      struct cost_setting setting) {
    struct machine machine = machine_make(arena, loop, cluster, setting);
    return run_whole(&machine);
}

struct cost_result cost_simulate(struct arena *arena, const struct cost_loop *loop,
                                 const struct cost_cluster *cluster, struct cost_setting setting) {
    struct machine machine = machine_make(arena, loop, cluster, setting);
    struct cost_result result = run_whole(&machine);
    result.memory = cost_memory(loop, &setting);
    result.process = cost_process(loop, &setting, false);
    result.first = cost_process(loop, &setting, true);
    result.why_not = find_room(arena, loop, cluster, &result, machine.per_node);
    result.fits = !result.why_not;
    find_bottleneck(&machine, &result);
    return result;
}
