/*
 * A Gaussian mixture by EM: posteriors are scratch space of the model, sums stand behind each component.
 * loop: serial ORR2112
 * says: let the loop's own body add to m->g.acc1, by that name
 * says: let the loop's own body add to m->g.acc2, by that name
 * edit: accumulate(m, x[i]); => for (int c = 0; c < m->k; c++) { double p = m->post[c]; m->g[c].acc0 += p; for (int j = 0; j < m->d; j++) { m->g[c].acc1[j] += p * x[i][j]; m->g[c].acc2[j] += p * x[i][j] * x[i][j]; } }
 * edit: static void accumulate => __attribute__((unused)) static void accumulate
 * then: parallel reduction
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct gaussian {
    double weight, *mean, *var, logdet;
    double acc0, *acc1, *acc2;
} gaussian;

typedef struct {
    int k, d;
    gaussian *g;
    double *post;
} gmm;

static gmm *gmm_alloc(int k, int d) {
    gmm *m = malloc(sizeof *m);
    m->k = k;
    m->d = d;
    m->g = malloc(k * sizeof *m->g);
    m->post = malloc(k * sizeof(double));
    for (int c = 0; c < k; c++) {
        m->g[c].weight = 1.0 / k;
        m->g[c].mean = malloc(d * sizeof(double));
        m->g[c].var = malloc(d * sizeof(double));
        m->g[c].acc1 = malloc(d * sizeof(double));
        m->g[c].acc2 = malloc(d * sizeof(double));
    }
    return m;
}

static double estep_row(gmm *m, const double *x) {
    double mx = -1e300, s = 0;
    for (int c = 0; c < m->k; c++) {
        double l = log(m->g[c].weight) - 0.5 * m->g[c].logdet;
        for (int j = 0; j < m->d; j++) {
            double t = x[j] - m->g[c].mean[j];
            l -= 0.5 * t * t / m->g[c].var[j];
        }
        m->post[c] = l;
        if (l > mx)
            mx = l;
    }
    for (int c = 0; c < m->k; c++)
        s += m->post[c] = exp(m->post[c] - mx);
    for (int c = 0; c < m->k; c++)
        m->post[c] /= s;
    return mx + log(s);
}

static void accumulate(gmm *m, const double *x) {
    for (int c = 0; c < m->k; c++) {
        double p = m->post[c];
        m->g[c].acc0 += p;
        for (int j = 0; j < m->d; j++) {
            m->g[c].acc1[j] += p * x[j];
            m->g[c].acc2[j] += p * x[j] * x[j];
        }
    }
}

int main(void) {
    int n = 1000, d = 3, k = 5;
    double **x = malloc(n * sizeof *x);
    srand(31);
    for (int i = 0; i < n; i++) {
        x[i] = malloc(d * sizeof(double));
        for (int j = 0; j < d; j++)
            x[i][j] = (i % k) * (j + 1) + rand() / (double)RAND_MAX;
    }
    gmm *m = gmm_alloc(k, d);
    for (int c = 0; c < k; c++)
        for (int j = 0; j < d; j++) {
            m->g[c].mean[j] = x[c * 17][j];
            m->g[c].var[j] = 1;
        }
    for (int it = 0; it < 8; it++) {
        for (int c = 0; c < k; c++) {
            m->g[c].acc0 = 0;
            m->g[c].logdet = 0;
            for (int j = 0; j < d; j++) {
                m->g[c].acc1[j] = m->g[c].acc2[j] = 0;
                m->g[c].logdet += log(m->g[c].var[j]);
            }
        }
        double ll = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            ll += estep_row(m, x[i]);
            accumulate(m, x[i]);
        }
        for (int c = 0; c < k; c++) {
            m->g[c].weight = m->g[c].acc0 / n;
            for (int j = 0; j < d; j++) {
                m->g[c].mean[j] = m->g[c].acc1[j] / m->g[c].acc0;
                m->g[c].var[j] =
                    m->g[c].acc2[j] / m->g[c].acc0 - m->g[c].mean[j] * m->g[c].mean[j] + 1e-6;
            }
        }
        printf("iter %d loglik %.6f\n", it, ll / n);
    }
    return 0;
}
