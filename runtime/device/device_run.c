/* A region on a device: what the kernel needs is brought there, all blocks are one launch. */
#include "runtime/device/device_there.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/execute/exchange.h"
#include "runtime/execute/transfer.h"
#include "runtime/merge/merge.h"
#include "runtime/region/region.h"
#include "runtime/report/trace.h"

#include "dsm/dsm.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

static void region_check(const struct orrery_region *region) {
    const struct orrery_kernel *kernel = region->loop->kernel;
    if (kernel->abi != ORRERY_KERNEL_ABI)
        dsm_fail(1, "%s: its kernel was compiled for version %d of the runtime, this is %d",
                 region->where, kernel->abi, ORRERY_KERNEL_ABI);
    if (kernel->layout != region->loop->kernel_layout)
        dsm_fail(1, "%s: the loop and its kernel disagree: compile the file again", region->where);
    if (fegetround() != FE_TONEAREST)
        dsm_refuse(1,
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
        dsm_fail(1,
                 "ORRERY_DEBUG=gpu_blocks=%ld: %s runs at most %ld blocks of %s's kernel at once",
                 orrery_env()->gpu_blocks, there->device->name, most / ORRERY_WARPS_PER_BLOCK,
                 region->where);
    say_coarse(there, region, kernel->row_per_lane ? most * ORRERY_LANES : most);
    long warps = asked ? asked : useful < most ? useful : most;
    return (warps + ORRERY_WARPS_PER_BLOCK - 1) / ORRERY_WARPS_PER_BLOCK * ORRERY_WARPS_PER_BLOCK;
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
        .panel_low = region->row_low,
        .panel_high = region->row_high,
        .flags = (unsigned *)there->flags,
        .copies = (const struct orrery_kernel_copies *)there->copies,
        .sums = (struct orrery_kernel_sums *)there->sums,
        .in_order = orrery_env()->gpu_in_order,
    };
}

/* ---- sums that were taken both ways ---------------------------------------------------------- */

/* Of all regions of this rank. */
static struct {
    unsigned long long count;
    float worst;
} held;

