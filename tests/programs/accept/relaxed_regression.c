/* expect: parallel relaxed unordered
 * carried: none
 * reductions: + loss
 */
#include <math.h>
void pass(float *w, float *bias, const long *ptr, const int *col, const float *val, const int *y,
          long n, float rate, double *result) {
    double loss = 0;
    float b = *bias;
#pragma orrery parallel unordered relax(w, b) sync(iterations = 100)
    for (long i = 0; i < n; ++i) {
        float z = b;
        for (long p = ptr[i]; p < ptr[i + 1]; ++p)
            z += w[col[p]] * val[p];
        float g = 1 / (1 + expf(-z)) - y[i];
        b -= rate * g;
        for (long p = ptr[i]; p < ptr[i + 1]; ++p)
            w[col[p]] -= rate * g * val[p];
        loss += g * g;
    }
    *bias = b;
    *result = loss;
}
