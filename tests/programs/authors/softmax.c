/*
 * Softmax regression by minibatches; the gradient of a batch is summed.
 * loop: parallel reduction
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define D 10
#define C 4

int main(void) {
    int n = 1200, batch = 100;
    float *x = malloc(n * D * sizeof(float));
    unsigned char *label = malloc(n);
    static float W[C][D], b[C], dW[C][D], db[C];
    srand(28);
    for (int i = 0; i < n; i++) {
        label[i] = rand() % C;
        for (int j = 0; j < D; j++)
            x[i * D + j] = (j % C == label[i]) + rand() % 100 / 100.0f;
    }
    for (int epoch = 0; epoch < 3; epoch++) {
        int correct = 0;
        double loss = 0;
        for (int start = 0; start < n; start += batch) {
            memset(dW, 0, sizeof dW);
            memset(db, 0, sizeof db);
#pragma orrery parallel
            for (int i = start; i < start + batch; i++) {
                float p[C], max = -INFINITY, sum = 0;
                int best = 0;
                for (int c = 0; c < C; c++) {
                    p[c] = b[c];
                    for (int j = 0; j < D; j++)
                        p[c] += W[c][j] * x[i * D + j];
                    if (p[c] > max) {
                        max = p[c];
                        best = c;
                    }
                }
                for (int c = 0; c < C; c++) {
                    p[c] = expf(p[c] - max);
                    sum += p[c];
                }
                correct += best == label[i];
                loss -= logf(p[label[i]] / sum);
                for (int c = 0; c < C; c++) {
                    float g = p[c] / sum - (c == label[i] ? 1 : 0);
                    db[c] += g;
                    for (int j = 0; j < D; j++)
                        dW[c][j] += g * x[i * D + j];
                }
            }
            for (int c = 0; c < C; c++) {
                b[c] -= 0.5f / batch * db[c];
                for (int j = 0; j < D; j++)
                    W[c][j] -= 0.5f / batch * dW[c][j];
            }
        }
        printf("epoch %d correct %d loss %.6g\n", epoch, correct, loss / n);
    }
    return 0;
}
