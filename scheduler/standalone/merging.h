#ifndef ORRERY_SCHEDULER_STANDALONE_MERGING_H
#define ORRERY_SCHEDULER_STANDALONE_MERGING_H
/* ---- merges of a run ------------------------------------------------------------------------- */

static const struct orrery_reduction *orrery_merged_what(const struct orrery_region *region,
                                                         int i) {
    return &region->loop->reductions[region->loop->mergings[i].reduction];
}

static long orrery_merge_each(long rows, long all) {
    return all / rows > 8 ? all / rows : 8;
}

/* Few rows have a copy each, and only some merges take lines that are not hot. */
static int orrery_merge_cools(const struct orrery_region *region, int i) {
    const struct orrery_reduction *what = orrery_merged_what(region, i);
    unsigned long bytes = region->state->copies[region->loop->mergings[i].reduction].bytes;
    return what->how == ORRERY_RELAXED && region->loop->mergings[i].rule != ORRERY_RULE_ADD &&
           region->loop->mergings[i].kind->line && region->clocks == 1 && region->rows > 1 &&
           region->rows <= 4 && (unsigned long)region->rows * bytes <= 64ul << 20 &&
           !region->loop->sync_steps && !region->loop->sync_iterations;
}

/* As often as iterations are as many as elements; the first and the last are. */
static int orrery_merge_is_full(const struct orrery_region *region, long n) {
    long phases = region->phases, phase = region->phase, others = region->rows - 1;
    long fulls = n ? region->count / n : 1, least = others > 1 ? 4 * others * others : 1;
    fulls = orrery_clamp(fulls > least ? fulls : least, 1, phases);
    return phase == 0 || phase + 1 == phases ||
           (phase + 1) * fulls / phases > phase * fulls / phases;
}

/* A lot of small copies, or a few large ones. What comes out is what lists of changes give. */
static int orrery_merged_by_line(const struct orrery_region *region, int i) {
    const struct orrery_reduction *what = orrery_merged_what(region, i);
    unsigned long bytes = region->state->copies[region->loop->mergings[i].reduction].bytes;
    int few = region->loop->mergings[i].marked && region->clocks == 1 && bytes >= 64 << 10;
    return what->how == ORRERY_RELAXED && region->loop->mergings[i].kind->line &&
           !region->state->merge->alone &&
           (!few || region->rows <= orrery_threads() || orrery_merge_cools(region, i));
}

/* Has a row, not a thread, its copy? */
static int orrery_merged_by_row(const struct orrery_region *region, int i) {
    return region->clocks > 1 || region->state->merge->arrays[i].by_line;
}

/* Iterations of a row between merges that nobody has said; 0: all. */
static long orrery_merge_interval(const struct orrery_region *region, long per_row) {
    long all = region->rows == 3 || region->rows == 4 ? 512 : region->rows == 2 ? 4096 : 2048;
    long each = orrery_merge_each(region->rows, all);
    int shares = 0;
    for (int i = 0; i < region->loop->nmergings; ++i)
        shares |= region->loop->mergings[i].rule != ORRERY_RULE_ADD;
    if (region->rows < 2 || !shares)
        return 0;
    return (per_row - 1) / each + 1 < 16 ? orrery_merge_each(region->rows, all / 2) : each;
}

/* Parts of the run, with a merge after each. */
static long orrery_phases_of(const struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    long per_row = (region->count + region->rows - 1) / region->rows, phases = 1;
    int one = region->clocks == 1;
    if (one && loop->sync_steps)
        phases = loop->sync_steps;
    else if (one && loop->sync_iterations)
        phases = (per_row - 1) / loop->sync_iterations + 1;
    else if (one && orrery_merge_interval(region, per_row))
        phases = (per_row - 1) / orrery_merge_interval(region, per_row) + 1;
    else if (loop->sync_steps)
        phases = (region->clocks - 1) / loop->sync_steps + 1;
    else if (loop->sync_iterations)
        phases = per_row / loop->sync_iterations;
    if (region->state->merge->alone)
        phases = 1;
    long most = one ? per_row : region->clocks;
    return orrery_clamp(phases, 1, most < 1 << 20 ? most : 1 << 20);
}

