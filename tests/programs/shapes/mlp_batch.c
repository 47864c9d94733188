/* A two-layer perceptron by full batches: gradients summed over samples behind small matrix functions.
 * loop: parallel reduction
 * result: near 1e-6
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IN 4
#define HID 6
#define OUT 2

typedef struct { int r, c; double *a; } mat;

static mat mat_new(int r, int c) { mat m = {r, c, calloc((size_t)r * c, sizeof(double))}; return m; }

static void mat_vec(const mat *m, const double *x, double *y) {
    for (int i = 0; i < m->r; i++) {
        y[i] = 0;
        for (int j = 0; j < m->c; j++) y[i] += m->a[i * m->c + j] * x[j];
    }
}

static void mat_t_vec(const mat *m, const double *x, double *y) {
    for (int j = 0; j < m->c; j++) {
        y[j] = 0;
        for (int i = 0; i < m->r; i++) y[j] += m->a[i * m->c + j] * x[i];
    }
}

static void outer_add(mat *m, const double *x, const double *y) {
    for (int i = 0; i < m->r; i++)
        for (int j = 0; j < m->c; j++) m->a[i * m->c + j] += x[i] * y[j];
}

int main(void) {
    int n = 64;
    double (*X)[IN] = malloc(n * sizeof *X), (*Y)[OUT] = malloc(n * sizeof *Y);
    mat W1 = mat_new(HID, IN), W2 = mat_new(OUT, HID), G1 = mat_new(HID, IN), G2 = mat_new(OUT, HID);
    for (int i = 0; i < HID * IN; i++) W1.a[i] = sin(i) * .5;
    for (int i = 0; i < OUT * HID; i++) W2.a[i] = cos(i) * .5;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < IN; j++) X[i][j] = sin(i * (j + 1));
        Y[i][0] = X[i][0] * X[i][1], Y[i][1] = X[i][2] - X[i][3];
    }
    for (int step = 0; step < 5; step++) {
        double loss = 0;
        memset(G1.a, 0, sizeof(double) * HID * IN);
        memset(G2.a, 0, sizeof(double) * OUT * HID);
        #pragma orrery parallel unordered
        for (int i = 0; i < n; i++) {
            double h[HID], o[OUT], d[OUT], e[HID];
            mat_vec(&W1, X[i], h);
            for (int j = 0; j < HID; j++) h[j] = tanh(h[j]);
            mat_vec(&W2, h, o);
            for (int j = 0; j < OUT; j++) d[j] = o[j] - Y[i][j], loss += d[j] * d[j];
            mat_t_vec(&W2, d, e);
            for (int j = 0; j < HID; j++) e[j] *= 1 - h[j] * h[j];
            outer_add(&G2, d, h);
            outer_add(&G1, e, X[i]);
        }
        for (int i = 0; i < HID * IN; i++) W1.a[i] -= .02 * G1.a[i];
        for (int i = 0; i < OUT * HID; i++) W2.a[i] -= .02 * G2.a[i];
        printf("%.8f\n", loss / n);
    }
    return 0;
}
