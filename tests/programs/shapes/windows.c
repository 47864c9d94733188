/* A moving average: rows of what is only read overlap, whatever step and width are.
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

static double smooth(double *out, const double *in, long n, int step, int width) {
#pragma orrery parallel
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < width; k++)
            sum += in[i * step + k];
        out[i] = sum / width;
    }
    double all = 0;
    for (long i = 0; i < n; i++)
        all = all * 0.99 + out[i];
    return all;
}

int main(void) {
    long n = 500;
    double *in = malloc((n * 7 + 9) * sizeof *in), *out = malloc(n * sizeof *out);
    for (long i = 0; i < n * 7 + 9; i++)
        in[i] = i * 7919 % 101;
    printf("%.10g\n", smooth(out, in, n, 2, 9));
    printf("%.10g\n", smooth(out, in, n, 7, 7));
    printf("%.10g\n", smooth(out, in, n, 1, 3));
    free(in);
    free(out);
    return 0;
}
