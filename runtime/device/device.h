/*
 * Devices that run emitted kernels, and what the runtime does with them (docs/gpu.md). Everything
 * behind struct orrery_device is the device's; everything else of this room is the same for all.
 */
#ifndef ORRERY_RUNTIME_DEVICE_H
#define ORRERY_RUNTIME_DEVICE_H

#include "runtime/orrery_device.h"

#include "dsm/dsm.h"

#include <stdbool.h>
#include <stddef.h>

struct orrery_loop;
struct orrery_region;
struct orrery_state;

/*
 * A device. Every call ends the job with a message when the device fails. Calls but copies are in
 * order; copies go beside a kernel that runs.
 */
struct orrery_device {
    const char *name;             /* for people */
    void (*open)(void);           /* before the first other call */
    void *(*alloc)(size_t bytes); /* NULL when there is no memory left */
    void (*free)(void *memory);   /* what `alloc` gave, not NULL */
    void (*copy_in)(void *device, const void *host, size_t bytes); /* returns when both memories may
                                                                    * be used, as copy_out */
    void (*copy_out)(void *host, const void *device, size_t bytes); /* see copy_in */
    void (*fill_zero)(void *device, size_t bytes);                  /* begins, as launch */
    long (*warps)(const struct orrery_kernel *kernel); /* the most of it that run at the same time,
                                                        * beside those of other ranks */
    /* begins the kernel, with so many warps; `poll` and `sync` tell of its end */
    void (*launch)(const struct orrery_kernel *kernel, const struct orrery_kernel_job *job,
                   long warps);
    bool (*poll)(void); /* has the kernel ended? Where the host plays the device it goes on by it */
    void (*sync)(void); /* waits for all of them */
    void *(*shared_alloc)(size_t bytes);         /* the host's, zeros, that a running kernel sees */
    void (*shared_free)(void *memory);           /* what `shared_alloc` gave */
    void (*memory)(size_t *unused, size_t *all); /* bytes */
    void (*arrived)(void); /* a message has put bytes into the device's memory by itself
                            * (dsm_part_receive_at): a kernel that runs may be told so behind it */
};

/* Lanes are fibers of one thread of the host (device_host.c). */
extern const struct orrery_device orrery_device_host;

/* The GPU that CUDA shows first to this rank (device_cuda.c, in liborrery-cuda). */
extern const struct orrery_device orrery_device_cuda;

/* ---- what is asked of it (device_count.c): ORRERY_STATS and ORRERY_TRACE tell ---------------- */

/* copy_in and copy_out, counted. */
void orrery_device_in(const struct orrery_device *device, void *to, const void *from, size_t bytes);
void orrery_device_out(const struct orrery_device *device, void *to, const void *from,
                       size_t bytes);

/* A part of so many bytes has left for another rank, from the device itself or from its store. */
void orrery_device_left(size_t bytes, bool direct);

/* Behind a launch; when its kernel is seen to have ended; behind a region that began at `begin`. */
void orrery_device_launched(void);
void orrery_device_ended(const char *where);
void orrery_device_region(double begin);

/* At the end of the program, on each rank. */
void orrery_device_count_report(void);

/* ---- segments (device_memory.c): copies of host memory that stay between regions ------------- */

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

/* The host has written there while the region ran: what the region wrote comes back around it. */
void orrery_segments_merged(const char *low, size_t bytes);

/* What was written comes back when the host touches it (now, where gpu_stay=0); from here on it is
 * noticed when the host changes a segment. */
void orrery_segments_store(void);

/* ---- parts (device_parts.c): arrays of which several ranks have parts each ------------------- */

/*
 * Array a of the loop on this rank. `parts`: NULL when the rank has all of it. `span`: where on the
 * host; empty: not needed. Of what the rank has all, `stamp`: the host has the bytes that it had
 * under this stamp before; `fresh`: it may have others. `paneled`: the caller brings what it has.
 */
struct orrery_device_array {
    struct dsm_array *parts;
    struct dsm_range span;
    uint64_t stamp;
    bool fresh, paneled;
};

struct orrery_device_parts;

/* Memory for them, and what this rank has of them now and its device has not. `more`: bytes that
 * the region needs besides. Ends the job, naming the arrays, when the device has not got the room.
 */
struct orrery_device_parts *
orrery_device_parts_load(struct orrery_device_parts *parts, const struct orrery_device *device,
                         const struct orrery_loop *loop, const char *where,
                         const struct orrery_device_array *arrays, size_t more);

/* Where what body `a` reaches from `address` on is on the device. */
void *orrery_device_parts_find(const struct orrery_device_parts *parts, int a, const void *address);

/*
 * Batons, as struct orrery_transfer_device has it: a part that leaves the device or comes to it,
 * from device to device where messages take its memory (dsm_direct) and else by way of its store.
 */
char *orrery_device_part_leaves(struct orrery_device_parts *parts, struct dsm_array *array,
                                int part);
char *orrery_device_part_comes(struct orrery_device_parts *parts, struct dsm_array *array,
                               int part);
void orrery_device_part_in(struct orrery_device_parts *parts, struct dsm_array *array, int part,
                           bool home);

/* Memory of array a that every rank has whole, from the host or to it. */
void orrery_device_parts_copy(struct orrery_device_parts *parts, int a, char *low, size_t bytes,
                              bool in);

/* Memory of this rank that one array's span holds, from the host or to it. */
void orrery_device_parts_bytes(struct orrery_device_parts *parts, char *low, size_t bytes, bool in);

/* What the device has of that memory, to another place of the host. */
void orrery_device_parts_read(const struct orrery_device_parts *parts, const char *low,
                              size_t bytes, char *to);

/* What was written comes back when somebody reads it (now, where gpu_stay=0). */
void orrery_device_parts_store(struct orrery_device_parts *parts);

/* ---- regions (device_run.c, device_there.c) -------------------------------------------------- */

/* Runs this rank's blocks of the region on the loop's device. The copies of reductions hold its
 * results. Not for replay. `arrays`: by the loop's arrays, with several ranks, else NULL. */
void orrery_device_run(struct orrery_region *region, struct orrery_state *state, const void *env,
                       const struct orrery_device_array *arrays);

/* Behind it, on one rank: folds the rows' copies of reduction j into the target on the device. False:
 * the host has the copies. */
bool orrery_device_fold(const struct orrery_region *region, const struct orrery_state *state, int j,
                        void *target);

/* At the end of a program that verify runs: what sums across lanes were held against. */
void orrery_device_report(void);

/* The inspection has gone: so do its copies. */
void orrery_device_forget(struct orrery_state *state);

#endif
