/* Torture: of what a rank has of arrays in parts only those that a running block needs can be
 * read and written. Not where arrays are served: lists of what iterations touch are made of
 * arrays in parts, too, outside of blocks. */
#include "runtime/share/private.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"

static long parts_of(const struct orrery_sharing *sharing, int a) {
    return sharing->arrays[a] ? orrery_share_dim(sharing, a)->parts : 0;
}

/* What is not cut along a dim of the grid has a part per row. */
static bool is_known(const struct orrery_sharing *sharing, int a) {
    const struct orrery_blocks *blocks = &sharing->blocks;
    int d = sharing->cut[a];
    return parts_of(sharing, a) > 0 &&
           parts_of(sharing, a) == (d < 0 ? blocks->rows : blocks->parts[d]);
}

/* The block's part of dim d > 0. */
static long digit_of(const struct orrery_blocks *blocks, long column, int d) {
    for (int other = blocks->ndims - 1; other > d; --other)
        column /= blocks->parts[other];
    return column % blocks->parts[d];
}

/* Calls `change` for the one or two parts of array a that the block touches. */
static void change_parts(const struct orrery_sharing *sharing, int a, long row, long column,
                         void (*change)(struct dsm_array *array, int part)) {
    const struct orrery_blocks *blocks = &sharing->blocks;
    long pair[2] = {row, row};
    if (orrery_share_dim(sharing, a)->mirrored)
        pair[0] = pair[1] = blocks->rows - 1 - row;
    else if (sharing->cut[a] == 0)
        orrery_pair_of(blocks, row, column, pair);
    else if (sharing->cut[a] > 0)
        pair[0] = pair[1] = digit_of(blocks, column, sharing->cut[a]);
    change(sharing->arrays[a], (int)pair[0]);
    if (pair[1] != pair[0])
        change(sharing->arrays[a], (int)pair[1]);
}

static void change_all(const struct orrery_sharing *sharing,
                       void (*change)(struct dsm_array *array, int part)) {
    for (int a = 0; a < sharing->state->loop->narrays; ++a)
        for (long part = 0; is_known(sharing, a) && part < parts_of(sharing, a); ++part)
            change(sharing->arrays[a], (int)part);
}

/* A block of the region begins, or has ended; what it touches is there meanwhile. */
static void block_rest(const struct orrery_region *region, long row, long column, bool begins) {
    const struct orrery_sharing *sharing = region->resting;
    for (int a = 0; a < sharing->state->loop->narrays; ++a)
        if (is_known(sharing, a))
            change_parts(sharing, a, row, column, begins ? dsm_part_wake : dsm_part_rest);
}

void orrery_share_rest(const struct orrery_sharing *sharing, struct orrery_region *region) {
    if (!orrery_env()->torture || region->serve || orrery_share_is_whole(&sharing->blocks))
        return;
    region->resting = sharing;
    region->rest = block_rest;
    change_all(sharing, dsm_part_rest);
}

void orrery_share_wake(const struct orrery_sharing *sharing, struct orrery_region *region) {
    if (region->resting)
        change_all(sharing, dsm_part_wake);
    region->resting = NULL;
}
