/* expect: serial ORR2104 9:16 `a[n - 1]` */
/* what follows an assertion counts: the loop still reads what the iteration before wrote */
#include <assert.h>

void decay(float *a, const float *x, long count) {
#pragma orrery parallel
    for (long n = 1; n < count; ++n) {
        assert(x[n] >= 0 && x[n] <= 1);
        a[n] = a[n - 1] / 2 + x[n];
    }
}
