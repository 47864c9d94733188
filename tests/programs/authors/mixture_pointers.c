/*
 * Expectation maximization: sums into all components of a mixture, structures behind a table in the model.
 * loop: parallel reduction
 * order: another one
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    double w, mean[4], sq[4];
    double *cross;
    const char *name;
    double prior;
} comp;
typedef struct {
    int k, d;
    comp **c;
} mix;
static double em(mix *m, const double *x, int n) {
    double ll = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double r[16], tot = 0;
        for (int j = 0; j < m->k; j++) {
            r[j] = m->c[j]->prior / (1 + (x[i * m->d] - j) * (x[i * m->d] - j));
            tot += r[j];
        }
        for (int j = 0; j < m->k; j++) {
            m->c[j]->w += r[j] / tot;
            for (int q = 0; q < m->d; q++) {
                m->c[j]->mean[q] += r[j] / tot * x[i * m->d + q];
                m->c[j]->sq[q] += x[i * m->d + q] * x[i * m->d + q];
                m->c[j]->cross[q] += r[j] * x[i * m->d + q];
            }
        }
        ll += tot;
    }
    return ll;
}
int main(void) {
    mix m = {5, 4, malloc(5 * sizeof(comp *))};
    for (int j = 0; j < 5; j++) {
        m.c[j] = calloc(1, sizeof(comp));
        m.c[j]->cross = calloc(4, 8);
        m.c[j]->prior = .1 + j;
    }
    int n = 3000;
    double *x = malloc(n * 4 * sizeof *x);
    for (int i = 0; i < n * 4; i++)
        x[i] = i * 7 % 64 / 8.;
    double l = 0;
    for (int t = 0; t < 3; t++)
        l += em(&m, x, n);
    for (int j = 0; j < 5; j++)
        printf("%.10g %.10g %.10g %.10g\n", m.c[j]->w, m.c[j]->mean[1], m.c[j]->sq[3],
               m.c[j]->cross[2]);
    printf("%.10g\n", l);
}
