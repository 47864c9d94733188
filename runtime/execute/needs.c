/*
 * What a loop's arrays need of a rank's memory, before the loop runs, and what a rank had when it
 * is over; both against ORRERY_MEMORY (docs/messages/ORR9232.md).
 */
#include "runtime/execute/needs.h"

#include "runtime/base/env.h"
#include "runtime/layout/layout.h"
#include "runtime/merge/merge.h"
#include "runtime/merge/serve.h"

#include "dsm/dsm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One array's: what a rank has of it; what serves it, merges it, or is copied of it. */
struct need {
    const char *name;
    double own, copies;
};

static double limit(void) {
    return (double)orrery_env()->memory * 1e6;
}

/* The reduction into shape a, or -1. Shapes behind those of the arrays are all reduced. */
static int reduction_of(const struct orrery_loop *loop, int a) {
    for (int j = 0; j < loop->nreductions; ++j)
        if (loop->reductions[j].array == a)
            return j;
    return -1;
}

static bool is_cut(const struct orrery_loop *loop, const struct orrery_blocks *blocks, int a) {
    if (a >= loop->narrays)
        return false;
    return orrery_layout_of(loop, a) >= 0 || orrery_layout_claimed(loop, a) >= 0 ||
           blocks->strategy == ORRERY_WAVEFRONT;
}

/* Places, gains and marks at the owner, and a number per line, as docs/served.md counts them. */
static struct need served_need(double bytes, double size, int ranks) {
    double part = bytes / ranks;
    return (struct need){NULL, part, part * 6 / size + bytes / 16};
}

/* Of a rank above 0; rank 0 has the array itself, places and gains. */
static struct need merged_need(const struct orrery_state *state, int j, double bytes) {
    double copies = (double)orrery_merge_copies(state, j) * bytes;
    double places = (1 + 5.0 / (double)state->loop->reductions[j].size) * bytes;
    return (struct need){NULL, bytes, copies + places};
}

/* The body does not touch it, only the iterations' records are made of it. */
static bool is_aligned(const struct orrery_state *state, int a) {
    return a < state->loop->narrays && state->loop->arrays[a].placement == ORRERY_ALIGNED &&
           !state->shapes[a].table;
}

static bool is_windowed(const struct orrery_state *state, int a) {
    const char *base = state->shapes[a].base;
    return dsm_is_windowed(base, base + orrery_shape_extent(&state->shapes[a]));
}

/* Bytes of what rank 0 reads through its window. */
static double windowed_bytes(const struct orrery_state *state) {
    double bytes = 0;
    for (int a = 0; a < state->loop->narrays; ++a)
        if (is_aligned(state, a) && is_windowed(state, a))
            bytes += (double)orrery_shape_extent(&state->shapes[a]);
    return bytes;
}

/* Records are dealt, a rank's after the other's, and what they are made of is there, too: rank 0 makes
 * room in its window, and what leaves is on the others. Once they are dealt there is room. */
static bool is_room_for_window(const struct orrery_state *state, int ranks) {
    double bytes = windowed_bytes(state), share = bytes / ranks, most = limit() + ORRERY_BESIDE;
    if (state->stats->regions > 0 || limit() <= 0)
        return true;
    double here = (double)dsm_window_room(0);
    if (here + bytes / dsm_ranks() > most)
        here = (double)dsm_window_room((size_t)(bytes / dsm_ranks()));
    return here + share <= most && bytes / (ranks - 1) + share <= limit();
}

/* Others have what they have loaded of it, or their share of what rank 0 has a part of. */
static bool is_placed(const struct orrery_state *state, int a, double bytes, int ranks) {
    const char *base = state->shapes[a].base;
    return is_aligned(state, a) && (dsm_placed_on(base, base + (size_t)bytes) != 0 ||
                                    (is_windowed(state, a) && is_room_for_window(state, ranks)));
}

/* It stands in a file: on one rank the array, on several what each has of it, in a view; the array that
 * rank 0 reads through its window, and all ranks' records of it. */
static bool is_in_files(const struct orrery_state *state, int a) {
    const struct orrery_loop *loop = state->loop;
    int d = a < loop->narrays ? orrery_layout_of(loop, a) : -1;
    if (!dsm_spill_budget() || dsm_ranks() == 1)
        return dsm_is_spilled(state->shapes[a].base);
    bool cut = (d >= 0 && d != ORRERY_ITERATIONS) ||
               (a < loop->narrays && orrery_layout_claimed(loop, a) >= 0);
    if (is_aligned(state, a) && is_windowed(state, a))
        return true;
    return cut && reduction_of(loop, a) < 0 && orrery_layout_can_view(loop, a, &state->shapes[a]);
}

static struct need need_of(const struct orrery_state *state, int a, int ranks) {
    const struct orrery_loop *loop = state->loop;
    double bytes = (double)orrery_shape_extent(&state->shapes[a]);
    int j = reduction_of(loop, a);
    bool merged = j >= 0 && orrery_is_merged(&loop->reductions[j]);
    struct need need = {NULL, bytes, 0};
    if (merged && orrery_serve_has(state, j))
        need = served_need(bytes, (double)loop->reductions[j].size, ranks);
    else if (merged)
        need = merged_need(state, j, (double)state->bytes[j]);
    else if (ranks > 1 && dsm_ranks() > 1 &&
             (is_cut(loop, &state->blocks, a) || is_placed(state, a, bytes, ranks)))
        need.own = bytes / ranks;
    need.name = a < loop->narrays ? loop->arrays[a].name : j >= 0 ? loop->reductions[j].name : "?";
    return need;
}

