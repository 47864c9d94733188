/*
 * Pegasos over examples that are lists of nodes.
 * loop: serial ORR2105
 * loop: parallel reduction
 * loop: parallel reduction
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct node {
    int index;
    double value;
    struct node *next;
} node;
typedef struct {
    double label;
    node *head;
} inst;
int main() {
    int n = 200, D = 40;
    inst *X = malloc(n * sizeof *X);
    double *w = calloc(D, 8);
    srand(6);
    for (int i = 0; i < n; i++) {
        X[i].head = NULL;
        double s = 0;
        for (int k = 0; k < 5; k++) {
            node *q = malloc(sizeof *q);
            q->index = rand() % D;
            q->value = 1;
            s += q->index - D / 2;
            q->next = X[i].head;
            X[i].head = q;
        }
        X[i].label = s > 0 ? 1 : -1;
    }
    double lambda = .01;
    long t = 0;
    for (int ep = 0; ep < 4; ep++) {
        int viol = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            t++;
            double eta = 1 / (lambda * t), m = 0;
            for (node *q = X[i].head; q; q = q->next)
                m += w[q->index] * q->value;
            m *= X[i].label;
            for (int j = 0; j < D; j++)
                w[j] *= 1 - eta * lambda;
            if (m < 1) {
                viol++;
                for (node *q = X[i].head; q != NULL; q = q->next)
                    w[q->index] += eta * X[i].label * q->value;
            }
        }
        printf("%d\n", viol);
    }
    double obj = 0, nrm = 0;
    int err = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double m = 0;
        node *q = X[i].head;
        while (q) {
            m += w[q->index] * q->value;
            q = q->next;
        }
        m *= X[i].label;
        if (m < 1)
            obj += 1 - m;
        err += m <= 0;
    }
#pragma orrery parallel
    for (int j = 0; j < D; j++)
        nrm += w[j] * w[j];
    printf("%.6f %.6f %d\n", obj, nrm, err);
}
