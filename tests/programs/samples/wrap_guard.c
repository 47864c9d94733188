/* Subscripts in 32 bits without a sign: `fits` stays below 2^32, `wraps` does not. The counter
 * of `around` begins above the bound that != waits for, that of `behind` at its greatest value;
 * that of `narrow` and of `low` would go around behind its bound, for ever. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000, ROWS = 64, K = 24 };

static void train(float *W, const uint32_t *u, long n, uint32_t k) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        for (uint32_t j = 0; j < k; ++j)
            W[u[i] * k + j] = W[u[i] * k + j] * .75f + (float)(j + 1);
}

static void halves(float *W, uint32_t n) {
#pragma orrery parallel
    for (uint32_t i = 0; i < n; ++i)
        W[2 * i] = W[2 * i + 1] * .5f;
}

static void ring(float *W, uint32_t from, uint32_t to) {
#pragma orrery parallel
    for (uint32_t i = from; i != to; ++i)
        W[i & 63] = W[i & 63] * .5f + (float)(i & 7);
}

/* The first round is run whatever the counter holds, and ++ may take it around. */
static void once_more(float *W, unsigned char from) {
    unsigned char i = from;
#pragma orrery parallel
    do {
        W[i] = W[i] * .5f + (float)(i & 7);
    } while (++i < 5);
}

/* `n` in int, the counter in fewer bits; every third of them. */
static void narrow(float *W, int n) {
#pragma orrery parallel
    for (unsigned char i = 1; i < n; i += 3)
        W[i] = W[i] * .5f + (float)(i & 7);
}

static void narrow_down(float *W, int from, int low) {
#pragma orrery parallel
    for (signed char i = (signed char)from; i >= low; --i)
        W[i + 128] = W[i + 128] * .5f + (float)(i & 7);
}

/* Nothing but the check names `n`. */
static void narrow_walk(float *W, int n) {
    float *p = W + 2;
#pragma orrery parallel
    for (short i = 0; i < n; i += 3) {
        p[0] = p[0] * .5f + (float)i;
        p += 2;
    }
}

int main(int argc, char **argv) {
    float *W = calloc(ROWS * K, sizeof *W);
    uint32_t *u = malloc(N * sizeof *u);
    double sum = 0;
    for (int i = 0; i < N; ++i)
        u[i] = (uint32_t)(i * 7919L % ROWS);
    /* 24 times that is 2^32 + 8: another row's elements */
    if (argc > 1 && strcmp(argv[1], "wraps") == 0)
        u[N / 2] = 178956971u;
    train(W, u, N, argc > 1 && strcmp(argv[1], "none") == 0 ? 0 : K);
    halves(W, ROWS * K / 2);
    halves(W, 0);
    ring(W, argc > 1 && strcmp(argv[1], "around") == 0 ? (uint32_t)-5 : 5, 200);
    once_more(W, argc > 1 && strcmp(argv[1], "behind") == 0 ? 255 : 2);
    narrow(W, argc > 1 && strcmp(argv[1], "narrow") == 0 ? 254 : 253);
    narrow_walk(W, 1200);
    narrow_down(W, 127, argc > 1 && strcmp(argv[1], "low") == 0 ? -128 : -127);
    for (int i = 0; i < ROWS * K; ++i)
        sum += W[i] * (i % 31);
    printf("%.3f\n", sum);
    free(W);
    free(u);
    return 0;
}
