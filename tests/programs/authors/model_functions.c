/*
 * A linear model whose functions get the structure, trained with old weights.
 * loop: serial ORR2470
 * says: add relax(m.w)
 * says: add relax(m.b)
 * edit: orrery parallel => orrery parallel relax(m.w, m.b)
 * then: parallel relaxed
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int n;
    double *w, b;
} M;

static double dot(const M *m, const double *x) {
    double s = m->b;
    for (int j = 0; j < m->n; j++)
        s += m->w[j] * x[j];
    return s;
}

static void update(M *m, const double *x, double e) {
    for (int j = 0; j < m->n; j++)
        m->w[j] -= e * x[j];
    m->b -= e;
}

int main(void) {
    int n = 5000, d = 20;
    double *x = malloc(n * d * sizeof *x), *y = malloc(n * sizeof *y);
    M m = {d, calloc(d, sizeof(double)), 0};
    for (int i = 0; i < n; i++) {
        y[i] = 3;
        for (int j = 0; j < d; j++) {
            x[i * d + j] = rand() / (double)RAND_MAX - .5;
            y[i] += j * x[i * d + j];
        }
    }
    for (int it = 0; it < 5; it++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double e = dot(&m, x + (size_t)i * d) - y[i];
            loss += e * e;
            update(&m, x + (size_t)i * d, .01 * e);
        }
        printf("%g\n", loss / n);
    }
    printf("%g %g\n", m.b, m.w[3]);
    return 0;
}
