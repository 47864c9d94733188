/*
 * Devices that run emitted kernels, and what the runtime does with them (docs/gpu.md). Everything
 * behind struct orrery_device is the device's; everything else of this room is the same for all.
 */
#ifndef ORRERY_RUNTIME_DEVICE_H
#define ORRERY_RUNTIME_DEVICE_H

#include "runtime/orrery_device.h"

#include <stdbool.h>
#include <stddef.h>

struct orrery_region;
struct orrery_state;

/*
 * A device. Every call ends the job with a message when the device fails; alloc alone returns NULL
 * when there is no memory left. `open`: before the first other call. `fill_zero`, `launch`: begin;
 * in order with all other calls; `sync` waits for them. `copy_in`, `copy_out` return when the host
 * memory may be used. `warps`: the most warps of this kernel that run at the same time. `memory`:
 * bytes that are free, and all.
 */
struct orrery_device {
    const char *name;
    void (*open)(void);
    void *(*alloc)(size_t bytes);
    void (*free)(void *memory);
    void (*copy_in)(void *device, const void *host, size_t bytes);
    void (*copy_out)(void *host, const void *device, size_t bytes);
    void (*fill_zero)(void *device, size_t bytes);
    long (*warps)(const struct orrery_kernel *kernel);
    void (*launch)(const struct orrery_kernel *kernel, const struct orrery_kernel_job *job,
                   long warps);
    void (*sync)(void);
    void (*memory)(size_t *unused, size_t *all);
};

/* Lanes are fibers of one thread of the host (device_host.c). */
extern const struct orrery_device orrery_device_host;

/* The GPU that CUDA shows first to this rank (device_cuda.c, in liborrery-cuda). */
extern const struct orrery_device orrery_device_cuda;

/* ---- segments (device_memory.c): copies of host memory that stay between regions ---- */

/*
 * The device's copy of the host memory that holds `low` .. `high`, brought up to date when the host
 * wrote to it. `name`: for the message when there is no room. Owned by the table of segments.
 */
struct orrery_segment;

/* Says which memory the next region needs: once per array, then orrery_segments_load. */
void orrery_segments_begin(const struct orrery_device *device);
void orrery_segments_add(const char *name, const char *low, const char *high, bool written);

/* Makes the copies. `more`: bytes that the region needs besides. Ends the job, naming the arrays,
 * when the device has not got the room. */
void orrery_segments_load(const char *where, size_t more);

/* Where `address` is on the device; NULL when no segment of this region holds it. */
void *orrery_segments_find(const void *address);

/* Brings written segments back; from here on it is noticed when the host changes one. */
void orrery_segments_store(void);

/* ---- regions (device_run.c) ---- */

/* Runs all blocks of the region on the loop's device. The copies of reductions hold its results.
 * One rank, not for replay. */
void orrery_device_run(struct orrery_region *region, struct orrery_state *state, const void *env);

/* The inspection has gone: so do its copies. */
void orrery_device_forget(struct orrery_state *state);

#endif
