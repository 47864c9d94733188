/*
 * A kernel's machine code (SASS), as nvdisasm prints it: its loops, and how long a warp alone takes
 * for them.
 */
#ifndef ORRERY_TOOLS_SASS_H
#define ORRERY_TOOLS_SASS_H

#include "scheduler/cost/device.h"

#include <stdio.h>

/*
 * An instruction. `wait`: the barriers, a bit each, that have to be free before it is issued; `sets`,
 * `reads`: the barriers that it holds until its result is there, or its operands are read, 7: none.
 * `stall`: cycles until the next one may be issued. (Jia and others, arXiv 1804.06826, 2.1.)
 */
struct sass_instruction {
    const char *text; /* `LDG.E R6, desc[UR14][R2.64]`, without what it depends on */
    long to;          /* index of the instruction that it branches to, -1: it does not */
    int wait, sets, reads, stall;
};

struct sass_kernel {
    const char *name;
    long count;
    struct sass_instruction *list;
};

/* A loop: [first, last]. `inner`: none is inside. `loads`, `stores`: bytes of a warp, of memory that
 * all have. */
struct sass_loop {
    long first, last, instructions;
    bool inner;
    double cycles, loads, stores;
};

/* The kernel of this name in `nvdisasm -c -hex`'s output; count 0: it is not there. */
struct sass_kernel sass_read(struct arena *arena, FILE *in, const char *name);

/* Its loops, by their ends: counts them. A loop has its own instructions only, without those of loops
 * inside. Branches forward are not taken. */
int sass_loops(struct arena *arena, const struct sass_kernel *kernel,
               const struct cost_device *device, struct sass_loop **loops);

#endif
