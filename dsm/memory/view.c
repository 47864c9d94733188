/*
 * Address space for views, from the upper half of the reservation. Every rank makes the same calls
 * in the same order, so every rank gets the same answers. First fit; one unreadable page behind
 * each.
 */
#include "dsm/memory/memory.h"
#include "dsm/memory/spill.h"

#include <sys/mman.h>

#define ALIGNMENT (2UL << 20)

/* Free address space, in ascending order, never two that touch. */
struct gap {
    char *low, *high;
    struct gap *next;
};

static struct {
    bool begun;
    struct gap *first;
} gaps;

static struct gap *gap_new(char *low, char *high, struct gap *next) {
    struct gap *gap = dsm_own_alloc(sizeof *gap);
    *gap = (struct gap){low, high, next};
    return gap;
}

static size_t room_for(size_t bytes) {
    return (bytes + DSM_PAGE + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

static char *space_take(size_t bytes) {
    size_t room = room_for(bytes);
    if (!gaps.begun) {
        gaps.begun = true;
        gaps.first = gap_new(dsm_reservation.middle, dsm_reservation.high, NULL);
    }
    for (struct gap **link = &gaps.first; *link; link = &(*link)->next) {
        struct gap *gap = *link;
        if ((size_t)(gap->high - gap->low) >= room) {
            char *view = gap->low;
            gap->low += room;
            if (gap->low == gap->high) {
                *link = gap->next;
                dsm_own_free(gap);
            }
            return view;
        }
    }
    dsm_fail(DSM_STATUS_ERROR, "no address space for a view of %zu bytes", bytes);
}

char *dsm_view_alloc(size_t bytes) {
    char *view = space_take(bytes);
    dsm_spill_view(view, dsm_page_up(bytes));
    return view;
}

void dsm_view_take(const char *low, size_t bytes) {
    dsm_spill_take(low, bytes);
}

void dsm_view_give(char *low, size_t bytes) {
    if (dsm_spill.on)
        dsm_spill_give(low, bytes);
    else
        dsm_clib_advise(low, bytes, MADV_DONTNEED);
}

static void gap_join(struct gap *gap) {
    struct gap *next = gap->next;
    if (next && gap->high == next->low) {
        gap->high = next->high;
        gap->next = next->next;
        dsm_own_free(next);
    }
}

void dsm_view_free(char *view, size_t bytes) {
    char *high = view + room_for(bytes);
    struct gap **link = &gaps.first, *before = NULL;
    if (!dsm_spill_free(view)) {
        dsm_clib_advise(view, dsm_page_up(bytes), MADV_DONTNEED);
        dsm_clib_advise(view, dsm_page_up(bytes), MADV_NOHUGEPAGE);
        dsm_protect(view, view + dsm_page_up(bytes), PROT_NONE);
    }
    while (*link && (*link)->low < view) {
        before = *link;
        link = &before->next;
    }
    *link = gap_new(view, high, *link);
    gap_join(*link);
    if (before)
        gap_join(before);
}
