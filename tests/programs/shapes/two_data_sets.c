/* One training function called in turn with two data sets and two models; a scoring loop between.
 * loop: parallel rotation-2d
 * loop: parallel reduction
 * result: near 0.1
 * inspected: passes 8 iterations 4200, inspections 2
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n, *i, *j; float *v; } coo;
typedef struct { float *a, *b; int k; } pairm;

static void sgd(const coo *d, pairm m, float rate) {
#pragma orrery parallel unordered
    for (int t = 0; t < d->n; t++) {
        float *a = m.a + d->i[t] * m.k, *b = m.b + d->j[t] * m.k, e = d->v[t];
        for (int k = 0; k < m.k; k++) e -= a[k] * b[k];
        for (int k = 0; k < m.k; k++) {
            float x = a[k];
            a[k] += rate * e * b[k], b[k] += rate * e * x;
        }
    }
}

static double score(const coo *d, pairm m) {
    double s = 0;
#pragma orrery parallel unordered
    for (int t = 0; t < d->n; t++) {
        const float *a = m.a + d->i[t] * m.k, *b = m.b + d->j[t] * m.k;
        float e = d->v[t];
        for (int k = 0; k < m.k; k++) e -= a[k] * b[k];
        s += e * e;
    }
    return s / d->n;
}

static coo make(int n, int rows, int cols, int salt) {
    coo d = {n, malloc(n * sizeof(int)), malloc(n * sizeof(int)), malloc(n * sizeof(float))};
    for (int t = 0; t < n; t++) d.i[t] = (t * 7 + salt) % rows, d.j[t] = (t * 5 + t / rows + salt) % cols, d.v[t] = (float)(1 + (d.i[t] + d.j[t]) % 4);
    return d;
}

static pairm model(int rows, int cols, int k) {
    pairm m = {malloc(rows * k * sizeof(float)), malloc(cols * k * sizeof(float)), k};
    for (int i = 0; i < rows * k; i++) m.a[i] = .6f + .01f * (i % 9);
    for (int i = 0; i < cols * k; i++) m.b[i] = .6f + .01f * (i % 8);
    return m;
}

int main(void) {
    coo one = make(600, 40, 30, 3), two = make(450, 25, 35, 1);
    pairm p = model(40, 30, 4), q = model(25, 35, 4);
    for (int e = 0; e < 4; e++) {
        sgd(&one, p, .02f);
        sgd(&two, q, .02f);
        printf("%.2f %.2f\n", score(&one, p), score(&two, q));
    }
    return 0;
}
