/*
 * A kernel machine whose kernel is a pointer to a function.
 * loop: parallel independent
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef double (*kernel_fn)(const double *, const double *, int, double);
static double rbf(const double *a, const double *b, int d, double g) {
    double s = 0;
    for (int q = 0; q < d; q++)
        s += (a[q] - b[q]) * (a[q] - b[q]);
    return exp(-g * s);
}
static double poly(const double *a, const double *b, int d, double g) {
    double s = 0;
    for (int q = 0; q < d; q++)
        s += a[q] * b[q];
    return (g * s + 1) * (g * s + 1);
}
struct svm {
    int n, d;
    double gamma, *alpha, *x;
    kernel_fn kernel;
};
static void decide(const struct svm *m, int n, const double *t, double *f) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        f[i] = 0;
        for (int s = 0; s < m->n; s++)
            f[i] += m->alpha[s] * m->kernel(m->x + s * m->d, t + i * m->d, m->d, m->gamma);
    }
}
int main(int argc, char **argv) {
    struct svm m = {30, 4, .5, malloc(30 * 8), malloc(120 * 8), argc > 1 ? poly : rbf};
    int n = 600;
    double *t = malloc(n * 4 * 8), *f = malloc(n * 8), s = 0;
    for (int i = 0; i < 30; i++)
        m.alpha[i] = i % 5 - 2;
    for (int i = 0; i < 120; i++)
        m.x[i] = i * 37 % 41 / 41.;
    for (int i = 0; i < n * 4; i++)
        t[i] = i * 29 % 43 / 43.;
    decide(&m, n, t, f);
    for (int i = 0; i < n; i++)
        s = s * .9 + f[i];
    printf("%.12g\n", s);
    m.kernel = poly;
    decide(&m, n, t, f);
    for (int i = 0; i < n; i++)
        s = s * .9 + f[i];
    printf("%.12g\n", s);
    return 0;
}
