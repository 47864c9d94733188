/* A loop by steps of four that writes four neighbours each time, and one that writes pairs of rows.
 * loop: parallel independent
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

static void scale_add(float *y, const float *x, float a, int n) {
    #pragma orrery parallel
    for (int i = 0; i < n; i += 4) {
        y[i] += a * x[i];
        y[i + 1] += a * x[i + 1];
        y[i + 2] += a * x[i + 2];
        y[i + 3] += a * x[i + 3];
    }
}

static void butterflies(double (*m)[6], int rows) {
    #pragma orrery parallel
    for (int r = 0; r < rows; r += 2)
        for (int k = 0; k < 6; k++) {
            double a = m[r][k], b = m[r + 1][k];
            m[r][k] = a + b;
            m[r + 1][k] = a - b;
        }
}

int main(void) {
    int n = 400;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    double (*m)[6] = malloc(50 * sizeof *m);
    for (int i = 0; i < n; i++) x[i] = (float)(i % 13), y[i] = (float)(i % 7);
    for (int r = 0; r < 50; r++) for (int k = 0; k < 6; k++) m[r][k] = r * .5 + k;
    for (int t = 0; t < 3; t++) {
        scale_add(y, x, 0.25f, n);
        butterflies(m, 50);
    }
    printf("%.3f %.3f %.3f %.6f %.6f\n", y[0], y[101], y[399], m[7][3], m[48][5]);
    return 0;
}