static char *orrery_merged_copy(const struct orrery_region *region, int i, long row, int worker) {
    const struct orrery_merged *m = &region->state->merge->arrays[i];
    if (region->state->merge->alone)
        return m->target;
    return m->copies + (unsigned long)(orrery_merged_by_row(region, i) ? row : worker) * m->stride;
}

static _Bool *orrery_merged_marks(const struct orrery_region *region, int i, long row, int worker) {
    const struct orrery_merged *m = &region->state->merge->arrays[i];
    long slot = orrery_merged_by_row(region, i) ? row : worker;
    return m->marks && !region->state->merge->alone
               ? m->marks + (unsigned long)slot * m->nmarks + m->nfront
               : 0;
}

/* What a row changed, taken back out of a thread's copy. */
static void orrery_merged_find(const struct orrery_region *region, int i, long row, int worker) {
    const struct orrery_reduction *what = orrery_merged_what(region, i);
    const struct orrery_merged *m = &region->state->merge->arrays[i];
    struct orrery_changes *changes = &m->rows[row];
    int relaxed = what->how == ORRERY_RELAXED;
    char *copy = orrery_merged_copy(region, i, row, worker);
    _Bool *marks = orrery_merged_marks(region, i, row, worker);
    const char *snapshot = relaxed ? m->snapshot : 0;
    long per_line = (long)(64 / what->size), lines = (long)m->stride / 64;
    changes->count = 0;
    if (!marks)
        m->how->kind->find(copy, snapshot, 0, m->n, changes);
    for (long group = 0; marks && group * 64 < lines; ++group) {
        if (!marks[-1 - group])
            continue;
        marks[-1 - group] = 0;
        for (long line = group * 64; line < group * 64 + 64 && line < lines; ++line)
            if (marks[line]) {
                long low = line * per_line, high = low + per_line;
                marks[line] = 0;
                m->how->kind->find(copy, snapshot, low, high < m->n ? high : m->n, changes);
            }
    }
    for (long k = 0; k < changes->count && (!relaxed || !orrery_merged_by_row(region, i)); ++k) {
        unsigned long at = changes->at[k] * what->size;
        if (relaxed)
            memcpy(copy + at, snapshot + at, what->size);
        else
            memset(copy + at, 0, what->size);
    }
}

static void orrery_merged_free(struct orrery_merged *m, long rows) {
    for (long row = 0; m->rows && row < rows; ++row) {
        (free)(m->rows[row].at);
        (free)(m->rows[row].values);
    }
    (free)(m->rows);
    (free)(m->result.at);
    (free)(m->result.values);
    (free)(m->counts);
    (free)(m->places);
    (free)(m->gains);
    (free)(m->hot);
    (free)(m->copies);
    (free)(m->marks);
    (free)(m->snapshot);
}

/* What the run before has left, where the array and its copies are as long. */
static void orrery_merged_keep(const struct orrery_region *region, struct orrery_merged *m,
                               struct orrery_merged *old) {
    struct orrery_merge *merge = region->state->merge;
    if (old->n == m->n && old->stride == m->stride && old->slots == m->slots &&
        merge->rows == region->rows && merge->was_alone == merge->alone) {
        m->snapshot = old->snapshot;
        m->rows = old->rows;
        m->result = old->result;
        m->counts = old->counts;
        m->places = old->places;
        m->copies = old->copies;
        old->rows = 0;
        old->result = (struct orrery_changes){0, 0, 0, 0};
        old->copies = old->snapshot = 0;
        old->counts = old->places = 0;
        for (long row = 0; row < region->rows; ++row)
            m->rows[row].count = 0;
    }
    orrery_merged_free(old, merge->rows);
}

