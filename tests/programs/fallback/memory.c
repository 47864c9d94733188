/*
 * Loops of several kinds; starved.sh lets the memory for their plans be wanting.
 */
#include <stdio.h>
#include <stdlib.h>
static int k[4000];
static double x[4000];
static double h[64];
static double rowsum[16], *table[8];
__attribute__((noinline)) static void keyed(int n) {
    for (int i = 0; i < n; i++)
        h[k[i]] = h[k[i]] * .5 + x[i];
}
__attribute__((noinline)) static double sum(int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        x[i] = x[i] * .75 + 1;
        s += x[i];
    }
    return s;
}
__attribute__((noinline)) static void hist(int n) {
    for (int i = 0; i < n; i++)
        rowsum[k[i] % 16] += x[i];
}
__attribute__((noinline)) static void wave(double *a, int n, int m) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i * m + j] = a[i * m + j] * .5 + a[(i - 1) * m + j] * .25 + a[i * m + j - 1] * .25;
}
__attribute__((noinline)) static void tables(double **t, int n) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 8; c++)
            t[c][k[i] % 16] += c;
}
__attribute__((noinline)) static void passes(int n, int times) {
    for (int p = 0; p < times; p++)
        for (int i = 0; i < n; i++)
            h[k[i]] = h[k[i]] * .5 + p;
}
int main(void) {
    double *a = malloc(100 * 100 * 8);
    double t = 0;
    for (int c = 0; c < 8; c++)
        table[c] = calloc(16, sizeof **table);
    for (int i = 0; i < 10000; i++)
        a[i] = i % 97;
    for (int i = 0; i < 4000; i++) {
        k[i] = i * 37 % 64;
        x[i] = i % 11;
    }
    for (int p = 0; p < 3; p++) {
        keyed(4000);
        t += sum(4000);
        hist(4000);
        tables(table, 4000);
        passes(4000, 3);
        wave(a, 100, 100);
    }
    double s = t;
    for (int i = 0; i < 64; i++)
        s = s * .9 + h[i];
    for (int i = 0; i < 16; i++)
        s = s * .9 + rowsum[i] + table[i % 8][i];
    for (int i = 0; i < 10000; i++)
        s = s * .99 + a[i];
    printf("%.12g\n", s);
    free(a);
}
