/* What several ranks would do with an array after a region, seen from one rank. */
#include "runtime/layout/layout.h"
#include "runtime/report/profile.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PAGE = 4096 };

/* Cut along a dim, or by intervals, so that every rank has its rows. */
static bool is_shared(const struct orrery_state *state, int a) {
    bool cut = orrery_layout_of(state->loop, a) >= 0 || orrery_layout_claimed(state->loop, a) >= 0;
    return cut && state->blocks.strategy != ORRERY_LEVELS &&
           state->blocks.strategy != ORRERY_PIPELINE && orrery_shape_exists(&state->shapes[a]);
}

/* Of an independent loop whose arrays cannot be cut: ranks get what they read, and give back what
 * they write, in every region (docs/runtime.md). */
static bool is_sent(const struct orrery_state *state, int a) {
    const struct orrery_loop *loop = state->loop;
    return loop->sections && loop->strategy != ORRERY_WAVEFRONT &&
           loop->arrays[a].placement == ORRERY_RESIDENT && loop->arrays[a].dim < 0;
}

/* All arrays of a dim stand at home as soon as one
 * of them cannot be moved (orrery_layout_modes). */
static bool stands_at_home(const struct orrery_state *state, int a) {
    const struct orrery_loop *loop = state->loop;
    int d = orrery_layout_of(loop, a);
    if (d == ORRERY_ITERATIONS)
        return true;
    bool home = !orrery_layout_can_view(loop, a, &state->shapes[a]);
    for (int b = 0; d >= 0 && b < loop->narrays; ++b)
        if (orrery_layout_of(loop, b) == d && orrery_shape_exists(&state->shapes[b]))
            home = home || !orrery_layout_can_view(loop, b, &state->shapes[b]);
    return home;
}

/*
 * How likely it is that no whole page of so many bytes can be guarded, so that serial code could
 * not be caught reading rows that are elsewhere (dsm/arrays/home.c): blocks of up to two pages lie
 * anywhere.
 */
static double unguarded(double bytes) {
    double share = (2 * PAGE - bytes) / PAGE;
    return share > 1 ? 1 : share < 0 ? 0 : share;
}

/* ---- what changes between regions ------------------------------------------------------------ */

enum { LOOKS = 4 };

static bool is_looked_at(const struct orrery_state *state) {
    return state->profile.looks < LOOKS && state->blocks.strategy != ORRERY_WAVEFRONT;
}

/* Rows behind a table are not followed. */
static size_t object_bytes(const struct orrery_shape *shape) {
    return shape->table ? 0 : orrery_shape_extent(shape);
}

static uint64_t sum_of(const struct orrery_state *state, int a) {
    const struct orrery_shape *shape = &state->shapes[a];
    return XXH64(shape->base, object_bytes(shape), (uint64_t)(uintptr_t)shape->base);
}

void orrery_profile_changes_look(struct orrery_state *state) {
    struct orrery_profile *profile = &state->profile;
    size_t n = (size_t)state->loop->narrays + 1;
    if (!is_looked_at(state))
        return;
    if (!profile->sums) {
        profile->sums = dsm_own_alloc(n * sizeof *profile->sums);
        profile->extents = dsm_own_alloc(n * sizeof *profile->extents);
        profile->changed =
            memset(dsm_own_alloc(n * sizeof *profile->changed), 0, n * sizeof *profile->changed);
    }
    for (int a = 0; a < state->loop->narrays; ++a) {
        profile->sums[a] = sum_of(state, a);
        profile->extents[a] = object_bytes(&state->shapes[a]);
    }
}

void orrery_profile_changes_count(struct orrery_state *state) {
    struct orrery_profile *profile = &state->profile;
    if (!profile->sums || !is_looked_at(state))
        return;
    for (int a = 0; a < state->loop->narrays; ++a)
        profile->changed[a] += profile->sums[a] != sum_of(state, a);
    ++profile->looks;
}

/* What the loop itself changes in rank 0's whole copy goes to the others, too, by levels. A loop
 * that runs once is sent all that is not served. */
static double changed_share(const struct orrery_state *state, int a, bool shared) {
    const struct orrery_profile *profile = &state->profile;
    if (state->blocks.strategy == ORRERY_WAVEFRONT)
        return 0;
    if (is_sent(state, a) ||
        (state->blocks.strategy == ORRERY_LEVELS && state->loop->arrays[a].written))
        return 1;
    bool relaxed = !shared && state->loop->arrays[a].written;
    if (relaxed || !profile->sums)
        return 0;
    return profile->looks ? (double)profile->changed[a] / (double)profile->looks : 1;
}

/* Of an array that is not cut ranks are sent the whole object. */
static double sent_bytes(const struct orrery_state *state, int a, bool shared, double bytes) {
    const size_t *extents = state->profile.extents;
    return shared || !extents ? bytes : (double)extents[a];
}

void orrery_profile_ranks(FILE *file, const struct orrery_state *state, int a, double bytes) {
    bool shared = is_shared(state, a), written = state->loop->arrays[a].written;
    bool stage = written && (state->blocks.strategy == ORRERY_PIPELINE || is_sent(state, a));
    double home = shared && written ? stands_at_home(state, a) ? 1 : unguarded(bytes) : stage;
    fprintf(file,
            ", \"shared\": %s, \"written\": %s, \"home_bytes\": %.0f, "
            "\"changed_bytes\": %.0f",
            shared ? "true" : "false", written ? "true" : "false", home * bytes,
            changed_share(state, a, shared) * sent_bytes(state, a, shared, bytes));
}
