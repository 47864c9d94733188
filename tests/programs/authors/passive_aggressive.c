/*
 * Passive-aggressive updates over libsvm's rows; functions go through a row up to its mark.
 * loop: parallel reduction
 * loop: serial ORR2105
 * says: write the loop over the row in the body
 * edit: double margin = p.y[i] * dot(w, p.x[i]); => double margin = 0; for (const struct node *q = p.x[i]; q->index != -1; q++) margin += w[q->index - 1] * q->value; margin *= p.y[i];
 * edit: axpy(tau * p.y[i], p.x[i], w); => for (const struct node *q = p.x[i]; q->index != -1; q++) w[q->index - 1] += tau * p.y[i] * q->value;
 * edit: static void axpy => __attribute__((unused)) static void axpy
 * then: parallel reduction
 * then: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int index;
    double value;
};

struct problem {
    int l, n;
    double *y;
    struct node **x;
};

static double dot(const double *w, const struct node *x) {
    double s = 0;
    for (; x->index != -1; x++)
        s += w[x->index - 1] * x->value;
    return s;
}

static double norm2(const struct node *x) {
    double s = 0;
    while (x->index != -1) {
        s += x->value * x->value;
        x++;
    }
    return s;
}

static void axpy(double a, const struct node *x, double *w) {
    while (x->index != -1) {
        w[x->index - 1] += a * x->value;
        x++;
    }
}

static int test(const struct problem *prob, const double *w) {
    int correct = 0;
#pragma orrery parallel
    for (int i = 0; i < prob->l; i++)
        if (dot(w, prob->x[i]) * prob->y[i] > 0)
            ++correct;
    return correct;
}

int main(void) {
    struct problem p;
    p.l = 2000;
    p.n = 3000;
    p.y = malloc(p.l * sizeof(double));
    p.x = malloc(p.l * sizeof(struct node *));
    srand(4);
    for (int i = 0; i < p.l; i++) {
        int k = 4 + rand() % 8;
        p.x[i] = malloc((k + 1) * sizeof(struct node));
        double s = 0;
        for (int j = 0; j < k; j++) {
            p.x[i][j].index = 1 + rand() % p.n;
            p.x[i][j].value = rand() / (double)RAND_MAX;
            s += p.x[i][j].index % 3 - 1;
        }
        p.x[i][k].index = -1;
        p.y[i] = s > 0 ? 1 : -1;
    }
    double *w = calloc(p.n, sizeof(double));
    double C = 0.5;
    for (int iter = 0; iter < 5; iter++) {
        int mistakes = 0;
#pragma orrery parallel
        for (int i = 0; i < p.l; i++) {
            double margin = p.y[i] * dot(w, p.x[i]);
            if (margin <= 0)
                mistakes++;
            double loss = 1 - margin;
            double tau = loss / norm2(p.x[i]);
            if (tau > C)
                tau = C;
            if (loss > 0)
                axpy(tau * p.y[i], p.x[i], w);
        }
        printf("iter %d mistakes %d correct %d\n", iter, mistakes, test(&p, w));
    }
    return 0;
}
