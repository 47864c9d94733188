/*
 * strike FOLDER RANK PHASE PASS SIGNAL: waits until this rank's heartbeat
 * (runtime/base/heartbeat_format.h) shows the phase, and rank 0's that pass or a later one, and
 * sends it the signal (0: none; "hang": its first thread waits for ever, "spin": runs for ever, the others go
 * on; "memory": it gets no more memory). Status 0: done, 3: it ended before, or did not come to that in 5 minutes; 4: it cannot be done here.
 */
#define _GNU_SOURCE
#include "runtime/base/heartbeat_format.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/user.h>
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

static void forget(const volatile struct orrery_heartbeat *heartbeat) {
    if (heartbeat)
        munmap((void *)(uintptr_t)heartbeat, sizeof(struct orrery_heartbeat));
}

#ifdef __x86_64__
/* Where the program began (AT_ENTRY of getauxval(3)): nothing runs there any more. */
static unsigned long entry_of(pid_t process) {
    char path[64];
    unsigned long pair[2], entry = 0;
    snprintf(path, sizeof path, "/proc/%d/auxv", (int)process);
    FILE *in = fopen(path, "r");
    while (in && fread(pair, sizeof pair, 1, in) == 1)
        if (pair[0] == AT_ENTRY)
            entry = pair[1];
    if (in)
        fclose(in);
    return entry;
}

/* Its first thread goes on there: "pause(); jump back", or "jump here", and no debugger stays. -1: it
 * has gone on to another phase meanwhile. */
static int hang(const volatile struct orrery_heartbeat *heartbeat, unsigned phase, bool spins) {
    static const unsigned char pauses[16] = {0xb8, 34, 0, 0, 0, 0x0f, 0x05, 0xeb, 0xf7},
                               jumps[16] = {0xeb, 0xfe};
    pid_t process = (pid_t)heartbeat->pid;
    unsigned long words[2], entry = entry_of(process);
    struct user_regs_struct registers;
    int status;
    memcpy(words, spins ? jumps : pauses, sizeof words);
    if (!entry || ptrace(PTRACE_SEIZE, process, NULL, NULL) != 0 ||
        ptrace(PTRACE_INTERRUPT, process, NULL, NULL) != 0 ||
        waitpid(process, &status, __WALL) != process || !WIFSTOPPED(status))
        return 4;
    if (heartbeat->phase != phase) {
        ptrace(PTRACE_DETACH, process, NULL, NULL);
        return -1;
    }
    bool there = ptrace(PTRACE_POKETEXT, process, entry, words[0]) == 0 &&
                 ptrace(PTRACE_POKETEXT, process, entry + 8, words[1]) == 0 &&
                 ptrace(PTRACE_GETREGS, process, NULL, &registers) == 0;
    registers.rip = entry;
    registers.orig_rax = (unsigned long long)-1;
    there = there && ptrace(PTRACE_SETREGS, process, NULL, &registers) == 0;
    ptrace(PTRACE_DETACH, process, NULL, NULL);
    return there ? 0 : 4;
}
#else
static int hang(const volatile struct orrery_heartbeat *heartbeat, unsigned phase, bool spins) {
    (void)heartbeat, (void)phase, (void)spins;
    return 4;
}
#endif

int main(int argc, char **argv) {
    if (argc < 6)
        return 2;
    long rank = atol(argv[2]), phase = atol(argv[3]), pass = atol(argv[4]);
    const volatile struct orrery_heartbeat *heartbeat = NULL, *leader = NULL;
    time_t end = time(NULL) + 300;
    for (unsigned round = 0; round % 1024 || time(NULL) < end; ++round) {
        if (round % 1024 == 1023) { /* another attempt's by now? */
            forget(heartbeat);
            forget(leader);
            heartbeat = leader = NULL;
        }
        if (!heartbeat || !leader || heartbeat->pid == 0 || leader->pid == 0) {
            forget(heartbeat);
            forget(leader);
            heartbeat = heartbeat_of(argv[1], rank);
            leader = heartbeat_of(argv[1], 0);
            usleep(heartbeat && leader ? 50 : 1000);
            continue;
        }
        bool there = heartbeat->phase == (unsigned)phase && leader->pass >= pass;
        if (there && (strcmp(argv[5], "hang") == 0 || strcmp(argv[5], "spin") == 0)) {
            int done = hang(heartbeat, (unsigned)phase, argv[5][0] == 's');
            if (done >= 0)
                return done;
            continue;
        }
        if (there && strcmp(argv[5], "memory") == 0)
            return prlimit((pid_t)heartbeat->pid, RLIMIT_AS, &(struct rlimit){0, 0}, NULL) == 0 ? 0
                                                                                                : 4;
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
