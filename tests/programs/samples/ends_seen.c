/* A row ends the program, and something sees what the rows so far have stored, HOW. usage: ends_seen HOW [BAD] */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 20000 };
static int own[N], *a = own, bad = N / 2;

static void say(void) {
    int stored = 0;
    for (int i = 0; i < N; i++)
        stored += a[i];
    printf("%d rows\n", stored);
}

static void at_the_end(int status, void *name) {
    printf("%d %s: ", status, (const char *)name);
    say();
}

static void on_abort(int number) {
    printf("signal %d: ", number);
    say();
    fflush(stdout);
    _exit(7);
}

static void check(int i) {
    if (i == bad)
        exit(3);
    if (i == -bad)
        abort();
}

static void work(void) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        unsigned s = i;
        for (int k = 0; k < 2000; k++)
            s = s * 3 + k;
        a[i] = (s | 1) != 0;
        check(i);
    }
}

static void shared(void) {
    int status;
    a = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    if (child == 0)
        work();
    waitpid(child, &status, 0);
    printf("status %d: ", WEXITSTATUS(status));
    say();
    exit(0);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    if (argc > 2)
        bad = atoi(argv[2]);
    if (strcmp(how, "atexit") == 0)
        atexit(say);
    if (strcmp(how, "on_exit") == 0)
        on_exit(at_the_end, (void *)how);
    if (strcmp(how, "abort") == 0)
        signal(SIGABRT, on_abort);
    if (strcmp(how, "shared") == 0)
        shared();
    work();
    say();
    return 0;
}
