/* ORR2210 */
#ifdef WIDE
#include <wchar.h>
#endif
#include <stdlib.h>

void noise(float *W, const int *u, long count, int epochs) {
    for (int epoch = 0; epoch < epochs; ++epoch) {
#pragma orrery parallel unordered // with random numbers
        for (long n = 0; n < count; ++n) {
            if (random() % 3)
                continue;
            W[u[n]] += rand() / (float)RAND_MAX;
        }
    }
}
