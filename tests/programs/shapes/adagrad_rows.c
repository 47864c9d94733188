/* Per-user rates: factors, squared gradients and counters of both sides, in structs of arrays, ids as long and char.
 * loop: parallel rotation-2d
 * result: near 0.5
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float *w;
    float *g;
    int *n;
} Side;

typedef struct Trainer {
    Side left, right;
    int dim;
    float eta;
} Trainer;

static Side side(int rows, int dim) {
    Side s;
    s.w = malloc(rows * dim * sizeof(float));
    s.g = malloc(rows * sizeof(float));
    s.n = calloc(rows, sizeof(int));
    for (int i = 0; i < rows * dim; i++) s.w[i] = 0.5f + 0.02f * (float)(i % 5);
    for (int i = 0; i < rows; i++) s.g[i] = 1;
    return s;
}

static double run(Trainer *T, const long *l, const signed char *r, const float *y, long n) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long t = 0; t < n; t++) {
        float *a = &T->left.w[l[t] * T->dim], *b = &T->right.w[r[t] * T->dim], e = y[t], na = 0, nb = 0;
        for (int k = 0; k < T->dim; k++) e -= a[k] * b[k];
        loss += (double)e * e;
        for (int k = 0; k < T->dim; k++) na += b[k] * b[k], nb += a[k] * a[k];
        T->left.g[l[t]] += e * e * na / T->dim;
        T->right.g[r[t]] += e * e * nb / T->dim;
        float ra = T->eta / sqrtf(T->left.g[l[t]]), rb = T->eta / sqrtf(T->right.g[r[t]]);
        for (int k = 0; k < T->dim; k++) {
            float x = a[k];
            a[k] += ra * e * b[k];
            b[k] += rb * e * x;
        }
        T->left.n[l[t]]++;
        T->right.n[r[t]]++;
    }
    return loss / n;
}

int main(void) {
    long n = 700;
    Trainer *T = malloc(sizeof *T);
    long *l = malloc(n * sizeof *l);
    signed char *r = malloc(n);
    float *y = malloc(n * sizeof *y);
    *T = (Trainer){side(60, 5), side(25, 5), 5, 0.1f};
    for (long t = 0; t < n; t++) l[t] = t * 13 % 60, r[t] = (signed char)((t * 3 + t / 60) % 25), y[t] = (float)(1 + t * t % 5) + (float)(t % 3);
    for (int e = 0; e < 3; e++) printf("%.4f %d\n", run(T, l, r, y, n), T->left.n[3] + T->right.n[7]);
    return 0;
}
