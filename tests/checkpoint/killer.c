/*
 * killer OPENS CALLS PROGRAM ARGUMENTS...: runs the program and kills it (SIGKILL) in front of the
 * CALLS-th system call of its first thread, counted from when it opens a temporary checkpoint for
 * the OPENS-th time. Status 0: killed; 3: the program ended before; 77: cannot be done here.
 * killer OPENS copy PROGRAM ARGUMENTS...: lets it live, and copies the folder $ORRERY_CHECKPOINT to
 * copy-N in front of the N-th of those calls: what a kill there would leave. Status 3.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__
static void path_read(pid_t child, unsigned long at, char path[256]) {
    memset(path, 0, 256);
    for (int i = 0; i < 248; i += (int)sizeof(long)) {
        errno = 0;
        long word = ptrace(PTRACE_PEEKDATA, child, at + (unsigned long)i, NULL);
        if (errno)
            return;
        memcpy(path + i, &word, sizeof word);
        if (memchr(&word, 0, sizeof word))
            return;
    }
}

/* A call begins: does it open a temporary checkpoint to make it? */
static int opens(pid_t child) {
    struct user_regs_struct registers;
    char path[256];
    if (ptrace(PTRACE_GETREGS, child, NULL, &registers))
        return 0;
    if (registers.orig_rax != SYS_openat || !(registers.rdx & 0100)) /* O_CREAT */
        return 0;
    path_read(child, registers.rsi, path);
    return strstr(path, "/.checkpoint-") != NULL;
}

/* Files are as a kill would leave them: what was written is the kernel's. */
static void copy(long number) {
    char command[256];
    const char *folder = getenv("ORRERY_CHECKPOINT");
    snprintf(command, sizeof command, "exec cp -a '%s' copy-%ld", folder ? folder : "", number);
    if (system(command) != 0)
        exit(2);
}

int main(int argc, char **argv) {
    int status, inside = 0;
    if (argc < 4)
        return 2;
    long opened = atol(argv[1]), calls = atol(argv[2]), seen = 0;
    bool copies = strcmp(argv[2], "copy") == 0;
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
            _exit(77);
        execv(argv[3], argv + 3);
        _exit(77);
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    for (int signal = 0;;) {
        if (ptrace(PTRACE_SYSCALL, child, NULL, signal) || waitpid(child, &status, 0) < 0)
            return 3;
        if (WIFEXITED(status) || WIFSIGNALED(status))
            return 3;
        int stop = WSTOPSIG(status);
        signal = stop == (SIGTRAP | 0x80) || stop == SIGTRAP ? 0 : stop;
        if (stop != (SIGTRAP | 0x80))
            continue;
        inside = !inside;
        if (inside && opened > 0 && opens(child))
            --opened;
        if (inside && opened == 0 && copies) {
            copy(++seen);
        } else if (inside && opened == 0 && --calls <= 0) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return 0;
        }
    }
}
#else
int main(void) {
    return 77;
}
#endif
