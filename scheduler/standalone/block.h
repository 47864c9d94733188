#ifndef ORRERY_SCHEDULER_STANDALONE_BLOCK_H
#define ORRERY_SCHEDULER_STANDALONE_BLOCK_H
/* Block (row, column), which is iterations or records [begin, end). */
static void orrery_block_run(const struct orrery_region *region, struct orrery_block block,
                             int worker) {
#if WITH_SUMS
    void *accumulators[ORRERY_MOST_SUMS];
    for (int j = 0; j < region->loop->nreductions; ++j)
        accumulators[j] = orrery_copy_of(region, j, block.row, worker);
    block.accumulators = accumulators;
#endif
#if WITH_MERGE
    void *snapshots[ORRERY_MOST_SUMS];
    _Bool *marks[ORRERY_MOST_SUMS];
    orrery_merge_block(region, block.row, worker, accumulators, snapshots, marks);
    block.snapshots = snapshots;
    block.marks = marks;
#endif
    (void)worker;
    block.env = region->env;
    region->loop->block(&block);
#if WITH_MERGE
    orrery_merge_row_done(region, block.row, worker);
#endif
}
#endif
