/* emit: 3 */
/* A call that hands NULL over for what it does not want was taken to write there, whatever the
 * function asks first. */
#include <stddef.h>
#include <stdio.h>

static double predict(const double *w, const double *x, int n, double *out, double *grad) {
    double y = 0;
    for (int i = 0; i < n; ++i)
        y += w[i] * x[i];
    if (out)
        *out = y;
    if (grad != NULL)
        for (int i = 0; i < n; ++i)
            grad[i] = y * x[i];
    if (!out && grad == NULL)
        return -y;
    return out && *out > 0 ? *out : y;
}

static void all(const double *w, double x[][8], double *restrict y, int m, int n) {
#pragma orrery parallel
    for (int i = 0; i < m; ++i)
        y[i] = predict(w, x[i], n, NULL, 0);
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        double t;
        y[i] += predict(w, x[i], n, &t, NULL);
        y[i] -= 2 * t;
    }
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        double g[8];
        y[i] += predict(w, x[i], n, NULL, g);
        for (int k = 0; k < n; ++k)
            y[i] += g[k];
    }
}

int main(void) {
    static double w[8], x[300][8], y[300];
    double sum = 0;
    for (int k = 0; k < 8; ++k)
        w[k] = k - 3;
    for (int i = 0; i < 300; ++i)
        for (int k = 0; k < 8; ++k)
            x[i][k] = (i * 8 + k) % 13 - 6;
    all(w, x, y, 300, 8);
    for (int i = 0; i < 300; ++i)
        sum += y[i] * (i + 1);
    printf("%a\n", sum);
    return 0;
}
