/*
 * A small system per row by elimination, whose function returns a code.
 * loop: parallel independent
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
static int eliminate(double *a, double *b, int k) {
    for (int i = 0; i < k; i++) {
        if (a[i * k + i] < 1e-9)
            return -1 - i;
        for (int j = i + 1; j < k; j++) {
            double f = a[j * k + i] / a[i * k + i];
            for (int q = i; q < k; q++)
                a[j * k + q] -= f * a[i * k + q];
            b[j] -= f * b[i];
        }
    }
    for (int i = k - 1; i >= 0; i--) {
        for (int q = i + 1; q < k; q++)
            b[i] -= a[i * k + q] * b[q];
        b[i] /= a[i * k + i];
    }
    return 0;
}
int main(void) {
    int n = 1500, k = 5;
    double *A = malloc(n * k * k * sizeof *A), *B = malloc(n * k * sizeof *B), s = 0;
    int *code = malloc(n * sizeof *code), bad = 0;
    for (int i = 0; i < n * k * k; i++)
        A[i] = i * 7919 % 31 / 31. + (i % (k * k) % (k + 1) == 0 ? 8 : 0);
    for (int i = 0; i < n * k; i++)
        B[i] = i % 13;
    A[700 * k * k] = 0;
#pragma orrery parallel
    for (int u = 0; u < n; u++)
        code[u] = eliminate(A + u * k * k, B + u * k, k);
    for (int i = 0; i < n * k; i++)
        s = s * .99 + B[i];
    for (int u = 0; u < n; u++)
        bad += code[u] != 0;
    printf("%d %.15g\n", bad, s);
    return 0;
}
