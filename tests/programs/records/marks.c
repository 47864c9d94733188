/* Rows that end with index -1: a product and an update of each, by pointers and by numbers, some rows empty. With an
 * argument the weights lie over a row's mark.
 */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 300, WEIGHTS = 90 };
struct node {
    long index;
    double value;
};

static void train(int n, struct node **x, const double *y, double *w, double *seen) {
#pragma orrery parallel assume(noalias(y, w, seen))
    for (int i = 2; i < n; ++i) {
        struct node *p = x[i];
        double z = -y[i];
        while (p->index != -1) {
            z += w[p->index] * p->value;
            ++p;
        }
        seen[i] = (double)(p - x[i]);
        for (p = x[i]; p->index != -1; p++)
            w[p->index] -= .1 * z * p->value;
        for (int k = 0; x[i][k].index >= 0; k += 1)
            w[x[i][k].index] *= .999;
    }
}

int main(int argc, char **argv) {
    struct node **x = malloc(ROWS * sizeof *x);
    double *y = malloc(ROWS * sizeof *y), *w = calloc(WEIGHTS, sizeof *w),
           *seen = calloc(ROWS, sizeof *seen), sum = 0;
    (void)argv;
    for (int i = 0; i < ROWS; ++i) {
        int count = i * 7 % 5;
        x[i] = malloc((size_t)(count + 1) * sizeof **x);
        for (int k = 0; k < count; ++k)
            x[i][k] = (struct node){(i * 31 + k * 17) % WEIGHTS, 1 + k};
        x[i][count].index = -1;
        y[i] = i % 9;
    }
    for (int pass = 0; pass < 4; ++pass)
        train(ROWS, x, y, argc > 1 ? (double *)x[5] : w, seen);
    for (int i = 0; i < WEIGHTS; ++i)
        sum = sum * .9 + w[i];
    for (int i = 0; i < ROWS; ++i)
        sum += seen[i] * i;
    printf("%.17g\n", sum);
    return 0;
}
