/* Three keys, one table through two keys,
 * the loop's own order by levels and by a rotation in order. */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int i, j, k;
    float value;
};
struct edge {
    int from, to;
    float weight;
};

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

/* Three keys: a rotation of three dims. */
static double factorize(const struct cell *c, long n, float *A, float *B, float *C, int R,
                        float rate) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long m = 0; m < n; ++m) {
        float *a = A + (long)c[m].i * R, *b = B + (long)c[m].j * R, *d = C + (long)c[m].k * R;
        float e = c[m].value;
        for (int r = 0; r < R; ++r)
            e -= a[r] * b[r] * d[r];
        loss += e * e;
        for (int r = 0; r < R; ++r) {
            float x = a[r], y = b[r], z = d[r];
            a[r] += rate * e * y * z;
            b[r] += rate * e * x * z;
            d[r] += rate * e * x * y;
        }
    }
    return loss;
}

/* Both ends of an edge in one table: a tournament. */
static void attract(const struct edge *g, long n, float *at, int D, float rate) {
#pragma orrery parallel unordered
    for (long m = 0; m < n; ++m) {
        float *p = at + (long)g[m].from * D, *q = at + (long)g[m].to * D;
        float s = 0;
        for (int d = 0; d < D; ++d)
            s += (p[d] - q[d]) * (p[d] - q[d]);
        float f = rate * (g[m].weight - s);
        for (int d = 0; d < D; ++d) {
            float x = p[d] - q[d];
            p[d] += f * x;
            q[d] -= f * x;
        }
    }
}

/* In the file's order, any row with any other: levels. */
static long relay(const struct edge *g, long n, double *level, int *seen) {
    long moved = 0;
#pragma orrery parallel
    for (long m = 0; m < n; ++m) {
        double give = level[g[m].from] * .25;
        level[g[m].from] -= give;
        level[g[m].to] += give + g[m].weight;
        seen[g[m].to] = (int)m;
        moved += give > 1;
    }
    return moved;
}

/* In the file's order; where each key rises inside
 * of the other a rotation in order, else levels. */
static void sweep(const struct cell *c, long n, double *x, double *y) {
#pragma orrery parallel
    for (long m = 0; m < n; ++m) {
        double t = x[c[m].i] * .5 + y[c[m].j] * .25 + c[m].value;
        x[c[m].i] = t;
        y[c[m].j] -= t * .125;
    }
}

int main(int argc, char **argv) {
    int R = argc > 1 ? atoi(argv[1]) : 9, I = argc > 2 ? atoi(argv[2]) : 30, J = 20, K = 12;
    long n = 1200;
    struct cell *c = malloc(n * sizeof *c), *sorted = malloc(n * sizeof *sorted);
    struct edge *g = malloc(n * sizeof *g);
    float *A = malloc(sizeof(float) * I * R), *B = malloc(sizeof(float) * J * R);
    float *C = malloc(sizeof(float) * K * R), *at = malloc(sizeof(float) * I * R);
    double *level = malloc(I * sizeof *level), *x = calloc(I, sizeof *x), *y = calloc(J, sizeof *y);
    int *seen = calloc(I, sizeof *seen);
    double total = 0;
    for (long m = 0; m < n; ++m) {
        c[m] = (struct cell){(int)(m * 7919 % I), (int)(m * m % J), (int)(m * 31 % K),
                             (float)(m % 9) * .25f};
        sorted[m] =
            (struct cell){(int)(m * I / n), (int)(m % (n / I) * J / (n / I)), 0, (float)(m % 5)};
        g[m] = (struct edge){(int)(m * 613 % I), (int)((m * 613 + 1 + m % (I - 1)) % I),
                             (float)(m % 7) * .5f};
    }
    for (int i = 0; i < I * R; ++i)
        A[i] = (float)(i * 31 % 100) * .004f, at[i] = (float)(i * 13 % 50) * .02f;
    for (int i = 0; i < J * R; ++i)
        B[i] = (float)(i * 17 % 100) * .004f;
    for (int i = 0; i < K * R; ++i)
        C[i] = (float)(i * 11 % 100) * .004f;
    for (int i = 0; i < I; ++i)
        level[i] = i % 4;
    for (int pass = 0; pass < 2; ++pass) {
        printf("%.9g", factorize(c, n, A, B, C, R, .01f));
        attract(g, n, at, R, .002f);
        printf(" %ld\n", argc > 3 ? 0 : relay(g, n, level, seen));
        sweep(sorted, n, x, y);
        sweep(argc > 3 ? sorted : c, n, x, y);
    }
    for (int i = 0; i < I; ++i)
        total += level[i] + at[i * R] + A[i * R] + x[i] + seen[i] % 3;
    for (int j = 0; j < J; ++j)
        total += B[j * R] + y[j];
    printf("%.17g\n", total);
    free(c), free(sorted), free(g), free(A), free(B), free(C), free(at), free(level);
    free(x), free(y), free(seen);
    return 0;
}
