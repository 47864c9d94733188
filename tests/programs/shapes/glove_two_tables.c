/* GloVe with words and contexts in two tables of structs that hold vector, bias and squared gradients.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define D 4

struct unit {
    double vec[D], bias;
    double g2[D], g2bias;
};

struct world {
    struct unit *word, *context;
    int vocab;
};

struct cell {
    short i, j;
    float x;
};

static void adagrad(double *x, double *g2, double g) {
    *x -= 0.05 * g / sqrt(*g2);
    *g2 += g * g;
}

static double sweep(struct world *w, const struct cell *c, int n) {
    double sum = 0;
#pragma orrery parallel unordered
    for (int t = 0; t < n; t++) {
        struct unit *a = &w->word[c[t].i], *b = &w->context[c[t].j];
        double d = a->bias + b->bias - log(c[t].x), f = c[t].x < 10 ? pow(c[t].x / 10, .75) : 1;
        for (int k = 0; k < D; k++)
            d += a->vec[k] * b->vec[k];
        sum += f * d * d;
        for (int k = 0; k < D; k++) {
            double ga = f * d * b->vec[k], gb = f * d * a->vec[k];
            adagrad(&a->vec[k], &a->g2[k], ga);
            adagrad(&b->vec[k], &b->g2[k], gb);
        }
        adagrad(&a->bias, &a->g2bias, f * d);
        adagrad(&b->bias, &b->g2bias, f * d);
    }
    return sum;
}

static struct unit *units(int n, double phase) {
    struct unit *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < D; k++)
            u[i].vec[k] = 0.2 * sin(phase + i * D + k), u[i].g2[k] = 1;
        u[i].bias = 0, u[i].g2bias = 1;
    }
    return u;
}

int main(void) {
    struct world w = {units(30, 0), units(30, 1), 30};
    int n = 600;
    struct cell *c = malloc(n * sizeof *c);
    for (int t = 0; t < n; t++)
        c[t] = (struct cell){(short)(t * 7 % 30), (short)((t * 11 + t / 30) % 30), (float)(1 + t % 13)};
    for (int e = 0; e < 3; e++)
        printf("%.4f\n", sweep(&w, c, n));
    return 0;
}
