/*
 * Messages on the model: the link that joins two ranks, when what is sent is there, and what a
 * device adds to it.
 */
#include "scheduler/cost/machine.h"

const struct cost_link *machine_link_of(const struct machine *machine, long from, long to) {
    const struct cost_cluster *cluster = machine->cluster;
    long a = machine_node(machine, from), b = machine_node(machine, to);
    if (a == b)
        return &cluster->within;
    return machine_switch(machine, a) == machine_switch(machine, b) ? &cluster->between
                                                                    : &cluster->across;
}

const struct cost_link *machine_link(const struct machine *machine) {
    return machine->farthest;
}

/*
 * When a link is through with what takes it so many seconds; a bucket of tokens lets as much pass
 * before its time as it holds (the generic cell rate algorithm: ITU-T I.371).
 */
static double through(double *sending, const struct cost_link *link, double time, double bytes) {
    double full = time - link->burst / link->bandwidth;
    *sending = (*sending > full ? *sending : full) + bytes / link->bandwidth;
    return *sending > time ? *sending : time;
}

/* When `bytes` that are ready on a node have left it for another one; nodes of a switch share what
 * joins it to the others, and nothing waits there to be whole. */
static double leaves(struct machine *machine, long node, bool far, double time, double bytes) {
    const struct cost_cluster *cluster = machine->cluster;
    double *uplink = &machine->uplinks[machine_switch(machine, node)];
    double end = through(&machine->sending[node], &cluster->between, time, bytes);
    double up = far ? through(uplink, &cluster->across, time, bytes) : end;
    return up > end ? up : end;
}

double machine_copies(const struct machine *machine, double bytes) {
    const struct cost_link *link = &machine->cluster->gpu_link;
    double seconds = machine->without == LATENCY ? 0 : link->latency;
    seconds += machine->without == BANDWIDTH ? 0 : bytes / link->bandwidth;
    return machine->setting.gpus ? 2 * seconds : 0;
}

double machine_arrival(struct machine *machine, long from, long to, double time, double bytes) {
    const struct cost_link *link = machine_link_of(machine, from, to);
    double latency = machine->without == LATENCY ? 0 : link->latency;
    if (from == to)
        return time;
    if (link == &machine->cluster->within && machine_shares(machine))
        return time + latency;
    machine->moved += bytes;
    time += machine_copies(machine, bytes);
    if (machine->without == BANDWIDTH)
        bytes = 0;
    if (link == &machine->cluster->within)
        return time + latency + bytes / link->bandwidth;
    return leaves(machine, machine_node(machine, from), link == &machine->cluster->across, time,
                  bytes) +
           latency;
}

double machine_stream(struct machine *machine, long from, double bytes) {
    const struct cost_link *link = machine_link(machine);
    double begin = machine->now;
    if (machine->without == BANDWIDTH)
        return 0;
    if (link == &machine->cluster->within)
        machine->now += bytes / link->bandwidth;
    else
        machine->now = leaves(machine, machine_node(machine, from),
                              link == &machine->cluster->across, begin, bytes);
    if (machine->setting.gpus)
        machine->now += bytes / machine->cluster->gpu_link.bandwidth;
    return machine->now - begin;
}

double machine_streamed(const struct machine *machine, double bytes, double pause) {
    const struct cost_link *link = machine_link(machine);
    double free = pause * link->bandwidth;
    free = free < link->burst ? free : link->burst;
    return machine->without == BANDWIDTH || bytes < free ? 0 : (bytes - free) / link->bandwidth;
}
