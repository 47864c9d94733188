/*
 * EM of a mixture; the rows of a matrix lie in one block, and the first is read before the others.
 * loop: parallel reduction
 * loop: parallel independent
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct gmm {
    int k, d;
    double *weight;
    double **mean, **var;
} gmm_t;
typedef struct {
    int rows, cols;
    double **at;
} matrix_t;
static matrix_t *matrix_create(int rows, int cols) {
    matrix_t *m = malloc(sizeof *m);
    m->rows = rows;
    m->cols = cols;
    m->at = malloc(rows * sizeof(double *));
    double *all = calloc((size_t)rows * cols, sizeof(double));
    for (int i = 0; i < rows; i++)
        m->at[i] = all + (size_t)i * cols;
    return m;
}
static double log_density(const gmm_t *g, int c, const double *x) {
    double s = log(g->weight[c]);
    for (int j = 0; j < g->d; j++) {
        double t = x[j] - g->mean[c][j];
        s -= .5 * (log(2 * M_PI * g->var[c][j]) + t * t / g->var[c][j]);
    }
    return s;
}
static double log_sum_exp(const double *v, int n) {
    double m = v[0];
    for (int i = 1; i < n; i++)
        m = fmax(m, v[i]);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += exp(v[i] - m);
    return m + log(s);
}
static double e_step(const gmm_t *g, const matrix_t *x, matrix_t *resp) {
    double ll = 0;
#pragma orrery parallel
    for (int i = 0; i < x->rows; i++) {
        double *r = resp->at[i];
        for (int c = 0; c < g->k; c++)
            r[c] = log_density(g, c, x->at[i]);
        double z = log_sum_exp(r, g->k);
        for (int c = 0; c < g->k; c++)
            r[c] = exp(r[c] - z);
        ll += z;
    }
    return ll;
}
static void m_step(gmm_t *g, const matrix_t *x, const matrix_t *resp) {
#pragma orrery parallel
    for (int c = 0; c < g->k; c++) {
        double nk = 1e-9;
        for (int i = 0; i < x->rows; i++)
            nk += resp->at[i][c];
        g->weight[c] = nk / x->rows;
        for (int j = 0; j < g->d; j++) {
            double m = 0, v = 0;
            for (int i = 0; i < x->rows; i++)
                m += resp->at[i][c] * x->at[i][j];
            m /= nk;
            for (int i = 0; i < x->rows; i++)
                v += resp->at[i][c] * (x->at[i][j] - m) * (x->at[i][j] - m);
            g->mean[c][j] = m;
            g->var[c][j] = v / nk + 1e-3;
        }
    }
}
int main(void) {
    matrix_t *x = matrix_create(900, 3), *r = matrix_create(900, 4);
    for (int i = 0; i < 900; i++)
        for (int j = 0; j < 3; j++)
            x->at[i][j] = i % 4 * 2 + (i * 37 + j * 101) % 97 / 97.;
    gmm_t g = {4, 3, malloc(4 * sizeof(double)), matrix_create(4, 3)->at, matrix_create(4, 3)->at};
    for (int c = 0; c < 4; c++) {
        g.weight[c] = .25;
        for (int j = 0; j < 3; j++) {
            g.mean[c][j] = x->at[c * 9][j];
            g.var[c][j] = 1;
        }
    }
    double old = -INFINITY;
    for (int it = 0; it < 30; it++) {
        double ll = e_step(&g, x, r);
        if (isnan(ll) || ll - old < 1e-6 * fabs(ll)) {
            printf("stop at %d\n", it);
            break;
        }
        old = ll;
        m_step(&g, x, r);
    }
    printf("%.6f\n", old);
    for (int c = 0; c < 4; c++)
        printf("%.6f %.6f\n", g.weight[c], g.mean[c][0]);
}
