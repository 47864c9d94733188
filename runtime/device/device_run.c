/* A region on a device: what the kernel needs is brought there, all blocks are one launch. */
#include "runtime/device/device.h"

#include "runtime/env.h"
#include "runtime/execute/carrier.h"
#include "runtime/execute/wave.h"
#include "runtime/memory.h"
#include "runtime/merge/merge.h"
#include "runtime/region.h"
#include "runtime/report/stats.h"
#include "runtime/report/trace.h"

#include "dsm/dsm.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

/*
 * What a loop keeps on its device. `records`, `starts`, `turns`, `needs`, `arrivals`, `departures`:
 * of the inspection, NULL: not there yet. The others are as large as the last region needed them.
 * `warps`: of the region's launches; `kernel`: the loop's, with the entry that they launch.
 */
struct orrery_on_device {
    const struct orrery_device *device;
    char *records, *starts, *turns, *needs, *reach, *flags, *copies, *env;
    char *arrivals, *departures, *sums;
    struct orrery_device_parts *parts;
    size_t flags_bytes, copies_bytes, reach_bytes;
    long warps;
    struct orrery_kernel kernel;
    bool said;
};

static struct orrery_on_device *place_of(struct orrery_state *state) {
    if (!state->device) {
        state->device = orrery_memory_aligned(sizeof *state->device);
        state->device->device = state->loop->kernel->device;
        state->device->device->open();
    }
    return state->device;
}

static void release(const struct orrery_device *device, char **memory) {
    if (*memory)
        device->free(*memory);
    *memory = NULL;
}

void orrery_device_forget(struct orrery_state *state) {
    struct orrery_on_device *there = state->device;
    if (!there)
        return;
    release(there->device, &there->records);
    release(there->device, &there->starts);
    release(there->device, &there->turns);
    release(there->device, &there->needs);
    release(there->device, &there->arrivals);
    release(there->device, &there->departures);
}

/* ---- sizes ---- */

static size_t blocks_of(const struct orrery_region *region) {
    return (size_t)(region->row_high - region->row_low) * (size_t)region->blocks.columns;
}

/* This rank's. */
static size_t records_bytes(const struct orrery_region *region) {
    if (!region->records)
        return 0;
    return (size_t)(region->starts[blocks_of(region)] - region->starts[0]) *
           region->loop->record_size;
}

static size_t starts_bytes(const struct orrery_region *region) {
    return region->starts ? (blocks_of(region) + 1) * sizeof *region->starts : 0;
}

static size_t turns_bytes(const struct orrery_region *region) {
    size_t visits = blocks_of(region) * (size_t)region->blocks.held;
    return region->turns ? visits * sizeof *region->turns->turn : 0;
}

static size_t passages_bytes(const struct orrery_region *region) {
    bool several = region->turns && region->turns->arrival;
    return several ? turns_bytes(region) / sizeof *region->turns->turn * sizeof(int) : 0;
}

static size_t needs_bytes(const struct orrery_region *region) {
    return region->needs ? blocks_of(region) * sizeof *region->needs : 0;
}

static bool is_wave(const struct orrery_region *region) {
    return region->blocks.strategy == ORRERY_WAVEFRONT;
}

static size_t reach_bytes(const struct orrery_region *region) {
    return is_wave(region) ? (size_t)region->blocks.rows * 2 * sizeof(long) : 0;
}

/* One per baton; by levels one per warp, of a wavefront one per row. */
static size_t flags_bytes(const struct orrery_on_device *there,
                          const struct orrery_region *region) {
    size_t flags = region->needs     ? (size_t)there->warps
                   : region->turns   ? (size_t)region->blocks.batons
                   : is_wave(region) ? (size_t)region->blocks.rows
                                     : 0;
    return flags * sizeof(unsigned);
}

/* Copies of reduction j on the host, one per row: `stride` apart. `merged`: NULL when it is folded.
 */
struct copies {
    char *memory;
    size_t stride, bytes;
    const struct orrery_merged *merged;
};

static struct copies copies_of(const struct orrery_region *region, int j) {
    size_t rows = (size_t)(region->row_high - region->row_low);
    const struct orrery_copies *own = region->copies;
    struct copies copies = {own->memory[j], own->stride[j], rows * own->stride[j], NULL};
    for (int i = 0; region->merge && i < region->merge->narrays; ++i) {
        const struct orrery_merged *m = &region->merge->arrays[i];
        if (m->reduction == j)
            copies = (struct copies){m->copies, m->stride, rows * m->stride, m};
    }
    return copies;
}

