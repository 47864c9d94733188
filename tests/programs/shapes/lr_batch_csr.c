/* The same model trained by full batches: the gradient is a sum over rows, the row ends at a sentinel of -1.
 * loop: parallel reduction
 * result: near 1e-6
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int feature; double value; } node;

struct problem { int l, n; double *y; node **x; };

static double gradient(const struct problem *prob, const double *w, double *g) {
    double f = 0;
    memset(g, 0, sizeof(double) * prob->n);
    #pragma orrery parallel unordered
    for (int i = 0; i < prob->l; i++) {
        double z = 0;
        for (const node *xi = prob->x[i]; xi->feature != -1; xi++)
            z += w[xi->feature - 1] * xi->value;
        double m = prob->y[i] * z;
        f += log(1 + exp(-m));
        double c = -prob->y[i] / (1 + exp(m));
        for (const node *xi = prob->x[i]; xi->feature != -1; xi++)
            g[xi->feature - 1] += c * xi->value;
    }
    return f;
}

int main(void) {
    struct problem p = {.l = 90, .n = 12};
    p.y = malloc(p.l * sizeof *p.y);
    p.x = malloc(p.l * sizeof *p.x);
    node *space = malloc(p.l * 4 * sizeof *space), *s = space;
    for (int i = 0; i < p.l; i++) {
        p.y[i] = i % 2 ? 1 : -1;
        p.x[i] = s;
        for (int j = 0; j < 1 + i % 3; j++)
            *s++ = (node){1 + (i * 5 + j * 7) % p.n, 0.5 + j + (i % 2)};
        *s++ = (node){-1, 0};
    }
    double *w = calloc(p.n, sizeof *w), *g = malloc(p.n * sizeof *g);
    for (int it = 0; it < 6; it++) {
        double f = gradient(&p, w, g);
        for (int j = 0; j < p.n; j++)
            w[j] -= 0.02 * g[j];
        printf("%d %.8f\n", it, f);
    }
    free(space), free(p.x), free(p.y), free(w), free(g);
    return 0;
}
