/*
 * Matrix factorization of generated ratings, a few rows of which have most of them. usage: visits PASSES
 * Prints the error over all ratings behind each pass. Compiled as plain C it is the serial program.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { USERS = 4000, ITEMS = 900, COUNT = 300000, K = 8 };

struct rating {
    int user, item;
    float value;
};

static double uniform(uint64_t n) {
    n = (n + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return (double)((n ^ (n >> 31)) >> 11) * 0x1p-53;
}

static int draw(uint64_t n, int rows, double power) {
    int rank = (int)(rows * pow(uniform(n), power));
    return (int)((long)rank * 7919 % rows);
}

static double error_of(const struct rating *r, float (*W)[K], float (*H)[K]) {
    double sum = 0;
    for (long n = 0; n < COUNT; ++n) {
        double e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= W[r[n].user][k] * H[r[n].item][k];
        sum += e * e;
    }
    return sqrt(sum / COUNT);
}

int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 6;
    struct rating *r = malloc(COUNT * sizeof *r);
    float(*W)[K] = malloc(USERS * sizeof *W), (*H)[K] = malloc(ITEMS * sizeof *H);
    for (long n = 0; n < COUNT; ++n) {
        uint64_t seed = (uint64_t)n * 3;
        r[n] = (struct rating){draw(seed, USERS, 1.5), draw(seed + 1, ITEMS, 2.5), 0};
        double value = uniform(seed + 2) - .5;
        for (uint64_t f = 0; f < 3; ++f)
            value += 5 * (uniform((uint64_t)r[n].user * 7 + f) - .5) *
                     (uniform((uint64_t)r[n].item * 11 + f + 1000000) - .5);
        r[n].value = (float)value;
    }
    for (int i = 0; i < USERS * K; ++i)
        W[0][i] = (float)(uniform((uint64_t)i + 5000000) - .5);
    for (int i = 0; i < ITEMS * K; ++i)
        H[0][i] = (float)(uniform((uint64_t)i + 9000000) - .5);
    for (int pass = 0; pass < passes; ++pass) {
        float rate = .1f, lambda = .02f;
#pragma orrery parallel unordered
        for (long n = 0; n < COUNT; ++n) {
            float *w = W[r[n].user], *h = H[r[n].item], e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            for (int k = 0; k < K; ++k) {
                float wk = w[k];
                w[k] += rate * (e * h[k] - lambda * wk);
                h[k] += rate * (e * wk - lambda * h[k]);
            }
        }
        printf("%d %.5f\n", pass + 1, error_of(r, W, H));
    }
    free(r), free(W), free(H);
    return 0;
}
