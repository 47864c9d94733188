#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { F = 12 };
static double w1[F], w2[F], w3[F], c3[F];
int main(void) {
    enum { N = 4000 };
    float *x = malloc(sizeof(float) * N * F), *out = malloc(sizeof(float) * N);
    unsigned s = 19;
    for (int i = 0; i < N * F; ++i)
        s = s * 69069u + 1, x[i] = (float)(s >> 8) / (1 << 22);
    for (int k = 0; k < F; ++k)
        w1[k] = 0.1, w2[k] = 0.05 * k, w3[k] = 0.3 - 0.02 * k;
#pragma orrery parallel relax(w1, w2)
    for (int i = 0; i < N; ++i) {
        double a[F], b[F], o = 0, gb[F], ga[F];
        for (int k = 0; k < F; ++k)
            a[k] = tanh(w1[k] * x[i * F + k]);
        for (int k = 0; k < F; ++k)
            b[k] = tanh(w2[k] * a[(k + 1) % F] + a[k]);
        for (int k = 0; k < F; ++k)
            c3[k] = 0.99 * c3[k] + tanh(b[k]);
        for (int k = 0; k < F; ++k)
            o += w3[k] * b[k] + 0.001 * c3[k];
        double e = (x[i * F] > 2 ? 1 : 0) - o;
        for (int k = 0; k < F; ++k) {
            gb[k] = e * w3[k];
            w3[k] += 0.001 * e * b[k];
        }
        for (int k = 0; k < F; ++k) {
            ga[k] = gb[k] * w2[k] * (1 - b[k] * b[k]);
            w2[k] += 0.001 * gb[k] * a[k];
        }
        for (int k = 0; k < F; ++k)
            w1[k] += 0.001 * ga[k] * (1 - a[k] * a[k]) * x[i * F + k];
        out[i] = (float)e;
    }
    double c = 0;
    for (int i = 0; i < N; ++i)
        c += out[i];
    printf("%.15g %.15g %.15g %.15g\n", c, w1[3], w2[2], w3[1]);
}
