#define _GNU_SOURCE
#include "runtime/report/trace.h"

#include "dsm/dsm.h"
#include "runtime/base/clock.h"
#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/merge/serve.h"
#include "runtime/region/region.h"
#include "runtime/region/state.h"
#include "runtime/threads/workers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum event_kind {
    EVENT_BLOCK,
    EVENT_WAIT,
    EVENT_REGION,
    EVENT_SENT,
    EVENT_RECEIVED,
    EVENT_KERNEL,
    EVENT_COPY
};

/* what: EVENT_REGION, EVENT_COPY. a, b: row and column, or column and peer. */
struct event {
    enum event_kind kind;
    const char *where, *what;
    long a, b;
    unsigned long bytes;
    double begin, end;
};

/* Written by one worker at a time. */
struct lane {
    _Alignas(64) struct event *events;
    long count, room, lost;
};

/* Lanes: the workers, then the program itself, messages out, messages in, the device's. */
enum { LANE_MAIN, LANE_SENT, LANE_RECEIVED, LANE_KERNELS, LANE_COPIES, LANES_EXTRA };
enum { EVENTS_MOST = 4 << 20 };

static struct {
    struct lane *lanes;
    int workers;
} trace;

double orrery_trace_begin(void) {
    return orrery_env()->trace ? orrery_clock() : 0;
}

void orrery_trace_prepare(void) {
    if (!orrery_env()->trace || trace.lanes)
        return;
    trace.workers = orrery_workers_count();
    trace.lanes =
        orrery_memory_aligned((size_t)(trace.workers + LANES_EXTRA) * sizeof *trace.lanes);
}

static void add(int number, struct event event) {
    if (!trace.lanes)
        return;
    struct lane *lane = &trace.lanes[number];
    if (lane->count == EVENTS_MOST) {
        ++lane->lost;
        return;
    }
    if (lane->count == lane->room) {
        lane->room = lane->room ? 2 * lane->room : 256;
        lane->events = dsm_own_realloc(lane->events, (size_t)lane->room * sizeof event);
    }
    lane->events[lane->count++] = event;
}

void orrery_trace_block(int worker, const char *where, long row, long column, double begin) {
    if (begin > 0)
        add(worker, (struct event){.kind = EVENT_BLOCK,
                                   .where = where,
                                   .a = row,
                                   .b = column,
                                   .begin = begin,
                                   .end = orrery_clock()});
}

void orrery_trace_wait(int worker, double begin, double end) {
    if (trace.lanes)
        add(worker, (struct event){.kind = EVENT_WAIT, .begin = begin, .end = end});
}

void orrery_trace_region(const char *what, const char *where, double begin) {
    if (begin > 0)
        add(trace.workers + LANE_MAIN, (struct event){.kind = EVENT_REGION,
                                                      .where = where,
                                                      .what = what,
                                                      .begin = begin,
                                                      .end = orrery_clock()});
}

/* Messages overlap, events of one lane may not. */
static double after_last(int number, double begin) {
    const struct lane *lane = &trace.lanes[number];
    double last = lane->count ? lane->events[lane->count - 1].end : 0;
    return begin > last ? begin : last;
}

void orrery_trace_message(int sent, long column, int peer, double begin) {
    int lane = trace.workers + (sent ? LANE_SENT : LANE_RECEIVED);
    if (begin > 0 && trace.lanes)
        add(lane, (struct event){.kind = sent ? EVENT_SENT : EVENT_RECEIVED,
                                 .a = column,
                                 .b = peer,
                                 .begin = after_last(lane, begin),
                                 .end = orrery_clock()});
}

void orrery_trace_device(enum orrery_trace_device kind, const char *what, unsigned long bytes,
                         double begin) {
    bool kernel = kind == ORRERY_TRACE_KERNEL;
    if (begin > 0)
        add(trace.workers + (kernel ? LANE_KERNELS : LANE_COPIES),
            (struct event){.kind = kernel ? EVENT_KERNEL : EVENT_COPY,
                           .where = what,
                           .what = what,
                           .bytes = bytes,
                           .begin = begin,
                           .end = orrery_clock()});
}

static void print_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; ++text)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", *text);
        else
            fputc(*text, out);
    fputc('"', out);
}

static void print_name(FILE *out, const struct event *event) {
    char name[512];
    switch (event->kind) {
    case EVENT_BLOCK:
        snprintf(name, sizeof name, "%s (%ld, %ld)", event->where, event->a, event->b);
        break;
    case EVENT_WAIT:
        snprintf(name, sizeof name, "wait");
        break;
    case EVENT_REGION:
        snprintf(name, sizeof name, "%s %s", event->what, event->where);
        break;
    case EVENT_SENT:
        snprintf(name, sizeof name, "column %ld to rank %ld", event->a, event->b);
        break;
    case EVENT_RECEIVED:
        snprintf(name, sizeof name, "column %ld from rank %ld", event->a, event->b);
        break;
    case EVENT_KERNEL:
        snprintf(name, sizeof name, "kernel %s", event->where);
        break;
    case EVENT_COPY:
        snprintf(name, sizeof name, "copy %s", event->what);
        break;
    }
    print_text(out, name);
}

