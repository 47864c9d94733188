/*
 * Stochastic gradient descent on generated ratings of the shape of Netflix's: 480,189 users, 17,770
 * items, 100 million ratings, both by a power law.
 * usage: bench RANK RATINGS PASSES [COPY_GB_PER_S]
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct rating {
    int user, item;
    float value;
};

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static double uniform(uint64_t n) {
    return (double)(mix(n + 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

/* Ranks with a density that falls with the square root; the names of the ranks are mixed. */
static int draw(uint64_t n, int count, uint64_t stride) {
    double u = uniform(n);
    return (int)((uint64_t)(u * u * count) * stride % (uint64_t)count);
}

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    int K = argc > 1 ? atoi(argv[1]) : 32, passes = argc > 3 ? atoi(argv[3]) : 3;
    long count = argc > 2 ? atol(argv[2]) : 1000000;
    double copy = argc > 4 ? atof(argv[4]) : 0, best = INFINITY;
    int users = count < 1000000 ? 2000 : 480189, items = count < 1000000 ? 400 : 17770;
    float rate = .005f, lambda = .05f;
    struct rating *r = malloc((size_t)count * sizeof *r);
    float *W = malloc(sizeof(float) * (size_t)users * (size_t)K);
    float *H = malloc(sizeof(float) * (size_t)items * (size_t)K);
    if (K < 1 || !r || !W || !H)
        return 2;
    for (long n = 0; n < count; ++n) {
        r[n].user = draw((uint64_t)n * 3, users, 7919);
        r[n].item = draw((uint64_t)n * 3 + 1, items, 7919);
        r[n].value = (float)(1 + 4 * uniform((uint64_t)n * 3 + 2));
    }
    for (long i = 0; i < (long)users * K; ++i)
        W[i] = (float)(uniform((uint64_t)i) * 2 / sqrt(K));
    for (long i = 0; i < (long)items * K; ++i)
        H[i] = (float)(uniform((uint64_t)i * 5) * 2 / sqrt(K));
    for (int pass = 0; pass < passes; ++pass) {
        double loss = 0, start = now();
#pragma orrery parallel unordered
        for (long n = 0; n < count; ++n) {
            float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
            float e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            loss += e * e;
            for (int k = 0; k < K; ++k) {
                float wk = w[k];
                w[k] += rate * (e * h[k] - lambda * wk);
                h[k] += rate * (e * wk - lambda * h[k]);
            }
        }
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        printf("rank %d pass %d rmse %.4f seconds %.4f\n", K, pass + 1, sqrt(loss / (double)count),
               seconds);
    }
    /* Both rows are read and written once per rating, the record is read. */
    double bytes = (double)count * (16.0 * K + 12);
    printf("bench rank %d ratings %ld seconds %.4f updates/s %.4g GB/s %.1f", K, count, best,
           (double)count / best, bytes / best / 1e9);
    if (copy > 0)
        printf(" share %.2f", bytes / best / 1e9 / copy);
    printf("\n");
    free(r), free(W), free(H);
    return 0;
}
