/* Logistic regression over pointers to examples, each with its own indices and values: in the loop's
 * order, and with merged weights.
 * loop: parallel levels
 * loop: parallel relaxed
 * result: near 1e-9
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n; int *idx; double *val; double label; } example;

static double train(example **ex, int m, double *w, double lr, double lambda) {
    double loss = 0;
#pragma orrery parallel
    for (int i = 0; i < m; ++i) {
        example *x = ex[i];
        double s = 0;
        for (int k = 0; k < x->n; ++k) s += w[x->idx[k]] * x->val[k];
        double p = 1 / (1 + exp(-s));
        double g = p - x->label;
        loss -= x->label > 0.5 ? log(p) : log(1 - p);
        for (int k = 0; k < x->n; ++k) w[x->idx[k]] -= lr * (g * x->val[k] + lambda * w[x->idx[k]]);
    }
    return loss;
}

static double train_merged(example **ex, int m, double *w, double lr, double lambda) {
    double loss = 0;
#pragma orrery parallel relax(w)
    for (int i = 0; i < m; ++i) {
        example *x = ex[i];
        double s = 0;
        for (int k = 0; k < x->n; ++k) s += w[x->idx[k]] * x->val[k];
        double p = 1 / (1 + exp(-s));
        double g = p - x->label;
        loss -= x->label > 0.5 ? log(p) : log(1 - p);
        for (int k = 0; k < x->n; ++k) w[x->idx[k]] -= lr * (g * x->val[k] + lambda * w[x->idx[k]]);
    }
    return loss;
}

int main(void) {
    int m = 600, F = 400;
    example **ex = malloc(m * sizeof *ex);
    for (int i = 0; i < m; ++i) {
        ex[i] = malloc(sizeof **ex);
        ex[i]->n = i % 7;
        ex[i]->idx = ex[i]->n ? malloc(ex[i]->n * sizeof(int)) : NULL;
        ex[i]->val = ex[i]->n ? malloc(ex[i]->n * sizeof(double)) : NULL;
        ex[i]->label = (i * 5 + i / 3) % 2;
        for (int k = 0; k < ex[i]->n; ++k) {
            ex[i]->idx[k] = (i * 17 + k * 29) % F;
            ex[i]->val[k] = 1 + (i + k) % 5;
        }
    }
    double *w = calloc(F, sizeof *w), *v = calloc(F, sizeof *v), a = 0, b = 0;
    for (int pass = 0; pass < 4; ++pass) {
        a = train(ex, m, w, .05, 1e-4);
        b = train_merged(ex, m, v, .05, 1e-4);
    }
    printf("%.6f %d\n", a, b < 330);
    for (int f = 0; f < F; f += 97) printf("%.9f\n", w[f]);
    return 0;
}
