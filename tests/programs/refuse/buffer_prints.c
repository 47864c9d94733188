/* expect: serial ORR3134 5:5 `printf("%ld\n", i)` */
/* says: add touches what `printf` does, which is not known here */
#include <stdio.h>
static void add(float *w, float u, long i) {
    printf("%ld\n", i);
    *w += u;
}
void f(float *w, const float *g, const int *j, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i)
        w[j[i]] -= g[i] * w[j[i]];
}
