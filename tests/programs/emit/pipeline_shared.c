/* emit: 1, one rank */
/* A pipeline with an array that two stages touch. */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { D = 24 };

static double mean[D], weights[D];

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}

static void centre(double *x, const double *row, int n) {
    for (int k = 0; k < n; ++k)
        x[k] = row[k] - mean[k];
}

/* An array that one stage writes and a later one reads, of the same iteration and earlier ones; a
 * called function that fills the iteration's array; a length that the run tells. */
static void along(const double *restrict raw, double *restrict y, double *restrict z, int m,
                  long n) {
#pragma orrery parallel
    for (long i = 2; i < n; i += 2) {
        double x[D], own[m];
        memset(own, 0, sizeof own);
        for (int k = 0; k < D; ++k)
            mean[k] += (raw[i * D + k] - mean[k]) / sqrt(i + 1.0) + exp(-fabs(mean[k])) / 1e3;
        centre(x, raw + i * D, D);
        y[i] = y[i - 2] / 2 + dot(x, mean, D);
        for (int k = 0; k < m; ++k)
            own[k] = weights[k] * y[i] + y[i - 1];
        for (int k = 0; k < m; ++k)
            weights[k] += .001 * own[k] / (1 + fabs(own[k]));
        z[i] = z[i - 2] + dot(own, weights, m) + y[i - 2];
    }
}

static double raw[301 * D], y[301], z[301];

static void print(const char *name, const double *x, int n) {
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum = sum * 1.25 + x[k];
    printf(" %s %.17g", name, sum);
}

int main(void) {
    static const long sizes[] = {300, 0, 1, 2, 5, 33, 0, 127};
    unsigned state = 12345;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (int i = 0; i < 301 * D; ++i)
            raw[i] = (double)((state = state * 1103515245u + 12345u) >> 8) / (1 << 20) - 8;
        for (int i = 0; i < 301; ++i)
            y[i] = raw[i * 7] / 8;
        along(raw, y, z, 5 + (int)s, sizes[s]);
        print("mean", mean, D);
        print("weights", weights, D);
        print("y", y, 300);
        print("z", z, 300);
        printf("\n");
    }
    return 0;
}
