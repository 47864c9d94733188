/* same: 1 */
/* The step of a `while` was a variable of its body, which is another one in each iteration: it was taken for one number,
 * and for the variable of that name outside. */
#include <stdio.h>

#define ROWS 300
#define M 40
static double x[ROWS * M];
static int skip[M];

static void fill(long rows, long s) {
#pragma orrery parallel
    for (long i = 0; i < rows; ++i) {
        long j = 0;
        while (j < M) {
            long s = skip[j];
            x[i * M + j] += (double)(i + s);
            j += s;
        }
        x[i * M] += (double)s;
    }
}

int main(void) {
    double sum = 0;
    for (int j = 0; j < M; ++j)
        skip[j] = 1 + j % 3;
    fill(ROWS, -1);
    for (int k = 0; k < ROWS * M; ++k)
        sum = sum * 0.99 + x[k];
    printf("%.17g\n", sum);
    return 0;
}
