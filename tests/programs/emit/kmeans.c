/* emit: 1 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static double distance(const float *a, const float *b, int D) {
    double sum = 0;
    for (int d = 0; d < D; ++d)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

int main(void) {
    int n = 2000, D = 4, C = 7;
    float *x = malloc((size_t)n * D * sizeof *x), *centre = malloc((size_t)C * D * sizeof *centre);
    double *sum = calloc((size_t)C * D, sizeof *sum);
    int *size = calloc(C, sizeof *size), *label = calloc(n, sizeof *label);
    for (int i = 0; i < n * D; ++i)
        x[i] = (float)(i * 7919L % 1000);
    for (int i = 0; i < C * D; ++i)
        centre[i] = x[i * 3];
    for (int step = 0; step < 3; ++step) {
        long moved = 0;
        for (int i = 0; i < C * D; ++i)
            sum[i] = size[i / D] = 0;
#pragma orrery parallel unordered
        for (int i = 0; i < n; ++i) {
            int best = 0;
            double least = DBL_MAX;
            for (int c = 0; c < C; ++c) {
                double d2 = distance(x + i * D, centre + c * D, D);
                if (d2 < least) {
                    least = d2;
                    best = c;
                }
            }
            moved += label[i] != best;
            label[i] = best;
            size[best]++;
            for (int d = 0; d < D; ++d)
                sum[best * D + d] += x[i * D + d];
        }
        for (int i = 0; i < C * D; ++i)
            centre[i] = (float)(int)(size[i / D] ? sum[i] / size[i / D] : 0);
        printf("%ld %d %g\n", moved, size[0], sum[5]);
    }
    free(x), free(centre), free(sum), free(size), free(label);
    return 0;
}
