/* emit: 2 */
#include <stdio.h>
#include <stdlib.h>

struct options {
    double rate;
    int shift[4];
};
struct model {
    double *w;
    int n;
};

static double weigh(const struct options *o, double x) {
    return o->rate * x;
}

static void run(struct options o, double *y) {
#pragma orrery parallel
    for (int i = 0; i < 64; ++i)
        y[i] = weigh(&o, i) + o.shift[i % 4];
}

static void through(struct model *m) {
#pragma orrery parallel
    for (int i = 0; i < m->n; ++i)
        m->w[i] = m->w[i] * 2 + m->n;
}

int main(void) {
    double *y = malloc(64 * sizeof *y), sum = 0;
    struct options o = {.rate = .25, .shift = {1, 2, 3, 4}};
    struct model m = {malloc(64 * sizeof(double)), 64};
    run(o, y);
    for (int i = 0; i < 64; ++i)
        m.w[i] = y[i];
    through(&m);
    for (int i = 0; i < 64; ++i)
        sum += m.w[i];
    printf("%g\n", sum);
    free(m.w), free(y);
    return 0;
}
