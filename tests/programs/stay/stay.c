/* Passes over two arrays that a loop writes, and what serial code may do between them. stay.sh
 * compiles it for the device that the host plays and as plain C; the output has to be the same. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 40000 };

static double fixed[N];

__attribute__((noinline)) static double sum_of(const double *x, long n) {
    double sum = 0;
    for (long i = 0; i < n; ++i)
        sum += x[i];
    return sum;
}

static double *shared_array;

static void *reader(void *sum) {
    *(double *)sum = sum_of(shared_array, N);
    return NULL;
}

static void read_by_threads(double *a) {
    pthread_t thread[4];
    double sums[4];
    shared_array = a;
    for (int t = 0; t < 4; ++t)
        pthread_create(&thread[t], NULL, reader, &sums[t]);
    for (int t = 0; t < 4; ++t) {
        pthread_join(thread[t], NULL);
        printf("%.17g\n", sums[t]);
    }
}

static void read_by_child(const double *a) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf("child %.17g\n", sum_of(a, N));
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static double *between(const char *mode, int pass, double *a, double *b) {
    static double copy[N];
    if (strcmp(mode, "element") == 0)
        printf("%d %.17g\n", pass, a[N / 2 + pass]);
    if (strcmp(mode, "sum") == 0)
        printf("%d %.17g\n", pass, sum_of(a, N));
    if (strcmp(mode, "write") == 0)
        a[N / 2] = -pass;
    if (strcmp(mode, "edge") == 0)
        a[0] = b[N - 1] = 7 + pass;
    if (strcmp(mode, "both") == 0)
        a[N / 3] += b[N / 4];
    if (strcmp(mode, "static") == 0)
        printf("%.17g\n", fixed[N / 2]);
    if (strcmp(mode, "memcpy") == 0)
        printf("%.17g\n", sum_of(memcpy(copy, b, sizeof copy), N));
    if (strcmp(mode, "file") == 0) {
        fflush(stdout);
        fwrite(b, sizeof *b, N, stdout);
    }
    if (strcmp(mode, "kernel") == 0) {
        fflush(stdout);
        (void)!write(1, a, N * sizeof *a);
    }
    if (strcmp(mode, "threads") == 0)
        read_by_threads(a);
    if (strcmp(mode, "fork") == 0)
        read_by_child(a);
    if (strcmp(mode, "realloc") == 0)
        return realloc(a, (size_t)(N + 1000 * (pass + 1)) * sizeof *a);
    if (strcmp(mode, "free") == 0) {
        free(a);
        a = malloc(N * sizeof *a);
        for (long i = 0; i < N; ++i)
            a[i] = (double)(i % 13);
    }
    return a;
}

static void first_step(double *restrict a, const double *restrict b) {
#pragma orrery parallel
    for (long i = 0; i < N; ++i)
        a[i] = .5 * a[i] + b[i] / 3;
}

static void second_step(const double *restrict a, double *restrict b) {
#pragma orrery parallel
    for (long i = 0; i < N; ++i) {
        b[i] = b[i] * .75 + a[i] * .01;
        fixed[i] += b[i];
    }
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "none";
    int passes = argc > 2 ? atoi(argv[2]) : 4, loops = argc > 3 ? atoi(argv[3]) : 2;
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (long i = 0; i < N; ++i) {
        a[i] = (double)(i % 97);
        b[i] = (double)(i % 31) * .125;
    }
    for (int pass = 0; pass < passes; ++pass) {
        first_step(a, b);
        if (loops > 1)
            second_step(a, b);
        a = between(mode, pass, a, b);
        if (strcmp(mode, "early") == 0 && pass == 1)
            break;
    }
    printf("%.17g %.17g %.17g\n", sum_of(a, N), sum_of(b, N), sum_of(fixed, N));
    free(a);
    free(b);
}
