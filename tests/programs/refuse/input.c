/* expect: serial ORR2211 9:16 `scanf(` */
/* input has an order */
#include <stdio.h>

int load(float *out, long count) {
    int got = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        got += scanf("%f", &out[n]);
    return got;
}
