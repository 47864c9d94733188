/* expect: serial ORR2108 8:16 `(i % 3 == 0 ? other : x)[i / 2]` */
/* the allocation, or another: what is read may be either */
#include <stdlib.h>
int sums(int n, const int *other) {
    int *x = calloc((size_t)n, sizeof *x), last;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        x[i] = (i % 3 == 0 ? other : x)[i / 2] + 1;
    last = x[n - 1];
    free(x);
    return last;
}
