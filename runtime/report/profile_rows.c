/*
 * Of a profile: which rows of the grid touch the rows that travel, so that `orrery simulate` can
 * tell which of them go from rank to rank (docs/simulate.md).
 */
#include "runtime/base/env.h"
#include "runtime/region/region.h"
#include "runtime/report/profile.h"

#include <stdlib.h>
#include <string.h>

/* Rows of the grid are bits; so many sets at most are worth a line in a file. */
enum { MOST_ROWS = 64, MOST_SETS = 1 << 17 };

static int row_itself(long row, long rows) {
    (void)rows;
    return (int)row;
}

/* Arrays of the dim may move by rows, as far as their shapes tell (runtime/share/rows.c). */
static bool dim_may(const struct orrery_state *state, int d) {
    bool some = false;
    for (int a = 0; a < state->loop->narrays; ++a) {
        const struct orrery_shape *shape = &state->shapes[a];
        if (state->loop->arrays[a].dim != d || !orrery_shape_exists(shape))
            continue;
        some = true;
        if (shape->table && !orrery_shape_by_pieces(shape))
            return false;
    }
    return some;
}

void orrery_profile_rows_look(struct orrery_state *state, const void *env) {
    const struct orrery_inspection *inspection = state->inspection;
    struct orrery_profile *profile = &state->profile;
    if (!orrery_env()->profile || orrery_env()->rotate == ORRERY_ROTATE_WHOLE || !inspection ||
        inspection->levels || state->loop->kernel || inspection->blocks.batons == 0 ||
        inspection->blocks.rows > MOST_ROWS || profile->inspections == state->stats->inspections)
        return;
    profile->inspections = state->stats->inspections;
    for (int d = 1; d < inspection->blocks.ndims; ++d) {
        size_t bytes = (size_t)(orrery_dim_range(&inspection->dims[d]) + 1) * sizeof(uint64_t);
        dsm_own_free(profile->masks[d]);
        profile->masks[d] = dim_may(state, d) ? memset(dsm_own_alloc(bytes), 0, bytes) : NULL;
    }
    orrery_inspection_touches(inspection, state->loop, env, row_itself, profile->masks);
}

static int by_value(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The sets of a part's keys, sorted; returns how many. */
static long sets_of(const struct orrery_dim *dim, const uint64_t *masks, long part,
                    uint64_t *sets) {
    long n = 0, range = orrery_dim_range(dim);
    for (long i = 0; i < range && dim->part_of; ++i)
        if (dim->part_of[i] == part)
            sets[n++] = masks[i];
    qsort(sets, (size_t)n, sizeof *sets, by_value);
    return n;
}

/* One part: [low half, high half, keys] of every set. Returns how many there are. */
static long put_part(FILE *file, const uint64_t *sets, long n) {
    long count = 0;
    fprintf(file, "[");
    for (long i = 0, j; i < n; i = j, ++count) {
        for (j = i; j < n && sets[j] == sets[i]; ++j)
            ;
        fprintf(file, "%s[%lu, %lu, %ld]", i ? ", " : "", (unsigned long)(sets[i] & UINT32_MAX),
                (unsigned long)(sets[i] >> 32), j - i);
    }
    fprintf(file, "]");
    return count;
}

/* A dim's parts; too many sets: empty, as of one that moves whole. */
static void put_dim(FILE *file, const struct orrery_state *state, int d, bool first) {
    const struct orrery_dim *dim = &state->inspection->dims[d];
    const uint64_t *masks = state->profile.masks[d];
    uint64_t *sets = dsm_own_alloc((size_t)(orrery_dim_range(dim) + 1) * sizeof *sets);
    long left = MOST_SETS;
    for (long part = 0; part < dim->parts; ++part) {
        long n = masks ? sets_of(dim, masks, part, sets) : 0;
        fprintf(file, "%s\n      ", first && part == 0 ? "" : ",");
        left -= put_part(file, sets, left > 0 ? n : 0);
    }
    dsm_own_free(sets);
}

void orrery_profile_rows(FILE *file, const struct orrery_state *state) {
    const struct orrery_blocks *blocks = &state->blocks;
    bool any = false, first = true;
    for (int d = 0; d < ORRERY_DIMS; ++d)
        any |= state->profile.masks[d] != NULL;
    if (!any || state->profile.inspections == 0 || blocks->first[0] >= 0)
        return;
    fprintf(file, "     \"touched\": [");
    for (int d = 1; d < blocks->ndims; ++d, first = false)
        put_dim(file, state, d, first);
    fprintf(file, "],\n");
}
