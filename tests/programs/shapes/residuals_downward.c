/* Residuals kept per rating by loops that go down, or by twos with two residuals each time.
 * loop: parallel rotation-2d
 * loop: parallel partition-1d
 * result: near 0.3
 */
#include <stdio.h>
#include <stdlib.h>

struct cell { int a, b; float y; };

static void down(const struct cell *c, int n, float *U, float *V, float *err, int K) {
    #pragma orrery parallel unordered
    for (int t = n - 1; t >= 3; --t) {
        float *u = U + c[t].a * K, *v = V + c[t].b * K, e = c[t].y;
        for (int k = 0; k < K; ++k) e -= u[k] * v[k];
        err[t - 2] += e;
        for (int k = 0; k < K; ++k) {
            float x = u[k];
            u[k] += .02f * e * v[k], v[k] += .02f * e * x;
        }
    }
}

static void by_twos(const struct cell *c, int n, float *total, float (*before)[2]) {
    #pragma orrery parallel
    for (int t = 1; t < n; t += 2) {
        before[t][0] = total[c[t].a];
        before[t + 1][1] = before[t][1] + 1;
        total[c[t].a] += c[t].y;
    }
}

int main(void) {
    int n = 900, K = 3;
    struct cell *c = malloc(n * sizeof *c);
    float *U = malloc(40 * K * sizeof *U), *V = malloc(30 * K * sizeof *V), *err = calloc(n, sizeof *err);
    float *total = calloc(40, sizeof *total), (*before)[2] = calloc(n + 1, sizeof *before);
    for (int t = 0; t < n; ++t) c[t] = (struct cell){t * 7 % 40, (t * 11 + t / 40) % 30, (float)(1 + t * t % 7)};
    for (int i = 0; i < 40 * K; ++i) U[i] = .5f + .01f * (i % 10);
    for (int i = 0; i < 30 * K; ++i) V[i] = .5f + .01f * (i % 9);
    for (int e = 0; e < 2; ++e) {
        down(c, n, U, V, err, K);
        by_twos(c, n, total, before);
        double s = 0, w = 0;
        for (int t = 0; t < n; ++t) s += err[t] * err[t], w += before[t][0] * (t % 5) + before[t + 1][1] * 100;
        err[5] = 0, before[8][1] = 3;
        printf("%.2f %.3f\n", s, w);
    }
    return 0;
}
