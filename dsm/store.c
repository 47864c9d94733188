/*
 * Pages of views: readable while a part of this rank needs them. Memory of absent parts is kept for
 * a while, in case they come back, and given back oldest first.
 */
#include "dsm/array.h"

#include <string.h>
#include <sys/mman.h>

/* Bytes of unreadable pages that a rank keeps. */
#define KEEP_MOST (64UL << 20)
#define KEPT_RUNS 1024

/* Pages [first, end) of a view's memory; an array that is gone is NULL. */
struct kept {
    struct dsm_array *array;
    size_t first, end;
};

static struct dsm_lock lock;
static struct kept kept[KEPT_RUNS];
static unsigned kept_first, kept_count;
static size_t kept_bytes;

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
    while (from < end && (array->uses[from] == 0) == zero) {
        ++from;
    }
    return from;
}

/* Gives back the unused pages of a run. */
static void run_give(const struct kept *run) {
    size_t page = run->first;
    while (run->array && page < run->end) {
        size_t stop = stretch(run->array, page, run->end, true);
        if (stop > page) {
            dsm_clib_advise(page_at(run->array, page), (stop - page) * DSM_PAGE, MADV_DONTNEED);
        }
        page = stretch(run->array, stop, run->end, false);
    }
}

static void kept_pop(void) {
    struct kept *oldest = &kept[kept_first];
    run_give(oldest);
    kept_bytes -= (oldest->end - oldest->first) * DSM_PAGE;
    kept_first = (kept_first + 1) % KEPT_RUNS;
    --kept_count;
}

static void keep(struct dsm_array *array, size_t first, size_t end) {
    kept_bytes += (end - first) * DSM_PAGE;
    while (kept_count == KEPT_RUNS || (kept_count > 0 && kept_bytes > KEEP_MOST)) {
        kept_pop();
    }
    kept[(kept_first + kept_count++) % KEPT_RUNS] = (struct kept){array, first, end};
    if (kept_bytes > KEEP_MOST) {
        kept_pop();
    }
}

void dsm_store_hold(struct dsm_array *array, int part) {
    size_t page, end;
    if (!array->view || dsm_part_rows(array, part) == 0) {
        return;
    }
    part_pages(array, part, &page, &end);
    dsm_lock_take(&lock);
    while (page < end) {
        size_t stop = stretch(array, page, end, true);
        if (stop > page) {
            dsm_protect(page_at(array, page), page_at(array, stop), PROT_READ | PROT_WRITE);
        } else {
            stop = stretch(array, page, end, false);
        }
        for (; page < stop; ++page) {
            ++array->uses[page];
        }
    }
    dsm_lock_give(&lock);
}

void dsm_store_drop(struct dsm_array *array, int part) {
    size_t page, end;
    if (!array->view || dsm_part_rows(array, part) == 0) {
        return;
    }
    part_pages(array, part, &page, &end);
    dsm_lock_take(&lock);
    for (size_t i = page; i < end; ++i) {
        --array->uses[i];
    }
    while (page < end) {
        size_t stop = stretch(array, page, end, true);
        if (stop > page) {
            dsm_protect(page_at(array, page), page_at(array, stop), PROT_NONE);
            keep(array, page, stop);
        }
        page = stretch(array, stop, end, false);
    }
    dsm_lock_give(&lock);
}

void dsm_store_forget(struct dsm_array *array) {
    dsm_lock_take(&lock);
    for (unsigned i = 0; i < kept_count; ++i) {
        struct kept *run = &kept[(kept_first + i) % KEPT_RUNS];
        if (run->array == array) {
            run->array = NULL;
        }
    }
    dsm_lock_give(&lock);
}