static void sums_start(struct orrery_on_device *there, const struct orrery_region *region) {
    if (!there->sums)
        there->sums = orrery_there_alloc(there, region, sizeof(struct orrery_kernel_sums));
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

/* ---- several ranks: batons come and go while the kernel runs --------------------------------- */

/* `here`, `left`: flags between kernel and host, by arrival and departure. `sent`: departures that
 * have begun. `hooks`: what the transfer calls. */
struct crossing {
    struct orrery_on_device *there;
    unsigned *here, *left;
    bool *sent;
    struct orrery_transfer_device hooks;
};

static char *crossing_leaves(void *data, struct dsm_array *array, int part) {
    const struct crossing *crossing = data;
    return orrery_device_part_leaves(crossing->there->parts, array, part);
}

static char *crossing_comes(void *data, struct dsm_array *array, int part) {
    const struct crossing *crossing = data;
    return orrery_device_part_comes(crossing->there->parts, array, part);
}

static void crossing_in(void *data, struct dsm_array *array, int part, bool home) {
    const struct crossing *crossing = data;
    orrery_device_part_in(crossing->there->parts, array, part, home);
}

static void crossing_here(void *data, long arrival) {
    const struct crossing *crossing = data;
    __atomic_store_n(&crossing->here[arrival], 1, __ATOMIC_RELEASE);
}

static void departures_look(const struct crossing *crossing, struct orrery_region *region) {
    for (long d = 0; d < region->turns->ndepartures; ++d)
        if (!crossing->sent[d] && __atomic_load_n(&crossing->left[d], __ATOMIC_ACQUIRE)) {
            crossing->sent[d] = true;
            orrery_transfer_depart(region->transfer, d);
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
        .hooks = {crossing_leaves, crossing_comes, crossing_in, crossing_here, crossing},
    };
    job->here = crossing->here;
    job->left = crossing->left;
    orrery_transfer_attach(region->transfer, &crossing->hooks);
    orrery_transfer_start(region->transfer, 0);
}

/* The kernel waits for what comes, and says what may go; both are looked after until it has ended
 * and everything that it let go is on its way. */
static void crossing_run(const struct crossing *crossing, struct orrery_region *region) {
    bool runs = true;
    while (runs) {
        runs = !crossing->there->device->poll();
        departures_look(crossing, region);
        orrery_transfer_poll(region->transfer);
    }
}

static void crossing_close(struct crossing *crossing, struct orrery_region *region) {
    const struct orrery_device *device = crossing->there->device;
    while (!orrery_transfer_poll(region->transfer))
        continue;
    device->shared_free(crossing->here);
    device->shared_free(crossing->left);
    orrery_memory_free(crossing->sent);
}

/* ---- launches -------------------------------------------------------------------------------- */

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

/* A launch for each visit; no baton comes from elsewhere when there are several. */
static void visits_run(const struct orrery_on_device *there, struct orrery_region *region,
                       struct orrery_kernel_job *job, const struct crossing *crossing) {
    job->phases = region->blocks.visits;
    for (job->phase = 0; job->phase < job->phases; ++job->phase) {
        if (job->phase > 0)
            orrery_there_flags_clear(there, region);
        launch(there, region, job, crossing);
    }
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
 * A launch for each phase; the device merges, or copies are merged here, as workers' are. No rank waits in a merge for
 * one that waits for a baton of the same phase: what a phase lets go is sent before its merge.
 */
static void phases_run(const struct orrery_on_device *there, struct orrery_region *region,
                       struct orrery_kernel_job *job, const struct crossing *crossing) {
    long phases = region->merge->phases;
    for (region->phase = 0; region->phase < phases; ++region->phase) {
        bool last = region->phase + 1 == phases;
        phase_set(region, job);
        launch(there, region, job, crossing);
        if (there->merges) {
            orrery_there_merge(there, region, job, last);
            continue;
        }
        orrery_there_copies_fetch(there, region);
        orrery_merge_all(region, last);
        if (!last)
            orrery_there_copies_send(there, region);
    }
}

/* A rank that has no rows takes part in the merges. */
static void phases_attend(struct orrery_region *region) {
    long phases = region->merge ? region->merge->phases : 0;
    if (region->merge)
        orrery_merge_start(region, true);
    for (region->phase = 0; region->phase < phases; ++region->phase)
        orrery_merge_all(region, region->phase + 1 == phases);
}

/* ---- levels on several ranks: a launch for each column, and what it wrote behind it ---------- */

/* Copies cost as much as so many bytes before the first arrives. */
enum { GAP = 32 << 10 };

struct telling {
    struct orrery_device_parts *parts;
    bool in;
};

static void stretch_tell(void *data, int a, char *low, size_t bytes) {
    const struct telling *telling = data;
    orrery_device_parts_copy(telling->parts, a, low, bytes, telling->in);
}

static bool has_blocks(const struct orrery_region *region, long column) {
    for (long row = region->row_low; row < region->row_high; ++row) {
        long i = (row - region->row_low) * region->blocks.columns + column;
        if (region->starts[i] < region->starts[i + 1])
            return true;
    }
    return false;
}

/* Host and device have the same before a column and behind it,
 * so what lies in a gap does not change. */
static void column_tell(const struct orrery_on_device *there, const struct orrery_region *region,
                        long column) {
    struct telling out = {there->parts, false}, in = {there->parts, true};
    orrery_exchange_stretches(region->exchange, column, true, GAP, stretch_tell, &out);
    orrery_exchange_column(region->exchange, column);
    orrery_exchange_stretches(region->exchange, column, false, GAP, stretch_tell, &in);
}

static void columns_run(const struct orrery_on_device *there, struct orrery_region *region,
                        struct orrery_kernel_job *job) {
    for (long column = 0; column < region->blocks.columns; ++column) {
        job->clock_low = column;
        job->clock_high = column + 1;
        if (has_blocks(region, column))
            launch(there, region, job, NULL);
        column_tell(there, region, column);
    }
}

/* A rank that has no rows hears what the others wrote. */
static void columns_attend(const struct orrery_region *region) {
    for (long column = 0; region->exchange && column < region->blocks.columns; ++column)
        orrery_exchange_column(region->exchange, column);
}

static void blocks_run(struct orrery_on_device *there, struct orrery_region *region) {
    struct orrery_kernel_job job = job_of(there, region);
    struct crossing crossing, *used = region->transfer ? &crossing : NULL;
    if (used)
        crossing_open(used, there, region, &job);
    if (region->panels)
        orrery_device_waves_run(there, region, &job);
    else if (region->exchange)
        columns_run(there, region, &job);
    else if (region->merge)
        phases_run(there, region, &job, used);
    else
        visits_run(there, region, &job, used);
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
    struct orrery_on_device *there = orrery_there_of(state);
    double begin = orrery_clock();
    orrery_trace_prepare();
    region_check(region);
    if (region->row_low == region->row_high) {
        phases_attend(region);
        columns_attend(region);
        return;
    }
    kernel_choose(there, region, env);
    orrery_there_copies_choose(there, region);
    if (region->merge)
        orrery_merge_start(region, !there->merges);
    there->warps = warps_of(there, region);
    orrery_there_bring(there, region, state, env, arrays);
    sums_start(there, region);
    dsm_attempt_commit();
    blocks_run(there, region);
    sums_end(there, region);
    if (arrays)
        orrery_device_parts_store(there->parts);
    else
        segments_store(region);
    if (!region->merge || there->merges)
        orrery_there_copies_fetch(there, region);
    orrery_device_region(begin);
}
