/* A merge sort of lists of intervals, one per worker. */
#include "runtime/checks/intervals.h"

#include "runtime/threads/workers.h"

#include <stdlib.h>
#include <string.h>

/* `starts[w]`: where worker w's list begins in `from`; `width`: how many lists are one by now. */
struct sorting {
    struct orrery_access_interval *const *lists;
    struct orrery_access_interval *from, *to;
    long *starts;
    int workers, width;
    int (*compare)(const void *a, const void *b);
};

static void sort_own(void *data, int worker) {
    struct sorting *s = data;
    size_t n = (size_t)(s->starts[worker + 1] - s->starts[worker]);
    if (n == 0)
        return;
    memcpy(s->from + s->starts[worker], s->lists[worker], n * sizeof *s->from);
    qsort(s->from + s->starts[worker], n, sizeof *s->from, s->compare);
}

static long start_of(const struct sorting *s, int worker) {
    return s->starts[worker < s->workers ? worker : s->workers];
}

static void merge_two(void *data, int worker) {
    struct sorting *s = data;
    if (worker % (2 * s->width) != 0)
        return;
    long i = start_of(s, worker), middle = start_of(s, worker + s->width), j = middle;
    long end = start_of(s, worker + 2 * s->width);
    for (long k = i; k < end; ++k) {
        bool left = i < middle && (j >= end || s->compare(&s->from[i], &s->from[j]) <= 0);
        s->to[k] = left ? s->from[i++] : s->from[j++];
    }
}

struct orrery_access_interval *orrery_intervals_sort(struct orrery_access_interval *const *lists,
                                                     const long *counts,
                                                     int (*compare)(const void *a, const void *b),
                                                     long *n) {
    struct sorting s = {.lists = lists, .workers = orrery_workers_count(), .compare = compare};
    s.starts = dsm_own_alloc((size_t)(s.workers + 1) * sizeof *s.starts);
    s.starts[0] = 0;
    for (int w = 0; w < s.workers; ++w)
        s.starts[w + 1] = s.starts[w] + counts[w];
    *n = s.starts[s.workers];
    s.from = dsm_own_alloc((size_t)(*n + 1) * sizeof *s.from);
    s.to = dsm_own_alloc((size_t)(*n + 1) * sizeof *s.to);
    orrery_workers_run(sort_own, &s);
    for (s.width = 1; s.width < s.workers; s.width *= 2) {
        orrery_workers_run(merge_two, &s);
        struct orrery_access_interval *merged = s.to;
        s.to = s.from;
        s.from = merged;
    }
    dsm_own_free(s.to);
    dsm_own_free(s.starts);
    return s.from;
}
