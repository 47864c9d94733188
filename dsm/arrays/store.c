/*
 * Pages of views: readable while a part of this rank needs them. Memory of absent parts is kept for
 * a while, since a fault on a new page costs more than moving a page's bytes, and given back oldest
 * first.
 */
#include "dsm/arrays/array.h"

#include <string.h>
#include <sys/mman.h>

/* Bytes of unreadable pages that a rank keeps: none of what a budget might need. Under torture
 * resting parts do not count, and pages that they share with others are kept for them. */
#define KEEP_MOST                                                                                  \
    (dsm_job.budget && dsm_job.budget < 1UL << 30 && !dsm_job.torture ? 0 : 64UL << 20)
#define KEPT_RUNS 4096
#define HUGE_LEAST (4UL << 20)

/*
 * Pages [first, end) of a view were kept at the time `stamp`; those that have another stamp now
 * were needed again. An array that is gone is NULL.
 */
struct kept {
    struct dsm_array *array;
    size_t first, end;
    uint32_t stamp;
};

/* A queue, oldest first. `lock` is also of the arrays' `uses` and `stamps`. */
static struct {
    struct dsm_lock lock;
    struct kept runs[KEPT_RUNS];
    unsigned first, count; /* where the queue begins, and how long it is */
    size_t bytes;          /* of pages that are still kept */
    uint32_t now;          /* the last stamp given */
} kept;

static char *page_at(const struct dsm_array *array, size_t page) {
    return array->view + page * DSM_PAGE;
}

/* Pages that the part touches. Must have rows. */
static void part_pages(const struct dsm_array *array, int part, size_t *first, size_t *end) {
    size_t row = (size_t)array->row_bytes;
    *first = (size_t)array->layout.cuts[part] * row / DSM_PAGE;
    *end = ((size_t)array->layout.cuts[part + 1] * row + DSM_PAGE - 1) / DSM_PAGE;
}

/* Pages from `from` on, before `end`, whose count is (not) zero, as one stretch. */
static size_t stretch(const struct dsm_array *array, size_t from, size_t end, bool zero) {
    while (from < end && (array->uses[from] == 0) == zero)
        ++from;
    return from;
}

/* The page is not among the kept any more. */
static void unkeep(struct dsm_array *array, size_t page) {
    if (array->stamps[page]) {
        array->stamps[page] = 0;
        kept.bytes -= DSM_PAGE;
    }
}

/* Gives back what is still kept of a run. */
static void run_give(const struct kept *run) {
    struct dsm_array *array = run->array;
    size_t page = run->first;
    while (array && page < run->end) {
        size_t begin = page;
        for (; page < run->end && array->stamps[page] == run->stamp; ++page)
            unkeep(array, page);
        if (page > begin)
            dsm_view_give(page_at(array, begin), (page - begin) * DSM_PAGE);
        else
            ++page;
    }
}

static void kept_pop(void) {
    run_give(&kept.runs[kept.first]);
    kept.first = (kept.first + 1) % KEPT_RUNS;
    --kept.count;
}

static void keep(struct dsm_array *array, size_t first, size_t end) {
    if (kept.count == KEPT_RUNS)
        kept_pop();
    kept.now = kept.now + 1 ? kept.now + 1 : 1;
    for (size_t page = first; page < end; ++page)
        array->stamps[page] = kept.now;
    kept.bytes += (end - first) * DSM_PAGE;
    kept.runs[(kept.first + kept.count++) % KEPT_RUNS] = (struct kept){array, first, end, kept.now};
    while (kept.bytes > KEEP_MOST)
        kept_pop();
}

/* Long stretches are made of huge pages: fewer faults, fewer TLB misses. */
static void huge_advise(struct dsm_array *array, size_t first, size_t end) {
    if ((end - first) * DSM_PAGE >= HUGE_LEAST && !dsm_job.budget)
        dsm_clib_advise(page_at(array, first), (end - first) * DSM_PAGE, MADV_HUGEPAGE);
}

void dsm_store_advise(struct dsm_array *array, int first_part, int end_part) {
    size_t first, end, unused;
    if (array->view && array->layout.cuts[first_part] < array->layout.cuts[end_part]) {
        part_pages(array, first_part, &first, &unused);
        part_pages(array, end_part - 1, &unused, &end);
        huge_advise(array, first, end);
    }
}

void dsm_store_hold(struct dsm_array *array, int part) {
    size_t page, end;
    if (!array->view || dsm_part_rows(array, part) == 0)
        return;
    part_pages(array, part, &page, &end);
    dsm_lock_take(&kept.lock);
    huge_advise(array, page, end);
    while (page < end) {
        size_t stop = stretch(array, page, end, true);
        if (stop > page) {
            dsm_view_take(page_at(array, page), (stop - page) * DSM_PAGE);
            dsm_protect(page_at(array, page), page_at(array, stop), PROT_READ | PROT_WRITE);
        } else {
            stop = stretch(array, page, end, false);
        }
        for (; page < stop; ++page) {
            unkeep(array, page);
            ++array->uses[page];
        }
    }
    dsm_lock_give(&kept.lock);
}

static void store_leave(struct dsm_array *array, int part, bool given) {
    size_t page, end;
    if (!array->view || dsm_part_rows(array, part) == 0)
        return;
    part_pages(array, part, &page, &end);
    dsm_lock_take(&kept.lock);
    for (size_t i = page; i < end; ++i)
        --array->uses[i];
    while (page < end) {
        size_t stop = stretch(array, page, end, true);
        if (stop > page) {
            dsm_protect(page_at(array, page), page_at(array, stop), PROT_NONE);
            if (given)
                keep(array, page, stop);
        }
        page = stretch(array, stop, end, false);
    }
    dsm_lock_give(&kept.lock);
}

void dsm_store_drop(struct dsm_array *array, int part) {
    store_leave(array, part, true);
}

void dsm_store_rest(struct dsm_array *array, int part) {
    store_leave(array, part, false);
}

void dsm_store_forget(struct dsm_array *array) {
    size_t pages = dsm_page_up(array->view_bytes) / DSM_PAGE;
    dsm_lock_take(&kept.lock);
    for (size_t page = 0; page < pages; ++page)
        unkeep(array, page);
    for (unsigned i = 0; i < kept.count; ++i) {
        struct kept *run = &kept.runs[(kept.first + i) % KEPT_RUNS];
        if (run->array == array)
            run->array = NULL;
    }
    dsm_lock_give(&kept.lock);
}
