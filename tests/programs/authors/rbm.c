/*
 * A restricted Boltzmann machine, contrastive divergence with one step per example, by rand().
 * loop: serial ORR2210
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NV 12
#define NH 6

typedef struct {
    double W[NH][NV], hb[NH], vb[NV];
} RBM;

static double sigmoid(double x) {
    return 1.0 / (1.0 + exp(-x));
}

static void sample_h(const RBM *m, const double *v, double *mean, double *h) {
    for (int i = 0; i < NH; i++) {
        double s = m->hb[i];
        for (int j = 0; j < NV; j++)
            s += m->W[i][j] * v[j];
        mean[i] = sigmoid(s);
        h[i] = rand() / (RAND_MAX + 1.0) < mean[i];
    }
}

static void sample_v(const RBM *m, const double *h, double *v) {
    for (int j = 0; j < NV; j++) {
        double s = m->vb[j];
        for (int i = 0; i < NH; i++)
            s += m->W[i][j] * h[i];
        v[j] = rand() / (RAND_MAX + 1.0) < sigmoid(s);
    }
}

int main(void) {
    int n = 300;
    double **data = malloc(n * sizeof(double *));
    RBM rbm = {{{0}}, {0}, {0}};
    srand(55);
    for (int i = 0; i < n; i++) {
        data[i] = malloc(NV * sizeof(double));
        for (int j = 0; j < NV; j++)
            data[i][j] = j / 4 == i % 3;
    }
    for (int epoch = 0; epoch < 4; epoch++) {
        double err = 0;
#pragma orrery parallel
        for (int e = 0; e < n; e++) {
            double ph[NH], h[NH], nv[NV], nph[NH], nh[NH];
            sample_h(&rbm, data[e], ph, h);
            sample_v(&rbm, h, nv);
            sample_h(&rbm, nv, nph, nh);
            for (int i = 0; i < NH; i++) {
                for (int j = 0; j < NV; j++)
                    rbm.W[i][j] += 0.1 * (ph[i] * data[e][j] - nph[i] * nv[j]);
                rbm.hb[i] += 0.1 * (h[i] - nph[i]);
            }
            for (int j = 0; j < NV; j++) {
                rbm.vb[j] += 0.1 * (data[e][j] - nv[j]);
                err += fabs(data[e][j] - nv[j]);
            }
        }
        printf("epoch %d err %.9g\n", epoch, err / n);
    }
    return 0;
}
