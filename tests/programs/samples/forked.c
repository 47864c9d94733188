/* forked WHAT: children of a process whose loops run in parallel read and change its arrays, end by
 * exit, and run such a loop themselves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 200000 };

static void add(double *restrict y, const double *restrict x, long n, double a) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        y[i] += a * x[i];
}

static void tell(const char *who, const double *y) {
    double sum = 0;
    for (long i = 0; i < N; ++i)
        sum += (double)(i % 7) * y[i];
    printf("%s %.17g\n", who, sum);
}

static void child(const char *what, double *y, double *x) {
    if (strcmp(what, "loop") == 0)
        add(y, x, N, 3);
    if (strcmp(what, "free") == 0)
        free(x);
    y[N / 2] += 1;
    tell("child", y);
    if (strcmp(what, "exit") == 0)
        exit(3);
    fflush(stdout);
    _exit(4);
}

int main(int argc, char **argv) {
    double *y = calloc(N, sizeof *y), *x = malloc(N * sizeof *x);
    int status = 0;
    for (long i = 0; i < N; ++i)
        x[i] = (double)(i % 17);
    for (int pass = 0; pass < 3; ++pass) {
        add(y, x, N, pass + 1);
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0)
            child(argv[argc - 1], y, x);
        waitpid(pid, &status, 0);
        printf("%d %d\n", WIFEXITED(status), WEXITSTATUS(status));
    }
    tell("parent", y);
    free(y);
    free(x);
    return 0;
}
