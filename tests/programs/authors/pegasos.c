/*
 * Pegasos: a linear SVM by stochastic subgradients over sparse rows that end with index -1 (libsvm's).
 * loop: serial ORR2105
 * edit: orrery parallel => orrery parallel relax(w)
 * then: parallel relaxed
 * ranks: 2
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
    while (x->index != -1) {
        s += w[x->index] * x->value;
        x++;
    }
    return s;
}

int main(void) {
    struct problem prob = {1200, 300, NULL, NULL};
    srand(2);
    prob.y = malloc(prob.l * sizeof(double));
    prob.x = malloc(prob.l * sizeof(struct node *));
    for (int i = 0; i < prob.l; i++) {
        int count = 4 + rand() % 6;
        double s = 0;
        prob.x[i] = malloc((count + 1) * sizeof(struct node));
        for (int j = 0; j < count; j++) {
            prob.x[i][j].index = rand() % prob.n;
            prob.x[i][j].value = 1;
            s += prob.x[i][j].index % 3 - 1;
        }
        prob.x[i][count].index = -1;
        prob.y[i] = s >= 0 ? 1 : -1;
    }
    double *w = calloc(prob.n, sizeof(double));
    double lambda = 0.01;
    int t = 1;
    for (int epoch = 0; epoch < 3; epoch++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < prob.l; i++) {
            double eta = 1 / (lambda * t);
            double margin = prob.y[i] * dot(w, prob.x[i]);
            for (int j = 0; j < prob.n; j++)
                w[j] *= 1 - eta * lambda;
            if (margin < 1) {
                for (const struct node *x = prob.x[i]; x->index != -1; x++)
                    w[x->index] += eta * prob.y[i] * x->value;
                loss += 1 - margin;
            }
            t++;
        }
        printf("epoch %d hinge %.9g\n", epoch, loss / prob.l);
    }
    return 0;
}
