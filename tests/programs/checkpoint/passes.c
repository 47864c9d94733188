/*
 * Passes that change all of a large array while a checkpoint of it is written. argv: megabytes, passes, microseconds
 * of sleep in each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) * 131072 : 131072, passes = argc > 2 ? atol(argv[2]) : 10;
    unsigned sleep = argc > 3 ? (unsigned)atol(argv[3]) : 0;
    double *a = malloc((size_t)n * sizeof *a), sum = 0;
    for (long i = 0; i < n; ++i)
        a[i] = (double)(i % 1000);
    for (long pass = 0; pass < passes; ++pass) {
#pragma orrery parallel
        for (long i = 0; i < n; ++i)
            a[i] = a[i] * .75 + (double)pass + (double)(i & 7);
        usleep(sleep);
    }
    for (long i = 0; i < n; ++i)
        sum = sum * .5 + a[i];
    printf("result %.17g %.17g %.17g\n", sum, a[n / 2], a[n - 1]);
    free(a);
    return 0;
}
