/* ALS for one user after another with the scratch matrix allocated once in front of the loop and cleared per user.
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void solve(double *A, double *b, int f) {
    for (int c = 0; c < f; c++)
        for (int r = 0; r < f; r++)
            if (r != c) {
                double m = A[r * f + c] / A[c * f + c];
                for (int k = 0; k < f; k++) A[r * f + k] -= m * A[c * f + k];
                b[r] -= m * b[c];
            }
    for (int c = 0; c < f; c++) b[c] /= A[c * f + c];
}

int main(void) {
    int users = 25, items = 12, f = 3;
    int *ptr = malloc((users + 1) * sizeof(int)), *it = malloc(users * 4 * sizeof(int));
    double *X = malloc(users * f * sizeof(double)), *Y = malloc(items * f * sizeof(double));
    double *A = malloc(f * f * sizeof(double)), *b = malloc(f * sizeof(double));
    for (int u = 0; u <= users; u++) ptr[u] = u * 4;
    for (int p = 0; p < users * 4; p++) it[p] = (p * 5 + p / 4) % items;
    for (int i = 0; i < items * f; i++) Y[i] = (i * 7 % 10) / 5.0;
#pragma orrery parallel
    for (int u = 0; u < users; u++) {
        memset(A, 0, f * f * sizeof(double));
        memset(b, 0, f * sizeof(double));
        for (int i = 0; i < f; i++) A[i * f + i] = 0.5;
        for (int p = ptr[u]; p < ptr[u + 1]; p++) {
            double *y = Y + it[p] * f;
            for (int i = 0; i < f; i++) {
                b[i] += (1 + it[p] % 3) * y[i];
                for (int j = 0; j < f; j++) A[i * f + j] += y[i] * y[j];
            }
        }
        solve(A, b, f);
        for (int i = 0; i < f; i++) X[u * f + i] = b[i];
    }
    for (int u = 0; u < users; u += 6) printf("%.12f %.12f\n", X[u * f], X[u * f + 2]);
    return 0;
}
