/*
 * Segments: the device's copies of the program's memory. A segment is a whole stretch of host
 * memory, arrays that lie in one allocation share it, so what overlaps on the host overlaps on the
 * device. Between regions the host's memory is right, and a watch tells whether the copy still is.
 */
#include "runtime/device/device.h"

#include "runtime/env.h"

#include "dsm/dsm.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `wanted`: by the region that is about to run or runs. `watch`: NULL while it does. `names`: of
 * the arrays, for messages. */
struct orrery_segment {
    struct orrery_segment *next;
    const char *low, *high;
    char *memory;
    bool wanted, written;
    struct dsm_watch *watch;
};

struct request {
    const char *name, *low, *high;
    bool written;
};

static struct {
    const struct orrery_device *device;
    struct orrery_segment *segments;
    struct request *requests;
    int nrequests, room;
} table;

static void segment_free(struct orrery_segment *segment) {
    struct orrery_segment **at = &table.segments;
    while (*at != segment)
        at = &(*at)->next;
    *at = segment->next;
    if (segment->watch)
        dsm_watch_end(segment->watch);
    if (segment->memory)
        table.device->free(segment->memory);
    dsm_own_free(segment);
}

static void segments_free(bool all) {
    for (struct orrery_segment *s = table.segments, *next; s; s = next) {
        next = s->next;
        if (all || !s->wanted)
            segment_free(s);
    }
}

void orrery_segments_begin(const struct orrery_device *device) {
    if (table.device && table.device != device)
        segments_free(true);
    table.device = device;
    table.nrequests = 0;
    for (struct orrery_segment *s = table.segments; s; s = s->next)
        s->wanted = s->written = false;
}

void orrery_segments_add(const char *name, const char *low, const char *high, bool written) {
    if (low == high)
        return;
    if (table.nrequests == table.room) {
        table.room = table.room ? 2 * table.room : 16;
        table.requests =
            dsm_own_realloc(table.requests, (size_t)table.room * sizeof *table.requests);
    }
    table.requests[table.nrequests++] = (struct request){name, low, high, written};
}

static int by_address(const void *a, const void *b) {
    const struct request *x = a, *y = b;
    return ((uintptr_t)x->low > (uintptr_t)y->low) - ((uintptr_t)x->low < (uintptr_t)y->low);
}

/* Those that overlap another stretch would have two truths. */
static void segment_want(const char *low, const char *high, bool written) {
    for (struct orrery_segment *s = table.segments, *next; s; s = next) {
        next = s->next;
        if (s->low == low && s->high == high) {
            s->wanted = true;
            s->written = written;
            return;
        }
        if (s->low < high && low < s->high)
            segment_free(s);
    }
    struct orrery_segment *s = dsm_own_alloc(sizeof *s);
    *s = (struct orrery_segment){table.segments, low, high, NULL, true, written, NULL};
    table.segments = s;
}

static void requests_unite(void) {
    qsort(table.requests, (size_t)table.nrequests, sizeof *table.requests, by_address);
    for (int i = 0, next; i < table.nrequests; i = next) {
        const char *high = table.requests[i].high;
        bool written = table.requests[i].written;
        for (next = i + 1; next < table.nrequests && table.requests[next].low < high; ++next) {
            high = table.requests[next].high > high ? table.requests[next].high : high;
            written |= table.requests[next].written;
        }
        segment_want(table.requests[i].low, high, written);
    }
}

/* Bytes that are not on the device yet. */
static size_t missing_bytes(void) {
    size_t bytes = 0;
    for (struct orrery_segment *s = table.segments; s; s = s->next)
        bytes += s->memory ? 0 : (size_t)(s->high - s->low);
    return bytes;
}

static _Noreturn void no_room(const char *where, size_t more) {
    char names[512] = "";
    size_t unused, all, used = 0;
    table.device->memory(&unused, &all);
    for (int i = 0; i < table.nrequests; ++i) {
        const struct request *r = &table.requests[i];
        int n = snprintf(names + used, sizeof names - used, "%s%s %.1f MB", used ? ", " : "",
                         r->name, (double)(r->high - r->low) / 1e6);
        used = n < 0 || used + (size_t)n >= sizeof names ? sizeof names - 1 : used + (size_t)n;
    }
    dsm_fail(1,
             "%s: the device has not got the memory: %.1f MB of its %.1f MB are free; the loop "
             "needs %s, and %.1f MB for records and flags; use less data, or run it on the CPU",
             where, (double)unused / 1e6, (double)all / 1e6, names, (double)more / 1e6);
}

static bool has_room(size_t more) {
    size_t unused, all;
    table.device->memory(&unused, &all);
    return missing_bytes() + more <= unused;
}

static void segment_load(struct orrery_segment *s, const char *where, size_t more) {
    size_t bytes = (size_t)(s->high - s->low);
    bool fresh = !s->memory;
    if (fresh)
        s->memory = table.device->alloc(bytes);
    if (!s->memory)
        no_room(where, more);
    if (fresh || !s->watch || dsm_watch_changed(s->watch))
        orrery_device_in(table.device, s->memory, s->low, bytes);
    if (s->watch)
        dsm_watch_end(s->watch);
    s->watch = NULL;
}

void orrery_segments_load(const char *where, size_t more) {
    requests_unite();
    if (!has_room(more))
        segments_free(false);
    if (!has_room(more))
        no_room(where, more);
    for (struct orrery_segment *s = table.segments; s; s = s->next)
        if (s->wanted)
            segment_load(s, where, more);
}

void *orrery_segments_find(const void *address) {
    const char *at = address;
    for (struct orrery_segment *s = table.segments; s; s = s->next)
        if (s->wanted && at >= s->low && at < s->high)
            return s->memory + (at - s->low);
    return NULL;
}

void orrery_segments_store(void) {
    for (struct orrery_segment *s = table.segments; s; s = s->next) {
        size_t bytes = (size_t)(s->high - s->low);
        if (!s->wanted)
            continue;
        if (s->written) {
            dsm_acquire(s->low, bytes, true);
            orrery_device_out(table.device, (char *)(uintptr_t)s->low, s->memory, bytes);
        }
        s->watch = dsm_watch_start(1, &(struct dsm_range){s->low, s->high});
    }
}
