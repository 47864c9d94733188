/* emit: 2 */
/* Rows of rows whose length no loop counts up to, padded ones and those cut into heads: that a
 * length is not negative was asked of the analyzer, which could not know, and not of the run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void softmax(float *p, const float *x, int B, int T, int V, int Vp) {
#pragma orrery parallel
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            const float *from = x + b * T * Vp + t * Vp;
            float *to = p + b * T * Vp + t * Vp;
            float most = -1000, sum = 0;
            for (int i = 0; i < V; i++)
                if (from[i] > most)
                    most = from[i];
            for (int i = 0; i < V; i++) {
                to[i] = expf(from[i] - most);
                sum += to[i];
            }
            for (int i = 0; i < V; i++)
                to[i] /= sum;
            for (int i = V; i < Vp; i++)
                to[i] = 0;
        }
}

static void heads(float *out, const float *in, int B, int T, int C, int NH) {
    int width = C / NH;
#pragma orrery parallel
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++)
            for (int h = 0; h < NH; h++) {
                float *to = out + b * T * C + t * C + h * width;
                for (int i = 0; i < width; i++)
                    to[i] = 0;
                for (int u = 0; u <= t; u++) {
                    const float *from = in + b * T * C + u * C + h * width;
                    for (int i = 0; i < width; i++)
                        to[i] += from[i] / (float)(t + 1);
                }
            }
}

int main(void) {
    enum { B = 16, T = 9, V = 13, VP = 16, C = 12, NH = 3 };
    float *x = malloc(sizeof *x * B * T * VP), *p = calloc(B * T * VP, sizeof *p);
    float *y = calloc(B * T * C, sizeof *y);
    for (int i = 0; i < B * T * VP; i++)
        x[i] = (float)(i * 37 % 101) * .05f;
    softmax(p, x, B, T, V, VP);
    heads(y, x, B, T, C, NH);
    for (int i = 0; i < B * T * VP; i += 7)
        printf("%a\n", p[i]);
    for (int i = 0; i < B * T * C; i += 5)
        printf("%a\n", y[i]);
    free(x), free(p), free(y);
    return 0;
}
