/*
 * Scratch space in members of a model that called functions get: arrays, a number, what memcpy reads, a structure's
 * own pointers.
 * loop: parallel reduction
 * loop: parallel independent
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n, k;
    double *w, **v, *sum, *squares, margin;
} Model;

typedef struct {
    double *b;
    int k;
} Work;

static double predict(Model *m, const int *x) {
    m->margin = 0;
    for (int i = 0; i < 4; i++)
        m->margin += m->w[x[i]];
    for (int f = 0; f < m->k; f++) {
        m->sum[f] = m->squares[f] = 0;
        for (int i = 0; i < 4; i++) {
            m->sum[f] += m->v[f][x[i]];
            m->squares[f] += m->v[f][x[i]] * m->v[f][x[i]];
        }
        m->margin += (m->sum[f] * m->sum[f] - m->squares[f]) / 2;
    }
    return m->margin;
}

static double size(const Model *m) {
    double s = m->margin;
    for (int f = 0; f < m->k; f++)
        s += m->sum[f];
    return s;
}

static void solve(Work *work, const double *a, double *x) {
    for (int i = 0; i < work->k; i++)
        work->b[i] = a[i] * 3 + (i > 0 ? work->b[i - 1] : 1);
    memcpy(x, work->b, work->k * sizeof(double));
}

int main(void) {
    int n = 400, k = 3, rows = 1000;
    Model *m = malloc(sizeof *m);
    Work work = {malloc(k * sizeof(double)), k};
    int(*x)[4] = malloc(rows * sizeof *x);
    double *a = malloc(rows * k * sizeof(double)), *out = malloc(rows * k * sizeof(double)),
           total = 0;
    m->n = n;
    m->k = k;
    m->w = malloc(n * sizeof(double));
    m->v = malloc(k * sizeof(double *));
    m->sum = malloc(k * sizeof(double));
    m->squares = malloc(k * sizeof(double));
    for (int f = 0; f < k; f++)
        m->v[f] = malloc(n * sizeof(double));
    for (int j = 0; j < n; j++) {
        m->w[j] = j % 7;
        for (int f = 0; f < k; f++)
            m->v[f][j] = (j + f) % 5;
    }
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < 4; i++)
            x[r][i] = (r * 31 + i * 17) % n;
        for (int i = 0; i < k; i++)
            a[r * k + i] = (r + i) % 11;
    }
#pragma orrery parallel
    for (int r = 0; r < rows; r++)
        total += predict(m, x[r]) + size(m);
    printf("%.9g %.9g %.9g\n", total, m->margin, m->sum[k - 1]);
#pragma orrery parallel
    for (int r = 0; r < rows; r++)
        solve(&work, a + r * k, out + r * k);
    printf("%.9g %.9g\n", out[2500], work.b[k - 1]);
    return 0;
}
