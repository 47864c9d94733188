/* A library that allocates what its loop works on: of -own-memory. */
#include <stdlib.h>

long own(void);
void gather_own(long *y, const long *x, const int *at, long n);

void gather_own(long *y, const long *x, const int *at, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        y[i] = x[at[i]];
}

long own(void) {
    enum { N = 50000 };
    long *x = malloc(N * sizeof *x), *y = calloc(N, sizeof *y), sum = 0;
    int *at = realloc(NULL, N * sizeof *at);
    for (int i = 0; i < N; ++i)
        x[i] = i, at[i] = (int)(7L * i % N);
    gather_own(y, x, at, N);
    for (int i = 0; i < N; ++i)
        sum += y[i] * (i % 3);
    free(x), free(y), free(at);
    return sum;
}
