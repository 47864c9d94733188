/* plain */
/* Wavefronts: a row of tiles per warp, an iteration per lane, each a position behind. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 203, M = 157 };

struct cell {
    float value, load;
};

static double a[N][M], u[N][M], v[N][M], w[N][M], line[N];
static int best[N][M];
static struct cell cells[N][M];

static unsigned hash(const void *memory, size_t bytes) {
    const unsigned char *byte = memory;
    unsigned h = 2166136261u;
    while (bytes--)
        h = (h ^ *byte++) * 16777619u;
    return h;
}

static double square(double x) {
    return x * x;
}

/* Downwards, with variables of the function and a border that is a statement. */
static void backwards(void) {
    int i, j;
#pragma orrery parallel
    for (i = N - 2; i >= 0; --i) {
        best[i][M - 1] = i % 3;
        for (j = M - 2; j >= 0; j--)
            if ((i * 7) % 5 == (j * 3) % 5)
                best[i][j] = best[i + 1][j + 1] + 1;
            else
                best[i][j] = best[i + 1][j] > best[i][j + 1] ? best[i + 1][j] : best[i][j + 1];
    }
    printf("%x\n", hash(best, sizeof best));
}

/* Unsigned variables, a statement behind the loop, a flat table of the heap. */
static void rows(double (*row)[M], size_t n) {
#pragma orrery parallel
    for (size_t i = 1; i < n; ++i) {
        double *here = row[i];
        const double *up = row[i - 1];
        for (size_t j = 1; j < M - 1; ++j)
            here[j] = .25 * (here[j - 1] + 2 * up[j] + up[j + 1]);
        here[M - 1] = here[M - 2];
    }
}

/* A time step of two loops by steps of two, and a maximum. */
static double red_and_black(int steps) {
    double worst = 0;
#pragma orrery parallel
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < N - 1; i += 2)
            for (int j = 1; j < M - 1; ++j) {
                double old = w[i][j], change;
                w[i][j] = .25 * (w[i - 1][j] + w[i + 1][j] + w[i][j - 1] + w[i][j + 1]);
                change = square(old - w[i][j]);
                if (change > worst)
                    worst = change;
            }
        for (int i = 2; i < N - 1; i += 2)
            for (int j = 1; j < M - 1; ++j)
                w[i][j] = .25 * (w[i - 1][j] + w[i + 1][j] + w[i][j - 1] + w[i][j + 1]);
    }
    return worst;
}

static void triangle(int n, double (*x)[M]) {
    double t;
#pragma orrery parallel grid(5, 9)
    for (int i = 1; i < n; ++i)
        for (int j = 0; j <= i - 1; ++j) {
            t = x[i - 1][j] * .5;
            t += j > 0 ? x[i][j - 1] * .25 : 1;
            x[i][j] = t;
        }
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 9;
    double(*table)[M] = malloc(sizeof w);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < M; ++j) {
            a[i][j] = (i * 31 + j * 17) % 101;
            u[i][j] = (i * 13 + j * 7) % 53;
            w[i][j] = (i + j) % 7;
            cells[i][j] = (struct cell){(float)(i % 9), (float)(j % 5)};
        }
    for (int s = 0; s < 3; ++s) {
#pragma orrery parallel
        for (int i = 1; i < N - 1; ++i)
            for (int j = 1; j < M - 1; ++j)
                a[i][j] = .25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    }
#pragma orrery parallel
    for (int i = 1; i < N - 1; ++i) {
        double *row = a[i], *up = a[i - 1];
        for (int j = 1; j < M - 1; ++j)
            row[j] = .1 * (up[j - 1] + up[j] + up[j + 1] + row[j - 1] + row[j] + row[j + 1] +
                           a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]);
    }
    printf("%x\n", hash(a, sizeof a));
#pragma orrery parallel
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < N - 1; ++i)
            for (int j = 1; j < M - 1; ++j)
                v[i][j] = .2 * (u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (int i = 1; i < N - 1; ++i)
            for (int j = 1; j < M - 1; ++j)
                u[i][j] = v[i][j];
    }
    printf("%x %x\n", hash(u, sizeof u), hash(v, sizeof v));
    backwards();
    double worst = red_and_black(steps);
    printf("%x %g\n", hash(w, sizeof w), worst);
    for (int i = 0; i < N; ++i)
        line[i] = i % 11;
    memcpy(table, w, sizeof w);
    /* Many more time steps than points: rows of the grid have work in a few columns only. */
#pragma orrery parallel
    for (int t = 0; t < 700; ++t)
        for (int i = 1; i < N - 1; ++i)
            line[i] = (line[i - 1] + line[i] + line[i + 1]) * .3333;
    printf("%x\n", hash(line, sizeof line));
    rows(table, N);
    memcpy(w, table, sizeof w);
    free(table);
    printf("%x\n", hash(w, sizeof w));
    triangle(M, u);
    printf("%x\n", hash(u, sizeof u));
#pragma orrery parallel
    for (long i = 1; i < N; i += 3)
        for (long j = M - 1; j > 0; j -= 2)
            cells[i][j].value += cells[i - 1][j].load + .5f * cells[i][(j + 1) % M].value;
#pragma orrery parallel
    for (long i = 1; i < N; ++i)
        for (long j = 1; j < M; ++j)
            cells[i][j].value += .5f * cells[i - 1][j].value + .25f * cells[i][j - 1].value;
    printf("%x\n", hash(cells, sizeof cells));
    return 0;
}
