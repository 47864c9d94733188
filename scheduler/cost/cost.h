/*
 * A run predicted: the blocks of a measured loop (orrery-profile/1, docs/simulate.md) executed on a
 * model of a cluster, event by event. Decides and prints nothing.
 */
#ifndef ORRERY_SCHEDULER_COST_H
#define ORRERY_SCHEDULER_COST_H

#include "analyzer/analyzer.h"
#include "scheduler/base/kind.h"

#include <stdbool.h>
#include <stdint.h>

enum { COST_DIMS = 4 };

/* ---- what was measured (profile.c, region.c) ------------------------------------------------- */

struct cost_array {
    const char *name; /* as the program calls it */
    /* `parted`: resident or rotating, so that every rank has a part of it; `unplaced`: ranks cannot
     * have parts of it */
    bool parted, unplaced;
    /* `home`: bytes that come to rank 0 after every region, `changed` that serial code or another
     * loop changes before one */
    double bytes, home, changed;
    int dim; /* of the grid, along which it is cut; -1: it is not, or that is not known */
    bool shared, written; /* `shared`: every rank has its part of it */
};

/* A block: its row, the seconds it takes in a pass, the batons it needs, its iterations (0: not
 * known). `needs`: levels, the rows that have to be done with all columns before, a bit each as in
 * orrery_levels_bit. */
struct cost_step {
    long row;
    double seconds;
    int nbatons;
    const long *batons;
    double iterations;
    uint64_t needs;
};

/* So many rows of a baton are touched by these rows of the grid (a set of bits). */
struct cost_touch {
    uint64_t rows;
    double count;
};

/* Served arrays on so many ranks: bytes between them in a pass, what a rank has of them, and each
 * of the copies of its largest chunk. */
struct cost_served {
    double ranks, moved, rank_bytes, chunk_bytes;
};

/* One loop. */
struct cost_loop {
    const char *name;       /* as reports call it */
    enum strategy strategy; /* how it runs in parallel */
    /* `parts`: of the `ndims` dims of its grid (0: not known) */
    long rows, columns, passes, parts[COST_DIMS];
    long visits; /* times that a pass goes round the grid */
    int ndims;   /* of `parts` */
    bool skewed; /* passes flowed into each other when it was taken */
    /* `keys`: how many occur, per dim of the grid (0: not known). `measured`: of a pass where the
     * profile was taken, with `threads` threads. With `crowd` workers busy on a node (0: not
     * measured) a block takes `crowded` times as long as with one, and the merges of a pass
     * `merge_crowded` seconds, before which its workers wait for each other `merge_waits` seconds
     * besides what one is busy longer than the others. */
    double start, gap, inspect, record_bytes, copies_bytes, measured, keys[COST_DIMS];
    double ranges[COST_DIMS]; /* how many keys could occur, of which tables tell places (0: there
                               * are none) */
    /* `local_bytes`: what several workers of one rank copy in and back per region. `folds`: what
     * ranks tell rank 0 when a region ends. `anew`: the share of regions that inspect again, so that all is assigned anew,
     * `pack` the seconds of putting records into order then. `merges` of relaxed and buffered
     * arrays per pass, the seconds of one thread for all of them, the bytes that rows changed and
     * that came of it. Wavefronts: `told_bytes` that rows write and later ones read, where the rows
     * are halved, and `written_bytes` of all of them. */
    double local_bytes, folds, anew, pack, merges, merge_seconds, merge_sent, merge_back;
    /* `phases`: seconds of a pass's phases between merges, until the last thread was done */
    double phases, merge_waits, told_bytes, written_bytes, crowded, merge_crowded;
    long threads, crowd;       /* see `keys` */
    int narrays;               /* that the loop uses */
    struct cost_array *arrays; /* ... */
    long nbatons;              /* what is handed from block to block */
    /* `baton_bytes`: what travels with each baton, in so many messages. Seconds: `start` of a
     * region, `gap` of serial code between two passes, `inspect` once. `row_costs`: of a pipeline's
     * stages, as they were counted, or NULL. */
    double *baton_bytes, *baton_messages, *row_costs;
    int nserved;                 /* see `served` */
    struct cost_served *served;  /* of `nserved` numbers of ranks, rising (0: nothing is) */
    struct cost_touch **touched; /* per baton `ntouched` sets of rows, NULL: not known */
    long *ntouched;              /* see `touched` */
    long nsteps;                 /* of `steps` */
    /* all blocks of a pass, in the order of their clocks; of levels and wavefronts every block of
     * the grid */
    struct cost_step *steps;
};

