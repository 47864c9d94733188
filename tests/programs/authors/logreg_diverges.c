/*
 * Logistic regression that returns where the loss is no number.
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* logistic regression, batch gradient, divergence check */
typedef struct {
    int n, d;
    double **x;
    int *y;
} Dataset;
typedef struct {
    double *w;
    double b;
    double lr;
    double l2;
} Model;

static double sigmoid(double z) {
    return 1.0 / (1.0 + exp(-z));
}

static Dataset *make_data(int n, int d) {
    Dataset *ds = malloc(sizeof(Dataset));
    ds->n = n;
    ds->d = d;
    ds->x = malloc(n * sizeof(double *));
    ds->y = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        ds->x[i] = malloc(d * sizeof(double));
        double s = 0;
        for (int j = 0; j < d; j++) {
            ds->x[i][j] = rand() / (double)RAND_MAX - 0.5;
            s += ds->x[i][j] * (j % 3 - 1);
        }
        ds->y[i] = s > 0;
    }
    return ds;
}

static double train_epoch(Model *m, const Dataset *ds, double *grad) {
    double loss = 0, gb = 0;
    memset(grad, 0, ds->d * sizeof(double));
#pragma orrery parallel
    for (int i = 0; i < ds->n; i++) {
        double z = m->b;
        for (int j = 0; j < ds->d; j++)
            z += m->w[j] * ds->x[i][j];
        double p = sigmoid(z);
        double l = ds->y[i] ? -log(p + 1e-12) : -log(1 - p + 1e-12);
        if (isnan(l))
            return -1;
        loss += l;
        double err = p - ds->y[i];
        for (int j = 0; j < ds->d; j++)
            grad[j] += err * ds->x[i][j];
        gb += err;
    }
    for (int j = 0; j < ds->d; j++)
        m->w[j] -= m->lr * (grad[j] / ds->n + m->l2 * m->w[j]);
    m->b -= m->lr * gb / ds->n;
    return loss / ds->n;
}

int main(int argc, char **argv) {
    int n = 2000, d = 20, epochs = 30, c, verbose = 0;
    Model m = {0};
    m.lr = 0.5;
    m.l2 = 1e-4;
    while ((c = getopt(argc, argv, "n:d:e:l:v")) != -1)
        switch (c) {
        case 'n':
            n = atoi(optarg);
            break;
        case 'd':
            d = atoi(optarg);
            break;
        case 'e':
            epochs = atoi(optarg);
            break;
        case 'l':
            m.lr = atof(optarg);
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            return 2;
        }
    srand(42);
    Dataset *ds = make_data(n, d);
    m.w = calloc(d, sizeof(double));
    double *grad = malloc(d * sizeof(double)), prev = 1e30;
    for (int e = 0; e < epochs; e++) {
        double loss = train_epoch(&m, ds, grad);
        if (loss < 0) {
            fprintf(stderr, "diverged at epoch %d\n", e);
            return 1;
        }
        if (verbose || e % 10 == 0)
            printf("epoch %3d loss %.6f lr %g\n", e, loss, m.lr);
        if (prev - loss < 1e-7) {
            printf("converged\n");
            break;
        }
        prev = loss;
        m.lr *= 0.99;
    }
    for (int j = 0; j < d; j++)
        printf("%.6f ", m.w[j]);
    printf("| %.6f\n", m.b);
    return 0;
}
