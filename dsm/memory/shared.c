/*
 * Views of arrays whose parts travel: ranks of one host map one memory, so that a part which goes
 * to a neighbour on the host stays where it is and only its ownership travels.
 */
#define _GNU_SOURCE
#include "dsm/base/wrapped.h"
#include "dsm/memory/memory.h"
#include "dsm/transport/messages.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

REAL_DECLARE(fstat);

#define TAG_SHARED 5

static bool same_host(int rank) {
    return dsm_world.hosts && dsm_world.hosts[rank] == dsm_world.hosts[dsm_world.rank];
}

bool dsm_shared_with(int rank) {
    return same_host(rank);
}

static void send_to(int rank, const void *data, size_t bytes) {
    dsm_wait(dsm_message_send(DSM_BULK, rank, TAG_SHARED, data, bytes));
}

static void receive_from(int rank, void *data, size_t bytes) {
    dsm_wait(dsm_message_receive(DSM_BULK, rank, TAG_SHARED, data, bytes));
}

struct dsm_offer dsm_offer_make(int *file, bool wanted, size_t bytes) {
    struct dsm_offer offer = {0};
    struct stat status;
    *file = wanted ? memfd_create("orrery-view", MFD_CLOEXEC) : -1;
    if (*file >= 0 && ftruncate(*file, (off_t)bytes) == 0 && REAL(fstat)(*file, &status) == 0)
        offer = (struct dsm_offer){getpid(), *file, status.st_dev, status.st_ino};
    return offer;
}

int dsm_offer_take(const struct dsm_offer *offer) {
    char path[64];
    struct stat status;
    if (offer->process == 0)
        return -1;
    snprintf(path, sizeof path, "/proc/%ld/fd/%ld", offer->process, offer->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 && (REAL(fstat)(file, &status) != 0 || status.st_dev != offer->device ||
                      status.st_ino != offer->inode)) {
        close(file);
        file = -1;
    }
    return file;
}

/* All ranks of the host have mapped it, or none keeps it. */
static bool all_agree(bool mapped) {
    int leader = dsm_world.hosts[dsm_world.rank];
    char all = mapped, one;
    for (int rank = 0; rank < dsm_world.ranks && leader == dsm_world.rank; ++rank) {
        if (rank != leader && same_host(rank)) {
            receive_from(rank, &one, 1);
            all = all && one;
        }
    }
    if (leader != dsm_world.rank) {
        send_to(leader, &all, 1);
        receive_from(leader, &all, 1);
        return all;
    }
    for (int rank = 0; rank < dsm_world.ranks; ++rank)
        if (rank != leader && same_host(rank))
            send_to(rank, &all, 1);
    return all;
}

bool dsm_shared_map(char *view, size_t bytes) {
    struct dsm_offer offer;
    int file;
    if (dsm_world.host_ranks < 2 || !dsm_world.hosts)
        return false;
    int leader = dsm_world.hosts[dsm_world.rank];
    if (leader == dsm_world.rank) {
        offer = dsm_offer_make(&file, dsm_job.sharing, bytes);
        for (int rank = 0; rank < dsm_world.ranks; ++rank)
            if (rank != leader && same_host(rank))
                send_to(rank, &offer, sizeof offer);
    } else {
        receive_from(leader, &offer, sizeof offer);
        file = dsm_offer_take(&offer);
    }
    bool mapped = offer.process != 0 && file >= 0 && dsm_clib_map_shared(view, bytes, file);
    bool agreed = all_agree(mapped);
    if (file >= 0)
        close(file);
    if (mapped && !agreed)
        dsm_shared_unmap(view, bytes);
    return agreed;
}

void dsm_shared_unmap(char *view, size_t bytes) {
    if (!dsm_clib_map_over(view, bytes))
        dsm_fail(DSM_STATUS_ERROR, "cannot give back the memory of a view of %zu bytes", bytes);
}
