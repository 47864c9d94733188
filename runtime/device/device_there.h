/*
 * What a loop keeps on its device, and how it gets there (device_there.c). Included by the regions
 * of a device alone (device_run.c).
 */
#ifndef ORRERY_RUNTIME_DEVICE_THERE_H
#define ORRERY_RUNTIME_DEVICE_THERE_H

#include "runtime/device/device.h"

/* What a loop keeps on its device. Memory is the device's; NULL: not there yet. */
struct orrery_on_device {
    const struct orrery_device *device;            /* where the loop's memory is */
    char *records, *starts, *turns, *needs;        /* of the inspection */
    char *arrivals, *departures;                   /* the same */
    char *reach, *flags, *copies, *env, *sums;     /* as large as the last region needed them */
    size_t flags_bytes, copies_bytes, reach_bytes; /* of these */
    struct orrery_device_parts *parts;             /* of arrays in parts; NULL: the rank has all */
    long warps;                                    /* of the region's launches */
    struct orrery_kernel kernel;                   /* the loop's, with the entry that they launch */
    bool said;                                     /* who asks has been told how it runs */
    unsigned long taken;                           /* reductions that the device folds or merges */
    bool merges;                                   /* ... all that is merged is among them */
};

/* The loop's; the device is open. */
struct orrery_on_device *orrery_there_of(struct orrery_state *state);

/* Memory for what the region needs besides arrays. Ends the job when there is none. */
char *orrery_there_alloc(const struct orrery_on_device *there, const struct orrery_region *region,
                         size_t bytes);

/* All that the region's kernel reads; `warps` and `kernel` are set. `arrays`: as
 * orrery_device_run has them. */
void orrery_there_bring(struct orrery_on_device *there, struct orrery_region *region,
                        const struct orrery_state *state, const void *env,
                        const struct orrery_device_array *arrays);

/* Launches of a wavefront on several ranks (device_waves.c): this rank's panels, with the messages
 * that go and come. Blocks for what other ranks make. */
void orrery_device_waves_run(const struct orrery_on_device *there, struct orrery_region *region,
                             struct orrery_kernel_job *job);

/* The flags as they are before the first clock. */
void orrery_there_flags_clear(const struct orrery_on_device *there,
                              const struct orrery_region *region);

/* ---- copies of reductions and of relaxed arrays (device_copies.c) ---- */

/* What of it the device does, with `kernel` set. On one rank: several fold and merge on rank 0. */
void orrery_there_copies_choose(struct orrery_on_device *there, const struct orrery_region *region);

/* Bytes on the device. */
size_t orrery_there_copies_bytes(const struct orrery_on_device *there,
                                 const struct orrery_region *region);

/* What rows start from, there and in the copies that the host folds or merges. */
void orrery_there_copies_start(const struct orrery_on_device *there,
                               const struct orrery_region *region);

/* The copies that the host merges, to the device; those that it folds or merges, to the host. */
void orrery_there_copies_send(const struct orrery_on_device *there,
                              const struct orrery_region *region);
void orrery_there_copies_fetch(const struct orrery_on_device *there,
                               const struct orrery_region *region);

/* Merges behind a phase; ends the job when a change is no number. Behind the last one target and
 * snapshot are the result. */
void orrery_there_merge(const struct orrery_on_device *there, struct orrery_region *region,
                        const struct orrery_kernel_job *job, bool last);

#endif
