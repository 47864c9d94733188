/* expect: serial ORR2232 9:9 `W[n % K]` */
/* every iteration clears what the others made */
#include <string.h>

void pass(float *W, const float *v, float *out, int K, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        memset(W, 0, K * sizeof *W);
        W[n % K] = v[n];
        out[n] = W[0];
    }
}
