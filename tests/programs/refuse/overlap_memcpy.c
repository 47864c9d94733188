/* expect: serial ORR2104 8:9 `memcpy(` */
/* rows copied over the ones before */
#include <string.h>

void scroll(float *a, long rows, int K) {
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n)
        memcpy(a + n * K, a + (n + 1) * K, K * sizeof *a);
}
