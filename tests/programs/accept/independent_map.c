/* expect: parallel independent ordered
 * carried: none
 */
#include <math.h>

void map(double *out, const double *in, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n)
        out[n] = exp(in[n]) / (1 + exp(in[n]));
}
