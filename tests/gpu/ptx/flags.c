/* Small loops of every kind whose rows wait for each other: for faults.sh, which runs them often. */
#include <stdio.h>
#include <stdlib.h>

enum { USERS = 24, ITEMS = 24, K = 132, ENDS = 400, SIDE = 160 };

struct pair {
    int a, b;
    float value;
};

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static float W[USERS * K], H[ITEMS * K], at[USERS * K];
static double level[ENDS], x[USERS], y[ITEMS], table[SIDE][SIDE];

/* Rotation: columns are handed on, lanes sum. */
static double rotate(const struct pair *r, long n) {
    double loss = 0;
#pragma orrery parallel unordered grid(8, 8)
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)r[i].a * K, *h = H + (long)r[i].b * K, e = r[i].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < K; ++k) {
            float wk = w[k];
            w[k] += .01f * e * h[k];
            h[k] += .01f * e * wk;
        }
    }
    return loss;
}

/* Tournament: two batons a block. */
static void attract(const struct pair *g, long n) {
#pragma orrery parallel unordered grid(8, 15)
    for (long i = 0; i < n; ++i) {
        float *p = at + (long)g[i].a * K, *q = at + (long)g[i].b * K;
        for (int k = 0; k < 8; ++k) {
            float apart = p[k] - q[k];
            p[k] -= .1f * g[i].value * apart;
            q[k] += .1f * g[i].value * apart;
        }
    }
}

/* Levels: wide ones, of which several warps have rows. */
static void relay(const struct pair *g, long n) {
#pragma orrery parallel grid(8, 1)
    for (long i = 0; i < n; ++i) {
        double give = level[g[i].a] * .25;
        level[g[i].a] -= give;
        level[g[i].b] += give + g[i].value;
    }
}

/* The file's order is a rotation's. */
static void sweep(const struct pair *g, long n) {
#pragma orrery parallel grid(8, 8)
    for (long i = 0; i < n; ++i) {
        double t = x[g[i].a] * .5 + y[g[i].b] * .25 + g[i].value;
        x[g[i].a] = t;
        y[g[i].b] -= t * .125;
    }
}

/* Wavefront: a row waits for the row before. */
static void wave(int rows) {
#pragma orrery parallel grid(23, 10)
    for (int i = 1; i < rows; ++i)
        for (int j = 1; j < SIDE; ++j)
            table[i][j] =
                .25 * (table[i - 1][j] + table[i][j - 1]) + .5 * table[i - 1][j - 1] + i % 3;
}

int main(void) {
    long n = 288, ends = 4 * ENDS / 2;
    struct pair *r = malloc(n * sizeof *r), *g = malloc(n * sizeof *g);
    struct pair *sorted = malloc(n * sizeof *sorted), *moves = malloc(ends * sizeof *moves);
    double total = 0;
    for (long i = 0; i < n; ++i) {
        r[i] = (struct pair){(int)(i * 7919 % USERS), (int)(i * i % ITEMS), (float)(i % 9) * .25f};
        g[i] = (struct pair){(int)(i * 613 % USERS), (int)((i * 613 + 1 + i % (USERS - 1)) % USERS),
                             (float)(i % 7) * .5f};
        sorted[i] = (struct pair){(int)(i * USERS / n), (int)(i % 12 * 2), (float)(i % 5)};
    }
    for (long i = 0; i < ends; ++i) {
        long from = (2 * i + i / (ENDS / 2)) % ENDS;
        moves[i] = (struct pair){(int)from, (int)((from + 1) % ENDS), (float)(i % 7)};
    }
    for (int i = 0; i < USERS * K; ++i) {
        W[i] = (float)(i * 31 % 100) * .004f, at[i] = (float)(i * 13 % 50) * .02f;
        H[i % (ITEMS * K)] = (float)(i * 17 % 100) * .004f;
    }
    printf("%.9g\n", rotate(r, n / 2));
    attract(g, n);
    relay(moves, ends);
    sweep(sorted, n);
    wave(24);
    for (int i = 0; i < USERS; ++i)
        total += at[i * K] + W[i * K] + H[i * K] + x[i] + y[i] + level[i] + table[i][SIDE - 1];
    printf("%.9g\n", total);
}
