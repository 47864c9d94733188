/* Biases only: the same program with rank 0 given at run time, as users do to get a baseline.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int K = argc > 1 ? atoi(argv[1]) : 0, n = 500, users = 30, items = 20;
    int *u = malloc(n * sizeof *u), *i = malloc(n * sizeof *i);
    float *r = malloc(n * sizeof *r), *bu = calloc(users, sizeof *bu), *bi = calloc(items, sizeof *bi);
    float *P = calloc((size_t)users * K + 1, sizeof *P), *Q = calloc((size_t)items * K + 1, sizeof *Q);
    for (int t = 0; t < n; t++) u[t] = t * 7 % users, i[t] = (t * 3 + t / 30) % items, r[t] = (float)(1 + (u[t] + i[t]) % 5);
    for (int e = 0; e < 3; e++) {
        double s = 0;
        #pragma orrery parallel unordered
        for (int t = 0; t < n; t++) {
            float *p = P + (size_t)u[t] * K, *q = Q + (size_t)i[t] * K;
            float d = r[t] - 3 - bu[u[t]] - bi[i[t]];
            for (int k = 0; k < K; k++) d -= p[k] * q[k];
            s += d * d;
            bu[u[t]] += .05f * d;
            bi[i[t]] += .05f * d;
            for (int k = 0; k < K; k++) {
                float x = p[k];
                p[k] += .05f * d * q[k];
                q[k] += .05f * d * x;
            }
        }
        printf("%.4f\n", s / n);
    }
    return 0;
}
