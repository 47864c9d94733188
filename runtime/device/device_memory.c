/*
 * Segments: the device's copies of the program's memory. A segment is a whole stretch of host
 * memory, arrays that lie in one allocation share it, so what overlaps on the host overlaps on the
 * device. Between regions the device's copy is right, unless a watch tells that the host wrote;
 * what the host has not got yet is pending (docs/dsm-protocol.md, "Lazy copies").
 */
#include "runtime/device/device.h"

#include "runtime/base/env.h"

#include "dsm/dsm.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory of the host that is on the device. */
struct orrery_segment {
    struct orrery_segment *next; /* in the list of all; NULL: the last */
    const char *low, *high;      /* the stretch of host memory */
    char *memory;                /* the device's */
    bool wanted;                 /* by the region that is about to run or runs */
    bool written;                /* that region changes it */
    bool kept;                   /* that region changes nothing here */
    bool newer;                  /* the host has not got everything that the device has */
    struct dsm_watch *watch;     /* NULL while a region runs that changes something */
    struct dsm_lazy *lazy;       /* over `pending`; or NULL */
    struct dsm_range pending;    /* whole pages of the host */
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

/* Nobody notices any more what the host does. */
static void segment_release(struct orrery_segment *segment) {
    if (segment->lazy)
        dsm_lazy_end(segment->lazy);
    dsm_watch_end(segment->watch);
    segment->lazy = NULL;
    segment->watch = NULL;
}

static void segment_free(struct orrery_segment *segment) {
    struct orrery_segment **at = &table.segments;
    while (*at != segment)
        at = &(*at)->next;
    *at = segment->next;
    if (segment->lazy)
        dsm_lazy_materialize(segment->lazy);
    segment_release(segment);
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
    *s = (struct orrery_segment){
        .next = table.segments, low, high, .wanted = true, .written = written};
    table.segments = s;
}

static void requests_unite(void) {
    if (table.nrequests > 0)
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
    dsm_refuse(1,
               "%s: the device has not got the memory: %.1f MB of its %.1f MB are free; the loop "
               "needs %s, and %.1f MB for records and flags; use less data, or run it on the CPU",
               where, (double)unused / 1e6, (double)all / 1e6, names, (double)more / 1e6);
}

static bool has_room(size_t more) {
    size_t unused, all;
    table.device->memory(&unused, &all);
    return missing_bytes() + more <= unused;
}

/* The bytes in front of what is pending and those behind it, or all: from the host, or to it. */
static void edges_move(const struct orrery_segment *s, bool in) {
    const struct dsm_range none = {s->high, s->high};
    const struct dsm_range *pending = s->lazy ? &s->pending : &none;
    const struct dsm_range edges[2] = {{s->low, pending->low}, {pending->high, s->high}};
    for (int i = 0; i < 2; ++i) {
        char *host = (char *)(uintptr_t)edges[i].low, *there = s->memory + (host - s->low);
        size_t bytes = (size_t)(edges[i].high - edges[i].low);
        if (bytes && in)
            orrery_device_in(table.device, there, host, bytes);
        else if (bytes)
            orrery_device_out(table.device, host, there, bytes);
    }
}

/* What the device has becomes what the host has; true: the device was behind. */
static bool segment_update(struct orrery_segment *s, bool fresh) {
    enum dsm_lazy_state state = s->lazy ? dsm_lazy_state(s->lazy) : DSM_LAZY_DONE;
    bool behind = fresh || !s->watch || dsm_watch_changed(s->watch) || state == DSM_LAZY_GONE;
    s->newer = state == DSM_LAZY_PENDING;
    if (!s->newer && s->lazy) {
        dsm_lazy_end(s->lazy);
        s->lazy = NULL;
    }
    if (behind)
        edges_move(s, true);
    return behind;
}

static void segment_load(struct orrery_segment *s, const char *where, size_t more) {
    bool fresh = !s->memory;
    if (fresh)
        s->memory = table.device->alloc((size_t)(s->high - s->low));
    if (!s->memory)
        no_room(where, more);
    s->kept = !segment_update(s, fresh) && !s->written;
    if (!s->kept)
        segment_release(s);
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

void orrery_segments_merged(const char *low, size_t bytes) {
    for (struct orrery_segment *s = table.segments; s; s = s->next) {
        const char *from = low > s->low ? low : s->low;
        const char *to = low + bytes < s->high ? low + bytes : s->high;
        if (s->wanted && !s->kept && from < to)
            orrery_device_in(table.device, s->memory + (from - s->low), from, (size_t)(to - from));
    }
}

static void segment_fetch(void *data, char *to, const char *address, size_t bytes) {
    const struct orrery_segment *s = data;
    orrery_device_out(table.device, to, s->memory + (address - s->low), bytes);
}

/* Whole pages of the host are pending, the rest comes back. */
static void segment_defer(struct orrery_segment *s) {
    dsm_acquire(s->low, (size_t)(s->high - s->low), true);
    if (orrery_env()->gpu_stay)
        s->lazy = dsm_lazy_new(s->low, s->high, segment_fetch, s, &s->pending);
    edges_move(s, false);
}

static void segment_store(struct orrery_segment *s) {
    if (s->written || s->newer)
        segment_defer(s);
    s->watch = dsm_watch_start(1, &(struct dsm_range){s->low, s->high});
    if (s->lazy)
        dsm_lazy_defer(s->lazy);
}

void orrery_segments_store(void) {
    for (struct orrery_segment *s = table.segments; s; s = s->next)
        if (s->wanted && !s->kept)
            segment_store(s);
}
