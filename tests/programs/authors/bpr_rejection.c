/*
 * Bayesian personalized ranking: items that the user has seen are drawn again, the model is behind a pointer.
 * loop: serial ORR2210
 * edit: int u = data[t].user => long draws1 = 0; int u = data[t].user
 * edit: rand() % items; => (int)(orrery_random(orrery_random(1 + epoch, t), draws1++) >> 33) % items;
 * then: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n_users, n_items, dim;
    double **P, **Q;
    double *bias;
} bpr_model;

typedef struct {
    int user, item;
} interaction;

static bpr_model *bpr_new(int users, int items, int dim) {
    bpr_model *m = malloc(sizeof *m);
    m->n_users = users;
    m->n_items = items;
    m->dim = dim;
    m->P = malloc(users * sizeof(double *));
    m->Q = malloc(items * sizeof(double *));
    m->bias = calloc(items, sizeof(double));
    for (int u = 0; u < users; u++) {
        m->P[u] = malloc(dim * sizeof(double));
        for (int k = 0; k < dim; k++)
            m->P[u][k] = 0.1 * (rand() / (RAND_MAX + 1.0) - 0.5);
    }
    for (int i = 0; i < items; i++) {
        m->Q[i] = malloc(dim * sizeof(double));
        for (int k = 0; k < dim; k++)
            m->Q[i][k] = 0.1 * (rand() / (RAND_MAX + 1.0) - 0.5);
    }
    return m;
}

int main(void) {
    int users = 200, items = 300, n = 3000, dim = 8;
    interaction *data = malloc(n * sizeof *data);
    char **seen = malloc(users * sizeof *seen);
    srand(5);
    for (int u = 0; u < users; u++)
        seen[u] = calloc(items, 1);
    for (int i = 0; i < n; i++) {
        data[i].user = rand() % users;
        data[i].item = (data[i].user * 7 + rand() % 40) % items;
        seen[data[i].user][data[i].item] = 1;
    }
    bpr_model *m = bpr_new(users, items, dim);
    double lr = 0.05, reg = 0.01;
    for (int epoch = 0; epoch < 5; epoch++) {
        double loss = 0;
#pragma orrery parallel
        for (int t = 0; t < n; t++) {
            int u = data[t].user, i = data[t].item, j;
            do
                j = rand() % items;
            while (seen[u][j]);
            double x = m->bias[i] - m->bias[j];
            for (int k = 0; k < m->dim; k++)
                x += m->P[u][k] * (m->Q[i][k] - m->Q[j][k]);
            double z = 1.0 / (1.0 + exp(x));
            loss += log(1.0 + exp(-x));
            m->bias[i] += lr * (z - reg * m->bias[i]);
            m->bias[j] += lr * (-z - reg * m->bias[j]);
            for (int k = 0; k < m->dim; k++) {
                double pu = m->P[u][k], qi = m->Q[i][k], qj = m->Q[j][k];
                m->P[u][k] += lr * (z * (qi - qj) - reg * pu);
                m->Q[i][k] += lr * (z * pu - reg * qi);
                m->Q[j][k] += lr * (-z * pu - reg * qj);
            }
        }
        printf("epoch %d loss %.6f\n", epoch, loss / n);
    }
    return 0;
}
