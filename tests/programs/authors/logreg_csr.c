/*
 * Logistic regression over CSR whose loss is a pointer to a function, and is left where it is no number.
 * loop: serial ORR2214
 * says: fix: let the loop run to its end; the first iteration that would leave is a minimum
 * edit: return -1; => { left = i < left ? i : left; continue; }
 * edit: double total = 0; => double total = 0; long left = A->rows;
 * edit: *out = total / A->rows; => if (left < A->rows) return -1; *out = total / A->rows;
 * then: parallel reduction
 * ranks: 2
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    long rows;
    int cols;
    long *indptr;
    int *indices;
    double *data;
    double *y;
} csr_t;
typedef double (*loss_fn)(double, double, double *);
static double logistic(double m, double y, double *d) {
    double e = exp(-y * m);
    *d = -y * e / (1 + e);
    return log1p(e);
}
static double hinge(double m, double y, double *d) {
    if (y * m >= 1) {
        *d = 0;
        return 0;
    }
    *d = -y;
    return 1 - y * m;
}
static double squared(double m, double y, double *d) {
    *d = m - y;
    return .5 * (m - y) * (m - y);
}
static loss_fn choose(const char *name) {
    if (!strcmp(name, "hinge"))
        return hinge;
    if (!strcmp(name, "squared"))
        return squared;
    return logistic;
}
static int gradient(const csr_t *A, const double *w, double *g, loss_fn loss, double *out) {
    double total = 0;
    memset(g, 0, A->cols * sizeof *g);
#pragma orrery parallel
    for (long i = 0; i < A->rows; i++) {
        double m = 0, d;
        for (long k = A->indptr[i]; k < A->indptr[i + 1]; k++)
            m += w[A->indices[k]] * A->data[k];
        double l = loss(m, A->y[i], &d);
        if (isnan(l))
            return -1;
        total += l;
        for (long k = A->indptr[i]; k < A->indptr[i + 1]; k++)
            g[A->indices[k]] += d * A->data[k];
    }
    *out = total / A->rows;
    return 0;
}
int main(int argc, char **argv) {
    csr_t A = {1000,
               50,
               malloc(1001 * sizeof(long)),
               malloc(8000 * sizeof(int)),
               malloc(8000 * sizeof(double)),
               malloc(1000 * sizeof(double))};
    long at = 0;
    for (long i = 0; i < A.rows; i++) {
        A.indptr[i] = at;
        double s = 0;
        for (int k = 0; k < 3 + i % 5; k++) {
            A.indices[at] = (i * 3 + k * 11) % A.cols;
            A.data[at] = (i + k) % 7 / 7.;
            s += A.data[at] * (A.indices[at] - 25);
            at++;
        }
        A.y[i] = s > 0 ? 1 : -1;
    }
    A.indptr[A.rows] = at;
    loss_fn fn = choose(argc > 1 ? argv[1] : "logistic");
    double *w = calloc(A.cols, sizeof *w), *g = malloc(A.cols * sizeof *g), l;
    for (int it = 0; it < 10; it++) {
        if (gradient(&A, w, g, fn, &l) < 0) {
            fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
            return 1;
        }
        for (int j = 0; j < A.cols; j++)
            w[j] -= .5 / A.rows * g[j];
        printf("%d %.10f\n", it, l);
    }
    return 0;
}
