/* Sums into what a structure leads to that a pointer in a structure leads to: histograms, dense gradients, totals,
 * extremes, and rows of a table.
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int units; double *sum, **w, loss, worst; long seen; } layer;
typedef struct { layer *first, second; double rate; } model;

static void histogram(model *m, const int *key, const double *x, int n) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        m->first->sum[key[i]] += x[i];
        m->first->seen++;
    }
}

static void gradient(model *m, const double *x, int n) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        double e = x[i] - .5;
        for (int j = 0; j < m->first->units; j++)
            m->first->sum[j] += e * x[(i + j) % n];
        m->first->loss += e * e;
        m->first->worst = e > m->first->worst ? e : m->first->worst;
    }
}

static void rows(model *m, const int *key, const double *x, int n) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) {
            m->first->w[j][key[i] % 4] += x[i] * j;
            m->second.w[j][i % 4] += x[i];
        }
}

static void prepare(layer *l) {
    *l = (layer){.units = 11, .sum = calloc(11, sizeof(double)), .w = malloc(3 * sizeof(double *))};
    for (int j = 0; j < 3; j++)
        l->w[j] = calloc(4, sizeof(double));
}

int main(void) {
    int n = 3000, *key = malloc(n * sizeof *key);
    double *x = malloc(n * sizeof *x);
    model m = {malloc(sizeof(layer)), {0}, .1};
    prepare(m.first);
    prepare(&m.second);
    for (int i = 0; i < n; i++) {
        key[i] = i * 7 % 11;
        x[i] = i % 13 / 8.;
    }
    for (int pass = 0; pass < 2; pass++) {
        histogram(&m, key, x, n);
        gradient(&m, x, n);
        rows(&m, key, x, n);
    }
    for (int j = 0; j < 11; j++)
        printf("%.12g %.12g %.12g\n", m.first->sum[j], m.first->w[j % 3][j % 4], m.second.w[j % 3][j % 4]);
    printf("%.12g %.12g %ld\n", m.first->loss, m.first->worst, m.first->seen);
    return 0;
}
