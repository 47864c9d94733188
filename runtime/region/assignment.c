#include "runtime/region/assignment.h"

#include "runtime/base/env.h"
#include "runtime/region/region.h"

#include <string.h>

/* A worker's own copies (scratch space, relaxed arrays) belong to the rows that it had at first. */
static bool may_assign(const struct orrery_region *region) {
    long rows = region->row_high - region->row_low;
    bool may = orrery_env()->refine && !region->replay && !region->needs && !region->exchange &&
               region->blocks.strategy != ORRERY_WAVEFRONT &&
               region->blocks.strategy != ORRERY_PIPELINE && orrery_workers_count() > 1 &&
               rows > orrery_workers_count();
    for (int j = 0; j < region->loop->nreductions; ++j)
        may = may && orrery_is_folded(&region->loop->reductions[j]);
    return may;
}

void orrery_assignment_start(struct orrery_region *region, struct orrery_state *state) {
    struct orrery_assignment *assignment = &state->assignment;
    long rows = region->row_high - region->row_low;
    region->assignment = NULL;
    if (!may_assign(region))
        return;
    if (assignment->rows != rows) {
        dsm_own_free(assignment->cuts);
        dsm_own_free(assignment->seconds);
        *assignment = (struct orrery_assignment){.rows = rows};
        assignment->seconds = dsm_own_alloc((size_t)rows * sizeof *assignment->seconds);
    }
    memset(assignment->seconds, 0, (size_t)rows * sizeof *assignment->seconds);
    region->assignment = assignment;
}

/* The workers that are needed when none may have more than `most`; `cuts` NULL: only counted. */
static int workers_for(const double *seconds, long rows, int workers, double most, long *cuts) {
    double sum = 0;
    int used = 1;
    if (cuts)
        cuts[0] = 0;
    for (long row = 0; row < rows; ++row) {
        bool full = sum > 0 && sum + seconds[row] > most;
        bool needed = cuts && row > cuts[used - 1] && rows - row <= workers - used;
        if (full || needed) {
            if (cuts && used < workers)
                cuts[used] = row;
            ++used;
            sum = 0;
        }
        sum += seconds[row];
    }
    return used;
}

static double slowest(const double *seconds, int workers, const long *cuts) {
    double most = 0;
    for (int w = 0; w < workers; ++w) {
        double sum = 0;
        for (long row = cuts[w]; row < cuts[w + 1]; ++row)
            sum += seconds[row];
        most = sum > most ? sum : most;
    }
    return most;
}

double orrery_assignment_cut(const double *seconds, long rows, int workers, long *cuts) {
    double low = 0, high = 0;
    for (long row = 0; row < rows; ++row) {
        high += seconds[row];
        low = seconds[row] > low ? seconds[row] : low;
    }
    for (int round = 0; round < 40; ++round) {
        double middle = (low + high) / 2;
        if (workers_for(seconds, rows, workers, middle, NULL) <= workers)
            high = middle;
        else
            low = middle;
    }
    workers_for(seconds, rows, workers, high, cuts);
    cuts[workers] = rows;
    return slowest(seconds, workers, cuts);
}

/* Rows change hands only for a gain of two per cent: a cache that is warm is worth something. */
void orrery_assignment_refine(const struct orrery_region *region, struct orrery_state *state) {
    struct orrery_assignment *assignment = &state->assignment;
    int workers = orrery_workers_count();
    long now[workers + 1], *cuts;
    if (!region->assignment)
        return;
    for (int w = 0; w <= workers; ++w)
        now[w] = orrery_assignment_begin(assignment, assignment->rows, w, workers);
    cuts = dsm_own_alloc((size_t)(workers + 1) * sizeof *cuts);
    double better = orrery_assignment_cut(assignment->seconds, assignment->rows, workers, cuts);
    if (better > 0.98 * slowest(assignment->seconds, workers, now)) {
        dsm_own_free(cuts);
        return;
    }
    dsm_own_free(assignment->cuts);
    assignment->cuts = cuts;
    state->stats->deals += 1;
}
