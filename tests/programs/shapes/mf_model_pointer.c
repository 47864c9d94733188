/* Tables in matrices in a model, all behind pointers: m->W->data[...]; biases and a global mean beside them.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct matrix {
    size_t rows, cols;
    double *data;
} matrix;

typedef struct model {
    matrix *W, *H;
    double *bu, *bi;
    double mu;
    struct { double rate, reg; } hyper;
} model;

typedef struct { int user, item; double y; } obs;

static matrix *matrix_new(size_t rows, size_t cols) {
    matrix *m = malloc(sizeof *m);
    m->rows = rows;
    m->cols = cols;
    m->data = malloc(rows * cols * sizeof *m->data);
    for (size_t i = 0; i < rows * cols; ++i)
        m->data[i] = 0.1 * sin((double)i);
    return m;
}

static double fit_once(model *m, const obs *o, int n) {
    double loss = 0;
    #pragma orrery parallel unordered
    for (int t = 0; t < n; ++t) {
        int u = o[t].user, i = o[t].item;
        double p = m->mu + m->bu[u] + m->bi[i];
        for (size_t k = 0; k < m->W->cols; ++k)
            p += m->W->data[u * m->W->cols + k] * m->H->data[i * m->H->cols + k];
        double e = o[t].y - p;
        loss += e * e;
        m->bu[u] += m->hyper.rate * (e - m->hyper.reg * m->bu[u]);
        m->bi[i] += m->hyper.rate * (e - m->hyper.reg * m->bi[i]);
        for (size_t k = 0; k < m->W->cols; ++k) {
            double w = m->W->data[u * m->W->cols + k];
            m->W->data[u * m->W->cols + k] += m->hyper.rate * e * m->H->data[i * m->H->cols + k];
            m->H->data[i * m->H->cols + k] += m->hyper.rate * e * w;
        }
    }
    return loss / n;
}

int main(void) {
    const int n = 600, users = 40, items = 25;
    obs *o = malloc(n * sizeof *o);
    model m = {.mu = 0, .hyper = {0.03, 0.01}};
    m.W = matrix_new(users, 4);
    m.H = matrix_new(items, 4);
    m.bu = calloc(users, sizeof *m.bu);
    m.bi = calloc(items, sizeof *m.bi);
    for (int t = 0; t < n; ++t) {
        o[t] = (obs){(t * 31) % users, (t * 17 + t / 7) % items, 0};
        o[t].y = 1 + (o[t].user + o[t].item) % 5;
        m.mu += o[t].y / n;
    }
    for (int e = 0; e < 4; ++e)
        printf("%.5f\n", fit_once(&m, o, n));
    return 0;
}
