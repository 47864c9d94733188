/*
 * Whether batons move whole or by the rows that are touched (docs/runtime.md, "Rows that are
 * touched"). Rank 0 knows every iteration: it counts, decides, and tells the others who touches
 * what.
 */
#include "runtime/share/private.h"

#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/execute/touched.h"

#include <string.h>

/* Ranks are bits of a mask; and at most so many rows of a dim, of 8 bytes on every rank. */
enum { MOST_RANKS = 64, MOST_ROWS = 1 << 26 };

/* Rows in messages of their own are packed and unpacked, and there are more messages: below three
 * quarters of the bytes that pays. */
enum { WORTH_OF = 4, WORTH = 3 };

/* Every array of dim d has its rows where its places are. */
static bool rows_are_places(const struct orrery_sharing *sharing, int d) {
    const struct orrery_state *state = sharing->state;
    bool some = false;
    for (int a = 0; a < state->loop->narrays; ++a) {
        if (!sharing->arrays[a] || sharing->cut[a] != d)
            continue;
        some = true;
        if (state->shapes[a].table && !orrery_shape_by_pieces(&state->shapes[a]))
            return false;
    }
    return some;
}

/* Alike on every rank. */
static bool may_be_touched(const struct orrery_sharing *sharing) {
    return sharing->state->loop->by_key && !sharing->state->loop->kernel &&
           sharing->blocks.batons > 0 && !orrery_share_is_whole(&sharing->blocks) &&
           dsm_ranks() > 1 && dsm_ranks() <= MOST_RANKS &&
           orrery_env()->rotate != ORRERY_ROTATE_WHOLE &&
           (!orrery_env()->memory || orrery_env()->rotate == ORRERY_ROTATE_TOUCHED);
}

static bool dim_may(const struct orrery_sharing *sharing, const struct orrery_rings *rings, int d) {
    const struct orrery_layout_dim *dim = &sharing->dims[d];
    return d > 0 && d < sharing->blocks.ndims && dim->cuts && dim->range <= MOST_ROWS &&
           rows_are_places(sharing, d) && orrery_rings_fit(rings, &sharing->blocks, d);
}

static bool crosses(void *data, int from, int to) {
    const struct dsm_array *array = data;
    return !dsm_rows_stay(array, from, to);
}

/* Rank 0: does it pay? All arrays of a dim are in one memory, or none is. */
static bool pays(const struct orrery_sharing *sharing, const struct orrery_touchers *touches,
                 const struct orrery_rings *rings, int d) {
    struct dsm_array *array = NULL;
    for (int a = 0; a < sharing->state->loop->narrays; ++a)
        if (sharing->arrays[a] && sharing->cut[a] == d)
            array = sharing->arrays[a];
    struct orrery_crossings count =
        orrery_touches_count(touches, rings, &sharing->blocks, d, crosses, array);
    return orrery_env()->rotate == ORRERY_ROTATE_TOUCHED ||
           count.touched * WORTH_OF < count.whole * WORTH;
}

/* Rank 0 gets the bits that the others have. */
static void mask_join(uint64_t *mask, size_t rows) {
    if (dsm_rank() > 0) {
        dsm_send(0, ORRERY_TAG_REMOTE, mask, rows * sizeof *mask);
        return;
    }
    uint64_t *theirs = dsm_own_alloc((rows + 1) * sizeof *theirs);
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        dsm_receive(rank, ORRERY_TAG_REMOTE, theirs, rows * sizeof *theirs);
        for (size_t row = 0; row < rows; ++row)
            mask[row] |= theirs[row];
    }
    dsm_own_free(theirs);
}

/* Who touches what, on every rank; rank 0 asks the iterations. */
static void masks_share(const struct orrery_sharing *sharing, const struct orrery_inspection *part,
                        const void *env, uint64_t *masks[ORRERY_DIMS]) {
    const struct orrery_state *state = sharing->state;
    if (part || dsm_rank() == 0)
        orrery_inspection_touches(part ? part : state->inspection, state->loop, env,
                                  orrery_rank_of_row, masks);
    for (int d = 0; d < ORRERY_DIMS && part; ++d)
        if (masks[d])
            mask_join(masks[d], (size_t)sharing->dims[d].range);
    for (int d = 0; d < ORRERY_DIMS; ++d)
        if (masks[d])
            dsm_broadcast(masks[d], (size_t)sharing->dims[d].range * sizeof *masks[d]);
}

static void lists_make(struct orrery_sharing *sharing, const struct orrery_inspection *part,
                       const void *env, const struct orrery_rings *rings) {
    struct orrery_touchers touches = {{NULL}, {NULL}};
    uint64_t *masks[ORRERY_DIMS] = {NULL};
    bool dims[ORRERY_DIMS] = {false}, any = false;
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        size_t bytes = (size_t)(sharing->dims[d].range + 1) * sizeof **masks;
        if (!dim_may(sharing, rings, d))
            continue;
        touches.cuts[d] = sharing->dims[d].cuts;
        touches.masks[d] = masks[d] = memset(dsm_own_alloc(bytes), 0, bytes);
        any = true;
    }
    if (any)
        masks_share(sharing, part, env, masks);
    for (int d = 0; d < ORRERY_DIMS && dsm_rank() == 0; ++d)
        dims[d] = masks[d] && pays(sharing, &touches, rings, d);
    if (any)
        dsm_broadcast(dims, sizeof dims);
    any = false;
    for (int d = 0; d < ORRERY_DIMS; ++d)
        any |= dims[d];
    if (any)
        sharing->touched =
            orrery_touched_make(&touches, rings, &sharing->blocks, dsm_rank(), dsm_ranks(), dims);
    for (int d = 0; d < ORRERY_DIMS; ++d)
        dsm_own_free(masks[d]);
}

void orrery_share_rows_list(struct orrery_sharing *sharing, const struct orrery_inspection *part,
                            const void *env) {
    struct orrery_rings rings;
    orrery_touched_free(sharing->touched);
    sharing->touched = NULL;
    if (!may_be_touched(sharing))
        return;
    orrery_rings_make(&sharing->blocks, dsm_ranks(), orrery_rank_of_row, &rings);
    lists_make(sharing, part, env, &rings);
    orrery_rings_free(&rings);
}
