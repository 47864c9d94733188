/* expect: serial ORR2217 9:13 `exit(` */
/* a row behind the end of the program might have any length */
#include <stdlib.h>

void check(float *out, const long *length, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (length[n] < 0)
            exit(1);
        float v = 1;
        for (long k = 0; k < length[n]; ++k)
            v = v * .5f + k;
        out[n] = v;
    }
}
