/* expect: serial ORR2210 8:27 `rand()` */
/* hidden state in the library */
#include <stdlib.h>

void noise(float *W, const int *u, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        W[u[n]] += (float)rand() / RAND_MAX;
}