static void print_lane(FILE *out, int number, double offset) {
    static const char *const extra[] = {"program", "messages out", "messages in", "kernels",
                                        "copies"};
    const struct lane *lane = &trace.lanes[number];
    if (number >= trace.workers + LANE_KERNELS && lane->count == 0)
        return;
    char name[32];
    snprintf(name, sizeof name, "worker %d", number);
    fprintf(out,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,"
            "\"args\":{\"name\":\"%s\"}}",
            dsm_rank(), number, number < trace.workers ? name : extra[number - trace.workers]);
    for (long i = 0; i < lane->count; ++i) {
        const struct event *event = &lane->events[i];
        fputs(",\n{\"name\":", out);
        print_name(out, event);
        fprintf(out,
                ",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,"
                "\"args\":{\"bytes\":%lu}}",
                dsm_rank(), number, (event->begin + offset) * 1e6,
                (event->end - event->begin) * 1e6, event->bytes);
    }
    if (lane->lost)
        fprintf(stderr, "orrery: rank %d: the trace lost %ld events of %s\n", dsm_rank(),
                lane->lost, name);
}

/* The cache of served arrays, on a rank that has one. */
static void print_cache(FILE *out) {
    struct orrery_cache_figures cache = orrery_serve_figures();
    if (cache.asked > 0)
        fprintf(out,
                ",\n{\"name\":\"served_cache\",\"ph\":\"M\",\"pid\":%d,\"args\":"
                "{\"bytes\":%zu,\"hits\":%llu,\"asked\":%llu}}",
                dsm_rank(), cache.bytes, (unsigned long long)cache.hits,
                (unsigned long long)cache.asked);
}

static void print_rank(FILE *out, double offset) {
    fprintf(out,
            "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"rank "
            "%d\"}}",
            dsm_rank(), dsm_rank());
    print_cache(out);
    for (int i = 0; trace.lanes && i < trace.workers + LANES_EXTRA; ++i)
        print_lane(out, i, offset);
}

/* What to add to this rank's clock to get rank 0's: half of a round trip is taken as the way. */
static double clocks_align(int rank) {
    double offset = 0, theirs;
    if (dsm_rank() == 0) {
        double begin = orrery_clock();
        dsm_send(rank, ORRERY_TAG_TRACE, &begin, sizeof begin);
        dsm_receive(rank, ORRERY_TAG_TRACE, &theirs, sizeof theirs);
        offset = (begin + orrery_clock()) / 2 - theirs;
        dsm_send(rank, ORRERY_TAG_TRACE, &offset, sizeof offset);
    } else {
        dsm_receive(0, ORRERY_TAG_TRACE, &offset, sizeof offset);
        theirs = orrery_clock();
        dsm_send(0, ORRERY_TAG_TRACE, &theirs, sizeof theirs);
        dsm_receive(0, ORRERY_TAG_TRACE, &offset, sizeof offset);
    }
    return offset;
}

static void send_text(void) {
    double offset = clocks_align(0);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        dsm_fail(1, "no memory for the trace");
    print_rank(out, offset);
    fclose(out);
    dsm_send(0, ORRERY_TAG_TRACE, &size, sizeof size);
    dsm_send(0, ORRERY_TAG_TRACE, text, size);
    free(text);
}

static void receive_text(FILE *out, int rank) {
    size_t size;
    clocks_align(rank);
    dsm_receive(rank, ORRERY_TAG_TRACE, &size, sizeof size);
    char *text = dsm_own_alloc(size);
    dsm_receive(rank, ORRERY_TAG_TRACE, text, size);
    fputs(",\n", out);
    fwrite(text, 1, size, out);
    dsm_own_free(text);
}

/* What the names of blocks stand for: the grid of every loop that was run. */
static void print_grids(FILE *out) {
    bool first = true;
    fputs("\"otherData\":{\"schema\":\"orrery-trace/1\",\"loops\":[", out);
    for (const struct orrery_state *state = orrery_states(); state; state = state->next) {
        const struct orrery_blocks *blocks = &state->stats->blocks;
        if (blocks->rows == 0)
            continue;
        fputs(first ? "\n{\"loop\":" : ",\n{\"loop\":", out);
        print_text(out, state->where);
        fprintf(out, ",\"strategy\":\"%s\",\"rows\":%ld,\"columns\":%ld,\"parts\":[",
                orrery_strategy_of(state->loop), blocks->rows, blocks->columns);
        for (int d = 0; d < blocks->ndims; ++d)
            fprintf(out, "%s%ld", d ? "," : "", blocks->parts[d]);
        fputs("]}", out);
        first = false;
    }
    fputs("]}", out);
}

void orrery_trace_write(void) {
    const char *path = orrery_env()->trace;
    if (!path)
        return;
    if (dsm_rank() != 0) {
        send_text();
        return;
    }
    FILE *out = fopen(path, "w");
    if (!out)
        dsm_fail(1, "cannot write the trace %s: %s", path, strerror(errno));
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", out);
    print_rank(out, 0);
    for (int rank = 1; rank < dsm_ranks(); ++rank)
        receive_text(out, rank);
    fputs("\n],\n", out);
    print_grids(out);
    fputs("}\n", out);
    if (ferror(out) | fclose(out))
        dsm_fail(1, "cannot write the trace %s: %s", path, strerror(errno));
}
