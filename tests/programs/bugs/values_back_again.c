/* emit: 4 */
/* Values that change and change back, and are read by several loops: other ranks have what the last
 * of these loops was sent, not what this one was. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 60, SMALL = 40 };

struct settings {
    double *w;
    int n;
};

static void first(double *a, const struct settings *s, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        a[i] = s->n > 1 ? s->w[i] : 1;
}

static void second(double *a, const struct settings *s, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        a[i] += s->n * 2 - i;
}

/* Each rank gets the rows that its iterations read. */
static void rows(double *a, const double *x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        a[i] += x[i] * 3;
}

static void all(double *a, const double *x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i] += x[j] * (i - j);
}

int main(void) {
    double *a = calloc(N, sizeof *a), *w = calloc(N, sizeof *w), *x = calloc(N, sizeof *x);
    struct settings *s = calloc(1, sizeof *s);
    unsigned state = 1;
    s->w = w;
    for (int i = 0; i < N; i++)
        w[i] = i % 7, x[i] = i % 5;
    for (int round = 0; round < 150; round++) {
        state = state * 1103515245u + 12345u;
        s->n = state >> 16 & 3;
        x[state >> 20 & 31] = state >> 25 & 1;
        int n = SMALL + (int)(state >> 18 & 1), which = (int)(state >> 22 & 3);
        if (which == 0)
            first(a, s, n);
        else if (which == 1)
            second(a, s, n);
        else if (which == 2)
            rows(a, x, n);
        else
            all(a, x, n);
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += a[i] * (i + 1), a[i] *= .5;
        printf("%d %.9g\n", which, sum);
    }
    return 0;
}
