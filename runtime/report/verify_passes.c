#include "runtime/report/verify_passes.h"

#include "runtime/base/commands.h"
#include "runtime/base/memory.h"
#include "runtime/layout/layout.h"

#include "dsm/dsm.h"

#include <string.h>

/* `bytes`: of one row in one pass, the folded reductions one behind the other. `low`, `high`: the
 * rows that are here; of row r and pass p at ((r - low) * passes + p) * bytes. `next`: by row, the
 * first pass that is not kept yet. */
struct orrery_kept {
    long passes, low, high;
    size_t bytes;
    char *values;
    long *next;
};

static size_t place_of(const struct orrery_region *region, int j) {
    size_t place = 0;
    for (int i = 0; i < j; ++i)
        if (orrery_is_folded(&region->loop->reductions[i]))
            place += region->copies->bytes[i];
    return place;
}

static char *values_of(const struct orrery_kept *kept, long row, long pass) {
    return kept->values + (size_t)((row - kept->low) * kept->passes + pass) * kept->bytes;
}

struct orrery_kept *orrery_kept_new(const struct orrery_region *region) {
    size_t bytes = place_of(region, region->loop->nreductions);
    long rows = region->row_high - region->row_low;
    if (region->passes < 2 || bytes == 0)
        return NULL;
    struct orrery_kept *kept = dsm_own_alloc(sizeof *kept);
    *kept = (struct orrery_kept){.passes = region->passes - 1,
                                 .low = region->row_low,
                                 .high = region->row_high,
                                 .bytes = bytes};
    kept->values = orrery_memory_aligned((size_t)(rows * kept->passes) * bytes + 1);
    kept->next = orrery_memory_aligned((size_t)(rows + 1) * sizeof *kept->next);
    return kept;
}

void orrery_kept_row(const struct orrery_region *region, long row, long pass) {
    void *const *copies = orrery_copies_of(region->copies, row);
    char *to = values_of(region->kept, row, pass);
    if (region->kept->next[row - region->row_low] > pass)
        return;
    region->kept->next[row - region->row_low] = pass + 1;
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (orrery_is_folded(&region->loop->reductions[j]))
            memcpy(to + place_of(region, j), copies[j], region->copies->bytes[j]);
}

static size_t part_bytes(const struct orrery_kept *kept, long low, long high) {
    return (size_t)((high - low) * kept->passes) * kept->bytes;
}

void orrery_kept_gather(struct orrery_region *region) {
    struct orrery_kept *kept = region->kept;
    long rows = region->blocks.rows;
    if (!kept)
        return;
    if (dsm_rank() > 0) {
        if (kept->low < kept->high)
            dsm_send(0, ORRERY_TAG_FOLD, kept->values, part_bytes(kept, kept->low, kept->high));
        return;
    }
    char *all = orrery_memory_aligned(part_bytes(kept, 0, rows) + 1);
    memcpy(all + part_bytes(kept, 0, kept->low), kept->values,
           part_bytes(kept, kept->low, kept->high));
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        long low = orrery_first_row_of(rank, rows), high = orrery_first_row_of(rank + 1, rows);
        if (low < high)
            dsm_receive(rank, ORRERY_TAG_FOLD, all + part_bytes(kept, 0, low),
                        part_bytes(kept, low, high));
    }
    orrery_memory_free(kept->values);
    kept->values = all;
    kept->low = 0;
    kept->high = rows;
}

bool orrery_kept_fold(const struct orrery_region *region, int j, long pass, void *to) {
    const struct orrery_kept *kept = region->kept;
    if (!kept || !orrery_is_folded(&region->loop->reductions[j]) || kept->low == kept->high)
        return false;
    const char *from = values_of(kept, kept->low, pass) + place_of(region, j);
    size_t stride = (size_t)kept->passes * kept->bytes, bytes = region->copies->bytes[j];
    memcpy(to, from, bytes);
    orrery_fold(region->loop, j, from + stride, stride, bytes, kept->low + 1, kept->high, to);
    return true;
}

void orrery_kept_free(struct orrery_region *region) {
    if (region->kept) {
        orrery_memory_free(region->kept->values);
        orrery_memory_free(region->kept->next);
    }
    dsm_own_free(region->kept);
    region->kept = NULL;
}