/* What is merged may be among the loop's arrays, too: there it is the same memory. */
static bool is_merged_elsewhere(const struct orrery_state *state, int a) {
    const struct orrery_shape *shape = &state->shapes[a];
    const struct orrery_loop *loop = state->loop;
    for (int j = 0; j < loop->nreductions; ++j) {
        int b = loop->reductions[j].array;
        if (b < 0 || b == a || !orrery_is_merged(&loop->reductions[j]) || shape->table)
            continue;
        const struct orrery_shape *other = &state->shapes[b];
        if (other->base && shape->base >= other->base &&
            shape->base + orrery_shape_extent(shape) <= other->base + orrery_shape_extent(other))
            return true;
    }
    return false;
}

static int falling(const void *a, const void *b) {
    const struct need *x = a, *y = b;
    double p = x->own + x->copies, q = y->own + y->copies;
    return (p < q) - (p > q);
}

/* The arrays that need most, as far as there is room. */
static void needs_text(const struct need *needs, int n, char *text, size_t size) {
    size_t at = 0;
    for (int i = 0; i < n && at + 80 < size; ++i) {
        at += (size_t)snprintf(text + at, size - at, "%s%.40s %.1f MB", i ? ", " : "",
                               needs[i].name, needs[i].own / 1e6);
        if (needs[i].copies > 0)
            at += (size_t)snprintf(text + at, size - at, " and %.1f MB of copies",
                                   needs[i].copies / 1e6);
    }
}

/* ORRERY_STATS: once per loop, before anything is moved. */
static void say(const struct orrery_state *state, double all, const char *text) {
    if (orrery_env()->stats && state->stats->regions == 0)
        fprintf(stderr, "orrery: %s memory-mb of a rank %.1f: %s\n", state->where, all / 1e6, text);
}

/* Of a rank of so many; `needs`, `n`: of each array. */
static double needs_all(const struct orrery_state *state, int ranks, struct need *needs, int *n) {
    double all = 0;
    *n = 0;
    for (int a = 0; a < state->nshapes; ++a)
        if (orrery_shape_exists(&state->shapes[a]) && !is_in_files(state, a) &&
            !is_merged_elsewhere(state, a)) {
            needs[*n] = need_of(state, a, ranks);
            all += needs[*n].own + needs[*n].copies;
            ++*n;
        }
    return all;
}

/* On how many ranks the loop has room: more than there are; 0: on none. */
static int ranks_enough(const struct orrery_state *state, struct need *needs) {
    enum { MOST = 65536 };
    for (int ranks = dsm_ranks() + 1, n; dsm_ranks() > 1 && ranks <= MOST; ranks += ranks / 64 + 1)
        if (needs_all(state, ranks, needs, &n) <= limit())
            return ranks;
    return 0;
}

static _Noreturn void refuse(const struct orrery_state *state, double all, const char *text,
                             int enough) {
    char ranks[64];
    snprintf(ranks, sizeof ranks, enough ? "%d ranks" : "more than %d rank%s",
             enough ? enough : dsm_ranks(), dsm_ranks() == 1 ? "" : "s");
    dsm_refuse(1,
               "%s: the arrays of this loop need %.1f MB on a rank, which may have %ld "
               "(ORRERY_MEMORY): %s; run it on %s%s [ORR9232]",
               state->where, all / 1e6, orrery_env()->memory, text, ranks,
               dsm_spill_budget() ? "" : ", or with --spill DIR");
}

void orrery_needs_check(const struct orrery_state *state) {
    int n;
    char text[1024] = "";
    if (limit() <= 0 && !orrery_env()->stats)
        return;
    struct need *needs = dsm_own_alloc((size_t)(state->nshapes + 1) * sizeof *needs);
    double all = needs_all(state, dsm_ranks(), needs, &n);
    qsort(needs, (size_t)n, sizeof *needs, falling);
    needs_text(needs, n, text, sizeof text);
    say(state, all, text);
    if (limit() > 0 && all > limit())
        refuse(state, all, text, ranks_enough(state, needs));
    dsm_own_free(needs);
}

/* The most pages that this process had at once, in bytes; 0: it cannot be said. Where memory is
 * spilled those that no file has, as they are now: the others go when somebody needs them. */
static double peak(void) {
    long bytes = dsm_process_number(dsm_spill_budget() ? DSM_PROCESS_ANONYMOUS : DSM_PROCESS_PEAK);
    return bytes > 0 ? (double)bytes : 0;
}

static double beside(void) {
    return dsm_ranks() > 1 || dsm_spill_budget() ? ORRERY_BESIDE : 0;
}

void orrery_needs_name(const char *address, char *text, size_t size) {
    for (const struct orrery_state *s = orrery_states(); s; s = s->next)
        for (int a = 0; a < s->loop->narrays; ++a) {
            const struct orrery_shape *shape = &s->shapes[a];
            size_t at = (size_t)(address - shape->base), element = s->loop->arrays[a].element_size;
            if (!orrery_shape_exists(shape) || !shape->base || !element || address < shape->base ||
                at >= orrery_shape_extent(shape))
                continue;
            snprintf(text, size, "%.60s[%zu], ", s->loop->arrays[a].name, at / element);
            return;
        }
}

void orrery_needs_enforce(const char *where) {
    double had = limit() > 0 ? peak() : 0;
    if (had > limit() + beside())
        dsm_fail(1,
                 "%s: rank %d had %.1f MB of memory, more than the %ld that it may have "
                 "(ORRERY_MEMORY) [ORR9233]",
                 where, dsm_rank(), had / 1e6, orrery_env()->memory);
}
