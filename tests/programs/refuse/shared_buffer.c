/* expect: serial ORR2112 9:9 `snprintf(` */
/* one buffer for all iterations: each overwrites what another has printed */
#include <stdio.h>
#include <stdlib.h>

void convert(float *out, const int *in, char *buffer, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        snprintf(buffer, 20, "%d.5", in[n]);
        out[n] = strtof(buffer, NULL);
    }
}
