/*
 * One hidden layer by minibatches with momentum: activations, deltas and gradients are arrays of the file, which
 * forward and backward name.
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define IN 12
#define HID 16
#define OUT 3
#define BATCH 32
static double w1[HID][IN + 1], w2[OUT][HID + 1], dw1[HID][IN + 1], dw2[OUT][HID + 1],
    vw1[HID][IN + 1], vw2[OUT][HID + 1];
static double hidden[HID], output[OUT], delta_out[OUT], delta_hid[HID];
static double (*X)[IN];
static int *Y;
static int N = 1024;
static void forward(const double *x) {
    for (int j = 0; j < HID; j++) {
        double s = w1[j][IN];
        for (int i = 0; i < IN; i++)
            s += w1[j][i] * x[i];
        hidden[j] = tanh(s);
    }
    double mx = -1e300, sum = 0;
    for (int k = 0; k < OUT; k++) {
        output[k] = w2[k][HID];
        for (int j = 0; j < HID; j++)
            output[k] += w2[k][j] * hidden[j];
        if (output[k] > mx)
            mx = output[k];
    }
    for (int k = 0; k < OUT; k++) {
        output[k] = exp(output[k] - mx);
        sum += output[k];
    }
    for (int k = 0; k < OUT; k++)
        output[k] /= sum;
}
static void backward(const double *x, int y) {
    for (int k = 0; k < OUT; k++)
        delta_out[k] = output[k] - (k == y);
    for (int j = 0; j < HID; j++) {
        double s = 0;
        for (int k = 0; k < OUT; k++)
            s += delta_out[k] * w2[k][j];
        delta_hid[j] = s * (1 - hidden[j] * hidden[j]);
    }
    for (int k = 0; k < OUT; k++) {
        for (int j = 0; j < HID; j++)
            dw2[k][j] += delta_out[k] * hidden[j];
        dw2[k][HID] += delta_out[k];
    }
    for (int j = 0; j < HID; j++) {
        for (int i = 0; i < IN; i++)
            dw1[j][i] += delta_hid[j] * x[i];
        dw1[j][IN] += delta_hid[j];
    }
}
static void update(double lr, double mom, int n) {
    for (int j = 0; j < HID; j++)
        for (int i = 0; i <= IN; i++) {
            vw1[j][i] = mom * vw1[j][i] - lr * dw1[j][i] / n;
            w1[j][i] += vw1[j][i];
        }
    for (int k = 0; k < OUT; k++)
        for (int j = 0; j <= HID; j++) {
            vw2[k][j] = mom * vw2[k][j] - lr * dw2[k][j] / n;
            w2[k][j] += vw2[k][j];
        }
    memset(dw1, 0, sizeof dw1);
    memset(dw2, 0, sizeof dw2);
}
int main(void) {
    X = malloc(N * sizeof *X);
    Y = malloc(N * sizeof *Y);
    srand(1);
    for (int n = 0; n < N; n++) {
        double s = 0;
        for (int i = 0; i < IN; i++) {
            X[n][i] = rand() / (double)RAND_MAX - .5;
            s += X[n][i] * (i % 3 - 1);
        }
        Y[n] = s < -.3 ? 0 : s < .3 ? 1 : 2;
    }
    for (int j = 0; j < HID; j++)
        for (int i = 0; i <= IN; i++)
            w1[j][i] = (rand() / (double)RAND_MAX - .5) * .5;
    for (int k = 0; k < OUT; k++)
        for (int j = 0; j <= HID; j++)
            w2[k][j] = (rand() / (double)RAND_MAX - .5) * .5;
    for (int epoch = 0; epoch < 5; epoch++) {
        double loss = 0;
        int correct = 0;
        for (int start = 0; start < N; start += BATCH) {
            int end = start + BATCH < N ? start + BATCH : N;
#pragma orrery parallel unordered
            for (int n = start; n < end; n++) {
                forward(X[n]);
                int best = 0;
                for (int k = 1; k < OUT; k++)
                    if (output[k] > output[best])
                        best = k;
                correct += best == Y[n];
                loss -= log(output[Y[n]]);
                backward(X[n], Y[n]);
            }
            update(0.1, 0.9, end - start);
        }
        printf("epoch %d loss %.4f acc %.3f\n", epoch, loss / N, correct / (double)N);
    }
    return 0;
}
