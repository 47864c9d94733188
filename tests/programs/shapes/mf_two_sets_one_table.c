/* One array holds both factor sets: users at [0, v), items behind them at (v + n).
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

static float *theta;
static int V, D = 4;

static void step(const int *u, const int *n, const float *y, int count) {
#pragma orrery parallel unordered
    for (int i = 0; i < count; i++) {
        float e = y[i];
        for (int k = 0; k < D; k++)
            e -= theta[u[i] * D + k] * theta[(V + n[i]) * D + k];
        for (int k = 0; k < D; k++) {
            float a = theta[u[i] * D + k], b = theta[(V + n[i]) * D + k];
            theta[u[i] * D + k] += 0.05f * e * b;
            theta[(V + n[i]) * D + k] += 0.05f * e * a;
        }
    }
}

int main(void) {
    int count = 400, items = 20;
    V = 30;
    theta = malloc(sizeof *theta * (V + items) * D);
    int *u = malloc(sizeof *u * count), *n = malloc(sizeof *n * count);
    float *y = malloc(sizeof *y * count);
    for (int i = 0; i < (V + items) * D; i++)
        theta[i] = 0.3f + 0.02f * (i % 6);
    for (int i = 0; i < count; i++) {
        u[i] = (i * 7) % V;
        n[i] = (i * 3 + i / 20) % items;
        y[i] = (float)((u[i] * n[i]) % 3);
    }
    for (int e = 0; e < 3; e++) {
        step(u, n, y, count);
        double s = 0;
        for (int i = 0; i < (V + items) * D; i++)
            s += theta[i];
        printf("%.4f\n", s);
    }
    return 0;
}
