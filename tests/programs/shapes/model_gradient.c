/* Gradients that a model holds: summed where they stand, through a pointer the body takes, and by functions that are
 * handed the model, a member, or the address of a total; two layers in an array of structures.
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n; double *w, *grad; double loss; long seen; } model;
typedef struct { int rows; int *ptr, *col; double *val, *y; } data;
typedef struct { int in, out; double *w, *g; } layer;
typedef struct { layer layers[2]; double rate; } net;

static double predict(const model *m, const data *d, int i) {
    double z = 0;
    for (int p = d->ptr[i]; p < d->ptr[i + 1]; p++) z += m->w[d->col[p]] * d->val[p];
    return 1 / (1 + exp(-z));
}

static void add(model *m, int j, double x) { m->grad[j] += x; }
static void count(model *m, double e) { m->loss += e * e; m->seen++; }
static void add_to(double *g, double *total, double x) { *g += x; *total += x; }

static void direct(model *m, const data *d) {
#pragma orrery parallel unordered
    for (int i = 0; i < d->rows; i++) {
        double e = predict(m, d, i) - d->y[i], *g = m->grad;
        m->loss += e * e;
        m->seen++;
        for (int p = d->ptr[i]; p < d->ptr[i + 1]; p++) g[d->col[p]] += e * d->val[p];
    }
}

static double called(model *m, const data *d) {
    double total = 0;
#pragma orrery parallel unordered
    for (int i = 0; i < d->rows; i++) {
        double e = predict(m, d, i) - d->y[i];
        count(m, e);
        for (int p = d->ptr[i]; p < d->ptr[i + 1]; p++) {
            add(m, d->col[p], e * d->val[p]);
            add_to(&m->grad[0], &total, e * 0.01);
        }
    }
    return total;
}

static void layer_add(layer *l, const double *x, const double *delta) {
    for (int o = 0; o < l->out; o++)
        for (int i = 0; i < l->in; i++) l->g[o * l->in + i] += delta[o] * x[i];
}

static void backward(net *t, const double *x, const double *y, int n) {
#pragma orrery parallel unordered
    for (int s = 0; s < n; s++) {
        double hidden[3], out[2];
        for (int o = 0; o < 3; o++) {
            hidden[o] = 0;
            for (int i = 0; i < 4; i++) hidden[o] += t->layers[0].w[o * 4 + i] * x[s * 4 + i];
        }
        for (int o = 0; o < 2; o++) {
            out[o] = -y[s * 2 + o];
            for (int i = 0; i < 3; i++) out[o] += t->layers[1].w[o * 3 + i] * hidden[i];
        }
        layer_add(&t->layers[1], hidden, out);
        for (int o = 0; o < 3; o++) hidden[o] = out[0] * t->layers[1].w[o] + out[1] * t->layers[1].w[3 + o];
        layer_add(&t->layers[0], x + s * 4, hidden);
    }
}

int main(void) {
    int rows = 400, feats = 30, per = 5;
    data d = {rows, malloc((rows + 1) * sizeof(int)), malloc(rows * per * sizeof(int)),
              malloc(rows * per * sizeof(double)), malloc(rows * sizeof(double))};
    model *m = malloc(sizeof *m);
    *m = (model){feats, calloc(feats, sizeof(double)), calloc(feats, sizeof(double)), 0, 0};
    for (int i = 0; i <= rows; i++) d.ptr[i] = i * per;
    for (int i = 0; i < rows * per; i++) d.col[i] = (i * 7 + i / 3) % feats, d.val[i] = 0.1 * (i % 9);
    for (int i = 0; i < rows; i++) d.y[i] = i % 3 == 0;
    for (int e = 0; e < 4; e++) {
        double total = 0;
        direct(m, &d);
        for (int j = 0; j < feats; j++) m->w[j] -= 0.01 * m->grad[j], m->grad[j] = 0;
        total = called(m, &d);
        for (int j = 0; j < feats; j++) m->w[j] -= 0.01 * m->grad[j], m->grad[j] = 0;
        printf("%.8f %ld %.8f\n", m->loss, m->seen, total);
    }
    int n = 200;
    double *x = malloc(n * 4 * sizeof *x), *y = malloc(n * 2 * sizeof *y);
    net t = {{{4, 3, malloc(12 * sizeof(double)), calloc(12, sizeof(double))},
              {3, 2, malloc(6 * sizeof(double)), calloc(6, sizeof(double))}}, 0.001};
    for (int i = 0; i < n * 4; i++) x[i] = sin(i);
    for (int i = 0; i < n * 2; i++) y[i] = cos(i);
    for (int i = 0; i < 12; i++) t.layers[0].w[i] = 0.1 * (i % 5);
    for (int i = 0; i < 6; i++) t.layers[1].w[i] = 0.1 * (i % 4);
    backward(&t, x, y, n);
    for (int i = 0; i < 12; i++) printf("%.8f\n", t.layers[0].g[i]);
    for (int i = 0; i < 6; i++) printf("%.8f\n", t.layers[1].g[i]);
    return 0;
}
