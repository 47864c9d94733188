/* pointers chosen in several ways */
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
enum { D = 8, N = 500, M = 4000 };
static float one(float *restrict P, float **restrict T, const int *a, const int *b, const int *c,
                 long n) {
    float s = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *p = P + a[i] * D;
        for (int t = 0; t < 3; ++t) {
            float *q;
            if (t == 0)
                q = P + b[i] * D;
            else
                q = &P[c[3 * i + t] * D];
            float *r = t ? T[a[i]] : T[b[i]];
            for (int k = 0; k < D; ++k) {
                q[k] += .1f * p[k];
                r[k] += .01f * q[k];
                p[k] *= .9f;
            }
        }
    }
    return s;
}
int main(void) {
    unsigned long s = 1;
#define NEXT (s = s * 6364136223846793005ul + 1442695040888963407ul, (long)(s >> 33))
    float *P = malloc(N * D * sizeof *P), **T = malloc(N * sizeof *T);
    int *a = malloc(M * sizeof *a), *b = malloc(M * sizeof *b), *c = malloc(3 * M * sizeof *c);
    for (int i = 0; i < N; ++i)
        T[i] = calloc(D, sizeof **T);
    for (int i = 0; i < N * D; ++i)
        P[i] = NEXT % 100;
    for (int i = 0; i < M; ++i)
        a[i] = NEXT % N, b[i] = NEXT % N;
    for (int i = 0; i < 3 * M; ++i)
        c[i] = NEXT % N;
    one(P, T, a, b, c, M);
    unsigned long rows = 0;
    for (int i = 0; i < N; ++i)
        rows = rows * 31 + digest(T[i], D * sizeof **T);
    printf("%lx %lx\n", digest(P, N * D * sizeof *P), rows);
}
