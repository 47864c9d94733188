/* emit: 1 */
/* Sums into arrays inside of a wavefront keep the order of the loop: the bits of the plain program. */
#include <stdio.h>

enum { N = 200, M = 300 };
static double a[N + 1][M + 1], column[M + 1], mirrored[M + 1];
static float single[M + 1];
static struct {
    double sum;
    long count;
} pairs[M + 2];

static void sweep(void) {
#pragma orrery parallel
    for (int i = 1; i < N; ++i)
        for (int j = 1; j < M; ++j) {
            a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
            column[j] += a[i][j] * 1.0000001;
            mirrored[M - j] += a[i][j] / 3;
            single[j] -= (float)a[i][j];
            pairs[j + 1].sum += a[i][j];
            pairs[j + 1].count += 1;
        }
}

int main(void) {
    for (int i = 0; i <= N; ++i)
        for (int j = 0; j <= M; ++j)
            a[i][j] = (i * 31 + j * 17) % 97 / 7.3;
    sweep();
    sweep();
    for (int j = 0; j <= M + 1; ++j)
        printf("%.17g %ld\n", pairs[j].sum, pairs[j].count);
    for (int j = 0; j <= M; ++j)
        printf("%.17g %.17g %.9g\n", column[j], mirrored[j], (double)single[j]);
    return 0;
}
