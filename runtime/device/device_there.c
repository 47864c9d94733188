/* What a loop keeps on its device: sizes, and what is brought there for a region. */
#include "runtime/device/device_there.h"

#include "runtime/base/memory.h"
#include "runtime/execute/wave.h"
#include "runtime/region/region.h"

#include "dsm/dsm.h"

#include <string.h>

struct orrery_on_device *orrery_there_of(struct orrery_state *state) {
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

static bool is_by_level(const struct orrery_region *region) {
    return region->needs || region->exchange;
}

static size_t needs_bytes(const struct orrery_region *region) {
    return is_by_level(region) ? blocks_of(region) * sizeof *region->needs : 0;
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
    size_t flags = is_by_level(region) ? (size_t)there->warps
                   : region->turns     ? (size_t)region->blocks.batons
                   : is_wave(region)   ? (size_t)region->blocks.rows
                                       : 0;
    return flags * sizeof(unsigned);
}

/* ---- arrays ---- */

static _Noreturn void unknown_size(const struct orrery_region *region, int a) {
    const struct orrery_array *array = &region->loop->arrays[a];
    dsm_refuse(
        1,
        "%s: the size of %s (%s), which the device needs a copy of, is not known%s; allocate it "
        "with malloc or calloc, or say extent(%s : n) in the pragma",
        region->where, array->name, array->where, dsm_stripped_words(), array->name);
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

char *orrery_there_alloc(const struct orrery_on_device *there, const struct orrery_region *region,
                         size_t bytes) {
    char *memory = there->device->alloc(bytes ? bytes : 1);
    if (!memory)
        dsm_refuse(1, "%s: the device has no memory left for %zu bytes of records and flags",
                   region->where, bytes);
    return memory;
}

/* Copied once: it stays as it is until the inspection is made anew. */
static void keep(const struct orrery_on_device *there, const struct orrery_region *region,
                 char **memory, const void *from, size_t bytes) {
    if (*memory || !bytes)
        return;
    *memory = orrery_there_alloc(there, region, bytes);
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

/* With several ranks a launch is one column, in which no row needs another. */
static void needs_keep(struct orrery_on_device *there, const struct orrery_region *region) {
    size_t bytes = needs_bytes(region);
    if (!region->exchange) {
        keep(there, region, &there->needs, region->needs, bytes);
        return;
    }
    if (there->needs)
        return;
    there->needs = orrery_there_alloc(there, region, bytes);
    there->device->fill_zero(there->needs, bytes);
}

static void resize(const struct orrery_on_device *there, const struct orrery_region *region,
                   char **memory, size_t *has, size_t bytes) {
    if (*memory && *has == bytes)
        return;
    release(there->device, memory);
    *memory = orrery_there_alloc(there, region, bytes);
    *has = bytes;
}

void orrery_there_flags_clear(const struct orrery_on_device *there,
                              const struct orrery_region *region) {
    if (flags_bytes(there, region))
        there->device->fill_zero(there->flags, flags_bytes(there, region));
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

/* Bytes that the region needs besides arrays, and has not got on the device yet. */
static size_t more_bytes(const struct orrery_on_device *there, const struct orrery_region *region) {
    size_t more = orrery_there_copies_bytes(there, region) + reach_bytes(region) +
                  flags_bytes(there, region) + region->loop->env_size;
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
    needs_keep(there, region);
    if (passages_bytes(region)) {
        keep(there, region, &there->arrivals, region->turns->arrival, passages_bytes(region));
        keep(there, region, &there->departures, region->turns->departure, passages_bytes(region));
    }
    resize(there, region, &there->flags, &there->flags_bytes, flags_bytes(there, region));
    resize(there, region, &there->copies, &there->copies_bytes,
           orrery_there_copies_bytes(there, region));
    resize(there, region, &there->reach, &there->reach_bytes, reach_bytes(region));
    if (is_wave(region))
        reach_send(there, region);
    if (!there->env)
        there->env = orrery_there_alloc(there, region, region->loop->env_size);
    env_send(there, state, env, parts);
    orrery_there_copies_start(there, region);
    orrery_there_flags_clear(there, region);
}

void orrery_there_bring(struct orrery_on_device *there, struct orrery_region *region,
                        const struct orrery_state *state, const void *env,
                        const struct orrery_device_array *arrays) {
    arrays_bring(there, region, state, arrays);
    bring(there, region, state, env, arrays != NULL);
}
