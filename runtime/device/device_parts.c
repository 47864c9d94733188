/*
 * Parts: what a rank has of the arrays of a loop that several ranks run. The device has room for
 * the whole array, so that rows stand as they do on the host; what of it holds something is known
 * part by part. A part that leaves goes by way of the host's memory, and so does one that comes.
 */
#include "runtime/device/device.h"

#include "runtime/orrery_run.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* `there[p]`: part p is on the device. */
struct array {
    const char *name;
    struct dsm_array *parts;
    struct dsm_range span;
    char *memory;
    bool written, *there;
};

struct orrery_device_parts {
    const struct orrery_device *device;
    int count;
    struct array *arrays;
};

static size_t bytes_of(const struct array *array) {
    return (size_t)(array->span.high - array->span.low);
}

/* ---- moving ---- */

struct motion {
    const struct orrery_device *device;
    const struct array *array;
    bool in;
};

static void stretch_move(void *data, char *low, size_t bytes) {
    const struct motion *motion = data;
    char *there = motion->array->memory + (low - motion->array->span.low);
    if (motion->in)
        orrery_device_in(motion->device, there, low, bytes);
    else
        orrery_device_out(motion->device, low, there, bytes);
}

static struct array *array_of(struct orrery_device_parts *parts, const struct dsm_array *array) {
    int a = 0;
    while (parts->arrays[a].parts != array)
        ++a;
    return &parts->arrays[a];
}

static void part_move(struct orrery_device_parts *parts, struct array *array, int part, bool in) {
    struct motion motion = {parts->device, array, in};
    if (in || array->written)
        dsm_part_ranges(array->parts, part, stretch_move, &motion);
    array->there[part] = in;
}

void orrery_device_part_in(struct orrery_device_parts *parts, struct dsm_array *array, int part) {
    part_move(parts, array_of(parts, array), part, true);
}

void orrery_device_part_out(struct orrery_device_parts *parts, struct dsm_array *array, int part) {
    part_move(parts, array_of(parts, array), part, false);
}

void orrery_device_parts_copy(struct orrery_device_parts *parts, int a, char *low, size_t bytes,
                              bool in) {
    struct motion motion = {parts->device, &parts->arrays[a], in};
    stretch_move(&motion, low, bytes);
}

/* ---- room ---- */

static void array_free(const struct orrery_device_parts *parts, struct array *array) {
    if (array->memory)
        parts->device->free(array->memory);
    dsm_own_free(array->there);
    array->memory = NULL;
    array->there = NULL;
}

static _Noreturn void no_room(const struct orrery_device_parts *parts, const char *where,
                              size_t more) {
    char names[512] = "";
    size_t unused, all, used = 0;
    parts->device->memory(&unused, &all);
    for (int a = 0; a < parts->count; ++a) {
        const struct array *array = &parts->arrays[a];
        int n = snprintf(names + used, sizeof names - used, "%s%s %.1f MB", used ? ", " : "",
                         array->name, (double)bytes_of(array) / 1e6);
        used = n < 0 || used + (size_t)n >= sizeof names ? sizeof names - 1 : used + (size_t)n;
    }
    dsm_fail(1,
             "%s: the device of rank %d has not got the memory: %.1f MB of its %.1f MB are free; "
             "the loop needs %s, and %.1f MB for records and flags; use less data, or run it on "
             "the CPU",
             where, dsm_rank(), (double)unused / 1e6, (double)all / 1e6, names, (double)more / 1e6);
}

/* Two arrays in one memory would be two on the device. */
static void overlap_check(const struct orrery_device_parts *parts, const char *where) {
    for (int a = 0; a < parts->count; ++a)
        for (int b = 0; b < a; ++b) {
            const struct array *x = &parts->arrays[a], *y = &parts->arrays[b];
            if (x->span.low < y->span.high && y->span.low < x->span.high &&
                (x->written || y->written))
                dsm_fail(1,
                         "%s: %s and %s lie in one memory, which several ranks with a device each "
                         "cannot divide; allocate them one by one, or run it on one rank",
                         where, x->name, y->name);
        }
}

static void arrays_set(struct orrery_device_parts *parts, const struct orrery_loop *loop,
                       const struct orrery_device_array *arrays) {
    for (int a = 0; a < parts->count; ++a) {
        struct array *array = &parts->arrays[a];
        const struct dsm_range *span = &arrays[a].span;
        if (array->span.low != span->low || array->span.high != span->high)
            array_free(parts, array);
        dsm_own_free(array->there);
        array->there = NULL;
        array->name = loop->arrays[a].name;
        array->written = loop->arrays[a].written;
        array->parts = arrays[a].parts;
        array->span = *span;
    }
}

static void room_make(struct orrery_device_parts *parts, const char *where, size_t more) {
    size_t unused, all, missing = more;
    for (int a = 0; a < parts->count; ++a)
        missing += parts->arrays[a].memory ? 0 : bytes_of(&parts->arrays[a]);
    parts->device->memory(&unused, &all);
    if (missing > unused)
        no_room(parts, where, more);
    for (int a = 0; a < parts->count; ++a) {
        struct array *array = &parts->arrays[a];
        if (!array->memory && bytes_of(array))
            array->memory = parts->device->alloc(bytes_of(array));
        if (!array->memory && bytes_of(array))
            no_room(parts, where, more);
    }
}

/* ---- as a region calls it ---- */

/* What this rank has of the array now. */
static void array_load(struct orrery_device_parts *parts, struct array *array) {
    if (!bytes_of(array))
        return;
    if (!array->parts) {
        orrery_device_in(parts->device, array->memory, array->span.low, bytes_of(array));
        return;
    }
    int n = dsm_array_parts(array->parts);
    array->there = dsm_own_alloc((size_t)n * sizeof *array->there);
    memset(array->there, 0, (size_t)n * sizeof *array->there);
    for (int part = 0; part < n; ++part)
        if (dsm_part_owner(array->parts, part) == dsm_rank())
            part_move(parts, array, part, true);
}

struct orrery_device_parts *
orrery_device_parts_load(struct orrery_device_parts *parts, const struct orrery_device *device,
                         const struct orrery_loop *loop, const char *where,
                         const struct orrery_device_array *arrays, size_t more) {
    if (!parts) {
        size_t bytes = (size_t)(loop->narrays + 1) * sizeof *parts->arrays;
        parts = dsm_own_alloc(sizeof *parts);
        *parts = (struct orrery_device_parts){device, loop->narrays, dsm_own_alloc(bytes)};
        memset(parts->arrays, 0, bytes);
    }
    arrays_set(parts, loop, arrays);
    overlap_check(parts, where);
    room_make(parts, where, more);
    for (int a = 0; a < parts->count; ++a)
        array_load(parts, &parts->arrays[a]);
    return parts;
}

void *orrery_device_parts_find(const struct orrery_device_parts *parts, int a,
                               const void *address) {
    const struct array *array = &parts->arrays[a];
    uintptr_t apart = (uintptr_t)address - (uintptr_t)array->span.low;
    return array->memory ? (void *)((uintptr_t)array->memory + apart) : NULL;
}

void orrery_device_parts_store(struct orrery_device_parts *parts) {
    for (int a = 0; a < parts->count; ++a) {
        struct array *array = &parts->arrays[a];
        for (int part = 0; array->there && part < dsm_array_parts(array->parts); ++part)
            if (array->there[part])
                part_move(parts, array, part, false);
    }
}
