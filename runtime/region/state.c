/* What is kept of the loops that have run on this rank, and whether one may run now. */
#include "runtime/region/state.h"

#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/base/output.h"
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* `program`, `process`: the thread and process that run main.
 * `states`: of every loop run so far, newest last. */
static struct {
    bool started;
    pthread_t program;
    pid_t process;
    atomic_bool active;
    struct orrery_state *states, **end;
} driver;

void orrery_driver_start(void) {
    driver.program = pthread_self();
    driver.process = getpid();
    driver.started = true;
}

bool orrery_call_is_main(void) {
    return pthread_equal(pthread_self(), driver.program);
}

bool orrery_region_active(void) {
    return atomic_load(&driver.active);
}

struct orrery_state *orrery_states(void) {
    return driver.states;
}

static char *where_of(const struct orrery_loop *loop) {
    size_t size = strlen(loop->file) + 24;
    char *where = dsm_own_alloc(size);
    snprintf(where, size, "%s:%d", loop->file, loop->line);
    return where;
}

static int shapes_count(const struct orrery_loop *loop) {
    int n = loop->narrays;
    for (int j = 0; j < loop->nreductions; ++j)
        if (loop->reductions[j].array >= n)
            n = loop->reductions[j].array + 1;
    return n;
}

/* In the lists when nothing of it is wanting. */
struct orrery_state *orrery_state_new(struct orrery_loop *loop, struct orrery_state *last) {
    struct orrery_state *state = orrery_memory_aligned(sizeof *state);
    size_t bytes = (size_t)(shapes_count(loop) + 1) * sizeof(struct orrery_shape);
    state->loop = loop;
    state->where = where_of(loop);
    state->nshapes = shapes_count(loop);
    state->shapes = orrery_memory_aligned(bytes);
    state->checked = orrery_memory_aligned(bytes);
    state->flat = orrery_memory_aligned((size_t)(state->nshapes + 1) * sizeof *state->flat);
    state->row_bytes =
        orrery_memory_aligned((size_t)(loop->narrays + 1) * sizeof *state->row_bytes);
    state->bytes = orrery_memory_aligned((size_t)(loop->nreductions + 1) * sizeof *state->bytes);
    state->front = orrery_memory_aligned((size_t)(loop->nreductions + 1) * sizeof *state->front);
    state->head = last ? last->head : state;
    state->slot = last ? last->slot + 1 : 0;
    state->stats = last ? last->stats : orrery_memory_aligned(sizeof *state->stats);
    if (!driver.end)
        driver.end = &driver.states;
    *driver.end = state;
    driver.end = &state->next;
    if (last)
        last->other = state;
    return state;
}

struct orrery_state *orrery_state_at(struct orrery_loop *loop, int slot) {
    struct orrery_state *state = loop->state ? ((struct orrery_state *)loop->state)->head : NULL;
    if (!state)
        state = orrery_state_new(loop, NULL);
    while (state->slot < slot)
        state = state->other ? state->other : orrery_state_new(loop, state);
    return loop->state = state;
}

struct orrery_state *orrery_state_of(struct orrery_loop *loop) {
    return loop->state ? loop->state : orrery_state_at(loop, 0);
}

const struct orrery_dim *orrery_dims_of(const struct orrery_state *state) {
    return state->loop->by_key ? state->inspection->dims : state->ranges;
}

void *orrery_target_of(const struct orrery_loop *loop, int j, const void *env) {
    void *target;
    memcpy(&target, (const char *)env + loop->reductions[j].target_offset, sizeof target);
    return target;
}

int orrery_fall_back(const struct orrery_loop *loop, const char *text) {
    char where[512];
    int length = snprintf(where, sizeof where, "%s:%d: ", loop->file, loop->line);
    if (length > 0 && strncmp(text, where, (size_t)length) == 0)
        text += length;
    if (loop->allow_fallback == 1 || orrery_env()->stats)
        fprintf(stderr, "orrery: %s:%d: runs serially: %s\n", loop->file, loop->line, text);
    return 1;
}

void orrery_fail(const struct orrery_loop *loop, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (loop->allow_fallback)
        dsm_fail(1, "%s", text);
    dsm_refuse(1, "%s", text);
}

bool orrery_region_is_inside(void) {
    const bool ours = orrery_call_is_main() || orrery_worker_is_here();
    return dsm_rank() != 0 || (ours && orrery_region_active());
}

/* Why only the loop's own text may run here, and now; NULL: it may run in parallel. */
static const char *call_refused(const struct orrery_loop *loop) {
    if (dsm_forked() && dsm_ranks() > 1)
        return "a parallel loop was reached by a child of fork, which has no ranks; only the "
               "process of main may";
    if (dsm_ranks() > 1 && !dsm_is_shared(loop))
        return "a parallel loop of a shared library was reached, which several ranks cannot "
               "divide: "
               "it has another address on each; link it into the program, or run on one rank";
    if (orrery_region_is_inside())
        return "a parallel loop was reached from inside of another one; mark the inner one "
               "`#pragma orrery serial`";
    if (!orrery_call_is_main())
        return "a parallel loop was reached by a thread of the program; only the thread of main "
               "may";
    return NULL;
}

bool orrery_call_check(const struct orrery_loop *loop) {
    if (!driver.started)
        dsm_refuse(1,
                   "%s:%d: the loop is reached before main begins, or the program was not linked "
                   "by orrery-cc, which wraps main",
                   loop->file, loop->line);
    if (loop->abi != ORRERY_RUN_ABI)
        dsm_refuse(1, "%s:%d: compiled for version %d of the runtime, this is %d; compile it again",
                   loop->file, loop->line, loop->abi, ORRERY_RUN_ABI);
    const char *why = call_refused(loop);
    if (why && !loop->allow_fallback)
        orrery_fail(loop, "%s:%d: %s", loop->file, loop->line, why);
    if (why)
        orrery_fall_back(loop, why);
    return !why;
}

void orrery_region_enter(void) {
    atomic_store(&driver.active, true);
    orrery_output_collect(true);
}

void orrery_region_close(void) {
    atomic_store(&driver.active, false);
    orrery_output_collect(false);
}

bool orrery_may_start(void) {
    return driver.started && dsm_rank() == 0 && !orrery_region_active() &&
           pthread_equal(pthread_self(), driver.program) && getpid() == driver.process;
}

const char *orrery_strategy_of(const struct orrery_loop *loop) {
    const struct orrery_state *state = loop->state;
    bool levels = state && state->inspection && state->inspection->levels;
    switch (loop->strategy) {
    case ORRERY_PARTITION_1D:
        return "partition-1d";
    case ORRERY_ROTATION:
        return loop->ndims > 2 ? "rotation-nd" : "rotation-2d";
    case ORRERY_TOURNAMENT:
        return "tournament";
    case ORRERY_ORDERED_ROTATION:
        return levels ? "levels" : "ordered-rotation";
    case ORRERY_LEVELS:
        return loop->unordered ? "batches" : "levels";
    case ORRERY_WAVEFRONT:
        return "wavefront";
    case ORRERY_PIPELINE:
        return "pipeline";
    default:
        for (int j = 0; j < loop->nreductions; ++j)
            if (orrery_is_merged(&loop->reductions[j]))
                return "relaxed";
        return loop->nreductions ? "reduction" : "independent";
    }
}
