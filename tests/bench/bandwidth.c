/*
 * The machine's bandwidth as STREAM measures it (McCalpin 1995): a[i] = b[i] + 3 c[i] over three
 * arrays of KIB kibibytes in all, each thread its own. Prints gigabytes per second, as the fastest
 * tenth of many stretches of the arrays has, so that what else runs hardly matters: 24 bytes an element; what
 * the cache reads to write into it is not counted.
 *
 * usage: bandwidth KIB THREADS
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRETCH = 16384, ROUNDS = 4, MOST = 20000 };

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Gigabytes per second over `count` elements, which are gone through `times` times. */
static double rate(double *restrict a, const double *restrict b, const double *restrict c,
                   long count, long times) {
    double start = omp_get_wtime();
    for (long t = 0; t < times; ++t) {
        for (long i = 0; i < count; ++i)
            a[i] = b[i] + 3 * c[i];
        __asm__ volatile("" ::"r"(a) : "memory");
    }
    return 24e-9 * (double)(count * times) / (omp_get_wtime() - start);
}

static double fast_rate(double *x, long n) {
    static _Thread_local double rates[MOST];
    long stretch = n < STRETCH ? n : STRETCH, times = STRETCH / stretch, count = 0;
    for (int round = 0; round < ROUNDS || (count < 100 && round < 100); ++round)
        for (long i = 0; i + stretch <= n && count < MOST; i += stretch)
            rates[count++] = rate(x + i, x + n + i, x + 2 * n + i, stretch, times);
    qsort(rates, (size_t)count, sizeof *rates, compare);
    return rates[count * 9 / 10];
}

int main(int argc, char **argv) {
    long n = argc == 3 ? atol(argv[1]) * 1024 / 24 : 0;
    int threads = argc == 3 ? atoi(argv[2]) : 0;
    double all = 0;
    if (n < 1 || threads < 1)
        return 2;
#pragma omp parallel num_threads(threads) reduction(+ : all)
    {
        double *x = malloc((size_t)n * 24);
        if (!x)
            abort();
        for (long i = 0; i < 3 * n; ++i)
            x[i] = (double)i;
#pragma omp barrier
        all += fast_rate(x, n);
        free(x);
    }
    printf("%.1f\n", all);
    return 0;
}
