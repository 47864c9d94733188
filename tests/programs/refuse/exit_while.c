/* expect: serial ORR2217 9:13 `exit(` */
/* an iteration behind the end of the program might never end */
#include <stdlib.h>

void check(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (in[n] < 0)
            exit(1);
        float v = 1;
        while (v < 100)
            v += in[n];
        out[n] = v;
    }
}
