#define _GNU_SOURCE
#include "runtime/base/heartbeat.h"

#include "runtime/base/env.h"
#include "runtime/base/heartbeat_line.h"

#include "dsm/dsm.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* TURN: of one that stands by: that it is its turn comes as an answer. */
enum { BEAT_NANOSECONDS = 200000000, TURN_NANOSECONDS = 20000000, TRACED_BEATS = 5 };

struct orrery_heartbeat *orrery_heartbeat;
uint64_t orrery_heartbeat_blocks;

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void activity_say(void) {
    struct dsm_activity activity;
    dsm_activity_get(&activity);
    orrery_heartbeat->steps =
        activity.steps + __atomic_load_n(&orrery_heartbeat_blocks, __ATOMIC_RELAXED);
    orrery_heartbeat->asked = activity.asked;
    orrery_heartbeat->waits_for = activity.peer;
}

static void *beat(void *unused) {
    for (;;) {
        uint64_t own = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        orrery_heartbeat->work = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - own;
        if (orrery_heartbeat->beat % TRACED_BEATS == 0)
            orrery_heartbeat->traced = dsm_process_number(DSM_PROCESS_TRACER) > 0;
        activity_say();
        ++orrery_heartbeat->beat;
        orrery_line_beat(orrery_heartbeat);
        if (orrery_line_wanted())
            __atomic_store_n(&orrery_heartbeat->wanted, orrery_line_wanted(), __ATOMIC_RELAXED);
        bool waits = orrery_heartbeat->phase == ORRERY_PHASE_STANDBY;
        nanosleep(&(struct timespec){.tv_nsec = waits ? TURN_NANOSECONDS : BEAT_NANOSECONDS}, NULL);
    }
    return unused;
}

void orrery_heartbeat_ended(enum orrery_ended ended, int status) {
    if (!orrery_heartbeat || orrery_heartbeat->ended)
        return;
    orrery_heartbeat->status = status;
    orrery_heartbeat->ended = ended;
    orrery_line_beat(orrery_heartbeat);
}

static void failed(int status) {
    orrery_heartbeat_ended(ORRERY_ENDED_ERROR, status);
}

/* Its place in the folder. NULL: the folder is not there, this is a machine with other disks. Pages
 * have their place on the disk before they are touched. */
static struct orrery_heartbeat *heartbeat_map(const char *folder, int rank) {
    char path[4096];
    snprintf(path, sizeof path, "%s/rank-%d", folder, rank);
    int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct orrery_heartbeat *heartbeat = NULL;
    if (file < 0 && (errno == ENOENT || errno == ENOTDIR))
        return NULL;
    int error = file < 0 ? errno : posix_fallocate(file, 0, sizeof *heartbeat);
    if (error == 0 && !(heartbeat = dsm_own_map_file(file, sizeof *heartbeat)))
        error = errno;
    if (file >= 0)
        close(file);
    if (!heartbeat)
        dsm_fail(1, "cannot write %s, by which orrery run watches this rank: %s", path,
                 strerror(error));
    return heartbeat;
}

static void beat_start(void) {
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, beat, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void begin(int rank) {
    const char *folder = orrery_env()->heartbeat, *watch = orrery_env()->watch;
    struct orrery_heartbeat *heartbeat = folder ? heartbeat_map(folder, rank) : NULL;
    int32_t wanted = heartbeat ? heartbeat->wanted : 0;
    if (!heartbeat && watch)
        heartbeat = dsm_own_alloc(sizeof *heartbeat);
    if (!heartbeat)
        return;
    *heartbeat = (struct orrery_heartbeat){.magic = ORRERY_HEARTBEAT_MAGIC,
                                           .wanted = wanted,
                                           .rank = (uint32_t)rank,
                                           .pid = (uint32_t)getpid(),
                                           .phase = ORRERY_PHASE_START,
                                           .row = -1,
                                           .column = -1,
                                           .clock = -1};
    gethostname(heartbeat->host, sizeof heartbeat->host - 1);
    orrery_heartbeat = heartbeat;
    dsm_at_fail(failed);
    if (watch)
        orrery_line_open(watch, rank);
    beat_start();
}

/* As Open MPI and MPICH's launcher say it; -1 = they do not. */
static int rank_launched(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    return rank && *rank >= '0' && *rank <= '9' ? (int)strtol(rank, NULL, 10) : -1;
}

void orrery_heartbeat_start(void) {
    if (rank_launched() >= 0)
        begin(rank_launched());
}

void orrery_heartbeat_up(void) {
    if (!orrery_heartbeat)
        begin(dsm_rank());
    orrery_heartbeat_phase(dsm_rank() ? ORRERY_PHASE_SERVING : ORRERY_PHASE_SERIAL);
}

void orrery_heartbeat_over(void) {
    orrery_heartbeat_phase(ORRERY_PHASE_OVER);
    if (orrery_heartbeat)
        orrery_line_beat(orrery_heartbeat);
}

int orrery_heartbeat_ranks(void) {
    return orrery_heartbeat ? __atomic_load_n(&orrery_heartbeat->wanted, __ATOMIC_RELAXED) : 0;
}

void orrery_heartbeat_loop(const char *where) {
    if (orrery_heartbeat)
        snprintf(orrery_heartbeat->where, sizeof orrery_heartbeat->where, "%s", where);
}