/* What is only added to starts at zero, and its snapshot is read. */
static size_t snapshot_bytes(const struct copies *copies) {
    bool read = copies->merged && copies->merged->what->op == ORRERY_BUFFERED;
    return read ? (copies->merged->bytes + 63) / 64 * 64 : 0;
}

/* The list of copies, then the copies. */
static size_t list_bytes(const struct orrery_region *region) {
    size_t bytes = (size_t)region->loop->nreductions * sizeof(struct orrery_kernel_copies);
    return (bytes + 63) / 64 * 64;
}

static size_t copies_bytes(const struct orrery_region *region) {
    size_t bytes = list_bytes(region);
    for (int j = 0; j < region->loop->nreductions; ++j) {
        struct copies copies = copies_of(region, j);
        bytes += copies.bytes + snapshot_bytes(&copies);
    }
    return bytes;
}

/* ---- arrays ---- */

static _Noreturn void unknown_size(const struct orrery_region *region, int a) {
    const struct orrery_array *array = &region->loop->arrays[a];
    dsm_fail(1,
             "%s: the size of %s (%s), which the device needs a copy of, is not known; allocate it "
             "with malloc or calloc, or say extent(%s : n) in the pragma",
             region->where, array->name, array->where, array->name);
}

static bool is_needed(const struct orrery_state *state, int a) {
    return state->loop->arrays[a].placement != ORRERY_ALIGNED && state->shapes[a].base;
}

/* The whole allocation, so that arrays that share one share its copy. */
static void arrays_want(const struct orrery_region *region, const struct orrery_state *state) {
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_array *array = &state->loop->arrays[a];
        const struct orrery_shape *shape = &state->shapes[a];
        char *low;
        size_t bytes;
        if (!is_needed(state, a))
            continue;
        if (!dsm_find(shape->base, &low, &bytes)) {
            low = shape->base;
            bytes = orrery_shape_extent(shape);
        }
        if (!bytes)
            unknown_size(region, a);
        orrery_segments_add(array->name, low, low + bytes, array->written);
    }
}

/* The environment with the device's addresses in the place of the host's. */
static void env_send(struct orrery_on_device *there, const struct orrery_state *state,
                     const void *env, bool parts) {
    size_t size = state->loop->env_size;
    char *copy = memcpy(dsm_own_alloc(size), env, size);
    for (int a = 0; a < state->loop->narrays; ++a) {
        long at = state->loop->arrays[a].base_offset;
        void *base;
        if (!is_needed(state, a) || at < 0)
            continue;
        memcpy(&base, copy + at, sizeof base);
        base = parts ? orrery_device_parts_find(there->parts, a, base) : orrery_segments_find(base);
        memcpy(copy + at, &base, sizeof base);
    }
    orrery_device_in(there->device, there->env, copy, size);
    dsm_own_free(copy);
}

/* ---- everything else ---- */

static char *alloc(const struct orrery_on_device *there, const struct orrery_region *region,
                   size_t bytes) {
    char *memory = there->device->alloc(bytes ? bytes : 1);
    if (!memory)
        dsm_fail(1, "%s: the device has no memory left for %zu bytes of records and flags",
                 region->where, bytes);
    return memory;
}

/* Copied once: it stays as it is until the inspection is made anew. */
static void keep(const struct orrery_on_device *there, const struct orrery_region *region,
                 char **memory, const void *from, size_t bytes) {
    if (*memory || !bytes)
        return;
    *memory = alloc(there, region, bytes);
    orrery_device_in(there->device, *memory, from, bytes);
}

/* Counted from the rank's first record. */
static void starts_keep(struct orrery_on_device *there, const struct orrery_region *region) {
    size_t bytes = starts_bytes(region), n = bytes / sizeof(long);
    long *starts = dsm_own_alloc(bytes + 1);
    for (size_t i = 0; i < n; ++i)
        starts[i] = region->starts[i] - region->starts[0];
    keep(there, region, &there->starts, starts, bytes);
    dsm_own_free(starts);
}

