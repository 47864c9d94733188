/*
 * strike FOLDER RANK PHASE PASS SIGNAL: waits until this rank's heartbeat
 * (runtime/base/heartbeat_format.h) shows the phase, and rank 0's that pass or a later one, and
 * sends it the signal (0: none; "hang": stops its first thread alone, and stays). Status 0: done,
 * 3: it ended before, or did not come to that in 5 minutes.
 */
#define _GNU_SOURCE
#include "runtime/base/heartbeat_format.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const volatile struct orrery_heartbeat *heartbeat_of(const char *folder, long rank) {
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/.board/rank-%ld", folder, rank);
    int file = open(path, O_RDONLY);
    if (file < 0)
        return NULL;
    void *memory = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size >= (long)sizeof(struct orrery_heartbeat))
        memory = mmap(NULL, sizeof(struct orrery_heartbeat), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Its other threads go on. Until it ends. */
static int hang(pid_t process) {
    int status = 0;
    if (ptrace(PTRACE_SEIZE, process, NULL, NULL) != 0 ||
        ptrace(PTRACE_INTERRUPT, process, NULL, NULL) != 0)
        return 4;
    while (waitpid(process, &status, __WALL) == process && !WIFEXITED(status) &&
           !WIFSIGNALED(status))
        ;
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 6)
        return 2;
    long rank = atol(argv[2]), phase = atol(argv[3]), pass = atol(argv[4]);
    const volatile struct orrery_heartbeat *heartbeat = NULL, *leader = NULL;
    time_t end = time(NULL) + 300;
    for (unsigned round = 0; round % 1024 || time(NULL) < end; ++round) {
        if (!heartbeat || !leader || heartbeat->pid == 0 || leader->pid == 0) {
            heartbeat = heartbeat_of(argv[1], rank);
            leader = heartbeat_of(argv[1], 0);
            usleep(1000);
            continue;
        }
        bool there = heartbeat->phase == (unsigned)phase && leader->pass >= pass;
        if (there && strcmp(argv[5], "hang") == 0)
            return hang((pid_t)heartbeat->pid);
        if (there)
            return kill((pid_t)heartbeat->pid, atoi(argv[5])) == 0 ? 0 : 3;
        if (round % 64)
            continue;
        if (kill((pid_t)heartbeat->pid, 0) != 0)
            return 3;
        usleep(50);
    }
    return 3;
}