static void orrery_merged_make(const struct orrery_region *region, int i) {
    const struct orrery_reduction *what = orrery_merged_what(region, i);
    struct orrery_merged *m = &region->state->merge->arrays[i];
    unsigned long bytes = region->state->copies[region->loop->mergings[i].reduction].bytes;
    unsigned long lines = bytes / 64 + 64;
    struct orrery_merged old = *m;
    *m = (struct orrery_merged){.how = &region->loop->mergings[i],
                                .stride = (bytes + 63) / 64 * 64,
                                .n = (long)(bytes / what->size),
                                .per_line = (long)(64 / what->size),
                                .nfront = (lines / 64 + 64) / 64 * 64,
                                .target = orrery_target(what, region->env)};
    m->hot = orrery_merge_cools(region, i) ? orrery_allocate(m->stride / 64, 1) : 0;
    m->by_line = orrery_merged_by_line(region, i);
    m->slots = orrery_merged_by_row(region, i) ? region->rows : orrery_threads();
    m->nmarks = m->nfront + (lines + 63) / 64 * 64;
    orrery_merged_keep(region, m, &old);
    m->snapshot = m->snapshot ? m->snapshot : orrery_allocate_lines(bytes);
    memcpy(m->snapshot, m->target, bytes);
    m->rows = m->rows ? m->rows : orrery_allocate((unsigned long)region->rows, sizeof *m->rows);
    m->places = m->places ? m->places : orrery_allocate((unsigned long)m->n, sizeof *m->places);
    m->gains = m->how->rule == ORRERY_RULE_SCALE ? orrery_allocate((unsigned long)m->n, 1) : 0;
    if (region->state->merge->alone)
        return;
    if (m->copies && what->how != ORRERY_RELAXED)
        memset(m->copies, 0, (unsigned long)m->slots * m->stride);
    m->copies = m->copies ? m->copies : orrery_allocate_lines((unsigned long)m->slots * m->stride);
    for (long s = 0; s < m->slots && what->how == ORRERY_RELAXED; ++s)
        memcpy(m->copies + (unsigned long)s * m->stride, m->snapshot, bytes);
    /* Of one group of lines all are looked at in less time than the body takes to mark them. */
    if (m->how->marked && m->stride > 64 * 64)
        m->marks = orrery_allocate((unsigned long)m->slots, m->nmarks);
}

static void orrery_find_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    for (long row = worker; row < region->rows; row += workers)
        for (int i = 0; i < region->loop->nmergings; ++i)
            if (!region->state->merge->arrays[i].by_line)
                orrery_merged_find(region, i, row, worker);
}

/* What came of it, into all copies. */
static void orrery_refresh_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    for (int i = 0; i < region->loop->nmergings; ++i) {
        const struct orrery_merged *m = &region->state->merge->arrays[i];
        unsigned long size = orrery_merged_what(region, i)->size;
        int relaxed = orrery_merged_what(region, i)->how == ORRERY_RELAXED;
        for (long s = worker; s < m->slots && relaxed && !m->by_line; s += workers)
            for (long k = 0; k < m->result.count; ++k) {
                unsigned long at = m->result.at[k] * size;
                memcpy(m->copies + (unsigned long)s * m->stride + at, m->snapshot + at, size);
            }
    }
}

/* Over the rows in order. */
static void orrery_merge_array(const struct orrery_region *region, int i) {
    struct orrery_merged *m = &region->state->merge->arrays[i];
    unsigned long size = orrery_merged_what(region, i)->size;
    long total = 1, room = m->result.room;
    for (long row = 0; row < region->rows; ++row)
        total += m->rows[row].count;
    orrery_changes_reserve(&m->result, total, size);
    if (m->result.room > room)
        m->counts = orrery_widen(m->counts, m->result.room, sizeof *m->counts);
    m->result.count = 0;
    for (long row = 0; row < region->rows; ++row)
        if (m->how->apply)
            orrery_apply(m, &m->rows[row], size);
        else
            m->how->kind->add(m, &m->rows[row]);
    m->how->kind->finish(m);
}

/* Has any row marks among 64 lines, or of a line? Not any more. */
static int orrery_marks_take(const struct orrery_region *region, int i, long at) {
    int any = !region->state->merge->arrays[i].marks;
    for (long row = 0; row < region->rows && !any; ++row)
        any = orrery_merged_marks(region, i, row, 0)[at];
    for (long row = 0; row < region->rows && region->state->merge->arrays[i].marks && any; ++row)
        orrery_merged_marks(region, i, row, 0)[at] = 0;
    return any;
}

static void orrery_lines_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    for (int i = 0; i < region->loop->nmergings; ++i) {
        struct orrery_merged *m = &region->state->merge->arrays[i];
        long lines = m->by_line ? (long)m->stride / 64 : 0;
        for (long group = worker; group * 64 < lines; group += workers) {
            long end = group * 64 + 64 < lines ? group * 64 + 64 : lines;
            if (!m->hot_only && !orrery_marks_take(region, i, -1 - group))
                continue;
            for (long line = group * 64; line < end; ++line)
                if (m->hot_only ? m->hot[line] : orrery_marks_take(region, i, line))
                    m->how->kind->line(m, region->rows, line, m->hot && region->phase == 0);
        }
    }
}

