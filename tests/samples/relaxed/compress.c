/*
 * Whole numbers added to elements of floats and doubles, so that no sum is rounded: nothing may be
 * lost however little of the changes each merge takes. What is printed as seen shows that merges
 * were late.
 */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 12000, ELEMENTS = 500, LARGE = 40000 };

static void add(double *x, double u, long i) {
    (void)i;
    *x += u;
}

static long relaxed(float *w, const int *at, const int *by, long n) {
    long seen = 0;
#pragma orrery parallel unordered relax(w) sync(iterations = 25)
    for (long i = 0; i < n; ++i) {
        seen += (long)w[at[i]];
        w[at[i]] += (float)by[i];
    }
    return seen;
}

static long buffered(double *b, const int *at, const int *by, long n) {
    long seen = 0;
#pragma orrery parallel unordered buffer(b : add) sync(iterations = 25)
    for (long i = 0; i < n; ++i) {
        seen += (long)b[at[i]];
        b[at[i]] += (double)by[i];
    }
    return seen;
}

int main(int argc, char **argv) {
    int elements = argc > 1 ? LARGE : ELEMENTS, wrong = 0;
    int *at = malloc(COUNT * sizeof *at), *by = malloc(COUNT * sizeof *by);
    float *w = calloc((size_t)elements, sizeof *w);
    double *b = calloc((size_t)elements, sizeof *b), *sum = calloc((size_t)elements, sizeof *sum);
    (void)argv;
    for (int i = 0; i < COUNT; ++i) {
        at[i] = (int)((unsigned)i * 2654435761u >> 8) % elements;
        by[i] = (i * 7919 % 1000) - 480;
        sum[at[i]] += 2.0 * by[i];
    }
    long seen = relaxed(w, at, by, COUNT) + relaxed(w, at, by, COUNT);
    long late = buffered(b, at, by, COUNT) + buffered(b, at, by, COUNT);
    for (int k = 0; k < elements; ++k)
        wrong += w[k] != (float)sum[k] || b[k] != sum[k];
    printf("wrong %d seen %ld %ld\n", wrong, seen, late);
    return wrong != 0;
}
