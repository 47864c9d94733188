/* Devices and what bounds a pass there: bytes, instructions, and the chain of batons (ring.c). */
#include "scheduler/cost/device.h"

#include "scheduler/cost/machine.h"
#include "scheduler/cost/ring.h"

#include <math.h>
#include <string.h>

/*
 * Multiprocessors, clocks, caches: the vendor's data sheets. Copies: H100 as measured
 * (docs/measurements.md), the others by the same share of their data sheets' rates. The cache's rate
 * and latencies: Luo and others, Dissecting the NVIDIA Hopper Architecture through Microbenchmarking
 * (arXiv 2501.12084), and Jia and others, Dissecting the NVIDIA Volta GPU Architecture via
 * Microbenchmarking (arXiv 1804.06826, shuffles); those of shared memory and shuffles on Hopper: what
 * ncu saw a rotation wait for on an H100 (docs/measurements.md).
 */
static const struct cost_device devices[] = {
    {.name = "a100",
     .architecture = "sm_80",
     .processors = 108,
     .clock = 1.41e9,
     .memory = 1.4e12,
     .cache = 3.5e12,
     .cache_bytes = 40e6,
     .shared_bytes = 167936,
     .from_cache = 262,
     .from_memory = 570,
     .from_shared = 30,
     .shuffle = 24,
     .other = 24},
    {.name = "h100",
     .architecture = "sm_90",
     .processors = 132,
     .clock = 1.98e9,
     .memory = 3.017e12,
     .cache = 5.6e12,
     .cache_bytes = 50e6,
     .shared_bytes = 233472,
     .from_cache = 270,
     .from_memory = 680,
     .from_shared = 33,
     .shuffle = 28,
     .other = 24},
    {.name = "h200",
     .architecture = "sm_90",
     .processors = 132,
     .clock = 1.98e9,
     .memory = 4.3e12,
     .cache = 5.6e12,
     .cache_bytes = 50e6,
     .shared_bytes = 233472,
     .from_cache = 270,
     .from_memory = 680,
     .from_shared = 33,
     .shuffle = 28,
     .other = 24},
};
enum { NDEVICES = sizeof devices / sizeof *devices };

const struct cost_device *cost_device_find(const char *name) {
    for (int i = 0; i < NDEVICES; ++i)
        if (strcmp(devices[i].name, name) == 0)
            return &devices[i];
    return NULL;
}

const char *cost_device_names(struct arena *arena) {
    const char *all = "";
    for (int i = 0; i < NDEVICES; ++i)
        all = arena_printf(arena, "%s%s%s", all, i ? ", " : "", devices[i].name);
    return all;
}

/* Warps of the kernel that a multiprocessor has room for. CUDA C++ Programming Guide, "Compute
 * Capabilities": of 8.0 and 9.0. Registers are given out to warps by 256, shared memory by block
 * with 1 KiB more. */
static double cost_device_warps(const struct cost_device *device,
                                const struct cost_kernel *kernel) {
    enum { REGISTERS = 65536, LANES = 32, EACH = 256, WARPS = 64, BLOCKS = 32, RESERVED = 1024 };
    double of_warp = ceil(kernel->registers * LANES / EACH) * EACH;
    double blocks = fmin(BLOCKS, floor(WARPS / kernel->warps_per_block));
    if (of_warp > 0)
        blocks = fmin(blocks, floor(floor(REGISTERS / of_warp) / kernel->warps_per_block));
    if (kernel->shared_bytes > 0)
        blocks = fmin(blocks, floor(device->shared_bytes / (kernel->shared_bytes + RESERVED)));
    return blocks * kernel->warps_per_block;
}

/* Of the bytes of rows, those that do not stay in the second-level cache: rows of an array that is
 * larger than most of it. Arrays have equal shares. */
static double share_of_memory(const struct cost_device *device, const struct cost_loop *loop) {
    const double most = .7 * device->cache_bytes;
    double all = 0, large = 0;
    for (int a = 0; a < loop->narrays; ++a)
        if (loop->arrays[a].dim >= 0 && loop->arrays[a].written) {
            all += 1;
            large += loop->arrays[a].bytes > most;
        }
    return all > 0 ? large / all : 1;
}

/* Nothing shortens a pass below the baton that has the longest iterations and hand-overs. */
static void heaviest_find(struct arena *arena, const struct ring *ring,
                          struct cost_device_pass *pass) {
    const struct cost_loop *loop = ring->loop;
    size_t bytes = (size_t)(loop->nbatons + 1) * sizeof(double[2]);
    double(*batons)[2] = arena_alloc(arena, bytes);
    for (long i = 0; i < loop->nsteps; ++i)
        for (int b = 0; b < loop->steps[i].nbatons && b < MOST_BATONS; ++b) {
            batons[loop->steps[i].batons[b]][0] += loop->steps[i].iterations;
            batons[loop->steps[i].batons[b]][1] += 1;
        }
    for (long b = 0; b < loop->nbatons; ++b) {
        double handed = fmax(0, batons[b][1] - 1);
        double seconds = batons[b][0] * ring->iteration + handed * ring->passing;
        if (seconds <= pass->heaviest)
            continue;
        pass->heaviest = seconds;
        pass->heaviest_iterations = batons[b][0];
        pass->heaviest_handed = handed;
    }
}

static const char *bound_of(const struct cost_device_pass *pass) {
    double most = fmax(fmax(pass->chain, pass->memory), fmax(pass->cache, pass->instructions));
    return most == pass->memory         ? "the memory's bytes"
           : most == pass->cache        ? "the second-level cache's bytes"
           : most == pass->instructions ? "instructions"
                                        : "rows and batons that wait for each other";
}

struct cost_device_pass cost_device_run(struct arena *arena, const struct cost_device *device,
                                        const struct cost_kernel *kernel,
                                        const struct cost_loop *loop) {
    enum { SCHEDULERS = 4 };
    double all = cost_loop_iterations(loop), record = all > 0 ? loop->record_bytes / all : 0;
    double each = kernel->bytes * share_of_memory(device, loop) + record;
    struct cost_device_pass pass = {
        .memory = all * each / device->memory,
        .cache = all * (kernel->bytes + record) / device->cache,
        .instructions =
            all * kernel->instructions / (device->processors * SCHEDULERS * device->clock),
    };
    double most = fmax(pass.memory, fmax(pass.cache, pass.instructions));
    double warps = cost_device_warps(device, kernel) * device->processors;
    struct ring ring = {
        .loop = loop,
        .warps = (long)fmin(warps, (double)loop->rows),
        .iteration = kernel->cycles / device->clock,
        .before = 2 * device->from_memory / device->clock,
        .passing = 5 * device->from_memory / device->clock,
    };
    pass.warps = warps;
    heaviest_find(arena, &ring, &pass);
    pass.chain = ring_run(arena, &ring);
    ring.together = most > 0 ? all * ring.iteration / most : 0;
    pass.seconds = ring_run(arena, &ring);
    pass.bound = bound_of(&pass);
    return pass;
}
