/* Memory of a process that is not the runtime's own, while it is lent (dsm_lend). */
#include "dsm/memory/memory.h"

#include <string.h>

/* Ascending, apart from each other; changed between regions only. */
static struct {
    int n;
    struct dsm_range *all;
    unsigned long changes;
} lent;

bool dsm_lend(int n, const struct dsm_range *ranges) {
    size_t bytes = (size_t)n * sizeof *ranges;
    struct dsm_range *sorted = dsm_own_alloc(bytes);
    if (n > 0)
        memcpy(sorted, ranges, bytes);
    /* Neither of two that overlap may be taken for all that its pointer leads to. */
    n = dsm_ranges_join(n, sorted, 0);
    bool same =
        n == lent.n && (n == 0 || memcmp(sorted, lent.all, (size_t)n * sizeof *sorted) == 0);
    dsm_own_free(same ? sorted : lent.all);
    if (same)
        return false;
    lent.all = sorted;
    lent.n = n;
    ++lent.changes;
    dsm_registry_doubt();
    return true;
}

unsigned long dsm_lent_epoch(void) {
    return lent.changes;
}

bool dsm_lent_find(const void *address, struct dsm_block *block) {
    const char *at = address;
    int from = 0, to = lent.n;
    while (from < to) {
        int middle = (from + to) / 2;
        if (lent.all[middle].low <= at)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == 0 || at >= lent.all[from - 1].high)
        return false;
    const struct dsm_range *range = &lent.all[from - 1];
    *block = (struct dsm_block){(char *)range->low, (size_t)(range->high - range->low),
                                DSM_BLOCK_LENT, false};
    return true;
}
