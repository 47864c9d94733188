#ifndef ORRERY_SCHEDULER_STANDALONE_RANGES_H
#define ORRERY_SCHEDULER_STANDALONE_RANGES_H
/* ---- loops whose rows are ranges of iterations ----------------------------------------------- */

#if WITH_SUMS
/* Does every row have a copy? A large one whose body marks what it writes is a thread's. */
static int orrery_counts(const struct orrery_loop *loop, int j, const struct orrery_shape *shapes) {
    const struct orrery_reduction *reduction = &loop->reductions[j];
    int few = 0;
#if WITH_MERGE
    for (int i = 0; i < loop->nmergings; ++i)
        few |= loop->mergings[i].reduction == j && loop->mergings[i].marked &&
               orrery_copy_bytes(reduction, shapes) >= 64 << 10;
#endif
    (void)shapes;
    return !orrery_is_scratch(reduction) && !few;
}

#endif
#if WITH_MERGE
/* Are there copies that would not fit caches, of which iterations change little here and there? Two
 * rows are faster then. */
static int orrery_merge_wants_few(const struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    int few = 0;
    for (int i = 0; i < loop->nmergings; ++i) {
        const struct orrery_reduction *what = &loop->reductions[loop->mergings[i].reduction];
        unsigned long bytes = orrery_copy_bytes(what, region->state->shapes);
        few |= loop->mergings[i].marked && what->how == ORRERY_RELAXED && what->size <= 8 &&
               loop->mergings[i].rule != ORRERY_RULE_ADD && bytes >= 64ul << 10 &&
               bytes <= 32ul << 20;
    }
    return few && !loop->sync_steps && !loop->sync_iterations;
}

#endif
/* So many that threads are busy alike; fewer where each has a large copy of what is folded. */
static long orrery_rows_of(const struct orrery_region *region) {
    long rows = orrery_parts_by_count(region->count, 1), most = 4096;
#if WITH_SUMS
    unsigned long bytes = 0;
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (orrery_counts(region->loop, j, region->state->shapes))
            bytes += orrery_copy_bytes(&region->loop->reductions[j], region->state->shapes);
    if (bytes)
        most = orrery_clamp((64L << 20) / (long)bytes, 1, 4096);
#endif
#if WITH_MERGE
    rows = orrery_merge_wants_few(region) ? 2
           : region->loop->nmergings      ? 16
           : rows > 64                    ? rows
                                          : 64;
#else
    rows = rows > 64 ? rows : 64;
#endif
    if (region->loop->grid[0])
        return orrery_clamp(region->loop->grid[0], 1, region->count);
    return orrery_clamp(rows, 1, region->count < most ? region->count : most);
}
#if WITH_WEIGHTS

/* Rows of equal weight: sums of the weights of stretches, then each cut in its stretch. */
struct orrery_weighing {
    const struct orrery_region *region;
    long stretches, *sums;
};

static void orrery_weigh_job(void *data, int worker, int workers) {
    const struct orrery_weighing *weighing = data;
    const struct orrery_region *region = weighing->region;
    long stretches = weighing->stretches, last = orrery_share(stretches, worker + 1, workers);
    for (long s = orrery_share(stretches, worker, workers); s < last; ++s) {
        long end = orrery_share(region->count, s + 1, stretches), sum = 0;
        for (long i = orrery_share(region->count, s, stretches); i < end; ++i)
            sum += region->loop->weigh(region->env, i, 0);
        weighing->sums[s] = sum;
    }
}

static long orrery_cut_in(const struct orrery_weighing *weighing, long s, long before,
                          long target) {
    const struct orrery_region *region = weighing->region;
    long i = orrery_share(region->count, s, weighing->stretches);
    for (; i < orrery_share(region->count, s + 1, weighing->stretches); ++i) {
        long weight = region->loop->weigh(region->env, i, 0);
        if (before + weight / 2 >= target)
            break;
        before += weight;
    }
    return i;
}

static void orrery_cut_all(const struct orrery_weighing *weighing, long rows, long *cuts) {
    long total = 0, before = 0, s = 0, count = weighing->region->count;
    for (long i = 0; i < weighing->stretches; ++i)
        total += weighing->sums[i];
    cuts[0] = 0;
    cuts[rows] = count;
    for (long row = 1; row < rows; ++row) {
        long target = orrery_share(total, row, rows);
        while (s + 1 < weighing->stretches && before + weighing->sums[s] < target)
            before += weighing->sums[s++];
        long cut = orrery_cut_in(weighing, s, before, target);
        cuts[row] = orrery_clamp(cut, cuts[row - 1] + 1, count - (rows - row));
    }
}

/* Owned by the caller; 0: rows are equal shares. */
static long *orrery_cuts_of(const struct orrery_region *region) {
    struct orrery_weighing weighing = {.region = region};
#if WITH_MERGE
    if (region->loop->nmergings)
        return 0;
#endif
    if (!region->loop->weigh || region->rows < 2 || region->count <= region->rows)
        return 0;
    weighing.stretches = region->count < 64 * region->rows ? region->count : 64 * region->rows;
    weighing.sums = orrery_allocate((unsigned long)weighing.stretches, sizeof(long));
    long *cuts = orrery_allocate((unsigned long)region->rows + 1, sizeof *cuts);
    orrery_team(orrery_weigh_job, &weighing);
    orrery_cut_all(&weighing, region->rows, cuts);
    (free)(weighing.sums);
    return cuts;
}
#endif

static void orrery_ranges_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    long end = orrery_share(region->rows, worker + 1, workers);
    for (long row = orrery_share(region->rows, worker, workers); row < end; ++row) {
        struct orrery_block block = {.begin = orrery_row_begin(region, row),
                                     .end = orrery_row_begin(region, row + 1),
                                     .row = row};
#if WITH_MERGE
        orrery_phase_cut(region, &block);
        if (region->phase == 0)
#endif
#if WITH_SUMS
            orrery_row_start(region, row, worker);
#endif
        if (block.begin < block.end)
            orrery_block_run(region, block, worker);
    }
}

static void orrery_ranges_run(struct orrery_region *region) {
    long *cuts = 0;
    region->rows = orrery_rows_of(region);
    region->columns = region->clocks = 1;
    region->last_row = region->rows - 1;
#if WITH_WEIGHTS
    region->cuts = cuts = orrery_cuts_of(region);
#endif
#if WITH_SUMS
    orrery_copies_make(region);
#endif
#if WITH_MERGE
    orrery_phases_run(region, orrery_ranges_job);
#else
    orrery_team(orrery_ranges_job, region);
#endif
    (free)(cuts);
}

#endif
