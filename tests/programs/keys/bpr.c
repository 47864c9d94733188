/* BPR: a user, an item that he took, an item that he did not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
enum { D = 16 };
static void train(float *restrict P, float *restrict Q, float *restrict bias, const int *user,
                  const int *pos, const int *neg, long n, float rate, float reg, double *loss) {
    double sum = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        int u = user[i], p = pos[i], q = neg[i];
        float x = bias[p] - bias[q];
        for (int k = 0; k < D; ++k)
            x += P[u * D + k] * (Q[p * D + k] - Q[q * D + k]);
        float g = 1 / (1 + expf(x));
        sum += g;
        for (int k = 0; k < D; ++k) {
            float a = P[u * D + k], b = Q[p * D + k], c = Q[q * D + k];
            P[u * D + k] += rate * (g * (b - c) - reg * a);
            Q[p * D + k] += rate * (g * a - reg * b);
            Q[q * D + k] += rate * (-g * a - reg * c);
        }
        bias[p] += rate * g;
        bias[q] -= rate * g;
    }
    *loss = sum;
}
int main(void) {
    unsigned long s = 1;
#define NEXT (s = s * 6364136223846793005ul + 1442695040888963407ul, (long)(s >> 33))
    long n = 10000, users = 4000, items = 2000;
    int *user = malloc(n * sizeof *user), *pos = malloc(n * sizeof *pos),
        *neg = malloc(n * sizeof *neg);
    float *P = malloc(users * D * sizeof *P), *Q = malloc(items * D * sizeof *Q),
          *bias = calloc(items, sizeof *bias);
    for (long i = 0; i < users * D; ++i)
        P[i] = NEXT % 1000 / 1000.f;
    for (long i = 0; i < items * D; ++i)
        Q[i] = NEXT % 1000 / 1000.f;
    for (long i = 0; i < n; ++i)
        user[i] = NEXT % users, pos[i] = NEXT % items, neg[i] = NEXT % items;
    double loss;
    for (int t = 0; t < 2; ++t) {
        train(P, Q, bias, user, pos, neg, n, .05f, .01f, &loss);
        printf("%.9g\n", loss / n);
    }
    printf("%lx %lx\n", digest(P, users * D * sizeof *P), digest(Q, items * D * sizeof *Q));
}
