/*
 * Subscripts, bounds and conditions that are affine, in the ways people write them.
 *
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * result: same
 * ranks: refused cannot be divided among ranks
 */
#include <stdio.h>

enum { N = 640, SIDE = 90 };

static void mirrored(float *a, const float *b, int n, int c) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        a[c - i] = b[2 * i] + b[i + 1];
}

static void every_third(float *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (i % 3 == 0)
            a[i] += a[i + 1] + a[i + 2];
}

static void split_index(float (*restrict a)[64], const float *restrict b, int n) {
#pragma orrery parallel
    for (int k = 0; k < n * 64; k++)
        a[k / 64][k % 64] = b[k] * 2;
}

static void triangle(double (*restrict to)[SIDE], const double (*restrict from)[SIDE], int n) {
#pragma orrery parallel
    for (int i = n - 1; i >= 0; i -= 2)
        for (int j = i; j < n; j++)
            to[i][j] = from[j][i] * 2 + j;
}

static void antidiagonals(double (*a)[SIDE], int n) {
#pragma orrery parallel
    for (int d = 0; d < 2 * n - 1; d++)
        for (int i = d < n ? 0 : d - n + 1; i <= d && i < n; i++)
            a[i][d - i] += i - d;
}

static void above_and_below(double (*a)[SIDE], int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j >= i)
                continue;
            a[i][j] = a[j][i];
        }
}

static void backwards(float *a, int n) {
    int i = n;
#pragma orrery parallel
    while (i-- > 0)
        a[i] *= .5f;
}

static void halves(float *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n / 2; i++)
        a[i] += a[i + n / 2];
}

int main(void) {
    static float a[2 * N], b[2 * N + 2], table[N / 64][64];
    static double x[SIDE][SIDE], y[SIDE][SIDE];
    for (int i = 0; i < 2 * N + 2; i++)
        b[i] = (float)(i * 37 % 101);
    for (int i = 0; i < SIDE * SIDE; i++)
        x[i / SIDE][i % SIDE] = i * 11 % 53;
    mirrored(a, b, N, N);
    every_third(a, N);
    split_index(table, b, N / 64);
    triangle(y, (const double(*)[SIDE])x, SIDE);
    antidiagonals(x, SIDE);
    above_and_below(x, SIDE);
    backwards(a, N);
    halves(a, N);
    double sum = 0;
    for (int i = 0; i < 2 * N; i++)
        sum = sum * .75 + a[i] + table[i % N / 64][i % 64];
    for (int i = 0; i < SIDE * SIDE; i++)
        sum = sum * .875 + x[i / SIDE][i % SIDE] + y[i / SIDE][i % SIDE];
    printf("%.17g\n", sum);
    return 0;
}
