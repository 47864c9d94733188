/*
 * Few rows of the grid: every merge takes the *hot* lines, in which most changes are to elements
 * that all rows changed before the pass's first merge; only some merges take the others, too. What
 * is hot follows from folded counts: the same on any number of workers and ranks.
 */
#include "runtime/base/memory.h"
#include "runtime/merge/merge.h"

#include "dsm/dsm.h"

#include <string.h>

/* Of three and four rows all lines are merged at least so often in a pass, times the square of the
 * rows that one does not see. */
enum { LEAST_FULL = 4 };

bool orrery_merge_cools(const struct orrery_loop *loop, int j, size_t bytes,
                        const struct orrery_blocks *blocks) {
    const struct orrery_reduction *what = &loop->reductions[j];
    return what->op == ORRERY_RELAXED && orrery_merging_of(loop, j)->rule != ORRERY_RULE_ADD &&
           (what->type == ORRERY_F32 || what->type == ORRERY_F64) && blocks->clocks == 1 &&
           blocks->columns == 1 && blocks->rows > 1 && blocks->rows <= ORRERY_FEW_ROWS &&
           (size_t)blocks->rows * bytes <= ORRERY_FEW_ROWS_BYTES && loop->sync_steps == 0 &&
           loop->sync_iterations == 0;
}

/* Once when a pass is over, and as often as iterations are as many as elements: these merges then take
 * little beside the iterations. The first one shows what is hot. */
bool orrery_merge_is_full(const struct orrery_region *region, const struct orrery_merged *m,
                          bool last) {
    long phases = region->merge->phases, phase = region->phase, others = region->blocks.rows - 1;
    long fulls = m->n ? region->count / (long)m->n : 1,
         least = others > 1 ? LEAST_FULL * others * others : 1;
    fulls = fulls > least ? fulls : least;
    fulls = fulls < phases ? fulls : phases;
    return last || phase == 0 || (phase + 1) * fulls / phases > phase * fulls / phases;
}

void orrery_hot_make(struct orrery_merged *m) {
    size_t lines = m->stride / ORRERY_MARKED;
    m->hot = orrery_memory_aligned(lines * sizeof *m->hot);
    m->is_hot = orrery_memory_aligned(lines);
    m->nhot = 0;
}

void orrery_hot_start(struct orrery_merged *m) {
    memset(m->is_hot, 0, m->stride / ORRERY_MARKED);
    m->nhot = 0;
}

void orrery_hot_list(struct orrery_merged *m) {
    m->nhot = 0;
    for (size_t line = 0; line < m->stride / ORRERY_MARKED; ++line)
        if (m->is_hot[line])
            m->hot[m->nhot++] = (uint32_t)line;
}

/* Rank 0, by the lists of a merge: per line, changes, and those of elements that all rows changed. */
void orrery_hot_judge(struct orrery_merged *m, long nrows) {
    size_t per = ORRERY_MARKED / m->what->size, lines = m->stride / ORRERY_MARKED;
    uint32_t(*sums)[2] = orrery_memory_aligned(lines * sizeof *sums);
    for (size_t k = 0; k < m->result.count; ++k) {
        uint32_t *line = sums[m->result.at[k] / per];
        line[0] += m->counts[k];
        line[1] += m->counts[k] == nrows ? m->counts[k] : 0;
    }
    for (size_t line = 0; line < lines; ++line)
        m->is_hot[line] = orrery_is_hot(sums[line][0], sums[line][1]);
    orrery_memory_free(sums);
    orrery_hot_list(m);
}

/* Collective: rank 0 has the list. */
void orrery_hot_share(struct orrery_merged *m) {
    uint64_t n = m->nhot;
    dsm_broadcast(&n, sizeof n);
    m->nhot = (size_t)n;
    if (n)
        dsm_broadcast(m->hot, (size_t)n * sizeof *m->hot);
}
