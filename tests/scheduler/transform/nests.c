/* Nests that may run in another order, and some that may not: sums of the bits of what they leave.
 * Each function's first comment says what becomes of it: tiled, or kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 350, M = 370, K = 130 };

double *leak(void);
void may_hold(int n, int m, double (*x)[M]);

struct pair {
    double x;
    int kind;
};

static double a[N][K], b[K][M], c[N][M], t[M][N];
static struct pair pairs[N][M];
static long whole[N][M];

static unsigned long bits(const void *memory, size_t bytes) {
    const unsigned char *at = memory;
    unsigned long sum = 1469598103934665603UL;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ at[i]) * 1099511628211UL;
    return sum;
}

/* tiled: the members come from a transposed array */
static void fill(void) {
    unsigned long r = 7;
    double *all[] = {a[0], b[0], c[0], t[0]};
    size_t sizes[] = {sizeof a, sizeof b, sizeof c, sizeof t};
    for (int q = 0; q < 4; q++)
        for (size_t i = 0; i < sizes[q] / sizeof(double); i++) {
            r = r * 6364136223846793005UL + 1442695040888963407UL;
            all[q][i] = (double)(r >> 40) / 16777216 - .5;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            pairs[i][j].x = t[j][i];
            pairs[i][j].kind = i ^ j;
            whole[i][j] = i * 3 - j;
        }
}

/* tiled */
static void product(int n, int m, int k) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int l = 0; l < k; l++)
                c[i][j] += a[i][l] * b[l][j];
        }
}

/* tiled */
static void columns(int n, int m, double *restrict y, const double *restrict x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += t[j][i] * x[j];
}

/* tiled */
static void triangle(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < m; j++)
            for (int l = i + 1; l < n; l++)
                c[i][j] += a[l][i] * c[l][j];
}

/* tiled */
static void rows_of_any_length(long n, long m, long k, double x[n][m], double y[n][k],
                               double z[k][m]) {
    long i, j, l;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            for (l = 0; l < k; l++)
                x[i][j] = x[i][j] - y[i][l] * z[l][j];
}

/* tiled */
static int counter_after(int n, int m) {
    int i, j;
    for (i = 2; i <= n; i++)
        for (j = 0; j < m; j++)
            t[j][i] = t[j][i] * .5 + c[i][j];
    return i;
}

/* A name that the new text would like. */
static int tile_loop0 = 2;

/* tiled */
static void structures(int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            pairs[i][j].x = pairs[i][j].x * tile_loop0 + pairs[i][j].kind;
}

/* tiled */
static void integers(int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
            whole[i][j] = whole[i - 1][j] * 5 + whole[i][j] / 3;
}

/* kept: the other order would read what is not there yet */
static void crossing(int n, int m) {
    for (int j = 1; j < m; j++)
        for (int i = 0; i < n - 1; i++)
            whole[i][j] = whole[i + 1][j - 1] + whole[i][j];
}

/* kept: the other order would write what is read later */
static void crossing_back(int n, int m) {
    for (int j = 0; j < m - 1; j++)
        for (int i = 1; i < n; i++)
            whole[i][j] = whole[i - 1][j + 1] ^ whole[i][j];
}

/* tiled: all of the one statement, then all of the other */
static void crossing_writes(int n, int m) {
    for (int j = 1; j < m; j++)
        for (int i = 0; i < n - 1; i++) {
            whole[i][j] = i - j;
            whole[i + 1][j - 1] = i * j;
        }
}

/* kept: rows are passed the right way */
static void passed(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = c[i][j] * .5 + 1;
}

/* kept: what it prints has an order */
static void printed(int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            c[i][j] += 1;
            if (c[i][j] > 1e300)
                printf("%d %d\n", i, j);
        }
}

/* kept: an inner counter is read behind it */
static int inner_after(int n, int m) {
    int i, j = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            t[j][i] += 1;
    return i + j;
}

/* kept: an inner counter is read behind its loop, and in front of it */
static void inner_inside(int n, int m) {
    int i, j = 3;
    for (i = 0; i < n; i++) {
        a[i][0] += j;
        for (j = 0; j < m; j++)
            t[j][i] += 1;
        a[i][1] += j;
    }
}

/* kept: the pragma speaks of the next loop */
static void ivdep(int n, int m) {
#pragma GCC ivdep
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            c[i][j] *= .5;
}

static double factor = 1.5;

/* kept: the array may hold the factor, for all that is known */
void may_hold(int n, int m, double (*x)[M]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            x[i][j] *= factor;
}

double *leak(void) {
    return &factor;
}

/* tiled, and not where the arrays overlap */
static void flat(int n, int m, double *x, double *y, double *z) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < m; l++)
                x[i * n + j] += y[i * m + l] * z[l * n + j];
}

static void show(const char *name) {
    printf("%s %lx %lx %lx %lx %lx %lx\n", name, bits(a, sizeof a), bits(b, sizeof b),
           bits(c, sizeof c), bits(t, sizeof t), bits(whole, sizeof whole),
           bits(pairs, sizeof pairs));
}

int main(int argc, char **argv) {
    int less = argc > 1 ? atoi(argv[1]) : 0, n = N - less, m = M - less, k = K - less;
    fill();
    product(n, m, k);
    show("product");
    columns(n, m, a[3], b[5]);
    show("columns");
    triangle(n < K ? n : K, m);
    show("triangle");
    double *x = malloc(sizeof(double) * N * M * 3);
    memcpy(x, c, sizeof c);
    memcpy(x + N * M, a, sizeof a);
    memcpy(x + 2 * N * M, b, sizeof b);
    rows_of_any_length(n, m, k, (double(*)[m])x, (double(*)[k])(x + N * M),
                       (double(*)[m])(x + 2 * N * M));
    printf("lengths %lx\n", bits(x, sizeof(double) * N * M));
    printf("counter %d\n", counter_after(n - 1, m));
    show("counter");
    structures(n, m);
    integers(n, m);
    crossing(n, m);
    crossing_back(n, m);
    crossing_writes(n, m);
    show("structures");
    passed(n, m);
    printed(n, m);
    printf("inner %d\n", inner_after(n, m));
    inner_inside(n, m);
    ivdep(n, m);
    may_hold(n, m, c);
    show("inner");
    flat(k, k, x, x + N * M, x + 2 * N * M);
    printf("flat %lx\n", bits(x, sizeof(double) * N * M));
    flat(k, k, x, x + 5, x + k);
    printf("flat %lx\n", bits(x, sizeof(double) * N * M));
    free(x);
}
