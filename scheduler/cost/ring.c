/*
 * Blocks on warps. A block is ready when its warp is done with the one before, and each of its
 * batons has come from the block that had it before. Blocks that run share what the device has: all
 * make the same progress, at full rate while they are few (processor sharing). So a block ends when
 * the progress is what it was at its start, and as much more as it takes alone.
 */
#include "scheduler/cost/ring.h"

#include "scheduler/cost/machine.h"

#include <math.h>
#include <string.h>

/* ---- the block that comes next --------------------------------------------------------------- */

struct coming {
    double key;
    long step;
};

struct heap {
    struct coming *list;
    long count;
};

static void heap_add(struct heap *heap, double key, long step) {
    long at = heap->count++;
    while (at > 0 && heap->list[(at - 1) / 2].key > key) {
        heap->list[at] = heap->list[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->list[at] = (struct coming){key, step};
}

static struct coming heap_take(struct heap *heap) {
    struct coming first = heap->list[0], last = heap->list[--heap->count];
    long at = 0;
    for (long below = 1; below < heap->count; below = 2 * at + 1) {
        below += below + 1 < heap->count && heap->list[below + 1].key < heap->list[below].key;
        if (heap->list[below].key >= last.key)
            break;
        heap->list[at] = heap->list[below];
        at = below;
    }
    heap->list[at] = last;
    return first;
}

static double heap_least(const struct heap *heap) {
    return heap->count ? heap->list[0].key : INFINITY;
}

/* ---- who waits for whom ---------------------------------------------------------------------- */

enum { NEXT = 1 + MOST_BATONS };

/* `behind`: of each block those that wait for it, its warp's first, -1: none. `waits`: for so many.
 * `ready`: when the last of them let it go. */
struct order {
    long (*behind)[NEXT];
    unsigned char *waits;
    double *ready;
};

static long warp_of(const struct ring *ring, long row) {
    return row * ring->warps / ring->loop->rows;
}

static void link_to(struct order *order, long *last, long step, int which) {
    if (*last >= 0) {
        order->behind[*last][which] = step;
        ++order->waits[step];
    }
    *last = step;
}

static long *none(struct arena *arena, long count) {
    long *list = arena_alloc(arena, (size_t)(count + 1) * sizeof *list);
    for (long i = 0; i < count; ++i)
        list[i] = -1;
    return list;
}

/* A baton is `which` of the block that had it before, so that is remembered besides. */
static struct order order_of(struct arena *arena, const struct ring *ring) {
    const struct cost_loop *loop = ring->loop;
    size_t count = (size_t)loop->nsteps + 1;
    long *of_warp = none(arena, ring->warps), *of_baton = none(arena, loop->nbatons);
    int *place = arena_alloc(arena, (size_t)(loop->nbatons + 1) * sizeof *place);
    memset(place, 0, (size_t)(loop->nbatons + 1) * sizeof *place);
    struct order order = {arena_alloc(arena, count * sizeof *order.behind),
                          arena_alloc(arena, count), arena_alloc(arena, count * sizeof(double))};
    memset(order.waits, 0, count);
    memset(order.behind, 0xff, count * sizeof *order.behind);
    memset(order.ready, 0, count * sizeof *order.ready);
    for (long i = 0; i < loop->nsteps; ++i) {
        link_to(&order, &of_warp[warp_of(ring, loop->steps[i].row)], i, 0);
        for (int b = 0; b < loop->steps[i].nbatons && b < MOST_BATONS; ++b) {
            long baton = loop->steps[i].batons[b];
            link_to(&order, &of_baton[baton], i, 1 + place[baton]);
            place[baton] = b;
        }
    }
    return order;
}

/* ---- time ------------------------------------------------------------------------------------ */

/* `runs`: blocks by the progress at which they end, `comes`: by the time at which they begin. */
struct state {
    const struct ring *ring;
    struct order order;
    struct heap runs, comes;
    double now, progress;
};

static double rate(const struct state *state) {
    double many = (double)state->runs.count, most = state->ring->together;
    return most > 0 && many > most ? most / many : 1;
}

static void let_go(struct state *state, long step, long from, int which) {
    const struct ring *ring = state->ring;
    const struct cost_step *steps = ring->loop->steps;
    bool other = warp_of(ring, steps[step].row) != warp_of(ring, steps[from].row);
    double ready = state->now + (which == 0 ? ring->before : other ? ring->passing : 0);
    double *last = &state->order.ready[step];
    *last = ready > *last ? ready : *last;
    if (--state->order.waits[step] == 0)
        heap_add(&state->comes, *last, step);
}

/* The next thing that happens: a block begins, or ends. */
static void happen(struct state *state) {
    double end = state->runs.count
                     ? state->now + (heap_least(&state->runs) - state->progress) / rate(state)
                     : INFINITY;
    double begin = heap_least(&state->comes), next = begin <= end ? begin : end;
    state->progress += (next - state->now) * rate(state);
    state->now = next;
    if (begin <= end) {
        long step = heap_take(&state->comes).step;
        double work = state->ring->loop->steps[step].iterations * state->ring->iteration;
        heap_add(&state->runs, state->progress + work, step);
        return;
    }
    struct coming done = heap_take(&state->runs);
    state->progress = done.key;
    for (int which = 0; which < NEXT; ++which)
        if (state->order.behind[done.step][which] >= 0)
            let_go(state, state->order.behind[done.step][which], done.step, which);
}

double ring_run(struct arena *arena, const struct ring *ring) {
    size_t room = (size_t)ring->loop->nsteps + 1;
    struct state state = {.ring = ring, .order = order_of(arena, ring)};
    state.runs.list = arena_alloc(arena, room * sizeof *state.runs.list);
    state.comes.list = arena_alloc(arena, room * sizeof *state.comes.list);
    for (long i = 0; i < ring->loop->nsteps; ++i)
        if (state.order.waits[i] == 0)
            heap_add(&state.comes, 0, i);
    while (state.runs.count || state.comes.count)
        happen(&state);
    return state.now;
}
