/* What a rank keeps of a loop's arrays: made, and asked for what it is. */
#include "runtime/share/private.h"

#include "runtime/base/memory.h"
#include "runtime/execute/panels_pending.h"
#include "runtime/share/collect.h"

#include "dsm/dsm.h"

struct orrery_sharing *orrery_sharing_of(struct orrery_state *state) {
    if (state->sharing)
        return state->sharing;
    struct orrery_sharing *sharing = orrery_memory_aligned(sizeof *sharing);
    size_t n = (size_t)state->loop->narrays + 1;
    sharing->state = state;
    sharing->shapes = orrery_memory_aligned((size_t)(state->nshapes + 1) * sizeof *sharing->shapes);
    sharing->arrays = orrery_memory_aligned(n * sizeof *sharing->arrays);
    sharing->claimed = orrery_memory_aligned(n * sizeof *sharing->claimed);
    sharing->cut = orrery_memory_aligned(n * sizeof *sharing->cut);
    for (int a = 0; a < state->loop->narrays; ++a)
        sharing->cut[a] = state->loop->arrays[a].dim;
    sharing->homes = orrery_memory_aligned(n * sizeof *sharing->homes);
    sharing->replicas = orrery_memory_aligned(n * sizeof *sharing->replicas);
    sharing->extents = orrery_memory_aligned((size_t)(state->loop->ntouched + 1) * sizeof(long));
    return state->sharing = sharing;
}

bool orrery_share_is_by_level(const struct orrery_blocks *blocks) {
    return blocks->strategy == ORRERY_LEVELS;
}

bool orrery_share_is_whole(const struct orrery_blocks *blocks) {
    return orrery_share_is_by_level(blocks) || blocks->strategy == ORRERY_PIPELINE ||
           blocks->strategy == ORRERY_WAVEFRONT;
}

void orrery_sharing_collect(struct orrery_state *state, int a) {
    static const struct dsm_range all = {NULL, (const char *)UINTPTR_MAX};
    if (state->sharing && state->sharing->arrays[a])
        dsm_array_collect(state->sharing->arrays[a]);
    if (state->sharing && state->sharing->panels)
        orrery_panels_materialize(state->sharing->panels, all);
}

void orrery_share_refuse(const char *what) {
    dsm_fail(1,
             "%s; all ranks have to run the same program, built by the same Orrery: compare the "
             "files on their hosts [ORR9234]",
             what);
}
