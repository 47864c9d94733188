/* What several ranks would do with an array after a region, seen from one rank. */
#include "runtime/layout.h"
#include "runtime/report/profile.h"

enum { PAGE = 4096 };

/* Cut along a dim, or by claims, so that every rank has its rows. */
static bool is_shared(const struct orrery_state *state, int a) {
    bool cut = orrery_layout_of(state->loop, a) >= 0 || orrery_layout_claimed(state->loop, a) >= 0;
    return cut && state->blocks.strategy != ORRERY_LEVELS &&
           state->blocks.strategy != ORRERY_PIPELINE && orrery_shape_exists(&state->shapes[a]);
}

/* All arrays of a dim stand at home as soon as one of them cannot be moved (orrery_layout_modes).
 */
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
 * not be caught reading rows that are elsewhere (dsm/home.c): blocks of up to two pages lie
 * anywhere.
 */
static double unguarded(double bytes) {
    double share = (2 * PAGE - bytes) / PAGE;
    return share > 1 ? 1 : share < 0 ? 0 : share;
}

void orrery_profile_ranks(FILE *file, const struct orrery_state *state, int a, double bytes) {
    bool shared = is_shared(state, a), written = state->loop->arrays[a].written;
    bool stage = state->blocks.strategy == ORRERY_PIPELINE && written;
    double home = shared && written ? stands_at_home(state, a) ? 1 : unguarded(bytes) : stage;
    fprintf(file, ", \"shared\": %s, \"written\": %s, \"home_bytes\": %.0f",
            shared ? "true" : "false", written ? "true" : "false", home * bytes);
}
