/*
 * The state of a simulated run: who runs which rows, when workers are free, where batons are.
 */
#ifndef ORRERY_SCHEDULER_COST_MACHINE_H
#define ORRERY_SCHEDULER_COST_MACHINE_H

#include "scheduler/cost/cost.h"

/* What is left out, to see what it costs. */
enum without { NOTHING, LATENCY, BANDWIDTH, IMBALANCE, SERIAL, NWITHOUT };

/* Shifted by the number of the baton among those of its step. */
enum { LEAVES = 1, LEAVES_NODE = 16, MOST_BATONS = 4 };

/* Where a baton is: with the rows of `rank`, from `time` on;
 * `worker`: the one whose row has it first. */
struct baton {
    double time;
    long rank, worker;
};

/* A wavefront on ranks: so many panels of rows, in stretches of so many columns; `again`: seconds
 * that a row takes longer in each stretch behind its first. */
struct cost_panels {
    long count, pace;
    double again;
};

struct machine {
    const struct cost_loop *loop;       /* what runs on it */
    const struct cost_cluster *cluster; /* what it is made of */
    struct cost_setting setting;        /* how many of it are used */
    enum without without;               /* what is taken to cost nothing, to see what it costs */
    long ranks, workers, per_node;      /* workers: per rank; per_node: ranks */
    long *rank_of, *worker_of;          /* per row */
    long *node_of;                      /* per rank */
    /* what joins the ranks that are farthest from each other. Times: `now`, outside of blocks */
    const struct cost_link *farthest;
    /* `mean`: seconds of a block. `slower`: times as long as in the profile. `moved`: bytes between
     * ranks so far, and `messages` of batons. */
    double mean, slower, moved, messages;
    /* per step, bits for each of its batons, whether it goes to another rank next, and of another
     * node */
    unsigned char *leaves;
    /* `begun`: the blocks of the pass; `free` per worker; `sending` per node, and `uplinks` per
     * switch, when the link is through with what it was given; `ready` as pass.c says. `told`: as
     * panels.c says. `moves[b]`: bytes that go from rank to rank (from * ranks + to) in a pass of a
     * baton that moves by rows, NULL: it moves whole */
    double now, begun, *free, *sending, *uplinks, *ready, *told;
    struct cost_panels panels;    /* of a wavefront on several ranks (panels.c) */
    struct baton *batons, *homes; /* `homes`: where batons are before a pass */
    struct cost_event *events;    /* per step, of the last pass; NULL: not wanted */
    double **moves, *left;        /* `left`: per baton and rank, when it left there */
};

/* Sets rank_of and worker_of (rows.c). */
void machine_rows(struct arena *arena, struct machine *machine);

static inline long machine_node(const struct machine *machine, long rank) {
    return machine->node_of[rank];
}

/* That a node hangs on. */
static inline long machine_switch(const struct machine *machine, long node) {
    long nodes = machine->cluster->per_switch;
    return nodes > 0 ? node / nodes : 0;
}

/* Ranks of a node hand rows over without copying: GPUs have memory of their own. */
static inline bool machine_shares(const struct machine *machine) {
    return machine->cluster->shared && !machine->setting.gpus;
}

/* Seconds of copies out of a GPU and into another one; 0 without. */
double machine_copies(const struct machine *machine, double bytes);

/* What joins two ranks. */
const struct cost_link *machine_link_of(const struct machine *machine, long from, long to);

/* When `bytes` that are ready on rank `from` at `time` are on rank `to`; a node sends one at a
 * time, and so does a switch to the others. */
double machine_arrival(struct machine *machine, long from, long to, double time, double bytes);

/* Seconds, from `now` on, that `bytes` take from rank `from` to ranks that are farthest away: `now`
 * goes on by them. */
double machine_stream(struct machine *machine, long from, double bytes);

/* The same, where the link has had `pause` seconds to itself. */
double machine_streamed(const struct machine *machine, double bytes, double pause);

/* Bytes per second that a thread copies in rows of some hundred bytes. */
extern const double machine_copy_rate;

/* What joins the ranks that are farthest from each other. */
const struct cost_link *machine_link(const struct machine *machine);

/* The baton of which `homes` tells comes to its first row; returns when. */
double machine_home(struct machine *machine, long baton, const struct baton *home);

/* When the last worker is free. */
double machine_latest(const struct machine *machine);

/* Seconds before the first block of a region, and behind its last one (region.c). */
double machine_begin(struct machine *machine);
double machine_end(struct machine *machine);

/* Of machine_begin: what rank 0 does alone where iterations are looked at again. */
double machine_assignment(const struct machine *machine);

/* panels.c, wavefronts on several ranks: chooses panels; the blocks of a pass; what comes before it
 * and goes behind it, from `time` on: returns when it is there. */
void cost_panels_choose(struct machine *machine);
void cost_panels_run(struct machine *machine);
double cost_panels_bring(struct machine *machine, double time);
double cost_panels_return(struct machine *machine, double time);

/* touched.c: sets `moves`; when the rows of baton b are on rank `to` (none come: at `time`);
 * seconds of the processor for what `rank` sends, or receives. */
void cost_touched_make(struct arena *arena, struct machine *machine);
double cost_touched_arrival(struct machine *machine, long b, long to, double time);
double cost_touched_handling(const struct machine *machine, long b, long rank, bool out);

static inline bool machine_has_panels(const struct machine *machine) {
    return machine->ranks > 1 && cost_loop_is_wave(machine->loop);
}

/* All blocks of a pass. */
void machine_pass(struct machine *machine);

/* The block has iterations: only then it is run at all. */
static inline bool cost_step_runs(const struct cost_step *step) {
    return step->seconds > 0 || step->iterations > 0;
}

#endif
