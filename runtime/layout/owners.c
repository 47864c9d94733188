#include "runtime/layout/owners.h"

#include "runtime/schedule/share.h"

#include "dsm/dsm.h"

#include <stddef.h>
#include <string.h>

static struct {
    uint64_t *ends; /* per rank, and one more: the weights before it; NULL: all are the same */
    unsigned long epoch;
} owners;

/* To the nearest row. */
static long first_by(const uint64_t *ends, int rank, long rows) {
    uint64_t total = ends[dsm_ranks()];
    return (long)(((uint64_t)rows * ends[rank] + total / 2) / total);
}

long orrery_first_row_of(int rank, long rows) {
    return owners.ends ? first_by(owners.ends, rank, rows) : orrery_share(rows, rank, dsm_ranks());
}

int orrery_rank_of_row(long row, long rows) {
    int low = 0, high = dsm_ranks();
    if (!owners.ends)
        return (int)orrery_share_of(row, rows, dsm_ranks());
    while (low + 1 < high) {
        int middle = low + (high - low) / 2;
        if (first_by(owners.ends, middle, rows) <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void sum_up(const uint32_t *weights, uint64_t *ends) {
    ends[0] = 0;
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        ends[rank + 1] = ends[rank] + weights[rank];
}

long orrery_owners_first(const uint32_t *weights, int rank, long rows) {
    uint64_t ends[dsm_ranks() + 1];
    if (!weights)
        return orrery_share(rows, rank, dsm_ranks());
    sum_up(weights, ends);
    return first_by(ends, rank, rows);
}

void orrery_owners_set(const uint32_t *weights) {
    size_t count = (size_t)dsm_ranks() + 1;
    ++owners.epoch;
    if (weights && !owners.ends)
        owners.ends = dsm_own_alloc(count * sizeof *owners.ends);
    if (weights) {
        sum_up(weights, owners.ends);
        return;
    }
    dsm_own_free(owners.ends);
    owners.ends = NULL;
}

unsigned long orrery_owners_epoch(void) {
    return owners.epoch;
}
