/* expect: serial ORR2217 9:13 `exit(` */
/* an iteration behind the end of the program might take all of the stack */
#include <stdlib.h>

void check(float *out, const int *length, long count, int m) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (length[n] < 0)
            exit(1);
        float v[length[n] + 1];
        for (int k = 0; k < m; ++k)
            v[0] = k;
        out[n] = v[0];
    }
}
