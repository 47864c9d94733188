/* A measured pass beside the one that the model of the executor predicts. */
#include "tools/page/page.h"

#include <math.h>
#include <string.h>

enum { MOST_EVENTS = 20000 };

static bool is_same(const struct page *page, const struct plan *plan, const char *where) {
    struct loc place = plan->analysis->loop->header.begin;
    return cost_is_place(where, page->pipeline->unit->files[place.file].name, place.line);
}

static const struct trace_loop *traced(const struct page *page, const struct plan *plan) {
    for (int i = 0; page->trace && i < page->trace->nloops; ++i)
        if (is_same(page, plan, page->trace->loops[i].where))
            return &page->trace->loops[i];
    return NULL;
}

static const struct cost_loop *profiled(const struct page *page, const struct plan *plan) {
    for (int i = 0; page->profile && i < page->profile->nloops; ++i)
        if (is_same(page, plan, page->profile->loops[i].name))
            return &page->profile->loops[i];
    return NULL;
}

/* The pass of median length; the first one counts only when it is alone. */
static int typical(const struct trace_loop *loop) {
    int first = loop->npasses > 1, best = first;
    for (int i = first; i < loop->npasses; ++i) {
        double length = loop->passes[i].end - loop->passes[i].begin;
        int below = 0;
        for (int j = first; j < loop->npasses; ++j) {
            double other = loop->passes[j].end - loop->passes[j].begin;
            below += other < length || (other == length && j < i);
        }
        if (below == (loop->npasses - first - 1) / 2)
            best = i;
    }
    return best;
}

/* ---- as JSON --------------------------------------------------------------------------------- */
/* [lane, begin, end, row, column], microseconds from the pass's begin; row -1: waits. */

static bool inside(const struct trace_event *event, const struct trace_event *pass) {
    return event->begin >= pass->begin && event->end <= pass->end + 1;
}

static void add(json_t *list, int lane, double begin, double end, long row, long column) {
    json_array_append_new(list,
                          json_pack("[i, f, f, I, I]", lane, round(begin * 10) / 10,
                                    round(end * 10) / 10, (json_int_t)row, (json_int_t)column));
}

static json_t *lanes_json(const struct trace *trace) {
    json_t *lanes = json_array();
    for (int i = 0; i < trace->nlanes; ++i)
        json_array_append_new(lanes, json_string(trace->lanes[i]));
    return lanes;
}

static json_t *side_json(double length, double busy, json_t *events) {
    return json_pack("{s:f, s:f, s:o}", "length", length, "busy", busy, "events", events);
}

static json_t *measured_json(const struct page *page, const struct trace_loop *loop, int pass) {
    const struct trace_event *whole = &loop->passes[pass];
    double busy = 0, length = whole->end - whole->begin;
    json_t *events = json_array();
    for (int i = 0; i < loop->nevents; ++i) {
        const struct trace_event *event = &loop->events[i];
        if (!inside(event, whole))
            continue;
        busy += event->end - event->begin;
        if (json_array_size(events) < MOST_EVENTS)
            add(events, event->lane, event->begin - whole->begin, event->end - whole->begin,
                event->row, event->column);
    }
    for (int i = 0; i < page->trace->nwaits; ++i) {
        const struct trace_event *event = &page->trace->waits[i];
        if (inside(event, whole) && json_array_size(events) < MOST_EVENTS)
            add(events, event->lane, event->begin - whole->begin, event->end - whole->begin, -1, 0);
    }
    return side_json(length, length > 0 ? busy / length / page->trace->nlanes : 0, events);
}

/* What the start of the region took at least: from its begin to the first block. */
static double least_start(const struct trace_loop *loop) {
    double least = INFINITY;
    for (int p = 0; p < loop->npasses; ++p) {
        double first = INFINITY;
        for (int i = 0; i < loop->nevents; ++i)
            if (inside(&loop->events[i], &loop->passes[p]))
                first = fmin(first, loop->events[i].begin - loop->passes[p].begin);
        least = fmin(least, first);
    }
    return isfinite(least) ? least / 1e6 : 0;
}

/* Blocks without iterations leave no event: they take no time. */
static struct cost_loop loop_of_trace(const struct page *page, const struct trace_loop *loop) {
    size_t cells = (size_t)(loop->blocks.rows * loop->blocks.columns);
    double *seconds = arena_alloc(page->arena, cells * sizeof *seconds);
    for (size_t i = 0; i < cells; ++i)
        seconds[i] = isnan(loop->least[i]) ? 0 : loop->least[i];
    struct cost_loop made = schedule_loop(page->arena, loop->strategy, &loop->blocks, seconds);
    made.start = least_start(loop);
    return made;
}

static long column_of(const struct cost_loop *loop, const struct cost_step *step,
                      const struct orrery_blocks *blocks, long *next) {
    return blocks ? orrery_column_at(blocks, step->row, next[step->row]++)
                  : (loop->nbatons ? step->batons[0] : 0);
}

static json_t *predicted_json(const struct page *page, const struct cost_loop *loop,
                              const struct orrery_blocks *blocks) {
    const struct trace *trace = page->trace;
    struct cost_cluster cluster = cost_cluster_here(trace->ranks * trace->threads);
    struct cost_setting setting = {.ranks = trace->ranks, .threads = trace->threads, .passes = 1};
    struct cost_result result = cost_simulate(page->arena, loop, &cluster, setting);
    const struct cost_event *timeline = cost_timeline(page->arena, loop, &cluster, setting);
    long *next = arena_alloc(page->arena, (size_t)loop->rows * sizeof *next);
    memset(next, 0, (size_t)loop->rows * sizeof *next);
    json_t *events = json_array();
    for (long i = 0; i < loop->nsteps; ++i) {
        const struct cost_step *step = &loop->steps[i];
        long column = column_of(loop, step, blocks, next);
        while (blocks && column < 0)
            column = column_of(loop, step, blocks, next);
        if (step->seconds > 0 && i < MOST_EVENTS)
            add(events, (int)timeline[i].worker, timeline[i].begin * 1e6 - loop->gap * 1e6,
                timeline[i].end * 1e6 - loop->gap * 1e6, step->row, column);
    }
    return side_json((result.seconds - loop->gap) * 1e6, result.utilisation, events);
}

json_t *page_times(const struct page *page, const struct plan *plan) {
    const struct trace_loop *loop = traced(page, plan);
    const struct cost_loop *profile = profiled(page, plan);
    if (!loop || loop->npasses == 0 || page->trace->nlanes == 0)
        return json_null();
    int pass = typical(loop);
    json_t *json =
        json_pack("{s:s, s:i, s:i, s:I, s:I, s:o, s:o}", "trace", page->trace->file, "pass",
                  pass + 1, "passes", loop->npasses, "ranks", (json_int_t)page->trace->ranks,
                  "threads", (json_int_t)page->trace->threads, "lanes", lanes_json(page->trace),
                  "measured", measured_json(page, loop, pass));
    if (profile) {
        json_object_set_new(json, "predicted", predicted_json(page, profile, NULL));
        json_object_set_new(json, "from", json_string("blocks as in the profile"));
    } else if (loop->has_blocks) {
        struct cost_loop made = loop_of_trace(page, loop);
        json_object_set_new(json, "predicted", predicted_json(page, &made, &loop->blocks));
        json_object_set_new(json, "from",
                            json_string("each block as fast as in its best pass of the trace"));
    }
    return json;
}
