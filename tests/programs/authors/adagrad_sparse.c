/*
 * AdaGrad on a sparse linear regression: examples as structures with arrays of indices inside.
 * loop: parallel batches
 * order: another one than the serial loop's, as `unordered` allows; the same with any number of workers
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NNZ 5

typedef struct {
    int idx[NNZ];
    float val[NNZ];
    float target;
} sample_t;

int main(void) {
    int n = 1500, dims = 2000;
    srand(44);
    sample_t *data = malloc(sizeof(sample_t) * n);
    float *w = calloc(dims, sizeof(float)), *g2 = calloc(dims, sizeof(float));
    for (int i = 0; i < n; i++) {
        data[i].target = 0;
        for (int j = 0; j < NNZ; j++) {
            data[i].idx[j] = rand() % dims;
            data[i].val[j] = 1;
            data[i].target += data[i].idx[j] % 3 - 1;
        }
    }
    for (int epoch = 0; epoch < 4; epoch++) {
        double loss = 0;
#pragma orrery parallel unordered
        for (int i = 0; i < n; i++) {
            sample_t *s = &data[i];
            float y = 0;
            for (int j = 0; j < NNZ; j++)
                y += w[s->idx[j]] * s->val[j];
            float err = y - s->target;
            loss += err * err;
            for (int j = 0; j < NNZ; j++) {
                float g = err * s->val[j];
                g2[s->idx[j]] += g * g;
                w[s->idx[j]] -= 0.3f * g / (sqrtf(g2[s->idx[j]]) + 1e-6f);
            }
        }
        printf("epoch %d loss %.3f\n", epoch, loss / n);
    }
    return 0;
}
