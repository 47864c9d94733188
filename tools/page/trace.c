/* What ORRERY_TRACE wrote (runtime/report/trace.c), taken apart by loop. */
#include "tools/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 24 };

struct reading {
    struct arena *arena;
    struct trace *trace;
    long *lane_pid, *lane_tid;
};

/* ---- lanes ----------------------------------------------------------------------------------- */

static int lane_of(const struct reading *reading, long pid, long tid) {
    for (int i = 0; i < reading->trace->nlanes; ++i)
        if (reading->lane_pid[i] == pid && reading->lane_tid[i] == tid)
            return i;
    return -1;
}

static long integer(const json_t *event, const char *name) {
    return (long)json_integer_value(json_object_get(event, name));
}

static const char *name_of(const json_t *event) {
    const char *name = json_string_value(json_object_get(event, "name"));
    return name ? name : "";
}

/* {"name":"thread_name","ph":"M","pid":0,"tid":0,"args":{"name":"worker 0"}} */
static void read_lane(struct reading *reading, const json_t *event) {
    struct trace *trace = reading->trace;
    const char *name = name_of(json_object_get(event, "args"));
    if (strcmp(name_of(event), "thread_name") != 0 || strncmp(name, "worker ", 7) != 0)
        return;
    long pid = integer(event, "pid"), tid = integer(event, "tid");
    int n = trace->nlanes, also = n;
    ARENA_PUSH(reading->arena, reading->lane_pid, n, pid);
    ARENA_PUSH(reading->arena, reading->lane_tid, also, tid);
    ARENA_PUSH(reading->arena, trace->lanes, trace->nlanes,
               arena_printf(reading->arena, "rank %ld, %s", pid, name));
    trace->ranks = pid + 1 > trace->ranks ? pid + 1 : trace->ranks;
    trace->threads = tid + 1 > trace->threads ? tid + 1 : trace->threads;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static struct trace_loop *loop_named(const struct trace *trace, const char *where, size_t length) {
    for (int i = 0; i < trace->nloops; ++i)
        if (strlen(trace->loops[i].where) == length &&
            strncmp(trace->loops[i].where, where, length) == 0)
            return &trace->loops[i];
    return NULL;
}

/* The parts have to give the rows and columns that are said, and no more than can be kept. */
static void read_blocks(struct trace_loop *loop, const json_t *entry) {
    const json_t *parts = json_object_get(entry, "parts");
    size_t ndims = json_array_size(parts);
    long numbers[ORRERY_DIMS] = {0}, rows = integer(entry, "rows"),
         columns = integer(entry, "columns");
    double cells = (double)rows * (double)columns;
    bool good = schedule_has(loop->strategy) && ndims > 0 && ndims <= ORRERY_DIMS && rows > 0 &&
                columns > 0 && cells <= MOST_CELLS;
    for (size_t d = 0; good && d < ndims; ++d) {
        numbers[d] = (long)json_integer_value(json_array_get(parts, d));
        good = numbers[d] > 0 && numbers[d] <= 2 * cells;
    }
    if (!good)
        return;
    loop->blocks = orrery_blocks_make(strategy_executor(loop->strategy), (int)ndims, numbers);
    loop->has_blocks = loop->blocks.rows == rows && loop->blocks.columns == columns;
}

static bool read_loop(struct reading *reading, const json_t *entry) {
    struct trace *trace = reading->trace;
    const char *where = json_string_value(json_object_get(entry, "loop"));
    const char *strategy = json_string_value(json_object_get(entry, "strategy"));
    if (!where || !strategy)
        return false;
    struct trace_loop loop = {.where = arena_strdup(reading->arena, where)};
    if (strategy_find(strategy, &loop.strategy))
        read_blocks(&loop, entry);
    if (loop.has_blocks) {
        size_t cells = (size_t)(loop.blocks.rows * loop.blocks.columns);
        loop.least = arena_alloc(reading->arena, cells * sizeof *loop.least);
        for (size_t i = 0; i < cells; ++i)
            loop.least[i] = NAN;
    }
    ARENA_PUSH(reading->arena, trace->loops, trace->nloops, loop);
    return true;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* "run WHERE" */
static void read_run(struct reading *reading, const char *name, struct trace_event event) {
    struct trace_loop *loop = loop_named(reading->trace, name + 4, strlen(name + 4));
    if (loop)
        ARENA_PUSH(reading->arena, loop->passes, loop->npasses, event);
}

/* "WHERE (row, column)" */
static void read_block(struct reading *reading, const char *name, struct trace_event event) {
    const char *behind = strrchr(name, '(');
    struct trace_loop *loop = behind && behind > name
                                  ? loop_named(reading->trace, name, (size_t)(behind - name) - 1)
                                  : NULL;
    char *end;
    if (!loop || event.lane < 0)
        return;
    event.row = strtol(behind + 1, &end, 10);
    event.column = *end == ',' ? strtol(end + 1, NULL, 10) : -1;
    if (event.row < 0 || event.column < 0)
        return;
    ARENA_PUSH(reading->arena, loop->events, loop->nevents, event);
    if (loop->has_blocks && event.row < loop->blocks.rows && event.column < loop->blocks.columns) {
        double *least = &loop->least[event.row * loop->blocks.columns + event.column];
        double seconds = (event.end - event.begin) / 1e6;
        *least = isnan(*least) || seconds < *least ? seconds : *least;
    }
}

static void read_event(struct reading *reading, const json_t *event) {
    const char *name = name_of(event), *phase = json_string_value(json_object_get(event, "ph"));
    double begin = json_number_value(json_object_get(event, "ts"));
    struct trace_event read = {.lane =
                                   lane_of(reading, integer(event, "pid"), integer(event, "tid")),
                               .row = -1,
                               .begin = begin,
                               .end = begin + json_number_value(json_object_get(event, "dur"))};
    if (!phase || strcmp(phase, "X") != 0)
        return;
    if (strncmp(name, "run ", 4) == 0 && integer(event, "pid") == 0)
        read_run(reading, name, read);
    else if (strcmp(name, "wait") == 0 && read.lane >= 0)
        ARENA_PUSH(reading->arena, reading->trace->waits, reading->trace->nwaits, read);
    else
        read_block(reading, name, read);
}

static const char *take_apart(struct reading *reading, const json_t *root) {
    const json_t *events = json_object_get(root, "traceEvents");
    const json_t *loops = json_object_get(json_object_get(root, "otherData"), "loops");
    if (!json_is_array(events) || !json_is_array(loops))
        return "no trace that a program of this Orrery wrote (ORRERY_TRACE)";
    for (size_t i = 0; i < json_array_size(loops); ++i)
        if (!read_loop(reading, json_array_get(loops, i)))
            return arena_printf(reading->arena, "otherData.loops[%zu] has no loop or strategy", i);
    for (size_t i = 0; i < json_array_size(events); ++i)
        read_lane(reading, json_array_get(events, i));
    for (size_t i = 0; i < json_array_size(events); ++i)
        read_event(reading, json_array_get(events, i));
    return NULL;
}

struct trace *trace_read(struct arena *arena, const char *path, const char **why) {
    struct reading reading = {.arena = arena, .trace = arena_alloc(arena, sizeof *reading.trace)};
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    *reading.trace = (struct trace){.file = path};
    const char *wrong = root ? take_apart(&reading, root)
                        : error.line > 0
                            ? arena_printf(arena, "line %d: %s", error.line, error.text)
                            : error.text;
    json_decref(root);
    if (!wrong)
        return reading.trace;
    *why = arena_printf(arena, "%s: %s", path, wrong);
    return NULL;
}
