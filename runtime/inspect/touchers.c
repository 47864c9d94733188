/* Which ranks touch the rows of a dim: a walk over all iterations, by all workers. */
#include "runtime/inspect/inspect.h"
#include "runtime/threads/workers.h"

struct walk {
    const struct orrery_inspection *inspection;
    const struct orrery_loop *loop;
    const void *env;
    int workers;
    int (*rank_of)(long row, long rows);
    uint64_t **masks;
};

/* Most rows have the bit already, and are only looked at. */
static void mark(uint64_t *mask, uint64_t bit) {
    if (!(__atomic_load_n(mask, __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(mask, bit, __ATOMIC_RELAXED);
}

static void mark_keys(const struct walk *walk, const long *keys, uint64_t bit) {
    for (int k = 0; k < walk->loop->nkeys; ++k) {
        int d = walk->loop->keys[k].dim;
        const struct orrery_dim *dim = &walk->inspection->dims[d];
        if (!walk->masks[d] || keys[k] == ORRERY_NO_KEY)
            continue;
        long at = keys[k] - dim->low;
        mark(&walk->masks[d][dim->place ? dim->place[at] : at], bit);
    }
}

static void walk_share(void *data, int worker) {
    const struct walk *walk = data;
    const struct orrery_inspection *inspection = walk->inspection;
    long keys[ORRERY_KEYS];
    for (int k = 0; k < ORRERY_KEYS; ++k)
        keys[k] = ORRERY_NO_KEY;
    long first = inspection->first, count = inspection->last - first;
    long end = first + orrery_share(count, worker + 1, walk->workers);
    for (long i = first + orrery_share(count, worker, walk->workers); i < end; ++i) {
        walk->loop->gather(walk->env, i, NULL, keys, NULL);
        long row = orrery_inspection_row_of(inspection, walk->loop, keys, i);
        mark_keys(walk, keys, UINT64_C(1) << walk->rank_of(row, inspection->blocks.rows));
    }
}

void orrery_inspection_touches(const struct orrery_inspection *inspection,
                               const struct orrery_loop *loop, const void *env,
                               int (*rank_of)(long row, long rows), uint64_t **masks) {
    struct walk walk = {inspection, loop, env, orrery_workers_count(), rank_of, masks};
    orrery_workers_run(walk_share, &walk);
}
