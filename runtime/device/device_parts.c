/*
 * Parts: what a rank has of the arrays of a loop that several ranks run. The device has room for
 * the whole array, so that rows stand as they do on the host; what of it holds something is known
 * part by part. A part that leaves goes by way of the host's memory, and so does one that comes.
 * What stays on a rank stays on its device between regions (docs/dsm-protocol.md, "Rows on a
 * device").
 */
#include "runtime/device/device.h"

#include "runtime/base/env.h"
#include "runtime/orrery_run.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* An array of a loop on the device. */
struct array {
    const struct orrery_device *device; /* where its copy is */
    const char *name;                   /* as the program calls it */
    struct dsm_array *parts;            /* NULL: it has none */
    struct dsm_range span;              /* of the stores, or of all of it */
    char *memory;                       /* the device's */
    bool written;                       /* the loop may write it */
    bool paneled;                       /* the caller brings it */
    bool loaded;                        /* an array without parts is on the device, */
    bool *there;                        /* part p is, */
    uint64_t stamp; /* as long as the stores, or the whole array, have this stamp */
};

struct orrery_device_parts {
    const struct orrery_device *device;
    int count;
    struct array *arrays;
};

static size_t bytes_of(const struct array *array) {
    return (size_t)(array->span.high - array->span.low);
}

/* ---- moving ---------------------------------------------------------------------------------- */

struct motion {
    const struct array *array;
    bool in;
};

static void stretch_move(void *data, char *low, size_t bytes) {
    const struct motion *motion = data;
    char *there = motion->array->memory + (low - motion->array->span.low);
    if (motion->in)
        orrery_device_in(motion->array->device, there, low, bytes);
    else
        orrery_device_out(motion->array->device, low, there, bytes);
}

static struct array *array_of(struct orrery_device_parts *parts, const struct dsm_array *array) {
    int a = 0;
    while (parts->arrays[a].parts != array)
        ++a;
    return &parts->arrays[a];
}

static void part_move(const struct array *array, int part, bool in) {
    struct motion motion = {array, in};
    if (in || array->written)
        dsm_part_ranges(array->parts, part, stretch_move, &motion);
}

/* The host is about to read rows that the last region may have written. */
static void part_fetch(void *data, const struct dsm_array *parts, int part, char *low,
                       size_t bytes) {
    struct motion motion = {data, false};
    (void)parts;
    if (motion.array->there[part])
        stretch_move(&motion, low, bytes);
}

/* ---- batons ---------------------------------------------------------------------------------- */

static void low_keep(void *data, char *low, size_t bytes) {
    struct dsm_range *range = data;
    range->low = range->low ? range->low : low;
    range->high = low + bytes;
}

/* Where the part's rows are on the device. What no iteration writes stays in its store as well, and
 * is taken from there. NULL: it goes by way of its store. */
static char *direct_at(const struct array *array, int part) {
    struct dsm_range range = {NULL, NULL};
    if (!array->written || !dsm_part_direct(array->parts))
        return NULL;
    dsm_part_ranges(array->parts, part, low_keep, &range);
    return range.low ? array->memory + (range.low - array->span.low) : NULL;
}

static void bytes_add(void *data, char *low, size_t bytes) {
    (void)low;
    *(size_t *)data += bytes;
}

char *orrery_device_part_leaves(struct orrery_device_parts *parts, struct dsm_array *array,
                                int part) {
    struct array *mine = array_of(parts, array);
    char *there = direct_at(mine, part);
    size_t bytes = 0;
    dsm_part_ranges(array, part, bytes_add, &bytes);
    if (!there)
        part_move(mine, part, false);
    mine->there[part] = false;
    orrery_device_left(bytes, there != NULL);
    return there;
}

char *orrery_device_part_comes(struct orrery_device_parts *parts, struct dsm_array *array,
                               int part) {
    return direct_at(array_of(parts, array), part);
}

/* At home a part that came by way of its store stays there until the next region. */
void orrery_device_part_in(struct orrery_device_parts *parts, struct dsm_array *array, int part,
                           bool home) {
    struct array *mine = array_of(parts, array);
    bool direct = direct_at(mine, part) != NULL;
    if (direct)
        mine->device->arrived();
    else if (!home)
        part_move(mine, part, true);
    mine->there[part] = direct || !home;
}

void orrery_device_parts_copy(struct orrery_device_parts *parts, int a, char *low, size_t bytes,
                              bool in) {
    struct motion motion = {&parts->arrays[a], in};
    stretch_move(&motion, low, bytes);
}

/* NULL: it is on no device. */
static const struct array *array_at(const struct orrery_device_parts *parts, const char *low) {
    for (int a = 0; a < parts->count; ++a) {
        const struct dsm_range *span = &parts->arrays[a].span;
        if (low >= span->low && low < span->high)
            return &parts->arrays[a];
    }
    return NULL;
}

void orrery_device_parts_bytes(struct orrery_device_parts *parts, char *low, size_t bytes,
                               bool in) {
    struct motion motion = {array_at(parts, low), in};
    if (motion.array)
        stretch_move(&motion, low, bytes);
}

void orrery_device_parts_read(const struct orrery_device_parts *parts, const char *low,
                              size_t bytes, char *to) {
    const struct array *array = array_at(parts, low);
    if (array)
        orrery_device_out(array->device, to, array->memory + (low - array->span.low), bytes);
}

/* ---- room ------------------------------------------------------------------------------------ */

static void array_forget(struct array *array) {
    dsm_own_free(array->there);
    array->there = NULL;
    array->loaded = false;
}

static void array_free(struct array *array) {
    if (array->memory)
        array->device->free(array->memory);
    array->memory = NULL;
    array_forget(array);
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
            array_free(array);
        uint64_t stamp = arrays[a].parts ? dsm_store_stamp(arrays[a].parts) : arrays[a].stamp;
        if (array->parts != arrays[a].parts || array->stamp != stamp ||
            (arrays[a].fresh && !arrays[a].parts))
            array_forget(array);
        array->device = parts->device;
        array->name = loop->arrays[a].name;
        array->written = loop->arrays[a].written;
        array->parts = arrays[a].parts;
        array->stamp = stamp;
        array->paneled = arrays[a].paneled;
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

/* ---- as a region calls it -------------------------------------------------------------------- */

static void whole_load(struct array *array) {
    if (!array->loaded)
        orrery_device_in(array->device, array->memory, array->span.low, bytes_of(array));
    array->loaded = true;
}

/* From here on the rows are the device's until they leave. */
static void parts_load(struct array *array) {
    int n = dsm_array_parts(array->parts);
    if (!array->there)
        array->there = memset(dsm_own_alloc((size_t)n * sizeof *array->there), 0,
                              (size_t)n * sizeof *array->there);
    dsm_store_back(array->parts);
    for (int part = 0; part < n; ++part)
        if (dsm_part_owner(array->parts, part) == dsm_rank() && !array->there[part]) {
            part_move(array, part, true);
            array->there[part] = true;
        }
}

/* What this rank has of the array now. */
static void array_load(struct array *array) {
    if (array->parts && bytes_of(array))
        parts_load(array);
    else if (bytes_of(array) && !array->paneled)
        whole_load(array);
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
        array_load(&parts->arrays[a]);
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
        if (!array->there || !array->written ||
            (orrery_env()->gpu_stay && dsm_store_on_device(array->parts, part_fetch, array)))
            continue;
        for (int part = 0; part < dsm_array_parts(array->parts); ++part)
            if (array->there[part])
                part_move(array, part, false);
    }
}
