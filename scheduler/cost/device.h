/*
 * A pass of a rotation on a GPU, predicted: what its kernel costs (read from its machine code,
 * tools/simulate/sass.c), and the blocks of the plan on a model of the device. Prints nothing.
 */
#ifndef ORRERY_SCHEDULER_COST_DEVICE_H
#define ORRERY_SCHEDULER_COST_DEVICE_H

#include "scheduler/cost/cost.h"

/* A device; where its numbers come from stands beside the table (device.c). */
struct cost_device {
    const char *name;         /* as --gpu has it */
    const char *architecture; /* as nvcc has it */
    double processors;        /* multiprocessors */
    double clock;             /* cycles per second */
    double memory;            /* bytes per second of a copy: read and written */
    double cache;             /* bytes per second of the second-level cache */
    double cache_bytes;       /* that it holds */
    double shared_bytes;      /* of shared memory, of a multiprocessor */
    int from_cache;           /* cycles of a load from the second-level cache */
    int from_memory;          /* ... from memory */
    int from_shared;          /* ... from shared memory */
    int shuffle;              /* ... of a shuffle */
    int other;                /* ... of what else takes no fixed number of them */
};

/* NULL: there is none of that name; the names, separated by `, `. */
const struct cost_device *cost_device_find(const char *name);
const char *cost_device_names(struct arena *arena);

/* What an iteration costs a warp. */
struct cost_kernel {
    const char *name;       /* the entry's */
    double instructions;    /* that are issued */
    double cycles;          /* of a warp alone, whose rows are in the second-level cache */
    double bytes;           /* of rows, loaded and stored */
    double registers;       /* of a lane */
    double shared_bytes;    /* of a block of warps */
    double warps_per_block; /* ... so many */
};

/* A pass. The seconds behind the first are what it would take if nothing else held it back. */
struct cost_device_pass {
    double seconds;             /* all together */
    double chain;               /* ... but batons and rows that wait for each other */
    double memory, cache;       /* ... but bytes */
    double instructions;        /* ... but issuing them */
    double warps;               /* that are there at the same time, all together */
    double heaviest;            /* seconds of the baton that takes longest, whatever else runs */
    double heaviest_iterations; /* ... of them */
    double heaviest_handed;     /* ... how often it is handed on */
    const char *bound;          /* the longest of them, in words */
};

/* requires: a loop with batons, whose profile says the iterations of its blocks. */
struct cost_device_pass cost_device_run(struct arena *arena, const struct cost_device *device,
                                        const struct cost_kernel *kernel,
                                        const struct cost_loop *loop);

#endif