static void resize(const struct orrery_on_device *there, const struct orrery_region *region,
                   char **memory, size_t *has, size_t bytes) {
    if (*memory && *has == bytes)
        return;
    release(there->device, memory);
    *memory = alloc(there, region, bytes);
    *has = bytes;
}

static void copies_send(const struct orrery_on_device *there, const struct orrery_region *region) {
    struct orrery_kernel_copies *list = dsm_own_alloc(list_bytes(region) + 1);
    char *at = there->copies + list_bytes(region);
    for (int j = 0; j < region->loop->nreductions; ++j) {
        struct copies copies = copies_of(region, j);
        size_t more = snapshot_bytes(&copies);
        list[j] = (struct orrery_kernel_copies){at, (long)copies.stride, at + copies.bytes};
        orrery_device_in(there->device, at, copies.memory, copies.bytes);
        if (more)
            orrery_device_in(there->device, at + copies.bytes, copies.merged->snapshot,
                             copies.merged->bytes);
        at += copies.bytes + more;
    }
    orrery_device_in(there->device, there->copies, list, list_bytes(region));
    dsm_own_free(list);
}

static void copies_fetch(const struct orrery_on_device *there, const struct orrery_region *region) {
    const char *at = there->copies + list_bytes(region);
    for (int j = 0; j < region->loop->nreductions; ++j) {
        struct copies copies = copies_of(region, j);
        orrery_device_out(there->device, copies.memory, at, copies.bytes);
        at += copies.bytes + snapshot_bytes(&copies);
    }
}

/* The columns of a wavefront's rows: the environment of each region says them. */
static void reach_send(const struct orrery_on_device *there, const struct orrery_region *region) {
    long *reach = dsm_own_alloc(reach_bytes(region) + 1);
    for (long row = 0; row < region->blocks.rows; ++row) {
        struct orrery_wave_row columns = orrery_wave_row_of(region, row);
        reach[2 * row] = columns.first;
        reach[2 * row + 1] = columns.end;
    }
    orrery_device_in(there->device, there->reach, reach, reach_bytes(region));
    dsm_own_free(reach);
}

static void region_check(const struct orrery_region *region) {
    const struct orrery_kernel *kernel = region->loop->kernel;
    if (kernel->abi != ORRERY_KERNEL_ABI)
        dsm_fail(1, "%s: its kernel was compiled for version %d of the runtime, this is %d",
                 region->where, kernel->abi, ORRERY_KERNEL_ABI);
    if (kernel->layout != region->loop->kernel_layout)
        dsm_fail(1, "%s: the loop and its kernel disagree: compile the file again", region->where);
    if (fegetround() != FE_TONEAREST)
        dsm_fail(1,
                 "%s: the program has set another direction of rounding (fesetround), and a GPU "
                 "rounds to nearest; set FE_TONEAREST in front of the loop, or run it on the CPU",
                 region->where);
}

/* Rows for half of the device's warps, or it is idle for want of parts. */
static void say_coarse(struct orrery_on_device *there, const struct orrery_region *region,
                       long warps) {
    long rows = region->row_high - region->row_low;
    if (there->said || !orrery_env()->stats || 2 * rows >= warps)
        return;
    there->said = true;
    fprintf(stderr,
            "orrery: %s: the grid has %ld rows (%s has few values, or there are few iterations), "
            "the device runs %ld warps at once\n",
            region->where, rows, orrery_dim_name(region->loop, 0), warps);
}

/* The entry that keeps the environment's rows in registers, where there is one for their width. */
static void kernel_choose(struct orrery_on_device *there, const struct orrery_region *region,
                          const void *env) {
    static const long widths[ORRERY_NWIDTHS] = ORRERY_WIDTHS;
    struct orrery_kernel *kernel = &there->kernel;
    *kernel = *region->loop->kernel;
    bool keeps = kernel->width && orrery_env()->gpu_keep && !orrery_env()->gpu_in_order;
    long width = keeps ? kernel->width(env) : -1;
    for (int w = ORRERY_NWIDTHS - 1; width >= 0 && w >= 0; --w)
        if (width <= widths[w] && (w == 0 || width > widths[w - 1]) && kernel->kept[w])
            kernel->entry = kernel->kept[w];
}

