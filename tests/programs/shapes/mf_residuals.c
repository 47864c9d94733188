/* A rotation that also writes one number per rating beside the keyed rows: err[n], and a count per rating.
 * loop: parallel rotation-2d
 * result: near 0.5
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct { unsigned short a, b; float y; } cell;

void pass(const cell *c, long n, float *U, float *V, float *err, int *seen, int K) {
    #pragma orrery parallel unordered
    for (long t = 0; t < n; ++t) {
        float *u = U + c[t].a * K, *v = V + c[t].b * K;
        float e = c[t].y;
        for (int k = 0; k < K; ++k)
            e -= u[k] * v[k];
        err[t] = e;
        seen[t]++;
        for (int k = 0; k < K; ++k) {
            float x = u[k];
            u[k] += .02f * e * v[k];
            v[k] += .02f * e * x;
        }
    }
}

int main(void) {
    long n = 900;
    int K = 6;
    cell *c = malloc(n * sizeof *c);
    float *U = malloc(50 * K * sizeof *U), *V = malloc(40 * K * sizeof *V), *err = malloc(n * sizeof *err);
    int *seen = calloc(n, sizeof *seen);
    for (long t = 0; t < n; ++t)
        c[t] = (cell){(unsigned short)(t * 7 % 50), (unsigned short)((t * 13 + t / 50) % 40), (float)(1 + t * t % 7)};
    for (int i = 0; i < 50 * K; ++i)
        U[i] = .5f + .01f * (i % 10);
    for (int i = 0; i < 40 * K; ++i)
        V[i] = .5f + .01f * (i % 9);
    for (int e = 0; e < 3; ++e) {
        pass(c, n, U, V, err, seen, K);
        double s = 0;
        long w = 0;
        for (long t = 0; t < n; ++t)
            s += err[t] * err[t], w += seen[t] * (t % 3);
        printf("%.2f %ld\n", s, w);
    }
    return 0;
}
