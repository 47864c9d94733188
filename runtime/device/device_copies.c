/*
 * Copies that the rows have of reductions and of relaxed arrays. What the loop's second kernel takes
 * (orrery_device_copies.h) is made, folded and merged on the device, and only the result comes home;
 * the rest is the host's.
 */
#include "runtime/device/device_there.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/heartbeat.h"
#include "runtime/merge/merge.h"
#include "runtime/region/region.h"

#include "dsm/dsm.h"

#include <stddef.h>
#include <string.h>

enum { LINE = 64 };

_Static_assert((int)ORRERY_RULE_ADD == (int)ORRERY_KERNEL_ADD &&
                   (int)ORRERY_RULE_AVERAGE == (int)ORRERY_KERNEL_AVERAGE &&
                   (int)ORRERY_RULE_SCALE == (int)ORRERY_KERNEL_SCALE,
               "the kernels' rules");

/* ---- who does what --------------------------------------------------------------------------- */

/* NULL: reduction j is not merged. */
static struct orrery_merged *merged_of(const struct orrery_region *region, int j) {
    for (int i = 0; region->merge && i < region->merge->narrays; ++i)
        if (region->merge->arrays[i].reduction == j)
            return &region->merge->arrays[i];
    return NULL;
}

/* What the kernel has words for. */
static bool is_taken(const struct orrery_kernel *kernel, int j) {
    return kernel->copies && j < 64 && kernel->takes >> j & 1;
}

/* Few rows' cold lines, and changes that have a limit, are the host's. */
static bool can_merge(const struct orrery_kernel *kernel, const struct orrery_merged *m) {
    return is_taken(kernel, m->reduction) && m->what->op == ORRERY_RELAXED && !m->cools &&
           !m->alone && orrery_env()->most_change == 0;
}

void orrery_there_copies_choose(struct orrery_on_device *there,
                                const struct orrery_region *region) {
    const struct orrery_merge *merge = region->merge;
    there->taken = 0;
    there->merges = merge && merge->narrays > 0 && dsm_ranks() == 1;
    for (int i = 0; there->merges && i < merge->narrays; ++i)
        there->merges = can_merge(&there->kernel, &merge->arrays[i]);
    for (int j = 0; dsm_ranks() == 1 && j < region->loop->nreductions; ++j) {
        bool takes = merged_of(region, j) ? there->merges
                                          : orrery_is_folded(&region->loop->reductions[j]) &&
                                                region->copies->front[j] == 0;
        if (takes && is_taken(&there->kernel, j))
            there->taken |= 1ul << j;
    }
}

static bool takes(const struct orrery_on_device *there, int j) {
    return j < 64 && there->taken >> j & 1;
}

/* ---- where they are -------------------------------------------------------------------------- */

/* Copies of reduction j, one per row. On the device the rest stands behind them, in this order. */
struct copies {
    char *memory;                 /* the host's */
    size_t stride;                /* bytes from one to the next */
    size_t at;                    /* where they are in the device's memory for all copies */
    size_t bytes;                 /* of all */
    size_t snapshot;              /* bytes of what is read while others collect; 0: of no buffer */
    size_t own;                   /* bytes of what they start from and end as; 0: the host's way */
    size_t gains;                 /* bytes of that, of relaxed ones */
    size_t found;                 /* bytes of what merges find */
    struct orrery_merged *merged; /* NULL: they are folded */
};

