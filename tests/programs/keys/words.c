/* word2vec's step with negative samples drawn in a serial step before. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
enum { K = 32, NEG = 5 };
static float in[3000][K], out[3000][K];
static int centre[100000], context[100000], negative[100000][NEG];

static void train(long n, float rate) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *h = in[centre[i]];
        float grad[K] = {0};
        for (int s = 0; s <= NEG; ++s) {
            float *o = s ? out[negative[i][s - 1]] : out[context[i]];
            float dot = 0;
            for (int k = 0; k < K; ++k)
                dot += h[k] * o[k];
            float g = ((s == 0) - 1 / (1 + expf(-dot))) * rate;
            for (int k = 0; k < K; ++k) {
                grad[k] += g * o[k];
                o[k] += g * h[k];
            }
        }
        for (int k = 0; k < K; ++k)
            h[k] += grad[k];
    }
}
int main(void) {
    unsigned long s = 1;
#define NEXT (s = s * 6364136223846793005ul + 1442695040888963407ul, (long)(s >> 33))
    long n = 5000;
    for (int i = 0; i < 3000; ++i)
        for (int k = 0; k < K; ++k)
            in[i][k] = NEXT % 1000 / 10000.f - .05f;
    for (long i = 0; i < n; ++i) {
        centre[i] = NEXT % 3000;
        context[i] = NEXT % 3000;
        for (int k = 0; k < NEG; ++k)
            negative[i][k] = NEXT % 3000;
    }
    for (int t = 0; t < 2; ++t)
        train(n, .05f);
    printf("%lx %lx\n", digest(in, sizeof in), digest(out, sizeof out));
}