struct cost_profile {
    int nloops;
    struct cost_loop *loops;
};

/* Reads a profile. False: `*why` says what is wrong and where (arena text). */
bool cost_profile_read(struct arena *arena, const char *path, struct cost_profile *profile,
                       const char **why);

/*
 * What `busy`, a profile of the same program on the same grids with more threads, says of blocks
 * whose neighbours are busy: sets crowd, crowded, merge_crowded and merge_waits of the loops that
 * are in both. False: none is, or a loop of both is not the same one.
 */
bool cost_profile_crowd(struct arena *arena, struct cost_profile *profile,
                        const struct cost_profile *busy, const char **why);

/* Is `where` ("folder/mf.c:68") this line of this file, whatever the folders? */
bool cost_is_place(const char *where, const char *file, long line);

/* The measured loop at this place, or NULL. */
const struct cost_loop *cost_profile_find(const struct cost_profile *profile, const char *file,
                                          long line);

/* What served arrays take on so many ranks:
 * as measured, or between two that were. False: none is. */
bool cost_served_on(const struct cost_loop *loop, long ranks, struct cost_served *served);

/* Of the blocks of a measured pass, all together. */
double cost_loop_seconds(const struct cost_loop *loop);
double cost_loop_iterations(const struct cost_loop *loop);

bool cost_loop_is_levels(const struct cost_loop *loop);
bool cost_loop_is_pipe(const struct cost_loop *loop);
bool cost_loop_is_wave(const struct cost_loop *loop);

/* ---- the same work on another grid (regrid.c) ------------------------------------------------ */

/*
 * The measured blocks' density is cut anew (which rows they touch is not known then), and what the
 * rows of the blocks miss in a cache is added, or taken away. `across`: parts of every dim but the
 * first; those of the measured grid where it is cost_loop_across. False: it cannot be, or the grid
 * has more blocks than anyone wants.
 */
bool cost_loop_regrid(struct arena *arena, const struct cost_loop *loop, long rows, long across,
                      struct cost_loop *made);

/* May it be regrid at all? */
bool cost_loop_has_grids(const struct cost_loop *loop);

/* Parts of every dim but the first, as measured; the most of them where they differ. */
long cost_loop_across(const struct cost_loop *loop);

/* ---- the machine (cluster.c) ----------------------------------------------------------------- */

/*
 * Seconds of a message's way, bytes per second; `overhead`: seconds of the processor for a message,
 * and `per_byte` for what is in it, at either end, in which nothing else is done there. (The
 * parameters of LogGP: Alexandrov and others, SPAA 1995.) `burst`: bytes that pass at once behind a
 * pause, where the rate is kept by a bucket of tokens (0: none do). `test`: seconds of the
 * processor for a look at a message that is not there yet.
 */
struct cost_link {
    double latency, bandwidth, overhead, per_byte, burst, test;
};

struct cost_cluster {
    const char *name; /* its file's, for people */
    /* `beside`: nodes that are one computer's (1: each is one of its own). `per_switch`: nodes that
     * hang on one switch, which are joined to others by `across`, all of a switch together; its
     * ends are those of `between` (0: all hang on one). `gpus`: per node, each `gpu_speed` times as
     * fast as the worker of the profile, with `gpu_memory` bytes (0 = not said), and copies to and
     * from it by `gpu_link`. */
    long nodes, cores, beside, per_switch, gpus;
    /* `speed`: of a core, relative to the one of the profile. `contention`: how much longer a block
     * takes when all cores of a node are busy (1: no longer). `memory`: bytes per node, 0 = not
     * said. `handing`: seconds that every block takes besides its own. */
    double speed, contention, memory, handing, gpu_speed, gpu_memory;
    bool shared; /* ranks of a node hand parts over without copying */
    /* inside of a node, between nodes of a switch, between switches, to a device's memory */
    struct cost_link within, between, across, gpu_link;
};

