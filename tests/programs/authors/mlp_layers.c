/*
 * A network with struct layer {double **w;}: gradients of a batch summed, then one step.
 * loop: parallel reduction
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct layer {
    int in, out;
    double **w, **dw;
};

#define MAXW 16

static struct layer *new_layer(int in, int out) {
    struct layer *l = malloc(sizeof *l);
    l->in = in;
    l->out = out;
    l->w = malloc(out * sizeof(double *));
    l->dw = malloc(out * sizeof(double *));
    for (int o = 0; o < out; o++) {
        l->w[o] = malloc(in * sizeof(double));
        l->dw[o] = calloc(in, sizeof(double));
        for (int i = 0; i < in; i++)
            l->w[o][i] = rand() / (double)RAND_MAX - 0.5;
    }
    return l;
}

static void apply(struct layer *l, double rate) {
    for (int o = 0; o < l->out; o++)
        for (int i = 0; i < l->in; i++) {
            l->w[o][i] -= rate * l->dw[o][i];
            l->dw[o][i] = 0;
        }
}

int main(void) {
    int n = 500, nin = 8, nhid = 10;
    srand(66);
    double **x = malloc(n * sizeof(double *)), *t = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++) {
        x[i] = malloc(nin * sizeof(double));
        t[i] = 0;
        for (int j = 0; j < nin; j++) {
            x[i][j] = rand() / (double)RAND_MAX;
            t[i] += (j % 2 ? x[i][j] : -x[i][j]) / 4;
        }
    }
    struct layer *l1 = new_layer(nin, nhid), *l2 = new_layer(nhid, 1);
    for (int epoch = 0; epoch < 6; epoch++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double h[MAXW], y = 0;
            for (int o = 0; o < l1->out; o++) {
                double s = 0;
                for (int j = 0; j < l1->in; j++)
                    s += l1->w[o][j] * x[i][j];
                h[o] = tanh(s);
            }
            for (int o = 0; o < l1->out; o++)
                y += l2->w[0][o] * h[o];
            double d = y - t[i];
            loss += d * d;
            for (int o = 0; o < l1->out; o++) {
                double dh = d * l2->w[0][o] * (1 - h[o] * h[o]);
                l2->dw[0][o] += d * h[o];
                for (int j = 0; j < l1->in; j++)
                    l1->dw[o][j] += dh * x[i][j];
            }
        }
        apply(l1, 0.5 / n);
        apply(l2, 0.5 / n);
        printf("epoch %d loss %.9g\n", epoch, loss / n);
    }
    return 0;
}
