/* expect: serial ORR2217 11:13 `exit(` */
/* a row behind the end of the program might be longer than the scratch space */
#include <stdlib.h>

void check(float *out, const int *length, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        float own[8] = {0};

        if (length[n] < 0)
            exit(1);
        for (int k = 0; k < length[n]; ++k)
            own[k] = n;
        out[n] = own[0];
    }
}
