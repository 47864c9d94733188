/* expect: parallel independent */
/* the first iteration that ends the program ends it */
#include <stdlib.h>

void check(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (in[n] < 0)
            exit(1);
        out[n] = in[n];
    }
}
