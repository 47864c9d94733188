/* Weights that do not stay in the caches, of examples behind pointers: nothing behind the last one, behind its numbers
 * or behind a pointer that leads nowhere is there.
 * loop: parallel relaxed
 * loop: parallel relaxed
 * result: near 1e-9
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXAMPLES = 4000, FEATURES = 300000 };

struct example {
    int n;
    const int *at;
    const double *value;
    double y;
};

static double learn(struct example **examples, int m, double *w) {
    double error = 0;
#pragma orrery parallel unordered relax(w) grid(1, 1) extent(w : FEATURES)
    for (int i = 0; i < m; ++i) {
        double s = 0;
        for (int k = 0; k < examples[i]->n; ++k)
            s += w[examples[i]->at[k]] * examples[i]->value[k];
        error += (examples[i]->y - s) * (examples[i]->y - s);
        for (int k = 0; k < examples[i]->n; ++k)
            w[examples[i]->at[k]] += .05 * (examples[i]->y - s) * examples[i]->value[k];
    }
    return error;
}

static double learn_some(struct example **examples, int m, double *w) {
    double error = 0;
#pragma orrery parallel unordered relax(w) grid(1, 1) extent(w : FEATURES)
    for (int i = 0; i < m; ++i) {
        if (examples[i] == NULL)
            continue;
        double s = 0;
        for (int k = 0; k < examples[i]->n; ++k)
            s += w[examples[i]->at[k]] * examples[i]->value[k];
        error += (examples[i]->y - s) * (examples[i]->y - s);
        for (int k = 0; k < examples[i]->n; ++k)
            w[examples[i]->at[k]] += .05 * (examples[i]->y - s) * examples[i]->value[k];
    }
    return error;
}

int main(void) {
    struct example **all = malloc(EXAMPLES * sizeof *all);
    struct example **some = malloc(EXAMPLES * sizeof *some);
    struct example *examples = malloc(EXAMPLES * sizeof *examples);
    int *at = malloc(3 * EXAMPLES * sizeof *at);
    double *value = malloc(3 * EXAMPLES * sizeof *value), *w = calloc(FEATURES, sizeof *w);
    for (int i = 0; i < EXAMPLES; ++i) {
        int n = i == EXAMPLES - 1 ? 3 : i % 4;
        for (int k = 0; k < 3; ++k) {
            at[3 * i + k] = (int)((i * 7919L + k * 104729L) % FEATURES);
            value[3 * i + k] = 1 + (i + k) % 5;
        }
        examples[i] = (struct example){n, n ? at + 3 * i : NULL, n ? value + 3 * i : NULL, i % 3};
        all[i] = &examples[i];
        some[i] = i % 5 == 1 ? NULL : all[i];
    }
    for (int pass = 0; pass < 3; ++pass) {
        printf("%.9f ", learn(all, EXAMPLES, w));
        printf("%.9f\n", learn_some(some, EXAMPLES, w));
    }
    for (int f = 0; f < FEATURES; f += 9973)
        printf("%.9f\n", w[f]);
    return 0;
}
