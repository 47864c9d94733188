/*
 * An array that one loop reads anywhere, and that several others cut: memory.sh. usage: loops ROWS
 */
#include <stdio.h>
#include <stdlib.h>

enum { K = 32 };

static void pick(float *out, const float *W, const int *at, long rows) {
#pragma orrery parallel
    for (long u = 0; u < rows; ++u)
        out[u] = W[(long)at[u] * K + 1];
}

static void halve(float *W, long rows) {
#pragma orrery parallel
    for (long u = 0; u < rows; ++u)
        for (int k = 0; k < K; ++k)
            W[u * K + k] *= .5f;
}

static void add(float *W, long rows) {
#pragma orrery parallel
    for (long u = 0; u < rows; ++u)
        for (int k = 0; k < K; ++k)
            W[u * K + k] += (float)(u % 7);
}

static void turn(float *W, long rows) {
#pragma orrery parallel
    for (long u = 0; u < rows; ++u)
        for (int k = 0; k < K; ++k)
            W[u * K + k] = (float)k - W[u * K + k];
}

static void bend(float *W, long rows) {
#pragma orrery parallel
    for (long u = 0; u < rows; ++u)
        for (int k = 0; k < K; ++k)
            W[u * K + k] = W[u * K + k] * W[u * K + k] * .125f;
}

int main(int argc, char **argv) {
    long rows = argc > 1 ? atol(argv[1]) : 0;
    float *W = calloc((size_t)(rows * K), sizeof *W), *out = calloc((size_t)rows, sizeof *out);
    int *at = malloc((size_t)rows * sizeof *at);
    if (!W || !out || !at)
        return 3;
    for (long u = 0; u < rows; ++u)
        at[u] = (int)(u * 7919 % rows);
    for (int pass = 0; pass < 2; ++pass) {
        double sum = 0;
        add(W, rows);
        pick(out, W, at, rows);
        halve(W, rows);
        turn(W, rows);
        bend(W, rows);
        add(W, rows);
        pick(out, W, at, rows);
        for (long u = 0; u < rows; ++u)
            sum += W[u * K + 3] + 2 * out[u];
        printf("%.9g\n", sum);
    }
    free(W);
    free(out);
    free(at);
    return 0;
}
