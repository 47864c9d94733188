/* Real numbers that count beside real numbers that learn: by default the former are added. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, K = 8, V = 64 };
static double topics[K], flat[V * K], w[V], seen[V], squares[V], x[N];
static int at[N], z[N];

/* The amounts do not depend on what is relaxed, only where they go to. */
static void counts(void) {
#pragma orrery parallel unordered relax(topics, flat)
    for (int i = 0; i < N; ++i) {
        topics[z[i]] -= 1;
        flat[at[i] * K + z[i]] -= 1;
        double p[K], total = 0;
        for (int k = 0; k < K; ++k)
            p[k] = total += (flat[at[i] * K + k] + .1) / (topics[k] + 1);
        double u = x[i] * total;
        int k;
        for (k = 0; k < K - 1; ++k)
            if (u < p[k])
                break;
        z[i] = k;
        topics[k] += 1;
        flat[at[i] * K + k]++;
    }
}

/* Whether w changes depends on w. */
static void perceptron(void) {
#pragma orrery parallel unordered relax(w)
    for (int i = 0; i < N; ++i) {
        if (w[at[i]] * x[i] + w[z[i]] > 0)
            continue;
        w[at[i]] += x[i];
        w[z[i]] += .1;
    }
}

static double error(const double *s) {
    return *s - 1;
}

/* seen counts; squares and w depend on w by way of a function. */
static void adagrad(void) {
#pragma orrery parallel unordered relax(w, seen, squares)
    for (int i = 0; i < N; ++i) {
        double s = w[at[i]] * x[i], g = error(&s);
        seen[at[i]] += x[i] > .5 ? 2 : 1;
        squares[at[i]] += g * g;
        w[at[i]] -= g / (seen[at[i]] + squares[at[i]]);
    }
}

static double sum_of(const double *values, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += values[i];
    return sum;
}

int main(void) {
    double wanted = 0;
    for (int i = 0; i < N; ++i) {
        at[i] = rand() % V;
        z[i] = rand() % K;
        x[i] = rand() / (double)RAND_MAX;
        wanted += x[i] > .5 ? 2 : 1;
        topics[z[i]] += 1;
        flat[at[i] * K + z[i]] += 1;
    }
    counts();
    perceptron();
    adagrad();
    printf("%g %g %g\n", sum_of(topics, K) - N, sum_of(flat, V * K) - N, sum_of(seen, V) - wanted);
    return 0;
}
