/*
 * An autoencoder of two dense layers, stochastic gradients, functions in the same file.
 * loop: serial ORR2470
 * edit: orrery parallel => orrery parallel relax(enc.w, enc.b)
 * then: parallel pipeline
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define IN 12
#define HID 4

typedef struct {
    int in, out;
    double *w, *b;
} dense;

static void forward(const dense *l, const double *x, double *y) {
    for (int o = 0; o < l->out; o++) {
        double s = l->b[o];
        for (int i = 0; i < l->in; i++)
            s += l->w[o * l->in + i] * x[i];
        y[o] = tanh(s);
    }
}

static void backward(dense *l, const double *x, const double *y, const double *dy, double *dx,
                     double rate) {
    for (int i = 0; i < l->in; i++)
        dx[i] = 0;
    for (int o = 0; o < l->out; o++) {
        double d = dy[o] * (1 - y[o] * y[o]);
        for (int i = 0; i < l->in; i++) {
            dx[i] += d * l->w[o * l->in + i];
            l->w[o * l->in + i] -= rate * d * x[i];
        }
        l->b[o] -= rate * d;
    }
}

static dense make_dense(int in, int out) {
    dense l = {in, out, malloc(in * out * sizeof(double)), calloc(out, sizeof(double))};
    for (int i = 0; i < in * out; i++)
        l.w[i] = (rand() / (double)RAND_MAX - 0.5) / in;
    return l;
}

int main(void) {
    int n = 400;
    srand(15);
    double(*x)[IN] = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < IN; j++)
            x[i][j] = sin(i * 0.1 + j * (i % 3));
    dense enc = make_dense(IN, HID), dec = make_dense(HID, IN);
    for (int epoch = 0; epoch < 5; epoch++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double h[HID], y[IN], dy[IN], dh[HID], dx[IN];
            forward(&enc, x[i], h);
            forward(&dec, h, y);
            for (int j = 0; j < IN; j++) {
                dy[j] = y[j] - x[i][j];
                loss += dy[j] * dy[j];
            }
            backward(&dec, h, y, dy, dh, 0.05);
            backward(&enc, x[i], h, dh, dx, 0.05);
        }
        printf("epoch %d loss %.9g\n", epoch, loss / n);
    }
    return 0;
}