static long warps_of(struct orrery_on_device *there, const struct orrery_region *region) {
    const struct orrery_kernel *kernel = &there->kernel;
    long most = there->device->warps(kernel), rows = region->row_high - region->row_low;
    long useful = kernel->row_per_lane ? (rows + ORRERY_LANES - 1) / ORRERY_LANES : rows;
    long asked = orrery_env()->gpu_blocks * ORRERY_WARPS_PER_BLOCK;
    if (asked > most)
        dsm_fail(1, "ORRERY_GPU_BLOCKS=%ld: %s runs at most %ld blocks of %s's kernel at once",
                 orrery_env()->gpu_blocks, there->device->name, most / ORRERY_WARPS_PER_BLOCK,
                 region->where);
    say_coarse(there, region, kernel->row_per_lane ? most * ORRERY_LANES : most);
    long warps = asked ? asked : useful < most ? useful : most;
    return (warps + ORRERY_WARPS_PER_BLOCK - 1) / ORRERY_WARPS_PER_BLOCK * ORRERY_WARPS_PER_BLOCK;
}

/* Bytes that the region needs besides arrays, and has not got on the device yet. */
static size_t more_bytes(const struct orrery_on_device *there, const struct orrery_region *region) {
    size_t more = copies_bytes(region) + reach_bytes(region) + flags_bytes(there, region) +
                  region->loop->env_size;
    more += there->records ? 0 : records_bytes(region);
    more += there->starts ? 0 : starts_bytes(region);
    more += there->turns ? 0 : turns_bytes(region) + 2 * passages_bytes(region);
    more += there->needs ? 0 : needs_bytes(region);
    return more;
}

static void arrays_bring(struct orrery_on_device *there, const struct orrery_region *region,
                         const struct orrery_state *state,
                         const struct orrery_device_array *arrays) {
    size_t more = more_bytes(there, region);
    if (arrays) {
        there->parts = orrery_device_parts_load(there->parts, there->device, region->loop,
                                                region->where, arrays, more);
        return;
    }
    orrery_segments_begin(there->device);
    arrays_want(region, state);
    orrery_segments_load(region->where, more);
}

static void bring(struct orrery_on_device *there, struct orrery_region *region,
                  const struct orrery_state *state, const void *env, bool parts) {
    keep(there, region, &there->records, region->records, records_bytes(region));
    if (!there->starts)
        starts_keep(there, region);
    keep(there, region, &there->turns, region->turns ? region->turns->turn : NULL,
         turns_bytes(region));
    keep(there, region, &there->needs, region->needs, needs_bytes(region));
    if (passages_bytes(region)) {
        keep(there, region, &there->arrivals, region->turns->arrival, passages_bytes(region));
        keep(there, region, &there->departures, region->turns->departure, passages_bytes(region));
    }
    resize(there, region, &there->flags, &there->flags_bytes, flags_bytes(there, region));
    resize(there, region, &there->copies, &there->copies_bytes, copies_bytes(region));
    resize(there, region, &there->reach, &there->reach_bytes, reach_bytes(region));
    if (is_wave(region))
        reach_send(there, region);
    if (!there->env)
        there->env = alloc(there, region, region->loop->env_size);
    env_send(there, state, env, parts);
    copies_send(there, region);
    if (flags_bytes(there, region))
        there->device->fill_zero(there->flags, flags_bytes(there, region));
}

static struct orrery_kernel_grid grid_of(const struct orrery_blocks *blocks) {
    struct orrery_kernel_grid grid = {.ndims = blocks->ndims,
                                      .held = blocks->held,
                                      .in_order = blocks->strategy == ORRERY_LEVELS ||
                                                  blocks->strategy == ORRERY_ORDERED_ROTATION};
    for (int d = 0; d < blocks->ndims; ++d) {
        grid.parts[d] = blocks->parts[d];
        grid.slots[d] = blocks->slots[d];
        grid.first[d] = blocks->first[d];
    }
    return grid;
}

