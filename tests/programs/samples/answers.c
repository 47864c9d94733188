/* Calls of the system answer into memory that is watched: it held keys of a loop, and does again. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 40000, CALLS = 9 };

static int ask(int call, void *answer) {
    int *ends = answer;
    pid_t child;
    switch (call) {
    case 0:
        return fstat(1, answer);
    case 1:
        return getrusage(RUSAGE_SELF, answer);
    case 2:
        return getcwd(answer, 4000) ? 0 : -1;
    case 3:
        return uname(answer);
    case 4:
        return readlink("/proc/self/exe", answer, 300) > 0 ? 0 : -1;
    case 5:
        return pipe(ends) || close(ends[0]) || close(ends[1]);
    case 6:
        return getrlimit(RLIMIT_NOFILE, answer);
    case 7:
        child = fork();
        if (child == 0)
            _exit(3);
        return waitpid(child, answer, 0) == child && WEXITSTATUS(*ends) == 3 ? 0 : -1;
    default:
        return lstat("/", answer);
    }
}

int main(void) {
    int *key = malloc(N * sizeof *key);
    double *a = calloc(1000, sizeof *a), sum = 0;
    for (int i = 0; i < N; i++)
        key[i] = i * 7 % 1000;
    for (int call = 0; call < CALLS; call++) {
#pragma orrery parallel
        for (int i = 0; i < N; i++)
            a[key[i]] = a[key[i]] * .5 + i + call;
        if (ask(call, key + N / 2))
            printf("call %d fails\n", call);
        for (int i = 0; i < N; i++)
            key[i] = (i * 7 + call) % 1000;
    }
    for (int i = 0; i < 1000; i++)
        sum = sum * .99 + a[i];
    printf("%.17g\n", sum);
    return 0;
}
