/* programs.sh writes a function CASE for each loop of loops.txt and replaces the words in capitals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 500 };

struct st {
    double a;
    int b;
};

static double x[N * 16 + 64], y[N * 16 + 64], g[16];
static int u[N * 16 + 64], v[N * 16 + 64];
static double *rows[2];
static double *keep;

static double peek(void) {
    return keep[2];
}

static void fill(double *t, const double *from, int K) {
    for (int k = 0; k < K; k++)
        t[k] = from[k] + 1;
}

static void fillif(double *t, const double *from, int K, int c) {
    if (c > 3)
        for (int k = 0; k < K; k++)
            t[k] = from[k] + 1;
}

static void fillret(double *t, const double *from, int K, int c) {
    for (int k = 0; k < K; k++) {
        if (k == c)
            return;
        t[k] = from[k] + 1;
    }
}

static double sum(const double *t, int K) {
    double s = 0;
    for (int k = 0; k < K; k++)
        s += t[k];
    return s;
}

static void gfill(const double *from) {
    for (int k = 0; k < 16; k++)
        g[k] = from[k] + 1;
}

static double gsum(void) {
    return sum(g, 16);
}

static void CASE(void) {
    double s = 0, s2 = 0;
    memset(g, 0, sizeof g);
    for (int i = 0; i < N * 16 + 64; i++) {
        x[i] = (i * 37) % 19;
        y[i] = 0;
        u[i] = (i * 29 + i / 7) % 17;
        v[i] = (i * 13) % 5;
    }
    rows[0] = calloc(8, sizeof(double));
    rows[1] = calloc(8, sizeof(double));
    keep = g;
    /* clang-format off */
    DECLARATION
#pragma orrery parallel
    for (int n = 0; n < N; n++) {
        BODY
    }
    AFTER
    for (int i = 0; i < N * 16; i++)
        s += y[i] * (1 + i % 7);
    /* clang-format on */
    printf("%s %.17g %.17g %.17g %.17g\n", __func__, s, s2, peek(),
           gsum() + rows[0][1] + (v[0] + sizeof(struct st)));
    fill(g, x, 1);
    fillif(g, x, 1, 1);
    fillret(g, x, 1, 1);
    gfill(x);
    free(rows[0]);
    free(rows[1]);
}
