/* Softmax regression in batches: sums into double ** rows, allocated row by row and as one block, by small functions.
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
static double **mat(int r, int c) { double **m = malloc(r * sizeof *m); for (int i = 0; i < r; i++) m[i] = calloc(c, sizeof **m); return m; }
static double **block(int r, int c) { double **m = malloc(r * sizeof *m); m[0] = calloc(r * c, sizeof **m); for (int i = 1; i < r; i++) m[i] = m[0] + i * c; return m; }
static void zero(double **m, int r, int c) { for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) m[i][j] = 0; }
static void outer_add(double **m, const double *a, const double *b, int r, int c) { int i, j; for (i = 0; i < r; i++) for (j = 0; j < c; j++) m[i][j] += a[i] * b[j]; }
int main(void) {
    int n = 900, d = 7, k = 4, batch = 90;
    double **W = mat(k, d), **G = mat(k, d), **H = block(k, d), **X = mat(n, d); int *y = malloc(n * sizeof *y);
    unsigned *seen[3]; for (int i = 0; i < 3; i++) seen[i] = calloc(5, sizeof(unsigned));
    for (int i = 0; i < n; i++) { for (int j = 0; j < d; j++) X[i][j] = (i * (j + 3) % 17) / 17.0; y[i] = (i * 5 + i / 7) % k; }
    for (int e = 0; e < 4; e++) {
        double loss = 0;
        for (int s = 0; s < n; s += batch) {
            zero(G, k, d);
            #pragma orrery parallel unordered
            for (int i = s; i < s + batch; i++) {
                double p[8], sum = 0;
                for (int c = 0; c < k; c++) { double z = 0; for (int j = 0; j < d; j++) z += W[c][j] * X[i][j]; sum += p[c] = exp(z); }
                for (int c = 0; c < k; c++) p[c] = p[c] / sum - (y[i] == c);
                loss -= log(p[y[i]] + 1);
                outer_add(G, p, X[i], k, d);
                for (int c = 0; c < k; c++) for (int j = 0; j < d; j++) H[c][j] += p[c] * p[c] * X[i][j];
                for (int c = 0; c < 3; c++) seen[c][(i + c) % 5]++;
            }
            for (int c = 0; c < k; c++) for (int j = 0; j < d; j++) W[c][j] -= .5 / batch * G[c][j];
        }
        printf("%d %.9f\n", e, loss);
    }
    printf("%.9f %.9f %u %u\n", W[1][2], H[3][6], seen[0][3], seen[2][0]);
    return 0;
}