static size_t lines_of(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

/* The list of copies, then the copies. */
static size_t list_bytes(const struct orrery_region *region) {
    return lines_of((size_t)region->loop->nreductions * sizeof(struct orrery_kernel_copies));
}

static struct copies copies_at(const struct orrery_on_device *there,
                               const struct orrery_region *region, int j, size_t at) {
    size_t rows = (size_t)(region->row_high - region->row_low);
    struct orrery_merged *m = merged_of(region, j);
    struct copies c = {.memory = m ? m->copies : region->copies->memory[j],
                       .stride = m ? m->stride : region->copies->stride[j],
                       .at = at,
                       .merged = m};
    c.bytes = rows * c.stride;
    if (takes(there, j)) {
        c.own = c.stride;
        c.gains = m && m->gains ? lines_of(m->n) : 0;
        c.found = m ? LINE : 0;
    } else if (m && m->what->op == ORRERY_BUFFERED)
        c.snapshot = lines_of(m->bytes);
    return c;
}

static size_t end_of(const struct copies *c) {
    return c->at + c->bytes + c->snapshot + c->own + c->gains + c->found;
}

static struct copies copies_of(const struct orrery_on_device *there,
                               const struct orrery_region *region, int j) {
    struct copies c = copies_at(there, region, 0, list_bytes(region));
    for (int i = 1; i <= j; ++i)
        c = copies_at(there, region, i, end_of(&c));
    return c;
}

size_t orrery_there_copies_bytes(const struct orrery_on_device *there,
                                 const struct orrery_region *region) {
    int n = region->loop->nreductions;
    if (n == 0)
        return list_bytes(region);
    struct copies last = copies_of(there, region, n - 1);
    return end_of(&last);
}

/* ---- the second kernel ----------------------------------------------------------------------- */

/* A lane for each of so many elements. */
static void task_run(const struct orrery_on_device *there, const struct orrery_region *region,
                     struct orrery_kernel_job job, int task, int j, size_t elements) {
    struct orrery_kernel kernel = there->kernel;
    kernel.entry = kernel.copies;
    long block = ORRERY_WARPS_PER_BLOCK * ORRERY_LANES;
    long blocks = (long)((elements + (size_t)block - 1) / (size_t)block);
    long most = there->device->warps(&kernel) / ORRERY_WARPS_PER_BLOCK;
    long asked = orrery_env()->gpu_blocks;
    most = asked && asked < most ? asked : most;
    job.row_low = region->row_low;
    job.row_high = region->row_high;
    job.copies = (const struct orrery_kernel_copies *)there->copies;
    job.task = task;
    job.reduction = j;
    there->device->launch(&kernel, &job, (blocks < most ? blocks : most) * ORRERY_WARPS_PER_BLOCK);
    orrery_device_launched();
    there->device->sync();
    orrery_device_ended(region->where);
}

static char *own_of(const struct orrery_on_device *there, const struct copies *c) {
    return there->copies + c->at + c->bytes;
}

static char *found_of(const struct orrery_on_device *there, const struct copies *c) {
    return own_of(there, c) + c->own + c->gains;
}

/* ---- start ----------------------------------------------------------------------------------- */

static void list_send(const struct orrery_on_device *there, const struct orrery_region *region) {
    struct orrery_kernel_copies *list =
        memset(dsm_own_alloc(list_bytes(region) + 1), 0, list_bytes(region));
    for (int j = 0; j < region->loop->nreductions; ++j) {
        struct copies c = copies_of(there, region, j);
        list[j].memory = there->copies + c.at;
        list[j].stride = (long)c.stride;
        list[j].snapshot = own_of(there, &c);
        if (!c.own)
            continue;
        list[j].own = own_of(there, &c);
        list[j].count = (long)(region->copies->bytes[j] / region->loop->reductions[j].size);
        list[j].gains = (unsigned char *)own_of(there, &c) + c.own;
        list[j].merged = c.merged ? (struct orrery_kernel_merged *)found_of(there, &c) : NULL;
        list[j].rule = c.merged ? (int)c.merged->how->rule : 0;
    }
    orrery_device_in(there->device, there->copies, list, list_bytes(region));
    dsm_own_free(list);
}

/* All rows start as the first does. */
static void taken_start(const struct orrery_on_device *there, const struct orrery_region *region,
                        int j) {
    struct copies c = copies_of(there, region, j);
    const struct orrery_merged *m = c.merged;
    if (m)
        orrery_device_in(there->device, own_of(there, &c), m->snapshot, m->bytes);
    else
        orrery_device_in(there->device, own_of(there, &c), c.memory, c.own);
    if (c.gains)
        orrery_device_in(there->device, own_of(there, &c) + c.own, m->gains, m->n);
    if (c.found)
        there->device->fill_zero(found_of(there, &c), c.found);
    task_run(there, region, (struct orrery_kernel_job){.last = 0}, ORRERY_SPREAD_COPIES, j,
             c.bytes / sizeof(long));
}

/* With what lies in front of each. */
static void host_start(const struct orrery_region *region, int j, const struct copies *c) {
    char *first = c->memory - region->copies->front[j];
    for (long row = 1; !c->merged && row < region->row_high - region->row_low; ++row)
        memcpy(first + (size_t)row * c->stride, first, c->stride);
}

void orrery_there_copies_start(const struct orrery_on_device *there,
                               const struct orrery_region *region) {
    if (region->loop->nreductions)
        orrery_copies_reset(region->copies, region->row_low);
    list_send(there, region);
    for (int j = 0; j < region->loop->nreductions; ++j) {
        struct copies c = copies_of(there, region, j);
        if (takes(there, j))
            taken_start(there, region, j);
        else
            host_start(region, j, &c);
    }
    orrery_there_copies_send(there, region);
}

/* ---- what the host folds and merges ---------------------------------------------------------- */

void orrery_there_copies_send(const struct orrery_on_device *there,
                              const struct orrery_region *region) {
    for (int j = 0; j < region->loop->nreductions; ++j) {
        struct copies c = copies_of(there, region, j);
        if (takes(there, j))
            continue;
        orrery_device_in(there->device, there->copies + c.at, c.memory, c.bytes);
        if (c.snapshot)
            orrery_device_in(there->device, own_of(there, &c), c.merged->snapshot, c.merged->bytes);
    }
}

void orrery_there_copies_fetch(const struct orrery_on_device *there,
                               const struct orrery_region *region) {
    for (int j = 0; j < region->loop->nreductions; ++j) {
        struct copies c = copies_of(there, region, j);
        if (!takes(there, j))
            orrery_device_out(there->device, c.memory, there->copies + c.at, c.bytes);
    }
}

/* ---- merges ---------------------------------------------------------------------------------- */

/* By way of the snapshot: the target may be pending, and what brings it copies, too. */
static void result_fetch(const struct orrery_on_device *there, const struct copies *c) {
    const struct orrery_merged *m = c->merged;
    orrery_device_out(there->device, m->snapshot, own_of(there, c), m->bytes);
    memcpy(m->target, m->snapshot, m->bytes);
}

static void merged_look(const struct orrery_on_device *there, const struct orrery_region *region,
                        const struct copies *c) {
    struct orrery_kernel_merged found;
    double most;
    orrery_device_out(there->device, &found, found_of(there, c), sizeof found);
    memcpy(&most, &found.most, sizeof most);
    c->merged->most = most > c->merged->most ? most : c->merged->most;
    if (found.bad)
        orrery_merge_refuse(region, c->merged, (size_t)(~found.bad >> 32),
                            region->row_low + (long)(~found.bad & UINT32_MAX),
                            "infinite or not a number");
}

void orrery_there_merge(const struct orrery_on_device *there, struct orrery_region *region,
                        const struct orrery_kernel_job *job, bool last) {
    uint32_t phase = orrery_heartbeat_phase(ORRERY_PHASE_MERGE);
    struct orrery_kernel_job merging = *job;
    merging.last = last;
    for (int i = 0; i < region->merge->narrays; ++i) {
        struct orrery_merged *m = &region->merge->arrays[i];
        struct copies c = copies_of(there, region, m->reduction);
        task_run(there, region, merging, ORRERY_MERGE_COPIES, m->reduction, m->n);
        merged_look(there, region, &c);
        if (last || region->merged)
            result_fetch(there, &c);
        if (last)
            orrery_growth_look(region, m);
    }
    if (!last && region->merged)
        region->merged(region);
    orrery_heartbeat_phase(phase);
}

/* ---- folds ----------------------------------------------------------------------------------- */

bool orrery_device_fold(const struct orrery_region *region, const struct orrery_state *state, int j,
                        void *target) {
    const struct orrery_on_device *there = state->device;
    size_t bytes = region->copies->bytes[j];
    if (!region->loop->kernel || region->replay || !there || !takes(there, j) || bytes == 0 ||
        region->row_low == region->row_high || merged_of(region, j))
        return false;
    struct copies c = copies_of(there, region, j);
    double begin = orrery_clock();
    /* The target may be pending, and what brings it copies, too. */
    char *value = memcpy(dsm_own_alloc(bytes + 1), target, bytes);
    orrery_device_in(there->device, own_of(there, &c), value, bytes);
    task_run(there, region, (struct orrery_kernel_job){.last = 1}, ORRERY_FOLD_COPIES, j,
             bytes / region->loop->reductions[j].size);
    orrery_device_out(there->device, value, own_of(there, &c), bytes);
    memcpy(target, value, bytes);
    dsm_own_free(value);
    orrery_device_region(begin);
    return true;
}
