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

/* Of a round of parts, one per rank, each begins where its rank's rows do; those behind it have room. */
static long first_in_round(int part, long rows) {
    long first = 0, parts = dsm_ranks();
    for (int i = 1; i <= part; ++i) {
        long wanted = orrery_first_row_of(i, rows), most = rows - (parts - i);
        first = wanted > first ? wanted : first + 1;
        first = first < most ? first : most;
    }
    return first;
}

long orrery_first_row_of_part(long part, long parts, long rows) {
    long ranks = dsm_ranks(), round = part - part % ranks;
    if (!owners.ends || round + ranks > parts)
        return orrery_share(rows, part, parts);
    long low = orrery_share(rows, round, parts), high = orrery_share(rows, round + ranks, parts);
    return low + first_in_round((int)(part - round), high - low);
}

double orrery_weight_of(int rank) {
    const uint64_t *ends = owners.ends;
    if (!ends)
        return 1;
    double own = (double)(ends[rank + 1] - ends[rank]), least = .01;
    double weight = own * (double)dsm_ranks() / (double)ends[dsm_ranks()];
    return weight > least ? weight : least;
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
