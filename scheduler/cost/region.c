/*
 * What a region takes besides its blocks: messages to all ranks, copies of rows, folds, merges.
 */
#include "scheduler/cost/machine.h"

#include <math.h>

/* Seconds until another thread has begun what it is asked for. */
static const double awake = 3e-6;

/* Bytes per second that a thread copies in rows of some hundred bytes. */
static const double copy_rate = 6.5e9;

/* Rounds of a message to, or from, all ranks. */
static double spread(const struct machine *machine) {
    double rounds = ceil(log2((double)machine->ranks));
    bool far = machine->ranks > machine->per_node;
    double latency = far ? machine->cluster->between.latency : machine->cluster->within.latency;
    return machine->without == LATENCY || machine->ranks < 2 ? 0 : rounds * latency;
}

/* The ranks' copies of what is reduced go to rank 0. */
static double fold(const struct machine *machine) {
    double bytes =
        machine->loop->copies_bytes * (double)(machine->ranks - 1) / (double)machine->ranks;
    const struct cost_link *link =
        machine->ranks > machine->per_node ? &machine->cluster->between : &machine->cluster->within;
    double seconds = machine->without == BANDWIDTH ? 0 : bytes / link->bandwidth;
    return machine->ranks < 2 ? 0 : spread(machine) + seconds;
}

/*
 * Relaxed and buffered arrays: what one thread needed for the merges of a pass is divided among a
 * rank's threads, but for merges that are over before others are awake; ranks send what their rows
 * changed, and get what came of it.
 */
static double merging(const struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    const struct cost_link *link =
        machine->ranks > machine->per_node ? &machine->cluster->between : &machine->cluster->within;
    double each = loop->merges > 0 ? loop->merge_seconds / loop->merges : 0;
    double threads = each < awake ? 1 : (double)machine->setting.threads;
    double seconds = loop->merge_seconds / threads * machine->slower;
    double ranks = (double)machine->ranks, rounds = ceil(log2(ranks));
    if (machine->workers > 1)
        seconds += loop->merges * awake;
    if (machine->ranks > 1 && machine->without != BANDWIDTH)
        seconds +=
            (loop->merge_sent * (ranks - 1) / ranks + loop->merge_back * rounds) / link->bandwidth;
    return seconds + loop->merges * 2 * spread(machine);
}

/* Several workers of one rank have rows that share cache lines in copies (docs/runtime.md, "Several
 * threads of one rank"); more than a few of them wait for the memory. */
static double copying(const struct machine *machine) {
    double threads = (double)machine->setting.threads;
    if (machine->ranks > 1 || machine->setting.threads < 2 || machine->without == BANDWIDTH)
        return 0;
    return machine->loop->local_bytes / (copy_rate * (threads < 4 ? threads : 4));
}

double machine_begin(const struct machine *machine) {
    return spread(machine) + copying(machine);
}

double machine_end(const struct machine *machine) {
    return fold(machine) + merging(machine);
}
