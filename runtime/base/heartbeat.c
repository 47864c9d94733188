#define _GNU_SOURCE
#include "runtime/base/heartbeat.h"

#include "runtime/base/env.h"

#include "dsm/dsm.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { BEAT_NANOSECONDS = 200000000, REMOTE_BEATS = 5 };

struct orrery_heartbeat *orrery_heartbeat;

static bool remote;

/* File systems of this machine alone (statfs(2)): all others are told at every beat. */
static bool is_remote(int file) {
    static const unsigned long local[] = {0xef53,     0x01021994, 0x58465342, 0x9123683e,
                                          0x794c7630, 0x2fc12fc1, 0x858458f6};
    struct statfs system;
    if (fstatfs(file, &system) != 0)
        return false;
    for (size_t i = 0; i < sizeof local / sizeof *local; ++i)
        if ((unsigned long)system.f_type == local[i])
            return false;
    return true;
}

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void *beat(void *unused) {
    for (;;) {
        uint64_t own = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        orrery_heartbeat->work = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - own;
        ++orrery_heartbeat->beat;
        if (remote && orrery_heartbeat->beat % REMOTE_BEATS == 0)
            msync(orrery_heartbeat, sizeof *orrery_heartbeat, MS_SYNC);
        nanosleep(&(struct timespec){.tv_nsec = BEAT_NANOSECONDS}, NULL);
    }
    return unused;
}

void orrery_heartbeat_ended(enum orrery_ended ended, int status) {
    if (!orrery_heartbeat || orrery_heartbeat->ended)
        return;
    orrery_heartbeat->status = status;
    orrery_heartbeat->ended = ended;
}

static void failed(int status) {
    orrery_heartbeat_ended(ORRERY_ENDED_ERROR, status);
}

/* The folder is there, unless this is a machine with other disks, or a full one: its ranks are
 * watched by the launcher alone. Pages have their place on the disk before they are touched. */
void orrery_heartbeat_start(void) {
    char path[4096];
    pthread_t thread;
    sigset_t all, before;
    if (!orrery_env()->heartbeat)
        return;
    snprintf(path, sizeof path, "%s/rank-%d", orrery_env()->heartbeat, dsm_rank());
    int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct orrery_heartbeat *heartbeat = NULL;
    if (file < 0 && (errno == ENOENT || errno == ENOTDIR))
        return;
    int error = file < 0 ? errno : posix_fallocate(file, 0, sizeof *heartbeat);
    if (error == 0 && !(heartbeat = dsm_own_map_file(file, sizeof *heartbeat)))
        error = errno;
    if (file >= 0) {
        remote = is_remote(file);
        close(file);
    }
    if (!heartbeat)
        dsm_fail(1, "cannot write %s, by which orrery run watches this rank: %s", path,
                 strerror(error));
    *heartbeat = (struct orrery_heartbeat){.magic = ORRERY_HEARTBEAT_MAGIC,
                                           .rank = (uint32_t)dsm_rank(),
                                           .pid = (uint32_t)getpid(),
                                           .row = -1,
                                           .column = -1};
    heartbeat->phase = dsm_rank() ? ORRERY_PHASE_SERVING : ORRERY_PHASE_SERIAL;
    gethostname(heartbeat->host, sizeof heartbeat->host - 1);
    orrery_heartbeat = heartbeat;
    dsm_at_fail(failed);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, beat, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void orrery_heartbeat_loop(const char *where) {
    if (orrery_heartbeat)
        snprintf(orrery_heartbeat->where, sizeof orrery_heartbeat->where, "%s", where);
}
