/* emit: 2 */
/* Pipelines: what travels from stage to stage, and what a stage carries. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { D = 24 };

struct seen {
    double value;
    int kind, count[3];
};

static double mean[D], spread[D], weights[D], trend[D];
static double seen_so_far;

/* Arrays, numbers, a constant and a declaration that every stage makes; sums, a last value. */
static void online(const double *restrict raw, const double *restrict y, long n) {
    double count = 0, average = 0, loss = 0, last = -1;
    long i;
#pragma orrery parallel
    for (i = 0; i < n; ++i) {
        const double *row = raw + i * D;
        double x[D], p = 0;
        count += 1;
        for (int k = 0; k < D; ++k) {
            double d = row[k] - mean[k];
            mean[k] += d / count;
            spread[k] += d * (row[k] - mean[k]);
            x[k] = d / sqrt(1e-3 + spread[k] / count);
        }
        for (int k = 0; k < D; ++k)
            p += weights[k] * tanh(x[k]);
        const double e = y[i] - p;
        for (int k = 0; k < D; ++k)
            weights[k] += .01 * e * x[k];
        for (int k = 0; k < D; ++k)
            trend[k] = .9 * trend[k] + fabs(e) / (1 + fabs(row[k]));
        average = .99 * average + .01 * e;
        loss += e * e;
        last = sizeof x / sizeof *x + e;
    }
    printf("online %ld: %.17g %.17g %.17g %.17g\n", i, count, average, loss, last);
}

/* A structure travels, and variables of the function that are an iteration's own; a global is
 * carried; some values are set under conditions only. */
static void kinds(const double *restrict raw, long n, double *restrict out) {
    double sum;
    int kind;
    unsigned hash = 7;
#pragma orrery parallel
    for (long i = n - 1; i >= 0; --i) {
        struct seen s = {raw[i * D], 0, {0}};
        float scale = 1;
        sum = 0;
        kind = 0;
        for (int k = 0; k < D; ++k) {
            mean[k] = .5 * mean[k] + raw[i * D + k];
            sum += fabs(mean[k]) / (1 + fabs(raw[i * D + k]));
        }
        if (sum > 3)
            kind = 1;
        s.kind = kind;
        s.count[kind] += (int)sum;
        for (int k = 0; k < D; ++k) {
            spread[k] = .25 * spread[k] + sum / (1 + k + s.count[1]);
            if (spread[k] > 2)
                scale = 2;
        }
        seen_so_far += spread[i % D] * scale;
        for (int k = 0; k < D; ++k)
            trend[k] += exp(-fabs(s.value)) * scale + s.kind + k / (1 + seen_so_far);
        hash = hash * 31 + (unsigned)trend[0];
        out[i] = hash + seen_so_far;
    }
    printf("kinds: %u %.17g\n", hash, seen_so_far);
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
        online(raw, y, sizes[s]);
        kinds(raw, sizes[s], z);
        print("mean", mean, D);
        print("spread", spread, D);
        print("weights", weights, D);
        print("trend", trend, D);
        print("y", y, 300);
        print("z", z, 300);
        printf("\n");
    }
    return 0;
}
