/* What `orrery simulate` has found, and its three ways to be printed. */
#ifndef ORRERY_TOOLS_SIMULATE_H
#define ORRERY_TOOLS_SIMULATE_H

#include "scheduler/cost/cost.h"

#include <stdio.h>

struct simulation {
    struct arena *arena;          /* of the results */
    const struct cost_loop *loop; /* the profile's */
    struct cost_cluster cluster;  /* that is imagined */
    bool assumed; /* the cluster is this machine, with links that were not measured */
    /* the grid asked for; 0: the profile's, or a finer one if there are more workers than rows */
    long rows, columns;
    int nresults;                /* settings that were tried */
    struct cost_result *results; /* ... each with its time and bytes */
    /* `best`: index of the fastest result that fits (as fast: the one with fewer bytes, then
     * workers), `thrifty`: of the largest with at least half of the efficiency; -1: none fits.
     * `threads`: how many numbers of threads there are. */
    int best, thrifty, threads;
    int chosen; /* index of a result, see `choice` */
    /* the best grid that was found for setting number `chosen`, which is the fastest with the best
     * grids of all settings; chosen -1: no grid was looked for */
    struct cost_choice choice;
};

/* Sets best and thrifty. */
void simulation_judge(struct simulation *simulation);

/* Looks for the best grid of every setting that fits: sets choice and chosen. */
void simulation_choose(struct simulation *simulation);

/* Times faster than one worker would be, per worker. */
double simulation_efficiency(const struct simulation *simulation, const struct cost_result *result);

void simulation_text(const struct simulation *simulation, FILE *out);
void simulation_json(const struct simulation *simulation, FILE *out);
void simulation_svg(const struct simulation *simulation, FILE *out);

/* What is asked for. */
struct simulation_request {
    const char *cluster_file; /* the machine; NULL: this one */
    const char *busy;         /* the profile with all cores of a node busy, or NULL */
    const char *svg;          /* where the curve goes, or NULL */
    const char *loop;         /* FILE:LINE, or NULL: the one that takes longest */
    bool json;                /* print JSON, not a table */
    long passes;              /* how many are run on the model */
    bool skewed, barriers;    /* at most one: passes as the plan says otherwise */
    long memory;              /* megabytes that a rank may have, 0: any number */
    bool spill;               /* ... and the rest is in files */
    bool gpus;                /* every rank on a GPU */
    const char *gpu;          /* one rank on this device, by its kernel's machine code; or NULL */
    const char *kernels;      /* ... the kernels' text */
    const char *kernel;       /* ... the one of these; NULL: there is one for such rows */
    long row;                 /* ... the numbers of a row that the kernel keeps; 0: it keeps none */
    int nranks, nthreads;     /* of `ranks`, of `threads` */
    long *ranks, *threads;    /* numbers of each to try */
    long rows, columns;       /* the grid; 0: the measured one, and others are looked for */
};

/* Simulates the loop of a profile and prints the result. An exit status, 1 after a message. */
int simulation_run(struct arena *arena, const char *file, const struct simulation_request *request);

/* The same on one GPU (gpu.c). requires: request->gpu. */
int simulation_run_gpu(struct arena *arena, const char *file,
                       const struct simulation_request *request);

/* The one named, or the one that takes longest; NULL after a message. */
const struct cost_loop *simulation_loop(const struct cost_profile *profile, const char *file,
                                        const char *name);

#endif