static struct orrery_kernel_job job_of(const struct orrery_on_device *there,
                                       const struct orrery_region *region) {
    return (struct orrery_kernel_job){
        .env = there->env,
        .records = there->records,
        .starts = (const long *)there->starts,
        .count = region->count,
        .rows = region->blocks.rows,
        .row_low = region->row_low,
        .row_high = region->row_high,
        .columns = region->blocks.columns,
        .clock_high = region->blocks.clocks,
        .phases = 1,
        .grid = grid_of(&region->blocks),
        .turns = (const unsigned *)there->turns,
        .arrivals = (const int *)there->arrivals,
        .departures = (const int *)there->departures,
        .needs = (const unsigned long *)there->needs,
        .reach = (const long *)there->reach,
        .wave_low = region->wave.low,
        .wave_width = region->wave.width,
        .flags = (unsigned *)there->flags,
        .copies = (const struct orrery_kernel_copies *)there->copies,
        .sums = (struct orrery_kernel_sums *)there->sums,
        .in_order = orrery_env()->gpu_in_order,
    };
}

/* ---- sums that were taken both ways ---- */

/* Of all regions of this rank. */
static struct {
    unsigned long long count;
    float worst;
} held;

static void sums_start(struct orrery_on_device *there, const struct orrery_region *region) {
    if (!there->sums)
        there->sums = alloc(there, region, sizeof(struct orrery_kernel_sums));
    there->device->fill_zero(there->sums, sizeof(struct orrery_kernel_sums));
}

static void sums_end(const struct orrery_on_device *there, const struct orrery_region *region) {
    struct orrery_kernel_sums sums;
    float worst;
    orrery_device_out(there->device, &sums, there->sums, sizeof sums);
    memcpy(&worst, &sums.worst, sizeof worst);
    held.count += sums.count;
    held.worst = worst > held.worst ? worst : held.worst;
    if (sums.broken)
        dsm_fail(1,
                 "%s: of %llu sums across the lanes of a warp %llu are further from the sum in the "
                 "serial order than rounding allows, the worst %.3g times as far (docs/gpu.md, "
                 "\"Bounds\")",
                 region->where, sums.count, sums.broken, (double)worst);
}

void orrery_device_report(void) {
    orrery_device_count_report();
    if (orrery_env()->verify && held.count)
        fprintf(stderr,
                "orrery: sums across lanes: %llu, by tree and in order, at most %.3f of what "
                "rounding allows apart\n",
                held.count, (double)held.worst);
}

/* ---- several ranks: batons come and go while the kernel runs ---- */

/* `here`, `left`: flags between kernel and host, by arrival and departure. `sent`: departures that
 * have begun. `hooks`: what the carrier calls. */
struct crossing {
    struct orrery_on_device *there;
    unsigned *here, *left;
    bool *sent;
    struct orrery_carrier_device hooks;
};

static void crossing_out(void *data, struct dsm_array *array, int part) {
    const struct crossing *crossing = data;
    orrery_device_part_out(crossing->there->parts, array, part);
}

static void crossing_in(void *data, struct dsm_array *array, int part) {
    const struct crossing *crossing = data;
    orrery_device_part_in(crossing->there->parts, array, part);
}

static void crossing_here(void *data, long arrival) {
    const struct crossing *crossing = data;
    __atomic_store_n(&crossing->here[arrival], 1, __ATOMIC_RELEASE);
}

static void departures_look(const struct crossing *crossing, struct orrery_region *region) {
    for (long d = 0; d < region->turns->ndepartures; ++d)
        if (!crossing->sent[d] && __atomic_load_n(&crossing->left[d], __ATOMIC_ACQUIRE)) {
            crossing->sent[d] = true;
            orrery_carrier_depart(region->carrier, d);
        }
}

/* `here`, `left` for all of the region, whose launches are one or more. */
static void crossing_open(struct crossing *crossing, struct orrery_on_device *there,
                          struct orrery_region *region, struct orrery_kernel_job *job) {
    const struct orrery_device *device = there->device;
    size_t arrivals = (size_t)region->turns->narrivals + 1;
    size_t departures = (size_t)region->turns->ndepartures + 1;
    *crossing = (struct crossing){
        .there = there,
        .here = device->shared_alloc(arrivals * sizeof *crossing->here),
        .left = device->shared_alloc(departures * sizeof *crossing->left),
        .sent = orrery_memory_aligned(departures * sizeof *crossing->sent),
        .hooks = {crossing_out, crossing_in, crossing_here, crossing},
    };
    job->here = crossing->here;
    job->left = crossing->left;
    orrery_carrier_attach(region->carrier, &crossing->hooks);
    orrery_carrier_start(region->carrier, 0);
}

/* The kernel waits for what comes, and says what may go; both are looked after until it has ended
 * and everything that it let go is on its way. */
