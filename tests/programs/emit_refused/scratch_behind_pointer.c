/* ORR2315 */
#include <stdlib.h>
enum { K = 8 };
struct model {
    float tmp[K];
    float *out;
};
void f(struct model *m, const float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float *t = m->tmp, sum = 0;
        for (int k = 0; k < K; ++k)
            t[k] = x[i * K + k];
        for (int k = 0; k < K; ++k)
            sum += m->tmp[K - 1 - k] * (float)k;
        m->out[i] = sum;
    }
}
