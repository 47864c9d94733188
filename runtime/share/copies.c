/* What rows of the grid have of their own, to rank 0: copies of reductions, last values, what
 * stages changed. */
#include "runtime/share/private.h"

#include "dsm/dsm.h"
#include "runtime/base/commands.h"
#include "runtime/base/memory.h"
#include "runtime/execute/panels.h"

#include <string.h>

void orrery_share_lasts_start(struct orrery_region *region, const char *from) {
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (region->copies->starts[j]) {
            memcpy(region->copies->starts[j], from, region->copies->bytes[j]);
            from += region->copies->bytes[j];
        }
}

/* What rank 0 wants of a rank: every row's copy of what is folded, the last row's of others. */
static size_t copies_size(const struct orrery_region *region, int j, int rank) {
    const struct orrery_reduction *reduction = &region->loop->reductions[j];
    if (reduction->op == ORRERY_PRIVATE || orrery_is_merged(reduction) ||
        orrery_share_is_chained(region, j))
        return 0;
    if (reduction->op == ORRERY_LAST)
        return orrery_rank_of_row(region->last_row, region->blocks.rows) == rank
                   ? region->copies->bytes[j]
                   : 0;
    long rows = region->blocks.rows;
    return region->copies->stride[j] *
           (size_t)(orrery_first_row_of(rank + 1, rows) - orrery_first_row_of(rank, rows));
}

static char *copies_memory(const struct orrery_region *region, int j) {
    return region->loop->reductions[j].op == ORRERY_LAST ? orrery_copies_last(region->copies, j)
                                                         : region->copies->memory[j];
}

/* Of a wavefront's rank: the rows of its panels, panel by panel. */
static size_t panel_bytes(const struct orrery_region *region, int panel, int j) {
    const long *cut = &region->panels->cuts[panel];
    if (region->loop->reductions[j].op == ORRERY_LAST)
        return cut[0] <= region->last_row && region->last_row < cut[1] ? region->copies->bytes[j]
                                                                       : 0;
    return orrery_is_folded(&region->loop->reductions[j])
               ? region->copies->stride[j] * (size_t)(cut[1] - cut[0])
               : 0;
}

static char *panel_memory(const struct orrery_region *region, int panel, int j) {
    if (region->loop->reductions[j].op == ORRERY_LAST)
        return orrery_copies_last(region->copies, j);
    return region->copies->memory[j] +
           (size_t)region->panels->cuts[panel] * region->copies->stride[j];
}

/* Rows of other ranks' panels have no copies here that anyone has set. */
static void panels_check(const struct orrery_region *region) {
    const struct orrery_copies *copies = region->copies;
    for (int k = dsm_rank(); k < region->panels->npanels; k += dsm_ranks()) {
        struct orrery_copies panel = *copies;
        panel.row_low = region->panels->cuts[k];
        panel.row_high = region->panels->cuts[k + 1];
        panel.pointers =
            copies->pointers + (panel.row_low - copies->row_low) * region->loop->nreductions;
        orrery_copies_check(&panel);
    }
}

static void panels_send(const struct orrery_region *region) {
    panels_check(region);
    for (int k = dsm_rank(); k < region->panels->npanels; k += dsm_ranks())
        for (int j = 0; j < region->loop->nreductions; ++j)
            if (panel_bytes(region, k, j))
                dsm_send(0, ORRERY_TAG_FOLD, panel_memory(region, k, j), panel_bytes(region, k, j));
}

static void panels_receive(const struct orrery_region *region, const void *env) {
    panels_check(region);
    for (int k = 0; k < region->panels->npanels; ++k)
        for (int j = 0; j < region->loop->nreductions; ++j) {
            if (!panel_bytes(region, k, j))
                continue;
            if (orrery_panel_rank(k) != 0)
                dsm_receive(orrery_panel_rank(k), ORRERY_TAG_FOLD, panel_memory(region, k, j),
                            panel_bytes(region, k, j));
            void *target = orrery_target_of(region->loop, j, env);
            if (region->loop->reductions[j].op == ORRERY_LAST)
                memcpy(target, panel_memory(region, k, j), region->copies->bytes[j]);
            else
                orrery_fold(region->loop, j, panel_memory(region, k, j), region->copies->stride[j],
                            region->copies->bytes[j], region->panels->cuts[k],
                            region->panels->cuts[k + 1], target);
        }
}

void orrery_share_copies_send(const struct orrery_region *region) {
    if (region->panels) {
        panels_send(region);
        return;
    }
    orrery_copies_check(region->copies);
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (copies_size(region, j, dsm_rank()))
            dsm_send(0, ORRERY_TAG_FOLD, copies_memory(region, j),
                     copies_size(region, j, dsm_rank()));
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (orrery_share_is_chained(region, j))
            orrery_share_chain_join(region, j);
}

static void fold_rank(const struct orrery_region *region, int rank, int j, void *target) {
    const struct orrery_copies *copies = region->copies;
    size_t bytes = copies_size(region, j, rank);
    if (!bytes)
        return;
    char *memory = rank ? orrery_memory_aligned(bytes) : copies_memory(region, j);
    if (rank)
        dsm_receive(rank, ORRERY_TAG_FOLD, memory, bytes);
    if (region->loop->reductions[j].op == ORRERY_LAST)
        memcpy(target, memory, bytes);
    else
        orrery_fold(region->loop, j, memory, copies->stride[j], copies->bytes[j],
                    orrery_first_row_of(rank, region->blocks.rows),
                    orrery_first_row_of(rank + 1, region->blocks.rows), target);
    if (rank)
        orrery_memory_free(memory);
}

void orrery_share_copies_receive(const struct orrery_region *region, const void *env) {
    if (region->panels) {
        panels_receive(region, env);
        return;
    }
    orrery_copies_check(region->copies);
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        for (int j = 0; j < region->loop->nreductions; ++j)
            fold_rank(region, rank, j, orrery_target_of(region->loop, j, env));
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (orrery_share_is_chained(region, j))
            orrery_share_chain_begin(region, j, orrery_target_of(region->loop, j, env));
}

/* By way of memory that nobody watches. */
static void home_receive(int rank, char *to, size_t bytes) {
    char *memory = orrery_memory_aligned(bytes);
    dsm_receive(rank, ORRERY_TAG_HOME, memory, bytes);
    memcpy(to, memory, bytes);
    orrery_memory_free(memory);
}

void orrery_share_homes_bring(const struct orrery_sharing *sharing,
                              const struct orrery_region *region) {
    const struct orrery_loop *loop = sharing->state->loop;
    for (int a = 0; a < loop->narrays; ++a) {
        const struct orrery_replica *replica = &sharing->replicas[a];
        int rank = loop->homes[a] < 0 ? 0 : orrery_rank_of_row(loop->homes[a], region->blocks.rows);
        for (int i = 0; rank > 0 && loop->arrays[a].written && i < replica->nranges; ++i) {
            char *low = replica->own ? replica->own : (char *)replica->ranges[i].low;
            size_t bytes = (size_t)(replica->ranges[i].high - replica->ranges[i].low);
            if (dsm_rank() == rank)
                dsm_send(0, ORRERY_TAG_HOME, low, bytes);
            else if (dsm_rank() == 0)
                home_receive(rank, low, bytes);
        }
    }
}
