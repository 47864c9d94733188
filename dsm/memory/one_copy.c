/*
 * Memory that every rank reads whole. Rank 0's is the program's own. The other ranks of a host have
 * it in the pages of one file without a name, each mapped privately: it is there once, and a rank
 * that writes to a page gets one of its own. The host's *keeper*, its first rank above 0, makes the
 * file and has the bytes from rank 0 or from another keeper.
 */
#define _GNU_SOURCE
#include "dsm/memory/memory.h"
#include "dsm/transport/messages.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TAG_ONE_COPY 6
#define LEAST (1UL << 20)
#define LITTLE (16UL << 20)

/* This rank's pages that are a file's. */
static struct {
    struct dsm_range *all;
    long count, room;
} stretches;

static void stretch_add(const char *low, const char *high) {
    if (low >= high)
        return;
    if (stretches.count == stretches.room) {
        stretches.room = 2 * stretches.room + 8;
        stretches.all =
            dsm_own_realloc(stretches.all, (size_t)stretches.room * sizeof *stretches.all);
    }
    stretches.all[stretches.count++] = (struct dsm_range){low, high};
}

bool dsm_one_copy_drop(char *low, char *high) {
    bool dropped = false;
    for (long i = stretches.count - 1; i >= 0; --i) {
        struct dsm_range was = stretches.all[i];
        if (was.low >= high || was.high <= low)
            continue;
        dropped = true;
        stretches.all[i] = stretches.all[--stretches.count];
        stretch_add(was.low, low);
        stretch_add(high, was.high);
    }
    if (dropped && !dsm_clib_map_over(low, (size_t)(high - low)))
        dsm_fail(DSM_STATUS_ERROR, "cannot give back %zu bytes of memory that ranks share",
                 (size_t)(high - low));
    return dropped;
}

/* One replicate, as this rank sees it: bytes, and the whole pages among them. */
struct copy {
    char *low, *high, *begin, *end;
    int keeper; /* of this host; -1: rank 0 is alone there */
};

static bool is_member(const struct copy *copy, int rank) {
    return rank > 0 && rank != copy->keeper && dsm_shared_with(rank);
}

static void send_to(int rank, const void *data, size_t bytes) {
    dsm_wait(dsm_message_send(DSM_BULK, rank, TAG_ONE_COPY, data, bytes));
}

static void receive_from(int rank, void *data, size_t bytes) {
    dsm_wait(dsm_message_receive(DSM_BULK, rank, TAG_ONE_COPY, data, bytes));
}

static void send_all(const struct copy *copy, const void *data, size_t bytes) {
    for (int rank = 1; rank < dsm_world.ranks && bytes > 0; ++rank)
        if (is_member(copy, rank))
            send_to(rank, data, bytes);
}

/* What was here stands in another file, or in pages of this rank: it will be replaced. */
static void pages_empty(const struct copy *copy) {
    if (dsm_one_copy_drop(copy->begin, copy->end))
        dsm_protect(copy->begin, copy->end, PROT_READ | PROT_WRITE);
    else
        dsm_clib_advise(copy->begin, (size_t)(copy->end - copy->begin), MADV_DONTNEED);
}

/* Whether the kernel gives memory huge pages. */
enum huge { HUGE_UNKNOWN, HUGE_NEVER, HUGE_POSSIBLE };

/* By the word that is chosen of a file such as `always [madvise] never` (the kernel's documentation,
 * admin-guide/mm/transhuge). */
static enum huge huge_of(const char *path) {
    char text[128] = "";
    FILE *file = fopen(path, "r");
    if (file && !fgets(text, sizeof text, file))
        text[0] = 0;
    if (file)
        fclose(file);
    char *chosen = strchr(text, '[');
    if (!chosen)
        return HUGE_UNKNOWN;
    chosen[strcspn(chosen, "]")] = 0;
    bool never = strcmp(chosen, "[never") == 0 || strcmp(chosen, "[deny") == 0;
    return never ? HUGE_NEVER : HUGE_POSSIBLE;
}

/* Is memory that ranks share in small pages, and their own in huge ones? */
static bool loses_huge_pages(void) {
#define PAGES "/sys/kernel/mm/transparent_hugepage/"
    return huge_of(PAGES "shmem_enabled") == HUGE_NEVER && huge_of(PAGES "enabled") != HUGE_NEVER;
#undef PAGES
}

/* Scattered reads of a table of 32 MB in small pages take a tenth longer, of 256 MB half as long
 * again (docs/decisions.md, 57): then each rank has its own, unless memory is short. */
