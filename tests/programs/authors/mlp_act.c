/*
 * An autoencoder whose layers each have pointers to their activation and its derivative.
 * loop: serial ORR2214
 * says: fix: call the functions whose address this file takes by their names: `relu`, `drelu`, `tanh`, `dtanh_`, `lin`, `one`
 * edit: L->f(z[l][o]) => (L->f == relu ? relu(z[l][o]) : L->f == drelu ? drelu(z[l][o]) : L->f == tanh ? tanh(z[l][o]) : L->f == dtanh_ ? dtanh_(z[l][o]) : L->f == lin ? lin(z[l][o]) : one(z[l][o]))
 * edit: L->df(z[l][o]) => (L->df == drelu ? drelu(z[l][o]) : L->df == dtanh_ ? dtanh_(z[l][o]) : one(z[l][o]))
 * edit: net->loss(a[last + 1], y, n) => mse(a[last + 1], y, n)
 * then: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef double (*activation)(double);
typedef struct layer {
    int in, out;
    double *W, *b, *dW, *db;
    activation f, df;
} layer;
typedef struct {
    int nlayers;
    layer *layers;
    double (*loss)(const double *, const double *, int);
} net_t;
static double relu(double x) {
    return x > 0 ? x : 0;
}
static double drelu(double x) {
    return x > 0;
}
static double lin(double x) {
    return x;
}
static double one(double x) {
    (void)x;
    return 1;
}
static double dtanh_(double x) {
    double t = tanh(x);
    return 1 - t * t;
}
static double mse(const double *a, const double *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (a[i] - b[i]) * (a[i] - b[i]);
    return s / n;
}
#define MAXW 16
static double backprop(net_t *net, const double *x, const double *y) {
    double z[4][MAXW], a[5][MAXW], d[MAXW], e[MAXW];
    for (int i = 0; i < net->layers[0].in; i++)
        a[0][i] = x[i];
    for (int l = 0; l < net->nlayers; l++) {
        layer *L = &net->layers[l];
        for (int o = 0; o < L->out; o++) {
            z[l][o] = L->b[o];
            for (int i = 0; i < L->in; i++)
                z[l][o] += L->W[o * L->in + i] * a[l][i];
            a[l + 1][o] = L->f(z[l][o]);
        }
    }
    int last = net->nlayers - 1, n = net->layers[last].out;
    for (int o = 0; o < n; o++)
        d[o] = 2 * (a[last + 1][o] - y[o]) / n;
    for (int l = last; l >= 0; l--) {
        layer *L = &net->layers[l];
        for (int i = 0; i < L->in; i++)
            e[i] = 0;
        for (int o = 0; o < L->out; o++) {
            double g = d[o] * L->df(z[l][o]);
            L->db[o] += g;
            for (int i = 0; i < L->in; i++) {
                L->dW[o * L->in + i] += g * a[l][i];
                e[i] += g * L->W[o * L->in + i];
            }
        }
        for (int i = 0; i < L->in; i++)
            d[i] = e[i];
    }
    return net->loss(a[last + 1], y, n);
}
static void init(layer *L, int in, int out, activation f, activation df) {
    L->in = in;
    L->out = out;
    L->f = f;
    L->df = df;
    L->W = malloc(in * out * sizeof(double));
    L->dW = calloc(in * out, sizeof(double));
    L->b = calloc(out, sizeof(double));
    L->db = calloc(out, sizeof(double));
    for (int i = 0; i < in * out; i++)
        L->W[i] = ((i * 29 % 17) - 8) / 16.;
}
int main(void) {
    net_t net = {3, malloc(3 * sizeof(layer)), mse};
    init(&net.layers[0], 10, 8, relu, drelu);
    init(&net.layers[1], 8, 4, tanh, dtanh_);
    init(&net.layers[2], 4, 10, lin, one);
    int n = 400;
    double(*X)[10] = malloc(n * sizeof *X);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 10; j++)
            X[i][j] = (i * 13 + j * 7) % 20 / 20.;
    for (int it = 0; it < 5; it++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++)
            loss += backprop(&net, X[i], X[i]);
        for (int l = 0; l < 3; l++) {
            layer *L = &net.layers[l];
            for (int k = 0; k < L->in * L->out; k++) {
                L->W[k] -= .1 / n * L->dW[k];
                L->dW[k] = 0;
            }
            for (int o = 0; o < L->out; o++) {
                L->b[o] -= .1 / n * L->db[o];
                L->db[o] = 0;
            }
        }
        printf("%d %.8f\n", it, loss / n);
    }
}
