#include "runtime/inspect/chain.h"

#include "dsm/dsm.h"
#include "runtime/inspect/tables.h"
#include "runtime/schedule/share.h"

#include <stdlib.h>

enum { LOOKED_AT = 64 };

/* One of the iterations in share s of n. Not its first: keys often repeat with a period. */
static long sample(long count, long s, long n) {
    long begin = orrery_share(count, s, n), width = orrery_share(count, s + 1, n) - begin;
    uint64_t bits = ((uint64_t)s + 1) * 0x9e3779b97f4a7c15u >> 32;
    return begin + (long)(bits % (uint64_t)width);
}

static int by_element(const void *a, const void *b) {
    const struct orrery_touch *x = a, *y = b;
    return x->object != y->object ? (x->object > y->object) - (x->object < y->object)
                                  : (x->unit > y->unit) - (x->unit < y->unit);
}

/* Keeps what is written, in rising order. */
static void keep_written(struct orrery_touches *list) {
    long kept = 0;
    for (long n = 0; n < list->count; ++n)
        if (list->items[n].written)
            list->items[kept++] = list->items[n];
    list->count = kept;
    if (kept)
        qsort(list->items, (size_t)kept, sizeof *list->items, by_element);
}

/* Keeps what is in the other list, too. Both in rising order. */
static void keep_common(struct orrery_touches *list, const struct orrery_touches *other) {
    long kept = 0;
    for (long n = 0, m = 0; n < list->count && m < other->count;) {
        int order = by_element(&list->items[n], &other->items[m]);
        if (order == 0)
            list->items[kept++] = list->items[n];
        n += order <= 0;
        m += order > 0;
    }
    list->count = kept;
}

const char *orrery_chain_find(const struct orrery_loop *loop, const void *env, long count) {
    struct orrery_listing listing = {.loop = loop, .env = env, .count = count};
    struct orrery_touches common = orrery_list_new(), list = orrery_list_new();
    long n = count < LOOKED_AT ? count : LOOKED_AT;
    orrery_list_fill(&common, &listing, sample(count, 0, n));
    keep_written(&common);
    for (long s = 1; s < n && common.count; ++s) {
        orrery_list_fill(&list, &listing, sample(count, s, n));
        keep_written(&list);
        keep_common(&common, &list);
    }
    const char *name = n > 1 && common.count ? loop->touched[common.items[0].object] : NULL;
    dsm_own_free(common.items);
    dsm_own_free(list.items);
    return name;
}