static bool is_worth(const struct copy *copy, int members) {
    size_t bytes = (size_t)(copy->end - copy->begin);
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    if (!dsm_job.one_copy || dsm_job.budget || bytes <= LITTLE)
        return dsm_job.one_copy;
    return bytes * (size_t)members > machine / 8 || !loses_huge_pages();
}

/* The keeper, when the members have given up what they had: its pages are those of a new file. */
static int pages_offer(const struct copy *copy, bool wanted, struct dsm_offer *offer) {
    size_t bytes = (size_t)(copy->end - copy->begin);
    int file;
    *offer = dsm_offer_make(&file, wanted, bytes);
    if (offer->process && !dsm_clib_map_shared(copy->begin, bytes, file))
        offer->process = 0;
    else if (offer->process)
        dsm_protect(copy->begin, copy->end, PROT_READ | PROT_WRITE);
    return file;
}

/* Have all members of the host mapped it? The keeper asks, and tells them. */
static bool members_agree(const struct copy *copy, bool mine) {
    char all = mine, one;
    for (int rank = 1; rank < dsm_world.ranks; ++rank)
        if (is_member(copy, rank)) {
            receive_from(rank, &one, 1);
            all = all && one;
        }
    send_all(copy, &all, 1);
    return all;
}

static bool pages_map(const struct copy *copy, int file) {
    size_t bytes = (size_t)(copy->end - copy->begin);
    if (!dsm_clib_map_private(copy->begin, bytes, file))
        return false;
    stretch_add(copy->begin, copy->end);
    return true;
}

static void keep(const struct copy *copy) {
    char ready;
    struct dsm_offer offer;
    pages_empty(copy);
    int members = 0;
    for (int rank = 1; rank < dsm_world.ranks; ++rank)
        if (is_member(copy, rank)) {
            receive_from(rank, &ready, 1);
            ++members;
        }
    int file = pages_offer(copy, is_worth(copy, members), &offer);
    dsm_broadcast_keepers(copy->low, (size_t)(copy->high - copy->low));
    send_all(copy, &offer, sizeof offer);
    bool agreed = members_agree(copy, offer.process != 0);
    if (offer.process && !pages_map(copy, file))
        dsm_fail(DSM_STATUS_ERROR, "cannot map %zu bytes of memory that ranks share",
                 (size_t)(copy->end - copy->begin));
    if (file >= 0)
        close(file);
    send_all(copy, copy->low, (size_t)((agreed ? copy->begin : copy->high) - copy->low));
    if (agreed)
        send_all(copy, copy->end, (size_t)(copy->high - copy->end));
}

static void receive_some(int rank, char *low, const char *high) {
    if (low < high)
        receive_from(rank, low, (size_t)(high - low));
}

static void join(const struct copy *copy) {
    char ready = 1, agreed;
    struct dsm_offer offer;
    pages_empty(copy);
    send_to(copy->keeper, &ready, 1);
    receive_from(copy->keeper, &offer, sizeof offer);
    int file = dsm_offer_take(&offer);
    char mapped = file >= 0 && pages_map(copy, file);
    if (file >= 0)
        close(file);
    send_to(copy->keeper, &mapped, 1);
    receive_from(copy->keeper, &agreed, 1);
    if (!agreed && mapped)
        pages_empty(copy);
    receive_some(copy->keeper, copy->low, agreed ? copy->begin : copy->high);
    if (agreed)
        receive_some(copy->keeper, copy->end, copy->high);
}

static bool has_members(const struct copy *copy) {
    for (int rank = 1; rank < dsm_world.ranks; ++rank)
        if (is_member(copy, rank))
            return true;
    return false;
}

void dsm_replicate(void *address, size_t bytes, bool written) {
    char *low = address, *high = low + bytes;
    struct copy copy = {low, high, (char *)dsm_page_up((uintptr_t)low),
                        (char *)dsm_page_down((uintptr_t)high), dsm_keeper_of(dsm_world.rank)};
    dsm_commit(address, bytes);
    if (written || bytes < (dsm_job.torture ? 2 * DSM_PAGE : LEAST))
        dsm_broadcast(address, bytes);
    else if (dsm_world.rank == 0)
        dsm_broadcast_keepers(address, bytes);
    else if (dsm_world.rank != copy.keeper)
        join(&copy);
    else if (has_members(&copy))
        keep(&copy);
    else
        dsm_broadcast_keepers(address, bytes);
}