static void crossing_run(const struct crossing *crossing, struct orrery_region *region) {
    bool runs = true;
    while (runs) {
        runs = !crossing->there->device->poll();
        departures_look(crossing, region);
        orrery_carrier_poll(region->carrier);
    }
}

static void crossing_close(struct crossing *crossing, struct orrery_region *region) {
    const struct orrery_device *device = crossing->there->device;
    while (!orrery_carrier_poll(region->carrier))
        continue;
    device->shared_free(crossing->here);
    device->shared_free(crossing->left);
    orrery_memory_free(crossing->sent);
}

/* ---- launches ---- */

/* `crossing`: NULL when no baton comes from elsewhere. */
static void launch(const struct orrery_on_device *there, struct orrery_region *region,
                   const struct orrery_kernel_job *job, const struct crossing *crossing) {
    there->device->launch(&there->kernel, job, there->warps);
    orrery_device_launched();
    if (crossing)
        crossing_run(crossing, region);
    there->device->sync();
    orrery_device_ended(region->where);
}

/* With one clock the phases are parts of the rows' blocks (clocks.c). */
static void phase_set(const struct orrery_region *region, struct orrery_kernel_job *job) {
    long clocks = region->blocks.clocks, phases = region->merge->phases;
    if (clocks == 1) {
        job->phase = region->phase;
        job->phases = phases;
        return;
    }
    job->clock_low = orrery_share(clocks, region->phase, phases);
    job->clock_high = orrery_share(clocks, region->phase + 1, phases);
}

/*
 * A launch for each phase; copies are merged here, as workers' are. No rank waits in a merge for
 * one that waits for a baton of the same phase: what a phase lets go is sent before its merge.
 */
static void phases_run(const struct orrery_on_device *there, struct orrery_region *region,
                       struct orrery_kernel_job *job, const struct crossing *crossing) {
    long phases = region->merge->phases;
    for (region->phase = 0; region->phase < phases; ++region->phase) {
        bool last = region->phase + 1 == phases;
        phase_set(region, job);
        launch(there, region, job, crossing);
        copies_fetch(there, region);
        orrery_merge_all(region, last);
        if (!last)
            copies_send(there, region);
    }
}

/* A rank that has no rows takes part in the merges. */
static void phases_attend(struct orrery_region *region) {
    long phases = region->merge ? region->merge->phases : 0;
    if (region->merge)
        orrery_merge_start(region);
    for (region->phase = 0; region->phase < phases; ++region->phase)
        orrery_merge_all(region, region->phase + 1 == phases);
}

static void blocks_run(struct orrery_on_device *there, struct orrery_region *region) {
    struct orrery_kernel_job job = job_of(there, region);
    struct crossing crossing, *used = region->carrier ? &crossing : NULL;
    if (used)
        crossing_open(used, there, region, &job);
    if (region->merge)
        phases_run(there, region, &job, used);
    else
        launch(there, region, &job, used);
    if (used)
        crossing_close(used, region);
}

/* Merges write to the program's memory, where what the kernel wrote may lie beside it. */
static void segments_store(const struct orrery_region *region) {
    for (int i = 0; region->merge && i < region->merge->narrays; ++i) {
        const struct orrery_merged *m = &region->merge->arrays[i];
        orrery_segments_merged(m->target, m->bytes);
    }
    orrery_segments_store();
}

void orrery_device_run(struct orrery_region *region, struct orrery_state *state, const void *env,
                       const struct orrery_device_array *arrays) {
    struct orrery_on_device *there = place_of(state);
    double begin = orrery_clock();
    orrery_trace_prepare();
    region_check(region);
    for (long row = region->row_low; row < region->row_high && region->loop->nreductions; ++row)
        orrery_copies_reset(region->copies, row);
    if (region->row_low == region->row_high) {
        phases_attend(region);
        return;
    }
    if (region->merge)
        orrery_merge_start(region);
    kernel_choose(there, region, env);
    there->warps = warps_of(there, region);
    arrays_bring(there, region, state, arrays);
    bring(there, region, state, env, arrays != NULL);
    sums_start(there, region);
    blocks_run(there, region);
    sums_end(there, region);
    if (arrays)
        orrery_device_parts_store(there->parts);
    else
        segments_store(region);
    if (!region->merge)
        copies_fetch(there, region);
    orrery_device_region(begin);
}