static void orrery_lines_merge(struct orrery_region *region) {
    unsigned long bytes = 0;
    for (int i = 0; i < region->loop->nmergings; ++i)
        if (region->state->merge->arrays[i].by_line)
            bytes += region->state->merge->arrays[i].stride * (unsigned long)region->rows;
    if (bytes >= 1 << 17)
        orrery_team(orrery_lines_job, region);
    else if (bytes)
        orrery_lines_job(region, 0, 1);
}

/* All threads are done with a phase. */
static void orrery_merge_all(struct orrery_region *region) {
    int lists = 0;
    if (region->state->merge->alone)
        return;
    if (region->clocks > 1)
        orrery_team(orrery_find_job, region);
    orrery_lines_merge(region);
    for (int i = 0; i < region->loop->nmergings; ++i)
        if (!region->state->merge->arrays[i].by_line) {
            orrery_merge_array(region, i);
            lists = 1;
        }
    if (lists)
        orrery_team(orrery_refresh_job, region);
}

/* One row works on relaxed targets themselves. */
static void orrery_merge_begin(struct orrery_region *region) {
    struct orrery_merge *merge = region->state->merge;
    if (!merge)
        merge = region->state->merge = orrery_allocate(1, sizeof *merge);
    region->phases = 1;
    region->phase = 0;
    merge->was_alone = merge->alone;
    merge->alone = region->rows == 1 && region->loop->nmergings > 0;
    for (int i = 0; i < region->loop->nmergings; ++i)
        merge->alone &= orrery_merged_what(region, i)->how == ORRERY_RELAXED;
    for (int i = 0; i < region->loop->nmergings; ++i)
        orrery_merged_make(region, i);
    merge->rows = region->rows;
    if (region->loop->nmergings)
        region->phases = orrery_phases_of(region);
    /* Gains begin with two where many merges correct them; no sign yet. */
    for (int i = 0; i < region->loop->nmergings && region->phases >= 16; ++i)
        if (merge->arrays[i].gains)
            memset(merge->arrays[i].gains, 1 << 2, (unsigned long)merge->arrays[i].n);
}

/* Runs a job for each phase, with a merge behind it. */
static void orrery_phases_run(struct orrery_region *region, orrery_job *job) {
    orrery_merge_begin(region);
    for (; region->phase < region->phases; ++region->phase) {
        for (int i = 0; i < region->loop->nmergings; ++i) {
            struct orrery_merged *m = &region->state->merge->arrays[i];
            m->last = region->phase + 1 == region->phases;
            m->hot_only = m->hot && !orrery_merge_is_full(region, m->n);
        }
        orrery_team(job, region);
        if (region->loop->nmergings)
            orrery_merge_all(region);
    }
}

/* With one clock the phases are parts of the rows' blocks. */
static void orrery_phase_cut(const struct orrery_region *region, struct orrery_block *block) {
    long begin = block->begin, count = block->end - block->begin;
    if (region->clocks > 1)
        return;
    block->begin = begin + orrery_share(count, region->phase, region->phases);
    block->end = begin + orrery_share(count, region->phase + 1, region->phases);
}

/* What the body needs of its row. */
static void orrery_merge_block(const struct orrery_region *region, long row, int worker,
                               void **accumulators, void **snapshots, _Bool **marks) {
    for (int i = 0; i < region->loop->nmergings; ++i) {
        int j = region->loop->mergings[i].reduction;
        accumulators[j] = orrery_merged_copy(region, i, row, worker);
        snapshots[j] = region->state->merge->arrays[i].snapshot;
        marks[j] = orrery_merged_marks(region, i, row, worker);
    }
}

/* A row's block of this phase is over. */
static void orrery_merge_row_done(const struct orrery_region *region, long row, int worker) {
    for (int i = 0; i < region->loop->nmergings; ++i)
        if (region->clocks == 1 && !region->state->merge->alone &&
            !region->state->merge->arrays[i].by_line)
            orrery_merged_find(region, i, row, worker);
}
#endif