/* This machine as far as it is known without measuring: `cores` of one node. */
struct cost_cluster cost_cluster_here(long cores);

/* Reads a cluster file (orrery-cluster/1). False: `*why`. */
bool cost_cluster_read(struct arena *arena, const char *path, struct cost_cluster *cluster,
                       const char **why);

/* ---- the run (simulate.c) -------------------------------------------------------------------- */

/* `skewed`: passes flow into each other, with no barrier between them. `gpus`: every rank has a GPU
 * to itself, and one thread. */
struct cost_setting {
    long ranks, threads, passes;
    bool skewed, gpus;
    double budget; /* bytes that a rank may have (ORRERY_MEMORY), 0: any number */
    bool spills;   /* ... and what it has beside them is in files (ORRERY_SPILL) */
};

/* What a loop costs in one setting. */
struct cost_result {
    struct cost_setting setting; /* what was asked for */
    long rows, columns;          /* of the grid */
    double seconds;              /* of a pass */
    double utilisation;          /* the share of the workers' time that is spent in blocks */
    double moved;                /* bytes between ranks per pass */
    double messages;             /* that hand batons over, per pass */
    double memory;               /* bytes of the loop's arrays that a rank has to hold */
    double process, first;       /* ... that the process of a rank has at once, of rank 0 */
    const char *bottleneck;      /* what would help most, in words */
    double gain;                 /* by how much the pass would be shorter without it (0..1) */
    bool fits;           /* the cluster has room for the ranks and their memory, else `why_not` */
    const char *why_not; /* why it cannot run so; NULL: it can */
};

/* A block's worker, and when it runs: seconds from the beginning of the first pass. */
struct cost_event {
    long worker;
    double begin, end;
};

/* The last pass, per step of the loop (arena). */
struct cost_event *cost_timeline(struct arena *arena, const struct cost_loop *loop,
                                 const struct cost_cluster *cluster, struct cost_setting setting);

/* Bytes of a loop's arrays on a rank; of a rank's process, of rank 0's (memory.c). */
double cost_memory(const struct cost_loop *loop, const struct cost_setting *setting);
double cost_process(const struct cost_loop *loop, const struct cost_setting *setting, bool first);

struct cost_result cost_simulate(struct arena *arena, const struct cost_loop *loop,
                                 const struct cost_cluster *cluster, struct cost_setting setting);

/* The same without bottleneck and room: six times as fast. */
struct cost_result cost_simulate_time(struct arena *arena, const struct cost_loop *loop,
                                      const struct cost_cluster *cluster,
                                      struct cost_setting setting);

/* ---- the choice of a grid (choose.c) --------------------------------------------------------- */

/*
 * What was found: the best grid of those tried, as rows and parts of every other dim, its seconds
 * per pass, and the seconds of the measured grid. `tried` 1: only the measured one can be
 * simulated.
 */
struct cost_choice {
    long rows, across;
    double seconds, moved, measured;
    int tried;
};

/* More workers than rows: the grid that the loop has then, unless another is chosen. Else false,
 * and the measured one. */
bool cost_finer_grid(const struct cost_loop *loop, long workers, long *rows, long *across);

/*
 * Of the grids of one loop the one with the least predicted time: from the measured one downhill,
 * twice and half the rows, the other dims' parts, or both, then half and a quarter more or less, so
 * that a space of 4096 x 4096 takes a few dozen simulations; the same from cost_finer_grid. Their
 * number and size are bounded. The measured grid stays where another
 * is not faster by more than 2 %; of grids as fast as each other (1 %) the one that moves fewer
 * bytes is taken. The same profile gives the same grid.
 */
struct cost_choice cost_choose_grid(const struct cost_loop *loop,
                                    const struct cost_cluster *cluster,
                                    struct cost_setting setting);

/* Fewer seconds by more than a hundredth, else fewer bytes. */
bool cost_is_better(double seconds, double moved, double than_seconds, double than_moved);

#endif
