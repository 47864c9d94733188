#ifndef ORRERY_SCHEDULER_STANDALONE_REGION_H
#define ORRERY_SCHEDULER_STANDALONE_REGION_H
/* ---- one run of a loop ----------------------------------------------------------------------- */

/* Blocks of iterations: rows belong to threads, columns come one after the other. */
struct orrery_region {
    struct orrery_loop *loop;   /* what runs */
    struct orrery_state *state; /* the loop's */
    const void *env;            /* what it captured */
    long count;                 /* iterations */
    long rows, columns, clocks; /* of the grid */
    long last_row;              /* of the last block that has an iteration */
    const long *cuts;           /* row s is iterations [cuts[s], cuts[s + 1]); 0: equal shares */
#if WITH_MERGE
    long phase, phases; /* parts of the run, with a merge after each */
#endif
#if WITH_FLAGS
    struct orrery_flag *flags; /* how far batons or rows are */
#endif
#if WITH_WAVE
    long low, width; /* the first position, and those of a column */
#endif
#if WITH_PIPE
    long batons;               /* ranges that have slots at once */
    unsigned long slots_bytes; /* of a range of iterations */
#endif
};

static long orrery_row_begin(const struct orrery_region *region, long row) {
    return region->cuts ? region->cuts[row] : orrery_share(region->count, row, region->rows);
}
#if WITH_SUMS

/* Bytes of a reduction's copy; 0: not known. */
static unsigned long orrery_copy_bytes(const struct orrery_reduction *reduction,
                                       const struct orrery_shape *shapes) {
    unsigned long bytes = reduction->size;
    if (reduction->array >= 0)
        bytes = orrery_extent(&shapes[reduction->array]) / reduction->size * reduction->size;
    return bytes;
}

/* Elements in front of a target may not be there in a copy. */
static int orrery_copy_is_whole(const struct orrery_reduction *reduction,
                                const struct orrery_shape *shapes) {
    int stays =
        !reduction->in_front && (!orrery_is_merged(reduction) || shapes[reduction->array].extent);
    if (stays || reduction->array < 0 || orrery_is_scratch(reduction))
        return 1;
#if WITH_MEMORY
    char *base;
    unsigned long bytes;
    return orrery_find(shapes[reduction->array].base, &base, &bytes) &&
           base == shapes[reduction->array].base;
#else
    return 0;
#endif
}

static const char *orrery_copies_refused(const struct orrery_region *region) {
    for (int j = 0; j < region->loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &region->loop->reductions[j];
        const struct orrery_shape *shapes = region->state->shapes;
        int absent = reduction->array >= 0 && !orrery_is_there(&shapes[reduction->array]) &&
                     !shapes[reduction->array].extent;
        if (!absent &&
            (!orrery_copy_bytes(reduction, shapes) || !orrery_copy_is_whole(reduction, shapes)))
            return reduction->name;
    }
    return 0;
}

/* Folded values have a copy per row, others one per thread and one for the last row. */
static void orrery_copies_make(const struct orrery_region *region) {
    for (int j = 0; j < region->loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &region->loop->reductions[j];
        struct orrery_copies *copies = &region->state->copies[j];
        long slots = orrery_is_scratch(reduction) ? orrery_threads() + 1 : region->rows;
        int starts = reduction->how == ORRERY_LAST ||
                     (reduction->how != ORRERY_PRIVATE && orrery_starts_as_target(reduction));
        copies->bytes = orrery_copy_bytes(reduction, region->state->shapes);
        if (orrery_is_merged(reduction))
            continue;
        copies->stride = (copies->bytes + 63) / 64 * 64;
        unsigned long room = ((unsigned long)slots + 1) * copies->stride + 64;
        if (room > copies->room) {
            (free)(copies->memory);
            copies->memory = orrery_allocate_lines(room);
            copies->room = room;
        }
        (free)(copies->start);
        copies->start = 0;
        if (starts && copies->bytes)
            copies->start = memcpy(orrery_allocate(copies->bytes, 1),
                                   orrery_target(reduction, region->env), copies->bytes);
    }
}

static char *orrery_copy_of(const struct orrery_region *region, int j, long row, int worker) {
    const struct orrery_copies *copies = &region->state->copies[j];
    const struct orrery_reduction *reduction = &region->loop->reductions[j];
    long slot = row;
    if (orrery_is_scratch(reduction))
        slot = reduction->how == ORRERY_LAST && row == region->last_row ? orrery_threads() : worker;
    return copies->memory + (unsigned long)slot * copies->stride;
}

static void orrery_row_start(const struct orrery_region *region, long row, int worker) {
    for (int j = 0; j < region->loop->nreductions; ++j) {
        const struct orrery_reduction *reduction = &region->loop->reductions[j];
        if (orrery_is_merged(reduction))
            continue;
        if (!orrery_is_scratch(reduction) ||
            (reduction->how == ORRERY_LAST && row == region->last_row))
            orrery_copy_reset(reduction, &region->state->copies[j],
                              orrery_copy_of(region, j, row, worker));
    }
}

/* A thread folds its range of elements over all rows. */
static void orrery_fold_share(const struct orrery_region *region, int j, int worker, int workers) {
    const struct orrery_reduction *what = &region->loop->reductions[j];
    const struct orrery_copies *copies = &region->state->copies[j];
    long n = (long)(copies->bytes / what->size);
    for (long row = 0; row < region->rows; ++row)
        orrery_fold_row(what, orrery_target(what, region->env),
                        copies->memory + (unsigned long)row * copies->stride,
                        orrery_share(n, worker, workers), orrery_share(n, worker + 1, workers));
}

static void orrery_fold_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    for (int j = 0; j < region->loop->nreductions; ++j) {
        const struct orrery_reduction *what = &region->loop->reductions[j];
        const struct orrery_copies *copies = &region->state->copies[j];
        long slot = what->how == ORRERY_LAST ? orrery_threads() : what->stage;
        int copied = what->how == ORRERY_LAST || what->how == ORRERY_CARRIED;
        if (copied && worker == 0)
            memcpy(orrery_target(what, region->env),
                   copies->memory + (unsigned long)slot * copies->stride, copies->bytes);
        else if (!copied && what->how != ORRERY_PRIVATE && !orrery_is_merged(what))
            orrery_fold_share(region, j, worker, workers);
    }
}

/* All rows are done: what they have goes into the targets, row by row. */
static void orrery_fold_all(struct orrery_region *region) {
    unsigned long bytes = 0;
    for (int j = 0; j < region->loop->nreductions; ++j)
        bytes += region->state->copies[j].bytes * (unsigned long)region->rows;
    if (bytes < 65536)
        orrery_fold_job(region, 0, 1);
    else
        orrery_team(orrery_fold_job, region);
}
#endif
#endif
