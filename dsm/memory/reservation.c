/* One range of addresses, the same on every rank. */
#include "dsm/memory/runs.h"
#include "dsm/transport/messages.h"

#include <string.h>
#include <sys/mman.h>

#define TIB (1UL << 40)
#define GIB (1UL << 30)
#define HUGE_LEAST (4UL << 20)
#define HUGE_PAGE (2UL << 20)
#define TAG_AGREE 3

struct dsm_reservation dsm_reservation;

static const size_t sizes[] = {16 * TIB, 4 * TIB, TIB, 256 * GIB, 64 * GIB, 16 * GIB};
static const uintptr_t bases[] = {0x200000000000, 0x300000000000, 0x400000000000, 0x180000000000};

/* Collective: have all ranks said yes? */
static bool all_agree(bool mine) {
    char word = mine;
    if (dsm_world.rank > 0)
        dsm_wait(dsm_message_send(DSM_BULK, 0, TAG_AGREE, &word, 1));
    for (int rank = 1; dsm_world.rank == 0 && rank < dsm_world.ranks; ++rank) {
        char other;
        dsm_wait(dsm_message_receive(DSM_BULK, rank, TAG_AGREE, &other, 1));
        word = word && other;
    }
    dsm_broadcast(&word, 1);
    return word;
}

static bool reserve_at(uintptr_t base, size_t bytes) {
    char *low = dsm_clib_map_at((void *)base, bytes);
    if (low && low != (char *)base) {
        dsm_clib_unmap(low, bytes);
        low = NULL;
    }
    if (!all_agree(low != NULL)) {
        if (low)
            dsm_clib_unmap(low, bytes);
        return false;
    }
    dsm_reservation = (struct dsm_reservation){low, low + bytes / 2, low + bytes, NULL};
    return true;
}

static bool reserve(void) {
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; ++size) {
        for (size_t base = 0; base < sizeof bases / sizeof *bases; ++base)
            if (reserve_at(bases[base], sizes[size]))
                return true;
    }
    return false;
}

void dsm_reservation_start(void) {
    if (!reserve()) {
        dsm_fail(DSM_STATUS_ERROR,
                 "no range of %lu GiB of address space is free on all ranks: raise the limit on "
                 "virtual memory (ulimit -v unlimited)",
                 sizes[sizeof sizes / sizeof *sizes - 1] / GIB);
    }
    if (dsm_world.rank == 0) {
        run_start(dsm_reservation.low, dsm_reservation.middle);
        return;
    }
    size_t pages = (size_t)(dsm_reservation.middle - dsm_reservation.low) / DSM_PAGE;
    dsm_reservation.committed = dsm_clib_map(pages / 8);
    if (!dsm_reservation.committed)
        dsm_fail(DSM_STATUS_ERROR, "out of address space: no room for the table of pages");
}

static bool bit_get(size_t page) {
    return dsm_reservation.committed[page / 64] >> (page % 64) & 1;
}

/* Sets the bits of the pages from `page` on that are not `value` yet, up to the first that is. */
static size_t bits_turn(size_t page, size_t end, bool value) {
    while (page < end && bit_get(page) != value) {
        dsm_reservation.committed[page / 64] ^= 1UL << (page % 64);
        ++page;
    }
    return page;
}

static char *page_address(size_t page) {
    return dsm_reservation.low + page * DSM_PAGE;
}

/* Long stretches are made of huge pages, where they cover them; memory that goes is given back. */
static void pages_advise(char *from, size_t bytes, bool come) {
    char *low = (char *)(((uintptr_t)from + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
    char *high = (char *)(((uintptr_t)from + bytes) & ~(HUGE_PAGE - 1));
    if (!come && !dsm_one_copy_drop(from, from + bytes))
        dsm_clib_advise(from, bytes, MADV_DONTNEED);
    else if (come && bytes >= HUGE_LEAST)
        dsm_clib_advise(low, (size_t)(high - low), MADV_HUGEPAGE);
}

/* Makes pages that are not yet so usable, or not. */
static void pages_turn(const char *low, const char *high, bool value) {
    size_t page = (size_t)(low - dsm_reservation.low) / DSM_PAGE;
    size_t end = ((size_t)(high - dsm_reservation.low) + DSM_PAGE - 1) / DSM_PAGE;
    while (page < end) {
        size_t stop = bits_turn(page, end, value);
        if (stop > page) {
            char *from = page_address(page), *to = page_address(stop);
            pages_advise(from, (size_t)(to - from), value);
            dsm_protect(from, to, value ? PROT_READ | PROT_WRITE : PROT_NONE);
            page = stop;
        } else {
            ++page;
        }
    }
}

void dsm_commit(void *address, size_t bytes) {
    char *low = address, *high = low + bytes;
    if (dsm_world.rank == 0 || bytes == 0 || dsm_static_shared(address))
        return;
    if (!dsm_in_heap(low) || high > dsm_reservation.middle) {
        dsm_fail(DSM_STATUS_ERROR,
                 "dsm_commit: %p to %p is not in the global heap: only memory allocated by the "
                 "program, or static, can be used on several ranks",
                 (void *)low, (void *)high);
    }
    pages_turn(low, high, true);
}

void dsm_heap_forget(const struct dsm_range *ranges, int count) {
    for (int i = 0; i < count; ++i)
        pages_turn(ranges[i].low, ranges[i].high, false);
}

bool dsm_heap_forget_serve(const void *ranges, size_t bytes) {
    if (bytes % sizeof(struct dsm_range) != 0)
        return false;
    dsm_heap_forget(ranges, (int)(bytes / sizeof(struct dsm_range)));
    return true;
}
