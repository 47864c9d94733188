/* expect: serial ORR2108 7:12 `a[i / 2]` */
/* the allocation goes on under another name in the called function */
#include <stdlib.h>
static int get(const int *a, int i, const int *other) {
    if (i % 3 == 0)
        a = other;
    return a[i / 2];
}
int sums(int n, const int *other) {
    int *x = calloc((size_t)n, sizeof *x), last;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        x[i] = get(x, i, other) + 1;
    last = x[n - 1];
    free(x);
    return last;
}
