/*
 * What it costs to start a parallel loop: many short ones, over the loop variable and over a key,
 * less what the same work costs in a loop that is left alone.
 *
 *   usage: region [REPEATS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { SIZE = 64, BATCHES = 21 };

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void by_variable(float *a, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        a[n] = a[n] * .5f + 1;
}

static void by_key(float *a, const int *u, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        a[u[n]] = a[u[n]] * .5f + 1;
}

static void alone(float *a, long count) {
    for (long n = 0; n < count; ++n)
        a[n] = a[n] * .5f + 1;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Microseconds per call, the median of batches. */
static double measure(int kind, float *a, const int *u, long repeats) {
    double batch[BATCHES];
    for (int b = 0; b < BATCHES; ++b) {
        double start = now();
        for (long i = 0; i < repeats; ++i)
            if (kind == 0)
                by_variable(a, SIZE);
            else if (kind == 1)
                by_key(a, u, SIZE);
            else
                alone(a, SIZE);
        batch[b] = (now() - start) / (double)repeats * 1e6;
    }
    qsort(batch, BATCHES, sizeof *batch, compare);
    return batch[BATCHES / 2];
}

int main(int argc, char **argv) {
    long repeats = argc > 1 ? atol(argv[1]) : 2000;
    float *a = calloc(SIZE, sizeof *a);
    int *u = calloc(SIZE, sizeof *u);
    for (int i = 0; i < SIZE; ++i)
        u[i] = i * 7 % SIZE;
    double serial = measure(2, a, u, repeats);
    double variable = measure(0, a, u, repeats), key = measure(1, a, u, repeats);
    printf("independent_us=%.2f key_us=%.2f serial_us=%.3f check=%g\n", variable - serial,
           key - serial, serial, a[3]);
    free(a);
    free(u);
    return 0;
}
